// Tests of publishing a file that is attached to the release, through the bundle.
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import type { AssetParts } from '../../sandbox/release.ts'
import { packed } from '../support/archives.ts'
import { GITHUB_TOKEN, openShop, type Shop } from '../support/shop.ts'

const BYTES = packed('the bytes of an attached archive '.repeat(40_000))
const ASSET: AssetParts = { name: 'gallery-1.4.2.zip', content: BYTES }
const INPUTS = { file: '', asset: '*.zip', 'asset-timeout': '0.2' }

/** The shop's release, with files attached. */
async function openWith(assets: readonly (AssetParts | null)[], redirects = false): Promise<Shop> {
  const shop = await openShop({
    inputs: INPUTS,
    release: { assets },
    github: { redirectsAssets: redirects }
  })
  const contents = assets.map((asset): [string, Buffer] => [
    asset?.name ?? '',
    Buffer.from(asset?.content ?? '')
  ])
  shop.addRelease({}, { contents: Object.fromEntries(contents) })
  return shop
}

/** Attaches these after so many looks at the release. */
async function attachAfter(shop: Shop, looks: number, ...assets: AssetParts[]): Promise<void> {
  const seen = () => shop.github.requests.filter(({ path }) => /\/releases\/\d+$/.test(path)).length
  while (seen() < looks) await new Promise(resolve => setTimeout(resolve, 5))
  const contents = Object.fromEntries(assets.map(({ name }) => [name, BYTES]))
  shop.addRelease({ assets }, { contents })
}

describe.each([
  ['from GitHub itself', false],
  ['from another origin', true]
])('an attached file is published, downloaded %s', (_, redirects) => {
  test('byte for byte, and nothing is left behind', async () => {
    await using shop = await openWith([null, ASSET, { name: 'notes.txt', content: 'x' }], redirects)
    const temp = await realpath(await mkdtemp(join(tmpdir(), 'asset-')))
    const run = await shop.publish({ temp })
    expect(run.outputs).toMatchObject({ outcome: 'published', file_name: 'gallery-1.4.2.zip' })
    expect((await shop.service.versions[0]?.bytes())?.equals(BYTES)).toBe(true)
    expect(await readdir(temp)).toEqual([])
    await rm(temp, { recursive: true })
    expect(run.log).toContain('file       gallery-1.4.2.zip, attached to v1.4.2 (')
    expect(run.summary).toContain('<td>gallery-1.4.2.zip, attached to v1.4.2 (')
    for (const { headers } of shop.github.storageRequests) {
      expect(JSON.stringify(headers)).not.toContain(GITHUB_TOKEN)
    }
    expect(shop.github.storageRequests).toHaveLength(redirects ? 1 : 0)
  })
})

test.each([
  ['breaks', { kind: 'reset-before-processing' }],
  ['is too much at the moment', { kind: 'status', status: 429 }],
  ['finds no server', { kind: 'status', status: 503 }]
] as const)('a download that %s is started again', async (_, fault) => {
  await using shop = await openWith([ASSET])
  shop.github.misbehave({ ...fault, on: { path: /assets/ } })
  const run = await shop.publish()
  expect(run.outputs.outcome).toBe('published')
  expect(run.log).toContain('The download broke')
})

/** Keeps a download's folder from being removed, as a virus scanner does that looks into it. */
const HOLDING = `import { promises } from 'node:fs'
promises.rm = path => Promise.reject(new Error('EBUSY: ' + path))`

test('a download that cannot be removed changes nothing of how the run ended', async () => {
  await using shop = await openWith([ASSET])
  const run = await shop.publish({
    nodeArguments: ['--import', `data:text/javascript,${encodeURIComponent(HOLDING)}`]
  })
  expect(run.outputs).toMatchObject({ outcome: 'published', version_id: '1001' })
})

describe('what cannot be published from a release', () => {
  test.each([
    ['no file attached', [], 'no-file', 'has no attached files'],
    ['no name that matches', [{ name: 'a.tar.gz', content: 'x' }], 'no-file', 'a.tar.gz'],
    [
      'two that match',
      [ASSET, { name: 'gallery-pro.zip', content: 'y' }],
      'several-files',
      'gallery-pro.zip'
    ],
    [
      'an unfinished upload',
      [{ ...ASSET, state: 'open' }],
      'bad-file',
      'not finished after 0.2 seconds'
    ],
    [
      'another digest than GitHub’s',
      [{ ...ASSET, digest: `sha256:${'0'.repeat(64)}` }],
      'bad-file',
      'its digest is'
    ],
    [
      'another version in the name',
      [{ name: 'gallery-1.4.1.zip', content: BYTES }],
      'file-version',
      'is version "1.4.1", and the version to be published is "1.4.2"'
    ]
  ] as const)('%s', async (_, assets, reason, text) => {
    await using shop = await openWith(assets)
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason })
    expect(run.log).toContain(text)
    expect(shop.service.requests).toEqual([])
  })
})

test('an asset without a digest is taken by its size alone', async () => {
  await using shop = await openWith([{ ...ASSET, digest: null }])
  expect((await shop.publish()).outputs.outcome).toBe('published')
})

describe('a file that is not there yet', () => {
  test.each([
    ['attached later', [{ name: 'notes.txt', content: 'x' }], 'Attached now: "notes.txt".'],
    [
      'uploaded to the end later',
      [{ ...ASSET, state: 'open' }],
      'the upload of "gallery-1.4.2.zip"'
    ]
  ] as const)('is waited for: %s', async (_, before, told) => {
    await using shop = await openWith(before)
    // The event knows the files of the moment it happened at.
    const event = shop.event({ assets: before })
    const [run] = await Promise.all([
      shop.publish({ event, inputs: { 'asset-timeout': '30', asset: 'gallery-{version}.zip' } }),
      attachAfter(shop, 1, ASSET)
    ])
    expect(run.outputs).toMatchObject({ outcome: 'published', file_name: 'gallery-1.4.2.zip' })
    expect(run.log).toContain(told)
  })

  test('and is joined by a second one that matches: both are named', async () => {
    await using shop = await openWith([ASSET])
    const [run] = await Promise.all([
      shop.publish(),
      attachAfter(shop, 1, ASSET, { name: 'gallery-pro.zip', content: BYTES })
    ])
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'several-files' })
    expect(run.log).toMatch(/"gallery-1\.4\.2\.zip".*"gallery-pro\.zip"/s)
    expect(shop.service.requests).toEqual([])
  })

  test('and never comes: what is attached is listed', async () => {
    await using shop = await openWith([{ name: 'notes.txt', content: 'x' }])
    for (const attempt of [1, 2]) {
      const run = await shop.publish({ attempt })
      expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-file' })
      expect(run.log).toContain('No attached file matches after 0.2 seconds')
      expect(run.log).toContain('"notes.txt"')
    }
  })

  test('is not waited for in an immutable release', async () => {
    await using shop = await openWith([])
    const { id } = shop.release()
    const body = { id, tag_name: 'v1.4.2', immutable: true, assets: [] }
    shop.github.misbehave({ kind: 'status', status: 200, body, on: { path: /releases\/\d+$/ } })
    const run = await shop.publish({ inputs: { 'asset-timeout': '600' } })
    expect(run.log).toContain('The release is immutable')
  })
})

test('`asset-timeout` without `asset` is an error', async () => {
  await using shop = await openShop()
  const run = await shop.publish({ inputs: { 'asset-timeout': '9' } })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(run.log).toContain('asset-timeout: works only with `asset`')
})
