// Tests of dist/: a run's summary as a seller reads it, and what it says comes next.
import { expect, test } from '@jest/globals'
import { openShop, type Shop, summaryOf } from '../support/shop.ts'

const PLAN = { mode: 'plan', token: '' }

test('the summary begins with who gets it, and ends with the digest; the shop is a link, the download none', async () => {
  await using shop = await openShop()
  const planned = await shop.publish({ inputs: { ...PLAN, benefit: '34' } })
  expect(summaryOf(planned)).toMatch(
    /^## .*\n\n\*\*Goes to:\*\* the buyers of the option with benefit 34 of product 12\n/
  )
  expect(summaryOf(planned)).toMatch(/<th align="left">SHA-256<.*\n<\/table>/)

  const published = await shop.publish()
  expect(summaryOf(published)).toMatch(/^## .*\n\n\*\*Goes to:\*\* all buyers of product 12\n/)
  expect(published.summary).toContain(`Published at <a href="${shop.service.url}">`)
  expect(published.outputs.download_url).not.toBe('')
  expect(`${published.summary}${published.log}`).not.toContain(published.outputs.download_url)
})

interface AfterPlan {
  readonly name: string
  readonly before: (shop: Shop) => unknown
  readonly next: RegExp
}

test.each<AfterPlan>([
  {
    name: 'nothing is recorded',
    before: () => undefined,
    next: /correct it, and plan again: .* with mode `plan` and tag `v1\.4\.2`/
  },
  {
    name: 'it is published',
    before: shop => shop.publish(),
    next: /new content needs a new release/
  },
  {
    name: 'it is in doubt',
    before: shop => {
      shop.service.misbehave({ kind: 'reset-after-body', stored: true })
      return shop.publish()
    },
    next: /look in the shop, .* `mark-published` or `mark-not-published` and tag `v1\.4\.2`/
  }
])('a plan says what comes next, which is never to publish: $name', async ({ before, next }) => {
  await using shop = await openShop()
  await before(shop)

  const { log } = await shop.publish({ inputs: PLAN, runId: '9000002' })
  const [said = ''] = /^Next: .*$/m.exec(log) ?? []
  expect(said).toMatch(next)
  expect(said).not.toMatch(/mode `publish`/)
})
