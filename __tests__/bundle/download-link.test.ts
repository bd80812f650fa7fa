// Owns who gets to see the download address on dist/: the log, the summary, the deployment, the output.
import { expect, test } from '@jest/globals'
import { openShop } from '../support/shop.ts'

test.each([
  ['auto', true, true],
  ['auto', false, false],
  ['show', false, true],
  ['hide', true, false]
])('`%s`, and a repository whose being private is %s: shown is %s', async (...row) => {
  const [policy, isPrivate, shown] = row
  await using shop = await openShop({ private: isPrivate, inputs: { 'download-link': policy } })
  const run = await shop.publish()
  const url = shop.service.versions[0]?.record.download_url ?? ''
  expect(run.outputs).toMatchObject({ outcome: 'published', download_url: url })
  expect(run.outputs.versions).toContain(url)
  const [, secret = 'nothing'] = /downloads\/([^/]+)/.exec(url) ?? []
  expect([run.log, run.summary].map(text => text.includes(secret))).toEqual([shown, shown])
  const addresses = shop.github.deployments[0]?.statuses.map(status => status.environment_url)
  expect(addresses).toEqual(['', shown ? url : ''])
  expect(JSON.stringify(shop.github.requests).includes(secret)).toBe(shown)
  if (isPrivate) return
  // A replay knows the address only where it was shown.
  const again = await shop.publish({ attempt: 2 })
  expect(again.outputs).toMatchObject({
    reason: 'already-published',
    download_url: shown ? url : ''
  })
})

test.each([
  ['asked whether it is private', false, true],
  ['silent', true, false]
])('started by hand, and GitHub is %s', async (_, silent, shown) => {
  await using shop = await openShop({ private: true, inputs: { once: 'off' } })
  const on = { path: /^\/repos\/acme\/gallery$/ }
  if (silent) shop.github.misbehave({ kind: 'status', status: 403, on })
  const event = { name: 'workflow_dispatch', payload: {} }
  const run = await shop.publish({ event, inputs: { tag: 'v1.4.2' } })
  expect(run.outputs.download_url).toContain('/downloads/')
  expect((run.log + run.summary).includes('/downloads/')).toBe(shown)
})

test('an address that could run, or holds markup, is an output and harms nothing', async () => {
  await using shop = await openShop()
  const address = 'javascript:alert(1)\n::error::b"><img src=x>|`a`'
  const data = { id: 7, download_url: address }
  shop.service.misbehave({ kind: 'answer', status: 201, body: { data } })
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'published', download_url: address })
  expect(run.annotations).toEqual([])
  expect(run.summary).not.toMatch(/<img|href="javascript/)
  expect(shop.github.deployments[0]?.statuses.at(-1)?.state).toBe('success')
})
