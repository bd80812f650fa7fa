// Tests of src/publish/plan.ts: what publishing would do, by what the memory holds.
import { expect, test } from '@jest/globals'
import { HISTORY, LIST } from '../matrix/github-faults.ts'
import { openStage, type Stage, type StageOptions } from '../matrix/stage.ts'

async function plan(stage: Stage, options: StageOptions = {}): Promise<string> {
  const before = stage.github.requests.length
  const inputs = { mode: 'plan', token: '', ...options.inputs }
  const run = await stage.run({ ...options, inputs })
  const written = stage.github.requests.slice(before).filter(({ method }) => method !== 'GET')
  expect([run.outputs.outcome, written]).toEqual(['planned', []])
  return run.log
}

const nobodyKnows = 'Nobody knows whether it is published already: run 1 sent it'
test.each<[string, readonly string[], number, string]>([
  ['one settled by hand', ['success'], 0, 'It is published already: nothing would be sent.'],
  ['one without an end', ['in_progress', 'error'], 0, nobodyKnows],
  ['one that took too long', ['in_progress'], 900_000, nobodyKnows],
  ['a run that sends', ['in_progress'], 0, 'Run 1 is sending it: publishing would wait for it.'],
  ['a run that prepares', [], 0, 'Run 1 is about to send it: publishing would wait for it.'],
  ['a run that failed', ['in_progress', 'failure'], 0, 'It is not published yet'],
  ['a run that is long gone', [], 900_000, 'It is not published yet']
])('a plan tells what the memory would decide with %s', async (_, states, later, expected) => {
  await using stage = await openStage()
  stage.claim('1', ...states)
  stage.github.clock.advance(later)
  expect(await plan(stage)).toContain(expected)
})

test('a plan tells what it would decide with a publication, by these bytes and their commit', async () => {
  await using stage = await openStage()
  const { id } = (await stage.run()).outputs
  const inputs = { file: 'rebuilt/*.zip' }
  const published = `It is published already as version ${id}`
  const [runId, env] = ['7', { GITHUB_SHA: 'b'.repeat(40) }]
  expect(await plan(stage)).toContain(`${published}: nothing would be sent.`)
  expect(await plan(stage, { inputs, runId })).toContain(`${published}: nothing would be sent.`)
  const other = `${published}, with other content: publishing would fail.`
  expect(await plan(stage, { inputs, runId, env })).toContain(other)
  const standIn = { GITHUB_EVENT_NAME: 'pull_request' }
  expect(await plan(stage, { env: standIn })).toContain('the next release will be a new version')
})

test.each([
  ['it is forbidden', 'none', [], 'the job is not allowed'],
  ['GitHub fails', 'write', Array(4).fill(LIST), 'answered 502'],
  ['a history cannot be read', 'write', Array(4).fill(HISTORY), 'answered 502']
] as const)('what it would decide is not known when %s', async (_, deployments, down, why) => {
  await using stage = await openStage({ permissions: { deployments } })
  stage.claim('1')
  stage.github.misbehave(...down.map(on => ({ kind: 'status', status: 502, on }) as const))
  expect(await plan(stage)).toMatch(new RegExp(`published already could not be read \\(.*${why}`))
})

test('the memory is not asked with `once: off`, nor told of a run that was cancelled', async () => {
  await using stage = await openStage()
  const text = 'It would be published, without a record on GitHub (`once: off`).'
  expect(await plan(stage, { inputs: { once: 'off' } })).toContain(text)
  expect(stage.github.requests.filter(({ path }) => path.includes('deployments'))).toEqual([])
  const cancelling = new AbortController()
  stage.github.misbehave({ kind: 'meanwhile', run: () => cancelling.abort(), on: LIST })
  const inputs = { mode: 'plan' }
  const { outputs } = await stage.run({ inputs, cancelled: cancelling.signal })
  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'cancelled' })
})

const PLAN = { mode: 'plan', token: '' }
const BRANCH = { GITHUB_EVENT_NAME: 'workflow_dispatch', GITHUB_REF: 'refs/heads/main' }
const PULL = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_REF: 'refs/pull/3/merge' }
const CHECK = { mode: 'check', file: '' }
test.each<[string, StageOptions, string]>([
  [
    'a plan of what is not published',
    { inputs: PLAN },
    '📋 Plan only, v1.4.2 not published: Gallery'
  ],
  ['a check with a tag that is not', { inputs: CHECK }, '✅ Checked. v1.4.2 is not published\n'],
  [
    'a check without the release’s name',
    { inputs: { ...CHECK, 'version-name': '{name}' } },
    '✅ Checked, nothing published\n'
  ],
  ['a check without a tag', { inputs: CHECK, env: BRANCH }, '✅ Checked, nothing published\n'],
  [
    'a check without the record',
    { inputs: { ...CHECK, once: 'off' } },
    '✅ Checked, nothing published\n'
  ],
  ['a plan of the next release', { inputs: PLAN, env: PULL }, '📋 Plan, nothing sent: Gallery']
])('the heading of %s', async (_, options, heading) => {
  await using stage = await openStage()
  expect((await stage.run(options)).summary).toContain(`## ${heading}`)
})

test('a check and a plan of what is published do not say that it is not', async () => {
  await using stage = await openStage()
  stage.claim('1', 'success')
  expect((await stage.run({ inputs: CHECK })).summary).toMatch(
    /^## ✅ Checked, nothing published\n/
  )
  expect((await stage.run({ inputs: PLAN })).summary).toMatch(/^## 📋 Plan, nothing sent: /)
})

test('a check whose memory cannot be read is a check all the same', async () => {
  await using stage = await openStage({ permissions: { deployments: 'none' } })
  const { outputs, summary } = await stage.run({ inputs: CHECK })
  expect([outputs.outcome, summary]).toEqual(['checked', expect.stringMatching(/^## ✅ Checked, /)])
})
