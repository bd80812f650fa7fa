// Owns which runs publish which release: of an event, of a tag, again on a re-run, or none.
import { describe, expect, test } from '@jest/globals'
import {
  FILE,
  openShop,
  type PublishOptions,
  type ShopOptions,
  summaryOf
} from '../support/shop.ts'

const off = { inputs: { once: 'off' } }
const COMMIT = 'c0ffee0000000000000000000000000000000000'

/** An event without a release, on this ref. */
const on = (name: string, ref: string, payload = {}): PublishOptions => {
  return { event: { name, payload }, env: { GITHUB_REF: ref } }
}
const BRANCH = on('workflow_dispatch', 'refs/heads/v1.4.2')
const PULL = on('pull_request_target', 'refs/pull/3/merge', { action: 'opened' })
const TAG = on('push', 'refs/tags/v2.0.0')
const ELSEWHERE = { tag: 'v1.4.2', 'base-url': 'https://shop.example.com' }

test.each<[string, PublishOptions, string, string, RegExp]>([
  [
    'a release that is edited',
    { action: 'edited' },
    'skipped',
    'event-action',
    /"edited".*released/
  ],
  ['a run on a branch', BRANCH, 'failed', 'event', /Set the input `tag`/],
  ['a pull request', { ...PULL, inputs: ELSEWHERE }, 'failed', 'event', /pull_request_target/]
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
    /^## ✅ Published \(rehearsal\): Gallery 1\.4\.2\n\n.*\n\nThis uses the tag and the notes of the newest release, v1\.4\.2, /
  )
  const tagged = await shop.publish({ ...PULL, inputs: { tag: 'v1.4.2' } })
  expect(summaryOf(tagged)).toMatch(/^## ✅ Published \(rehearsal\): Gallery 1\.4\.2\n/)
})

describe('the release of a tag', () => {
  test.each<[string, string, PublishOptions]>([
    ['a push', 'v1.4.2', on('push', 'refs/tags/v1.4.2')],
    ['the input, by hand', 'größe/v2@1.4.2', { ...BRANCH, inputs: { tag: 'größe/v2@1.4.2' } }]
  ])('by %s is published', async (_, tag, options) => {
    await using shop = await openShop(off)
    shop.addRelease({ tag, name: `Release ${tag}` })
    const event = shop.event({ tag: 'v9.9.9', body: 'Wrong' })
    const run = await shop.publish({ event, ...options, inputs: { file: FILE, ...options.inputs } })
    expect(run.outputs).toMatchObject({ outcome: 'published', title: `Release ${tag}` })
    expect(run.outputs.changelog).toContain('Albums can be sorted')
  })

  test('that does not exist is its tag, with a changelog given', async () => {
    await using shop = await openShop()
    shop.github.addTag('v2.0.0', COMMIT)
    const run = await shop.publish({ ...TAG, inputs: { changelog: 'Faster.', file: FILE } })
    expect(run.outputs.outcome).toBe('published')
    const record = { title: 'v2.0.0', changelog: 'Faster.' }
    expect(shop.service.versions).toMatchObject([{ versionName: '2.0.0', record }])
    expect(shop.github.deployments).toMatchObject([{ ref: 'v2.0.0', sha: COMMIT }])
  })

  const changelog = { changelog: 'Faster.' }
  const write = { github: { permissions: { contents: 'write' } } } as const
  const none = { github: { permissions: { contents: 'none' } } } as const
  test.each<[string, ShopOptions, Record<string, string>, string, RegExp]>([
    [
      'that is a draft which the job may not see needs more than a fallback',
      {},
      { 'changelog-fallback': 'Fixes.' },
      ...([
        'no-changelog',
        /^changelog: the tag "v2\.0\.0" has no published release.*draft.*`changelog`/
      ] as const)
    ],
    ['that is a draft', write, changelog, 'draft', /draft/],
    ['that cannot be read', none, changelog, 'github', /contents: read/]
  ])('%s is not published', async (_, options, inputs, reason, text) => {
    await using shop = await openShop({ ...off, ...options })
    shop.github.addTag('v2.0.0', COMMIT)
    shop.addRelease({ tag: 'v2.0.0', draft: true })
    const run = await shop.publish({ ...TAG, inputs: { file: FILE, ...inputs } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason })
    expect(run.annotations[0]?.message).toMatch(text)
    expect(shop.service.requests).toEqual([])
  })
})

test('a re-run publishes the notes and the name as they are now, or as they were where GitHub refuses', async () => {
  await using shop = await openShop(off)
  const event = shop.event({ body: 'First notes', name: 'First name' })
  shop.addRelease({ body: 'Better notes', name: 'Better name' })
  const second = await shop.publish({ event, attempt: 2 })
  expect(second.outputs).toMatchObject({ changelog: 'Better notes', title: 'Better name' })
  expect(second.annotations).toEqual([])
  shop.github.misbehave({ kind: 'status', status: 403 })
  const third = await shop.publish({ event, attempt: 3 })
  expect(third.outputs).toMatchObject({ outcome: 'published', changelog: 'First notes' })
  const message = expect.stringMatching(/release/)
  expect(third.annotations).toMatchObject([{ kind: 'notice', message }])
})
