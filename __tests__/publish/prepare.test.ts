// Tests of src/publish/prepare.ts: every target's texts and file, or every fault in any of them.
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import type { Asset } from '../../src/file/asset.ts'
import { prepare } from '../../src/publish/prepare.ts'
import type { Tagged } from '../../src/release/find-release.ts'
import { release as plain } from '../release/released.ts'
import { packed } from '../support/archives.ts'
import { silenceDebug } from '../support/folders.ts'
import { down, openTestRun, type RunOptions } from './running.ts'

silenceDebug()

const ZIP = packed('the bytes of an archive')
const asset: Asset = {
  id: 5,
  name: 'app-1.2.3.zip',
  size: ZIP.length,
  state: 'uploaded',
  digest: ''
}
const release = { ...plain, assets: [asset, { ...asset, id: 6, name: 'pro-1.2.3.zip' }] }
const tagged: Tagged = { tag: 'v1.2.3', release, standIn: '', ownCommit: true }
const without: Tagged = { ...tagged, release: undefined }
/** The release as GitHub shows it now. */
const answersOf = (assets: readonly Asset[]) => ({
  '/releases/{release_id}': { id: release.id, tag_name: release.tag, assets }
})
const files = { 'dist/app.zip': ZIP }

/** Prepares, and tells what is left when it is disposed. */
async function prepareWith(
  options: RunOptions,
  subject: Tagged = tagged,
  known: Parameters<typeof prepare>[2] = []
) {
  const answers = answersOf(subject.release?.assets ?? [])
  const opened = await openTestRun({ files, answers, ...options })
  const { planned, problems, dispose } = await prepare(opened.run, subject, known)
  const digests = await Promise.all(planned.map(({ artifact }) => artifact.digest()))
  const during = await readdir(opened.temp)
  await dispose()
  const told = problems.map(
    ({ place, message, reason = 'bad-input' }) => `${reason} ${place}: ${message}`
  )
  return { ...opened, planned, told, digests, during, after: await readdir(opened.temp) }
}

describe('a file in the workspace', () => {
  test('is opened, with all that is sent beside it', async () => {
    const { planned, told, digests } = await prepareWith({})
    expect(told).toEqual([])
    expect(planned).toMatchObject([
      {
        ...{ route: { product: 12 }, tag: 'v1.2.3', versionName: '1.2.3', title: 'Spring' },
        ...{ changelog: '- New', changelogFormat: 'markdown' },
        artifact: { path: 'dist/app.zip', name: 'app.zip', size: ZIP.length },
        inputs: { product: 12 }
      }
    ])
    const sha256 = createHash('sha256').update(ZIP).digest('hex')
    expect(digests).toMatchObject([{ sha256 }])
  })

  test('is opened once for all targets that have it', async () => {
    const { planned } = await prepareWith({
      inputs: { targets: '- product: 12\n- benefit: 3\n- file: dist/app.zip\n  product: 13' }
    })
    expect(planned).toHaveLength(3)
    expect(new Set(planned.map(({ artifact }) => artifact)).size).toBe(1)
  })

  test('is closed at the end', async () => {
    const { planned } = await prepareWith({})
    await expect(planned[0]?.artifact.digest()).rejects.toThrow()
  })
})

describe('a file attached to the release', () => {
  const inputs = { file: '', asset: 'app-*.zip' }
  const assets = { 5: ZIP, 6: ZIP }

  test('is downloaded once for all targets that have it', async () => {
    const targets = '- benefit: 3\n- benefit: 4\n- asset: pro*\n'
    const { planned, streamed } = await prepareWith({ inputs: { ...inputs, targets }, assets })
    expect(planned.map(({ artifact }) => artifact.name)).toEqual([
      ...['app-1.2.3.zip', 'app-1.2.3.zip', 'pro-1.2.3.zip']
    ])
    expect(streamed).toEqual([5, 6])
  })

  test('leaves nothing behind when a later download breaks', async () => {
    const targets = '- benefit: 3\n- asset: pro*\n'
    const answers = answersOf(release.assets)
    const given = { inputs: { ...inputs, targets }, assets: { 5: ZIP, 6: down }, answers }
    const opened = await openTestRun(given)
    await expect(prepare(opened.run, tagged)).rejects.toBe(down)
    expect(opened.streamed).toEqual([5, 6, 6, 6, 6])
    expect(await readdir(opened.temp)).toEqual([])
  })

  test('leaves nothing behind when it is another than GitHub describes', async () => {
    const { told, after } = await prepareWith({ inputs, assets: { 5: Buffer.from('x') } })
    expect(told).toEqual([expect.stringMatching(/^bad-file asset: What was downloaded is not/)])
    expect(after).toEqual([])
  })

  test('cannot be without a release', async () => {
    const { told } = await prepareWith({ inputs: { ...inputs, changelog: 'x' } }, without)
    expect(told).toEqual([
      expect.stringMatching(/^no-file asset: There is no published release for the tag "v1\.2\.3"/)
    ])
  })
})

describe('the version in the file’s name', () => {
  test('is that of a release to come when another stands in', async () => {
    const given = { 'dist/app-1.3.0.zip': ZIP }
    for (const inputs of [{}, { file: 'dist/*-{version}.zip' }]) {
      const standingIn = { ...tagged, standIn: 'v1.2.3 stands in.' }
      const { planned, told } = await prepareWith({ files: given, inputs }, standingIn)
      expect(told).toEqual([])
      expect(planned).toMatchObject([{ artifact: { name: 'app-1.3.0.zip' } }])
    }
  })

  test('counts for attached files, too', async () => {
    const old = { ...release, assets: [{ ...asset, name: 'app-1.2.2.zip' }] }
    const inputs = { file: '', asset: '*.zip' }
    const prepared = await prepareWith({ inputs, assets: { 5: ZIP } }, { ...tagged, release: old })
    expect(prepared.told).toEqual([expect.stringMatching(/^file-version asset: /)])
    expect(prepared.after).toEqual([])
  })
})

describe('problems', () => {
  test('of all targets come at once, each at its place and with its word', async () => {
    const targets = [
      ...['- file: none.zip', '- benefit: 3', '- benefit: 3', '  changelog-file: no.md'],
      ...['- asset: none.zip', '  product: 14', `  title: ${'x'.repeat(256)}`, '- benefit: 4']
    ]
    const inputs = { 'tag-pattern': 'x{version}', targets: targets.join('\n') }
    const { planned, told } = await prepareWith({ inputs })
    expect(told.map(line => line.split(': ')[0])).toEqual([
      'bad-input tag-pattern',
      'bad-input entry 4 (line 5), title',
      'bad-input entry 3 (line 3)',
      'no-file entry 1 (line 1), file',
      'no-changelog entry 3 (line 3), changelog-file',
      'no-file entry 4 (line 5), asset'
    ])
    expect(planned.map(({ route }) => route)).toEqual([
      { product: 12, benefit: 3 },
      { product: 12, benefit: 4 }
    ])
  })

  test('that are known already stay, and nothing is downloaded beside them', async () => {
    const targets = '- file: none.zip\n- asset: app-*.zip\n  benefit: 3'
    const known = [{ place: 'entry 3 (line 4), product', message: '"x" is wrong' }]
    const { told, streamed } = await prepareWith({ inputs: { targets } }, tagged, known)
    expect(told).toEqual([
      'bad-input entry 3 (line 4), product: "x" is wrong',
      expect.stringMatching(/^no-file entry 1 \(line 1\), file: /)
    ])
    expect(streamed).toEqual([])
  })
})
