// Owns which runs publish which release: of an event, of a tag, again on a re-run, or none.
import { expect, test } from '@jest/globals'
import { FILE, openShop, type PublishOptions, summaryOf } from '../support/shop.ts'

const off = { inputs: { record: 'false' } }
const COMMIT = 'c0ffee0000000000000000000000000000000000'

/** An event without a release, on this ref. */
const on = (name: string, ref: string, payload = {}): PublishOptions => {
  return { event: { name, payload }, env: { GITHUB_REF: ref } }
}
const PULL = {
  ...on('pull_request_target', 'refs/pull/3/merge', { action: 'opened' }),
  inputs: { mode: 'publish' }
}
const TAG = on('push', 'refs/tags/v2.0.0')
const ELSEWHERE = {
  ...PULL,
  inputs: { mode: 'publish', tag: 'v1.4.2', 'base-url': 'https://shop.example.com' }
}

test.each<[string, PublishOptions, string, string, RegExp]>([
  ['an edited release', { action: 'edited' }, 'skipped', 'event-action', /"edited"[\s\S]*released/],
  ['a pull request', ELSEWHERE, 'failed', 'event', /pull_request_target/]
])('nothing is published: %s', async (_, given, outcome, reason, text) => {
  await using shop = await openShop(off)
  const run = await shop.publish(given)
  expect(run.outputs).toMatchObject({ outcome, reason })
  const kind = outcome === 'failed' ? 'error' : 'notice'
  expect(run.annotations).toMatchObject([{ kind, message: expect.stringMatching(text) }])
  expect([shop.service.requests, shop.github.requests]).toEqual([[], []])
})

test('a release is published once it is promoted, also with files that are null', async () => {
  await using shop = await openShop({ ...off, release: { prerelease: true, assets: [null] } })
  const first = await shop.publish({ action: 'published' })
  expect(first.outputs).toMatchObject({ outcome: 'skipped', reason: 'prerelease' })
  const then = await shop.publish({ event: shop.event({ prerelease: false }), runId: '9000002' })
  expect(then.outputs.outcome).toBe('published')
  expect([shop.service.versions.length, shop.github.requests]).toEqual([1, []])
})

test('a pull request rehearses at a shop on this machine, and the summary says so', async () => {
  await using shop = await openShop(off)
  const run = await shop.publish(PULL)
  expect(run.outputs.outcome).toBe('published')
  expect(summaryOf(run)).toMatch(
    /^## ✅ Published: 1\.4\.2\n\nThis uses the tag and the notes of the newest release, v1\.4\.2, /
  )
  const tagged = await shop.publish({ ...PULL, inputs: { mode: 'publish', tag: 'v1.4.2' } })
  expect(summaryOf(tagged)).toMatch(/^## ✅ Published: 1\.4\.2\n/)
})

test('a tag without a release, or with a draft that the job may not see, needs a changelog of its own', async () => {
  await using shop = await openShop()
  shop.github.addTag('v2.0.0', COMMIT)
  shop.addRelease({ tag: 'v2.0.0', draft: true })
  const publish = (inputs: Record<string, string>) =>
    shop.publish({ ...TAG, inputs: { file: FILE, ...inputs } })
  const refused = await publish({ 'changelog-fallback': 'Fixes.' })
  expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'event' })
  const said = /^No published release has the tag "v2\.0\.0"\.\n.*`changelog`/
  expect(refused.annotations[0]?.message).toMatch(said)
  expect(shop.service.requests).toEqual([])
  expect((await publish({ changelog: 'Faster.' })).outputs.outcome).toBe('published')
  const record = { title: 'v2.0.0', changelog: 'Faster.' }
  expect(shop.service.versions).toMatchObject([{ versionName: '2.0.0', record }])
  expect(shop.github.deployments).toMatchObject([{ ref: 'v2.0.0', sha: COMMIT }])
})
