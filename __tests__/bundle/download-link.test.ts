// Owns who gets to see the download address: the log, the summary, the deployment, the output.
import { expect, test } from '@jest/globals'
import { openShop } from '../support/shop.ts'

type Row = readonly [policy: string, isPrivate: boolean, shown: boolean]

const rows: readonly Row[] = [
  ['auto', true, true],
  ['auto', false, false],
  ['show', false, true],
  ['hide', true, false]
]

test.each(rows)('`%s`, and a repository whose being private is %s: shown is %s', async (...row) => {
  const [policy, isPrivate, shown] = row
  await using shop = await openShop({ private: isPrivate, inputs: { 'download-link': policy } })
  const run = await shop.publish()
  const url = shop.service.versions[0]?.record.download_url ?? ''
  expect(run.outputs.outcome).toBe('published')
  expect(run.outputs.download_url).toBe(url)
  expect(run.outputs.versions).toContain(url)
  const [, secret = 'nothing'] = /downloads\/([^/]+)/.exec(url) ?? []
  expect(run.log.includes(secret)).toBe(shown)
  expect(run.summary.includes(secret)).toBe(shown)
  const addresses = shop.github.deployments[0]?.statuses.map(status => status.environment_url)
  expect(addresses).toEqual(['', shown ? url : ''])
  expect(JSON.stringify(shop.github.requests).includes(secret)).toBe(shown)
})

test('started by hand, GitHub is asked whether it is private', async () => {
  await using shop = await openShop({ private: true })
  const run = await shop.publish({
    event: { name: 'workflow_dispatch', payload: {} },
    inputs: { tag: 'v1.4.2' }
  })
  expect(run.summary).toContain('/downloads/')
})

test('if GitHub does not say whether it is private, the address is hidden', async () => {
  await using shop = await openShop({ inputs: { once: 'off' } })
  shop.github.misbehave({ kind: 'status', status: 403, on: { path: /^\/repos\/acme\/gallery$/ } })
  const run = await shop.publish({
    event: { name: 'workflow_dispatch', payload: {} },
    inputs: { tag: 'v1.4.2' }
  })
  expect(run.outputs.outcome).toBe('published')
  expect(run.outputs.download_url).not.toBe('')
  expect(run.log + run.summary).not.toContain('/downloads/')
})

test.each([
  ['that is none', 'javascript:alert(1)'],
  ['with markup', 'https://x.example/a\n::error::b"><img src=x>|`a`']
])('an address %s is an output, and harms nothing', async (_, address) => {
  await using shop = await openShop()
  const data = { id: 7, download_url: address }
  shop.service.misbehave({ kind: 'answer', status: 201, body: { data } })
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'published', download_url: address })
  expect(run.annotations).toEqual([])
  expect(run.summary).not.toMatch(/<img|href="javascript/)
  expect(shop.github.deployments[0]?.statuses.at(-1)?.state).toBe('success')
})

test('a replay shows the address where it was shown before, and only there', async () => {
  await using shop = await openShop({ private: false })
  await shop.publish()
  const again = await shop.publish({ attempt: 2 })
  expect(again.outputs).toMatchObject({ reason: 'already-published', download_url: '' })
})
