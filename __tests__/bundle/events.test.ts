// Owns which events publish: releases of every kind, tags, and runs started by hand.
import { describe, expect, test } from '@jest/globals'
import type { ReleaseParts } from '../../sandbox/release.ts'
import { openShop, summaryOf } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }

describe('release events', () => {
  test.each(['published', 'released', 'prereleased'])('%s publishes', async action => {
    await using shop = await openShop(off)
    const run = await shop.publish({ action })
    expect(run.outputs.outcome).toBe('published')
    expect(shop.service.versions).toHaveLength(1)
    expect(shop.github.requests).toEqual([])
  })

  test.each(['created', 'edited', 'deleted', 'unpublished'])(
    '%s is skipped, with a notice that names it and says what to listen to',
    async action => {
      await using shop = await openShop(off)
      const run = await shop.publish({ action })
      expect(run.outputs).toMatchObject({ outcome: 'skipped', reason: 'event-action' })
      expect(run.annotations).toMatchObject([
        { kind: 'notice', message: expect.stringContaining(`"${action}"`) }
      ])
      expect(run.annotations[0]?.message).toContain('types: [released]')
      expect(run.annotations[0]?.message).toContain('types: [published]')
      expect(shop.service.requests).toEqual([])
      expect(shop.github.requests).toEqual([])
    }
  )

  test('an event without a release is an error', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({
      event: { name: 'release', payload: { action: 'released', release: { id: 1, tag_name: '' } } }
    })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'event' })
    expect(run.annotations[0]?.message).toMatch(/no release with a tag/)
  })

  test('assets that are null do no harm', async () => {
    await using shop = await openShop({ ...off, release: { assets: [null] } })
    expect((await shop.publish()).outputs.outcome).toBe('published')
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
    ['a pre-release is published if asked for', { prerelease: true }, 'publish', 'published', ''],
    ['a pre-release is published if only they are', { prerelease: true }, 'only', 'published', ''],
    ['a release is skipped if only pre-releases are', {}, 'only', 'skipped', 'not-prerelease'],
    ['a release is published with the pre-releases', {}, 'publish', 'published', '']
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

  test('the gates hold for a release that is found by its tag, too', async () => {
    await using shop = await openShop({ ...off, release: { prerelease: true } })
    const run = await shop.publish({
      event: { name: 'workflow_dispatch', payload: {} },
      inputs: { tag: 'v1.4.2' }
    })
    expect(run.outputs).toMatchObject({ outcome: 'skipped', reason: 'prerelease' })
  })
})

describe('events that publish nothing', () => {
  test.each(['pull_request', 'pull_request_target', 'pull_request_review'])(
    '%s is refused, even with a tag',
    async name => {
      await using shop = await openShop(off)
      const run = await shop.publish({
        event: { name, payload: { action: 'opened' } },
        env: { GITHUB_REF: 'refs/pull/3/merge' },
        inputs: { tag: 'v1.4.2', 'base-url': 'https://shop.example.com' }
      })
      expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'event' })
      expect(run.annotations).toMatchObject([
        { kind: 'error', message: expect.stringContaining(name) }
      ])
      expect(shop.github.requests).toEqual([])
    }
  )

  test('a pull request rehearses at a shop on this machine, and the summary says so', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({
      event: { name: 'pull_request', payload: { action: 'opened' } },
      env: { GITHUB_REF: 'refs/pull/3/merge' }
    })
    expect(run.outputs.outcome).toBe('published')
    expect(summaryOf(run)).toMatch(
      /^The tag and the notes of the newest release, v1\.4\.2, .*\n\n## ✅ Published \(rehearsal\): 1/
    )
  })

  test.each(['workflow_dispatch', 'push', 'schedule', 'repository_dispatch', 'workflow_run'])(
    '%s on a branch is an error that says to set `tag`',
    async name => {
      await using shop = await openShop(off)
      const run = await shop.publish({
        event: { name, payload: {} },
        env: { GITHUB_REF: 'refs/heads/v1.4.2' }
      })
      expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'event' })
      expect(run.annotations).toMatchObject([
        { kind: 'error', message: expect.stringContaining('Set the input `tag`') }
      ])
      expect(shop.service.requests).toEqual([])
    }
  )
})
