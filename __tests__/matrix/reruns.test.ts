// Tests of a run that is not the first for its version: it comes again, has other bytes, or meets another one.
import { expect, test } from '@jest/globals'
import { describePublished } from '../../src/ledger/record.ts'
import { RUN_ID } from '../support/shop.ts'
import { CREATE } from './github-faults.ts'
import { failed, openStage, type StageOptions, told } from './stage.ts'

const OTHER_RUN = { runId: '9000002' }
const OTHER_COMMIT = { ...OTHER_RUN, env: { GITHUB_SHA: 'b'.repeat(40) } }
const HIDE = { 'download-link': 'hide' }

test.each<[string, StageOptions]>([
  ['as another run', OTHER_RUN],
  ['on another commit, with the same file', OTHER_COMMIT],
  ['in the same attempt, with the same file', {}]
])('a job again, %s, publishes nothing, and gives the recorded outputs', async (_, options) => {
  await using stage = await openStage()
  const first = await stage.run()
  const again = await stage.run(options)
  const { version_id, id, sha256, size, file_name, download_url, changelog } = first.outputs
  expect(again.outputs).toEqual({
    ...Object.fromEntries(Object.keys(first.outputs).map(name => [name, ''])),
    ...{ outcome: 'skipped', reason: 'already-published', title: 'Gallery 1.4.2' },
    ...{ version_id, id, sha256, size, file_name, download_url, changelog },
    versions: expect.any(String)
  })
  expect([again.after, stage.histories()]).toEqual([1, ['in_progress success']])
  expect(told(again)).toContain(`"1.4.2" is already published, as run ${RUN_ID}`)
})

test('a job that runs again gives the present texts, shows the published title, and no address that the deployment hides', async () => {
  await using stage = await openStage()
  await stage.run({ inputs: HIDE })
  const texts = { title: 'Corrected', changelog: 'Corrected notes.' }
  const { outputs, summary } = await stage.run({ inputs: { ...HIDE, ...texts }, attempt: 2 })
  expect(outputs).toMatchObject({ ...texts, download_url: '' })
  expect(summary).toMatch(/^## .+: Gallery 1\.4\.2\n/)
  expect(summary).not.toContain('Corrected')
})

test.each([422, 429])('a job again, after the shop answered %i, publishes', async status => {
  await using stage = await openStage()
  const headers = { 'retry-after': '7' }
  stage.service.misbehave({ kind: 'answer', status, stored: false, headers })
  const run = await stage.run()
  expect(run.outputs).toMatchObject(failed('rejected'))
  if (status === 429) expect(told(run)).toContain('in 7 seconds or later')
  expect((await stage.run({ attempt: 2 })).outputs.outcome).toBe('published')
  expect(stage.histories()).toEqual(['in_progress failure', 'in_progress success'])
})

test('a job that runs again for another version or benefit publishes that, and without a memory publishes again', async () => {
  await using stage = await openStage()
  const all = [{}, { 'version-name': '1.4.2 pro' }, { benefit: '34' }, { record: 'false' }]
  for (const inputs of all) {
    expect((await stage.run({ inputs })).outputs.outcome).toBe('published')
  }
  expect(stage.github.deployments).toHaveLength(3)
})

test.each<[string, StageOptions, string]>([
  ['built again in a later attempt', { attempt: 2 }, 'already-published'],
  ['built again by another run on the same commit', OTHER_RUN, 'already-published'],
  ['built again under act, whose ids are alike', { env: { ACT: 'true' } }, 'already-published'],
  ['from another commit', OTHER_COMMIT, 'different-content'],
  ['from another job of the same attempt', {}, 'different-content']
])('a file with other bytes, %s, is not sent, with both digests', async (_, options, reason) => {
  await using stage = await openStage()
  const { sha256, size } = (await stage.run()).outputs
  const run = await stage.run({ ...options, inputs: { file: 'rebuilt/*.zip' } })
  expect([run.outputs.reason, run.after]).toEqual([reason, 1])
  const isAct = options.env?.ACT !== undefined
  expect(run.log.includes('act gives every run the same id')).toBe(isAct)
  const digests = run.annotations.at(-1)?.message.match(/[0-9a-f]{64}/g) ?? []
  expect([new Set(digests).size, digests[0]]).toEqual([2, sha256])
  // Those of the published version, not of the file at hand.
  if (reason === 'already-published') expect(run.outputs).toMatchObject({ sha256, size })
  else expect(told(run)).toMatch(/different content.*Give the new content a new version/s)
})

test('a success that shows before its `in_progress` tells other content by itself', async () => {
  await using stage = await openStage()
  const description = describePublished('1.4.2', 'ab'.repeat(32), '812')
  stage.github.addStatus(stage.claim('1'), { state: 'success', description })
  const run = await stage.run()
  expect(run.outputs).toMatchObject(failed('different-content'))
  expect(told(run)).toContain(`its file had the SHA-256 ${'ab'.repeat(32)}`)
})

test('a run that finds another one publishing waits for its deadline, and publishes when nothing can have been sent', async () => {
  await using stage = await openStage()
  stage.claim('1')
  const run = await stage.run()
  expect(run.log).toMatch(/Waiting for run 1, .*\(\d+ minutes at most\)/)
  expect(run.outputs.outcome).toBe('published')
  expect(stage.histories()).toEqual(['', 'inactive', 'in_progress success'])
})

test('a run that finds another one publishing does not wait for an earlier attempt of its own', async () => {
  await using stage = await openStage()
  stage.claim(RUN_ID)
  const run = await stage.run({ attempt: 2 })
  expect([run.outputs.outcome, run.log.includes('Waiting')]).toEqual(['published', false])
})

test('a run that finds others publishing again and again says so in the end, and sends nothing', async () => {
  await using stage = await openStage()
  const others: number[] = []
  const claim = () => void others.push(stage.claim('1'))
  const meanwhile = { kind: 'meanwhile', run: claim, on: CREATE } as const
  stage.github.misbehave(...Array.from({ length: 20 }, () => meanwhile))
  const pausing = () => {
    for (const id of others.splice(0)) stage.github.addStatus(id, { state: 'failure' })
  }
  const run = await stage.run({ pausing })
  expect(run.outputs).toMatchObject(failed('withheld'))
  expect(told(run)).toMatch(/kept trying to publish .*`concurrency` group.* run 1/)
  expect(stage.service.versions).toEqual([])
})
