// Tests of src/publish/plan.ts: what a plan says of the file that buyers have, and why it says nothing.
import { expect, test } from '@jest/globals'
import type { Misbehaviour } from '../../sandbox/github-faults.ts'
import { openStage, type Stage, type StageOptions } from '../matrix/stage.ts'

const LINE = /^The file .*|^Compared .*/m
const OTHER = { inputs: { file: 'rebuilt/*.zip' }, runId: '7' }

/** The line about the file, and the warnings, of a plan that goes on whatever happens. */
async function plan(stage: Stage, { inputs, ...options }: StageOptions = OTHER) {
  const run = await stage.run({ ...options, inputs: { ...inputs, mode: 'plan', token: '' } })
  expect([run.outputs.outcome, run.leftovers]).toEqual(['planned', []])
  const [line = ''] = LINE.exec(run.log) ?? []
  const warnings = run.annotations.filter(({ kind }) => kind === 'warning')
  return { line, warnings: warnings.map(({ message }) => message), run }
}

test('a plan compares its file with the one that was published last, attached to its release', async () => {
  await using stage = await openStage({ redirectsAssets: true })
  await stage.run()
  const { line, warnings, run } = await plan(stage)
  const compared = 'Compared with "gallery-1.4.2.zip" of v1.4.2, which buyers have now'
  const sizes = '300 kB before, 156 bytes now.'
  expect(line).toBe(`${compared}: 0 files added, 0 removed, 1 changed; ${sizes}`)
  const warning = `Compared with the file that buyers have now, it is at most half as large: ${sizes}`
  expect(warnings).toEqual([`file: ${warning}`])
  expect(run.summary).toContain(`⚠️ ${warning.replace(':', '&#58;<!-- -->')}`)
  expect(run.summary).toMatch(/<details><summary>Compared .*\n\n\| Changed \| Before \| Now \|/)
  expect(run.summary).toContain('| "gallery/content" | 300 kB | 28 bytes |')
  expect(stage.github.storageRequests).toMatchObject([{ headers: {} }])
  expect(JSON.stringify(stage.github.storageRequests)).not.toMatch(/authorization/)
})

test('the same file is not downloaded, and is warned of under another tag', async () => {
  await using stage = await openStage()
  await stage.run()
  const same = 'The file is the one that buyers have now, byte for byte (v1.4.2).'
  const before = stage.github.requests.length
  expect(await plan(stage, {})).toMatchObject({ line: same, warnings: [] })
  expect(stage.github.requests.slice(before).filter(({ path }) => /asset/.test(path))).toEqual([])
  stage.addRelease({ tag: 'v1.4.3' })
  const next = await plan(stage, { inputs: { tag: 'v1.4.3', 'file-version': 'any' } })
  expect(next).toMatchObject({ line: same, warnings: [`file: ${same}`] })
  const proposed = { GITHUB_EVENT_NAME: 'pull_request' }
  expect(await plan(stage, { env: proposed })).toMatchObject({ line: same })
})

const settle = { mode: 'settle', 'settle-as': 'published', token: '', file: '' }
const down = (path: RegExp): Misbehaviour => ({ kind: 'status', status: 502, on: { path } })
const releaseOf = (asset: object): Misbehaviour => {
  const body = { id: 5, tag_name: 'v1.4.2', assets: [{ id: 6, size: 9, name: 'a.zip', ...asset }] }
  return { kind: 'status', status: 200, body, on: { path: /releases\/tags/ } }
}
const faulty =
  (...faults: readonly Misbehaviour[]) =>
  async (stage: Stage) => {
    await stage.run()
    stage.github.misbehave(...faults)
  }
const attached = (asset: object) => async (stage: Stage) => {
  const { sha256 } = (await stage.run()).outputs
  // GitHub may spell it otherwise.
  stage.github.misbehave(releaseOf({ digest: `SHA256:${sha256?.toUpperCase()}`, ...asset }))
}

test.each<[string, (stage: Stage) => Promise<unknown>, StageOptions, string]>([
  [
    'nothing was published yet',
    async stage => stage.claim('1', 'in_progress', 'failure'),
    OTHER,
    'no version of product 12 is recorded as published'
  ],
  [
    'the record is not read',
    stage => stage.run(),
    { inputs: { once: 'off' } },
    'the record of what is published was not read'
  ],
  [
    'it was settled without a file',
    stage => stage.run({ inputs: settle }),
    OTHER,
    'its SHA-256 is not recorded (v1.4.2)'
  ],
  [
    'no attached file is the one',
    attached({ digest: null }),
    OTHER,
    'no file that is attached to the release v1.4.2 has its SHA-256'
  ],
  ['the last file has another format', attached({ name: 'a.tgz' }), OTHER, 'only ZIP archives are'],
  [
    'it is very large',
    attached({ size: 600_000_000 }),
    OTHER,
    'it has 600 MB, and at most 537 MB are downloaded for that'
  ],
  [
    'its release is gone',
    faulty({ kind: 'status', status: 404, on: { path: /releases\/tags/ } }),
    OTHER,
    'the tag v1.4.2 has no release any more'
  ],
  [
    'GitHub fails',
    faulty(...Array(4).fill(down(/releases\/tags/))),
    OTHER,
    'reading the release: GitHub answered 502'
  ],
  ['it is not to be had', attached({ size: 999_999 }), OTHER, 'downloading the attached file: 127'],
  [
    'the record fails',
    faulty(...Array(8).fill(down(/statuses/))),
    OTHER,
    'The statuses of deployment'
  ]
])('a plan is made without a comparison when %s', async (_, arrange, options, why) => {
  await using stage = await openStage()
  await arrange(stage)
  const { line } = await plan(stage, options)
  expect(line).toContain(`The file was not compared with the one that buyers have now: ${why}`)
})

test('a comparison that is cancelled ends the run', async () => {
  await using stage = await openStage()
  await stage.run()
  const cancelling = new AbortController()
  stage.github.misbehave(...Array(4).fill(down(/releases\/tags/)))
  const pausing = () => cancelling.abort()
  const inputs = { ...OTHER.inputs, mode: 'plan', token: '' }
  const run = await stage.run({ ...OTHER, inputs, pausing, cancelled: cancelling.signal })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'cancelled' })
})
