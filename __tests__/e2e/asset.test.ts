// Tests of dist/: a file that is attached to the release is downloaded, compared with its digest, and published.
import { readdir } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import type { AssetParts } from '../../sandbox/release.ts'
import { packed } from '../support/archives.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { makeFolder } from '../support/folders.ts'
import { buildPlugin, GITHUB_TOKEN, openShop, readBy } from '../support/shop.ts'

const BYTES = packed('the bytes of an attached archive '.repeat(40_000))
const ASSET: AssetParts = { name: 'gallery-1.4.2.zip', content: BYTES }
const NOTES: AssetParts = { name: 'notes.txt', content: 'x' }

/** The shop's release, with files attached. */
async function openWith(assets: readonly (AssetParts | null)[], redirectsAssets = false) {
  const inputs = { file: '', asset: '*.zip', 'asset-timeout': '0.2' }
  const shop = await openShop({ inputs, release: { assets }, github: { redirectsAssets } })
  shop.addRelease({}, { contents: { [ASSET.name]: BYTES } })
  return shop
}

test('an attached file is published; no credential goes to the other origin that it is downloaded from', async () => {
  await using shop = await openWith([null, ASSET, NOTES], true)
  shop.github.misbehave({ kind: 'reset-before-processing', on: { path: /assets/ } })

  const temp = makeFolder()
  const run = await shop.publish({ temp })

  expect(run.outputs).toMatchObject({ outcome: 'published', file_name: 'gallery-1.4.2.zip' })
  expect((await shop.service.versions[0]?.bytes())?.equals(BYTES)).toBe(true)
  expect(await readdir(temp)).toEqual([])
  expect(run.log).toContain('file       gallery-1.4.2.zip, attached to v1.4.2 (')
  expect(run.summary).toContain('<td>gallery-1.4.2.zip, attached to v1.4.2 (')

  const stored = shop.github.storageRequests.map(({ headers }) => JSON.stringify(headers))
  expect(stored).toHaveLength(1)
  expect(stored.join()).not.toContain(GITHUB_TOKEN)
})

const PAGE = Buffer.from('<!doctype html><title>Not found</title>')

test('a web page that is attached to an immutable release is told as that', async () => {
  await using shop = await openShop({ inputs: { file: '', asset: '*.exe' } })
  const release = shop.release({ assets: [{ name: 'setup.exe', content: PAGE }] })
  shop.github.removeRelease('v1.4.2')
  shop.github.addRelease({ ...release, immutable: true }, { contents: { 'setup.exe': PAGE } })

  const run = await shop.publish()

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-file' })
  expect(run.annotations[0]?.message).toContain(
    'The attached file "setup.exe" is a web page.\nMake a new release with the right file: nothing can be attached to this one anymore.'
  )
  expectNothingAsked(shop)
})

test('a file that a job builds for an immutable release is not advised to move its tag', async () => {
  await using shop = await openShop()
  await shop.write('dist/gallery-1.4.2.zip', buildPlugin('1.4.1'))
  const release = shop.release()
  shop.github.removeRelease('v1.4.2')
  shop.github.addRelease({ ...release, immutable: true })
  expect(readBy(await shop.publish())).toContain(
    'Nothing was sent: release the next version; if the tag has it'
  )
})
