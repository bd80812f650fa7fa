// Tests of dist/: what is sent is what the release says when the run begins, and of the commit that its tag is then.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { packed } from '../support/archives.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { git, makeCommit } from '../support/git.ts'
import { BY_HAND, openShop, type PublishOptions, type Shop } from '../support/shop.ts'

const HOME = 'https://github.com/acme/gallery'
const NAME = 'gallery-1.4.2.zip'
const REF = '`ref: ${' + '{ inputs.tag || github.ref }}`'

interface Changed {
  readonly name: string
  /** What happened while the job waited. */
  readonly change: (shop: Shop) => void
  readonly outcome: string
  readonly reason: string
  readonly said: RegExp
}

test.each<Changed>([
  {
    name: 'deleted',
    change: shop => shop.github.removeRelease('v1.4.2'),
    outcome: 'failed',
    reason: 'event',
    said: /deleted or made a draft again, or the job lacks a permission\.\n.*\n {4}permissions:\n {6}contents: read/
  },
  {
    name: 'made a pre-release',
    change: shop => shop.addRelease({ prerelease: true }),
    outcome: 'skipped',
    reason: 'prerelease',
    said: /^v1\.4\.2 is marked as a pre-release\./
  }
])('a release that was $name before its run began is not sent', async given => {
  await using shop = await openShop()
  const event = shop.event()
  given.change(shop)

  const { outputs, annotations } = await shop.publish({ event })

  expect(outputs).toMatchObject({ outcome: given.outcome, reason: given.reason })
  expect(annotations).toMatchObject([{ message: expect.stringMatching(given.said) }])
  expectNothingAsked(shop)
})

test('notes that were edited before the run began are the ones that buyers get', async () => {
  await using shop = await openShop()
  const event = shop.event()
  shop.addRelease({ body: 'Corrected notes.' })

  const { outputs } = await shop.publish({ event })

  expect(outputs).toMatchObject({ outcome: 'published', changelog: 'Corrected notes.' })
})

/** The event of a release whose tag was the commit of the workspace then. */
async function openChecked(): Promise<Shop> {
  const shop = await openShop()
  shop.addRelease({}, { commit: makeCommit(shop.workspace) })
  return shop
}

test('a tag that was moved since it started the run: an old checkout is an error, a new one is recorded', async () => {
  await using shop = await openChecked()
  const old = git(shop.workspace, 'rev-parse', 'HEAD')
  git(shop.workspace, 'commit', '--quiet', '--allow-empty', '-m', 'moved')
  const moved = git(shop.workspace, 'rev-parse', 'HEAD')
  shop.addRelease({}, { commit: moved })

  git(shop.workspace, 'checkout', '--quiet', old)
  const env = { GITHUB_SHA: old }
  const stale = await shop.publish({ env })
  expect(stale.outputs).toMatchObject({ outcome: 'failed', reason: 'commit' })
  expect(stale.annotations[0]?.message).toContain('The tag was moved after it started this run.')
  expect(stale.annotations[0]?.message).toContain(
    `give ${REF}, or the tag that this step gets, to actions/checkout.`
  )
  expectNothingAsked(shop)

  git(shop.workspace, 'checkout', '--quiet', moved)
  const fresh = await shop.publish({ env, attempt: 2 })
  expect([fresh.outputs.outcome, fresh.annotations]).toEqual(['published', []])
  const [claim] = shop.github.deployments
  expect(claim?.payload).toMatchObject({ commit: moved })
})

test('a tag that was moved is an error, too, where nothing is checked out: the file was built before', async () => {
  await using shop = await openShop()
  shop.addRelease({}, { commit: 'a'.repeat(40) })

  const moved = await shop.publish({ env: { GITHUB_SHA: 'b'.repeat(40) } })
  expect(moved.outputs).toMatchObject({ outcome: 'failed', reason: 'commit' })
  expect(moved.annotations[0]?.message).toContain(
    'Nothing shows which commit the file was built from, and the tag v1.4.2 is the commit aaaaaaa.' +
      ' The tag was moved after it started this run.'
  )
  expect(moved.annotations[0]?.message).not.toContain('press *Re-run failed jobs*')
  expectNothingAsked(shop)
  expect(shop.github.deployments).toEqual([])

  const stays = await shop.publish({ env: { GITHUB_SHA: 'a'.repeat(40) } })
  expect(stays.outputs.outcome).toBe('published')
})

