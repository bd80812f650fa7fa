// Owns which events publish: releases of every kind, tags, and runs started by hand.
import { describe, expect, test } from '@jest/globals'
import type { ReleaseParts } from '../../sandbox/release.ts'
import { openShop, summaryOf } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }

describe('release events', () => {
  test('a release is published, also with files that are null, without asking GitHub', async () => {
    await using shop = await openShop({ ...off, release: { assets: [null] } })
    expect((await shop.publish()).outputs.outcome).toBe('published')
    expect(shop.service.versions).toHaveLength(1)
    expect(shop.github.requests).toEqual([])
  })

  test('one that is edited is skipped, with a notice that says what to listen to', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({ action: 'edited' })
    expect(run.outputs).toMatchObject({ outcome: 'skipped', reason: 'event-action' })
    const message = expect.stringMatching(/"edited".*types: \[released\].*types: \[published\]/s)
    expect(run.annotations).toMatchObject([{ kind: 'notice', message }])
    expect([shop.service.requests, shop.github.requests]).toEqual([[], []])
  })

  test('an event without a release is an error', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({
      event: { name: 'release', payload: { action: 'released', release: { id: 1, tag_name: '' } } }
    })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'event' })
    expect(run.annotations[0]?.message).toMatch(/no release with a tag/)
  })
})

describe('gates', () => {
  type Row = readonly [
    name: string,
    parts: Partial<ReleaseParts>,
    prerelease: string,
    outcome: string,
    reason: string
  ]
  const rows: readonly Row[] = [
    ['a draft is refused', { draft: true }, 'publish', 'failed', 'draft'],
    ['a pre-release is skipped', { prerelease: true }, '', 'skipped', 'prerelease'],
    ['a pre-release is published if asked for', { prerelease: true }, 'publish', 'published', '']
  ]
  test.each(rows)('%s', async (_, release, prerelease, outcome, reason) => {
    await using shop = await openShop({ ...off, release })
    const run = await shop.publish({ inputs: { prerelease } })
    expect(run.outputs).toMatchObject({ outcome, reason })
    const published = outcome === 'published' ? 1 : 0
    expect(shop.service.requests).toHaveLength(published)
    expect(run.annotations).toHaveLength(1 - published)
    const kind = outcome === 'failed' ? 'error' : 'notice'
    if (published === 0) expect(run.annotations[0]?.kind).toBe(kind)
  })

  test('a pre-release that is promoted is published by its `released`', async () => {
    await using shop = await openShop({ release: { prerelease: true } })
    const first = await shop.publish({ action: 'published' })
    expect(first.outputs).toMatchObject({ outcome: 'skipped', reason: 'prerelease' })
    const promoted = shop.event({ prerelease: false })
    const then = await shop.publish({ event: promoted, runId: '9000002' })
    expect(then.outputs.outcome).toBe('published')
  })
})

describe('events that publish nothing', () => {
  test('a pull request is refused, even with a tag', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({
      event: { name: 'pull_request_target', payload: { action: 'opened' } },
      env: { GITHUB_REF: 'refs/pull/3/merge' },
      inputs: { tag: 'v1.4.2', 'base-url': 'https://shop.example.com' }
    })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'event' })
    const message = expect.stringContaining('pull_request_target')
    expect(run.annotations).toMatchObject([{ kind: 'error', message }])
    expect(shop.github.requests).toEqual([])
  })

  test('a pull request rehearses at a shop on this machine, and the summary says so', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({
      event: { name: 'pull_request', payload: { action: 'opened' } },
      env: { GITHUB_REF: 'refs/pull/3/merge' }
    })
    expect(run.outputs.outcome).toBe('published')
    expect(summaryOf(run)).toMatch(
      /^The tag and the notes of the newest release, v1\.4\.2, .*\n\n## ✅ Published \(rehearsal\): Gallery 1\.4\.2\n/
    )
  })

  test('a run on a branch is an error that says to set `tag`', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({
      event: { name: 'workflow_dispatch', payload: {} },
      env: { GITHUB_REF: 'refs/heads/v1.4.2' }
    })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'event' })
    const message = expect.stringContaining('Set the input `tag`')
    expect(run.annotations).toMatchObject([{ kind: 'error', message }])
    expect(shop.service.requests).toEqual([])
  })
})
