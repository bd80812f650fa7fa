// Owns releases that are read from GitHub: by their tag, and afresh on a re-run.
import { describe, expect, test } from '@jest/globals'
import { FILE, openShop, type PublishOptions } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }
const BY_HAND = { name: 'workflow_dispatch', payload: {} }
const COMMIT = 'c0ffee0000000000000000000000000000000000'

/** A push of that tag. */
function pushed(tag: string): PublishOptions {
  return { event: { name: 'push', payload: {} }, env: { GITHUB_REF: `refs/tags/${tag}` } }
}

describe('by its tag', () => {
  const ways: readonly (readonly [name: string, options: PublishOptions])[] = [
    ['a tag push', pushed('v1.4.2')],
    ['a release event of another tag, with the input `tag`', { inputs: { tag: 'v1.4.2' } }]
  ]
  test.each(ways)('%s publishes the release of the tag', async (_, options) => {
    await using shop = await openShop(off)
    const run = await shop.publish({
      event: shop.event({ tag: 'v9.9.9', body: 'Wrong' }),
      ...options
    })
    expect(run.outputs.outcome).toBe('published')
    expect(shop.service.versions).toMatchObject([
      { versionName: '1.4.2', record: { title: 'Gallery 1.4.2', changelog: run.outputs.changelog } }
    ])
    expect(run.outputs.changelog).toContain('Albums can be sorted')
  })

  test.each(['release/v2.0.0+build#7', 'größe-v2@2'])('the tag %s is found', async tag => {
    await using shop = await openShop(off)
    shop.addRelease({ tag, name: `Release ${tag}` })
    const run = await shop.publish({ event: BY_HAND, inputs: { tag, file: FILE } })
    expect(run.outputs.title).toBe(`Release ${tag}`)
  })

  test('a tag without a release needs a changelog, and says so', async () => {
    await using shop = await openShop(off)
    shop.github.addTag('v2.0.0', COMMIT)
    const run = await shop.publish({ ...pushed('v2.0.0'), inputs: { file: FILE } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-changelog' })
    expect(run.annotations[0]?.message).toMatch(
      /^changelog: the tag "v2\.0\.0" has no published release.*`changelog`/
    )
    expect(shop.service.requests).toEqual([])
  })

  test('a tag without a release is published with a changelog, under its own name', async () => {
    await using shop = await openShop()
    shop.github.addTag('v2.0.0', COMMIT)
    const inputs = { changelog: 'Faster.', file: FILE }
    const run = await shop.publish({ ...pushed('v2.0.0'), inputs })
    expect(run.outputs.outcome).toBe('published')
    expect(shop.service.versions).toMatchObject([
      { versionName: '2.0.0', record: { title: 'v2.0.0', changelog: 'Faster.' } }
    ])
    expect(shop.github.deployments).toMatchObject([{ ref: 'v2.0.0', sha: COMMIT }])
  })

  test('the draft of a pushed tag is refused, though a changelog is given', async () => {
    await using shop = await openShop({
      ...off,
      github: { permissions: { contents: 'write' } }
    })
    shop.github.addTag('v2.0.0', COMMIT)
    shop.addRelease({ tag: 'v2.0.0', draft: true })
    const inputs = { changelog: 'Faster.', file: FILE }
    const run = await shop.publish({ ...pushed('v2.0.0'), inputs })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'draft' })
    expect(shop.service.requests).toEqual([])
  })

  test('a draft that the job may not see is told of, and a fallback does not publish it', async () => {
    await using shop = await openShop(off)
    shop.github.addTag('v2.0.0', COMMIT)
    shop.addRelease({ tag: 'v2.0.0', draft: true })
    const inputs = { 'changelog-fallback': 'Fixes.', file: FILE }
    const run = await shop.publish({ ...pushed('v2.0.0'), inputs })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-changelog' })
    expect(run.annotations[0]?.message).toMatch(/draft/)
    expect(shop.service.requests).toEqual([])
  })

  test('a release that cannot be read is an error, not a tag without one', async () => {
    await using shop = await openShop(off)
    shop.github.setPermissions({ contents: 'none' })
    const run = await shop.publish({ ...pushed('v1.4.2'), inputs: { changelog: 'Faster.' } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
    expect(run.annotations[0]?.message).toContain('contents: read')
    expect(shop.service.requests).toEqual([])
  })

  test('a wrong `github-token` is an error that names it', async () => {
    await using shop = await openShop(off)
    const inputs = { 'github-token': 'a-token-that-is-wrong' }
    const run = await shop.publish({ ...pushed('v1.4.2'), inputs })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
    expect(run.annotations[0]?.message).toMatch(/401.*`github-token`/s)
  })
})

describe('on a re-run', () => {
  test('the notes that were edited since are published, and the name', async () => {
    await using shop = await openShop(off)
    const event = shop.event({ body: 'First notes', name: 'First name' })
    shop.addRelease({ body: 'Better notes', name: 'Better name' })
    const first = await shop.publish({ event })
    expect(first.outputs).toMatchObject({ changelog: 'First notes', title: 'First name' })
    const second = await shop.publish({ event, attempt: 2 })
    expect(second.outputs).toMatchObject({ changelog: 'Better notes', title: 'Better name' })
    expect(second.annotations).toEqual([])
  })

  test('if GitHub refuses, the payload serves, and a notice says so', async () => {
    await using shop = await openShop(off)
    const event = shop.event({ body: 'First notes' })
    shop.addRelease({ body: 'Better notes' })
    shop.github.misbehave({ kind: 'status', status: 403 })
    const run = await shop.publish({ event, attempt: 2 })
    expect(run.outputs).toMatchObject({ outcome: 'published', changelog: 'First notes' })
    expect(run.annotations).toMatchObject([
      { kind: 'notice', message: expect.stringMatching(/release/) }
    ])
  })
})