const TREE: PublishOptions = {
  event: BY_HAND,
  inputs: { tag: 'v1.4.2', file: 'plugin/dist/gallery.bin' }
}

test.each([
  ['this repository', HOME, 'failed'],
  ['another repository', 'https://github.com/acme/tools', 'published']
])('a file in a work tree of its own, of %s, by the button', async (_, origin, outcome) => {
  await using shop = await openShop()
  makeCommit(join(shop.workspace, 'plugin'), origin)
  await mkdir(join(shop.workspace, 'plugin/dist'))
  await shop.write('plugin/dist/gallery.bin', 'Built from another commit.')

  const { outputs } = await shop.publish(TREE)

  expect(outputs).toMatchObject({ outcome, reason: outcome === 'failed' ? 'commit' : '' })
  expect(shop.service.versions).toHaveLength(outcome === 'failed' ? 0 : 1)
})

test('a file that was attached in place of a published one is an error on a re-run', async () => {
  const attach = (shop: Shop, text: string) => {
    const content = packed(text)
    shop.addRelease({ assets: [{ name: NAME, content }] }, { contents: { [NAME]: content } })
  }
  await using shop = await openShop({ inputs: { file: '', asset: NAME } })
  attach(shop, 'The first file.')
  expect((await shop.publish()).outputs.outcome).toBe('published')

  attach(shop, 'The corrected file.')
  const { outputs, annotations } = await shop.publish({ attempt: 2 })

  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'different-content' })
  expect(annotations[0]?.message).toContain('if not, give it a new version')
})

const MARK = { mode: 'mark-published', token: '' }

test('a version from before GitHub is marked, though no release could have the file', async () => {
  await using shop = await openShop({ inputs: { file: '', asset: 'gallery-{version}.zip' } })
  shop.github.addTag('v1.0.0', 'c0ffee'.padEnd(40, '0'))

  const inputs = { ...MARK, tag: 'v1.0.0' }
  const { outputs, log } = await shop.publish({ event: BY_HAND, inputs })

  expect(outputs).toMatchObject({ outcome: 'marked', sha256: '' })
  expect(log).toContain('The mark holds no digest of a file')
})

test('a mark of a version that a run has published, or may have, names that run', async () => {
  await using shop = await openShop()
  await shop.publish()
  const inputs = { ...MARK, tag: 'v1.4.2' }
  const known = await shop.publish({ event: BY_HAND, inputs, runId: '7' })
  expect(known.log).toMatch(/by run 9000001 .*, which sent it\. If it was uploaded by hand, too/)

  shop.addRelease({ tag: 'v1.5.0' })
  shop.service.misbehave({ kind: 'reset-after-body', stored: true })
  const next = { tag: 'v1.5.0', 'allow-other-version': 'true' }
  await shop.publish({ event: BY_HAND, inputs: next })
  const doubtful = await shop.publish({ event: BY_HAND, inputs: { ...MARK, ...next }, runId: '7' })
  expect(doubtful.outputs.outcome).toBe('marked')
  expect(doubtful.log).toMatch(
    /run 9000001 .*, which may have sent it since .*buyers may have it twice/
  )
})

test('a mark on a doubt keeps the digest of what was sent, not of another build', async () => {
  await using shop = await openShop()
  shop.service.misbehave({ kind: 'reset-after-body', stored: true })
  expect((await shop.publish()).outputs.outcome).toBe('unknown')
  const sent = shop.sha256

  await shop.write('dist/gallery-1.4.2.zip', 'Another build.')
  const inputs = { ...MARK, tag: 'v1.4.2' }
  expect((await shop.publish({ event: BY_HAND, inputs })).outputs.outcome).toBe('marked')

  const again = await shop.publish({ runId: '2' })
  expect(again.outputs).toMatchObject({ reason: 'already-published', sha256: sent })
})

test('a mark counts no draft, and needs no file that can be downloaded', async () => {
  const github = { permissions: { contents: 'write' } } as const
  await using shop = await openShop({ github, inputs: { file: '', asset: '*.zip' } })
  shop.addRelease({ draft: true })
  shop.github.addTag('v1.4.2', 'c0ffee'.padEnd(40, '0'))

  const inputs = { ...MARK, tag: 'v1.4.2' }
  expect((await shop.publish({ event: BY_HAND, inputs })).outputs.outcome).toBe('marked')
})
