// Tests of src/publish/prepare.ts: every target's texts and file, or every fault in any of them.
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { prepare } from '../../src/publish/prepare.ts'
import type { Tagged } from '../../src/release/release.ts'
import type { Fault } from '../../src/runner/values.ts'
import { down, release as plain } from '../release/released.ts'
import { packed } from '../support/archives.ts'
import { tagged as bare, openTestRun, type RunOptions } from './running.ts'

const ZIP = packed('the bytes of an archive')
const asset = { id: 5, name: 'app-1.2.3.zip', size: ZIP.length, state: 'uploaded', digest: '' }
const release = { ...plain, assets: [asset, { ...asset, id: 6, name: 'pro-1.2.3.zip' }] }
const tagged: Tagged = { ...bare, release }

/** Opens a run in whose release, as GitHub shows it now, the subject's files are attached. */
function openFor({ release }: Tagged, options: RunOptions) {
  const shown = { id: plain.id, tag_name: plain.tag, assets: release?.assets ?? [] }
  const answers = { '/releases/{release_id}': shown }
  return openTestRun({ files: { 'dist/app.zip': ZIP }, answers, ...options })
}

/** Prepares, disposes, and tells the problems with their words, and what is left behind. */
async function prepareWith(options: RunOptions, subject = tagged, known: Fault[] = []) {
  const { run, temp, streamed } = await openFor(subject, options)
  const { planned, problems, dispose } = await prepare(run, subject, known)
  const digests = await Promise.all(planned.map(({ artifact }) => artifact.digest()))
  await dispose()
  const told = problems.map(({ place, message, reason }) => `${reason} ${place}: ${message}`)
  return { planned, told, digests, streamed, left: await readdir(temp) }
}

test('a file is opened once for all targets that have it, and closed at the end', async () => {
  const targets = '- product: 12\n- benefit: 3\n- file: dist/app.zip\n  product: 13'
  const { planned, told, digests } = await prepareWith({ inputs: { targets } })
  expect(told).toEqual([])
  const texts = { versionName: '1.2.3', changelog: '- New', changelogFormat: 'markdown' }
  const file = { file: 'dist/app.zip', size: ZIP.length }
  const routes = [{ product: 12 }, { product: 12, benefit: 3 }, { product: 13 }]
  expect(planned).toMatchObject(routes.map(route => ({ ...texts, ...file, route })))
  expect(new Set(planned.map(({ artifact }) => artifact)).size).toBe(1)
  expect(digests[2]?.sha256).toBe(createHash('sha256').update(ZIP).digest('hex'))
  await expect(planned[0]?.artifact.digest()).rejects.toThrow()
})

const inputs = { file: '', asset: 'app-*.zip' }

test('an attached file is downloaded once for all targets that have it', async () => {
  const targets = '- benefit: 3\n- benefit: 4\n- asset: pro*\n'
  const given = { inputs: { ...inputs, targets }, assets: { 5: ZIP, 6: ZIP } }
  const { planned, streamed, left } = await prepareWith(given)
  const names = planned.map(({ artifact }) => artifact.name)
  expect(names).toEqual(['app-1.2.3.zip', 'app-1.2.3.zip', 'pro-1.2.3.zip'])
  expect([streamed, left]).toEqual([[5, 6], []])
})

test('downloads leave nothing behind when a later one breaks, four times', async () => {
  const targets = '- benefit: 3\n- asset: pro*\n'
  const given = { inputs: { ...inputs, targets }, assets: { 5: ZIP, 6: down } }
  const { run, streamed, temp } = await openFor(tagged, given)
  await expect(prepare(run, tagged)).rejects.toBe(down)
  expect([streamed, await readdir(temp)]).toEqual([[5, 6, 6, 6, 6], []])
})

const broken = { inputs, assets: { 5: Buffer.from('x') } }
const unreleased = { ...tagged, release: undefined }
const older = { ...release, assets: [{ ...asset, name: 'app-1.2.2.zip' }] }
test.each<[string, RunOptions, Tagged, RegExp]>([
  ['cut', broken, tagged, /^bad-file asset: What was downloaded is not/],
  ['nowhere', { inputs: { ...inputs, changelog: 'x' } }, unreleased, /^no-file asset: There is no/],
  ['older', { inputs, assets: { 5: ZIP } }, { ...tagged, release: older }, /^file-version asset: /]
])('an attached file that is %s is refused, and nothing is left', async (_, given, of, why) => {
  const { told, left } = await prepareWith(given, of)
  expect(told).toEqual([expect.stringMatching(why)])
  expect(left).toEqual([])
})

test('where another release stands in, the file’s version is that of a release to come', async () => {
  const files = { 'dist/app-1.3.0.zip': ZIP }
  for (const inputs of [{}, { file: 'dist/*-{version}.zip' }]) {
    const { planned, told } = await prepareWith({ files, inputs }, { ...tagged, standIn: 'Newer.' })
    expect(told).toEqual([])
    expect(planned).toMatchObject([{ artifact: { name: 'app-1.3.0.zip' } }])
  }
})

test('problems of all targets come at once, each at its place and with its word', async () => {
  const targets = [
    ...['- file: none.zip', '- benefit: 3', '- benefit: 3', '  changelog-file: no.md'],
    ...['- asset: none.zip', '  product: 14', `  title: ${'x'.repeat(256)}`, '- benefit: 4']
  ]
  const inputs = { 'tag-pattern': 'x{version}', targets: targets.join('\n') }
  const { planned, told } = await prepareWith({ inputs })
  expect(told.map(line => line.split(': ')[0])).toEqual([
    ...['undefined tag-pattern', 'undefined entry 4, title', 'undefined entry 3'],
    ...['no-file entry 1, file', 'no-changelog entry 3, changelog-file', 'no-file entry 4, asset']
  ])
  expect(planned.map(({ route }) => route.benefit)).toEqual([3, 4])
})

test('problems that are known already stay, and nothing is downloaded beside them', async () => {
  const assets = '- asset: app-*.zip\n  benefit: 3\n- asset: none*\n  benefit: 4'
  const targets = `- file: none.zip\n${assets}`
  const known = [{ place: 'entry 3, product', message: '"x" is wrong' }]
  const { told, streamed } = await prepareWith({ inputs: { targets } }, tagged, known)
  const missing = ['entry 1, file', 'entry 3, asset'].map(it =>
    expect.stringMatching(`^no-file ${it}: `)
  )
  expect(told).toEqual(['undefined entry 3, product: "x" is wrong', ...missing])
  expect(streamed).toEqual([])
})

const OWN = 'ghs_0123456789'
test.each([
  ['title', { title: `Spring ${OWN}` }],
  ['version-name', { 'version-name': OWN }],
  [
    'changelog',
    { changelog: 'Basic '.concat(Buffer.from(`x-access-token:${OWN}`).toString('base64')) }
  ]
])('a credential of the step is not published: in the %s', async (place, texts) => {
  const inputs = { token: 'pat_0123456789', 'github-token': OWN, ...texts }
  const { told } = await prepareWith({ inputs })
  expect(told).toEqual([
    expect.stringContaining(`undefined ${place}: has a credential of this step`)
  ])
  const short = { title: 'ghs_1 is fine', 'github-token': 'ghs_1' }
  expect((await prepareWith({ inputs: short })).told).toEqual([])
})
