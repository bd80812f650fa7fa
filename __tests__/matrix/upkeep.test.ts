// Tests of the modes that look after the memory: `settle` tells it what is true, `audit` compares releases with it.
import { expect, test } from '@jest/globals'
import { RUN_ID } from '../support/shop.ts'
import { LIST, RECORD } from './github-faults.ts'
import { failed, openStage, type Stage, told } from './stage.ts'

const SETTLED = { outcome: 'settled', reason: '' }

/** Settles v1.4.2 without a token of the shop, in a run of its own. */
function settle(stage: Stage, as: string, inputs = {}) {
  const own = { mode: 'settle', 'settle-as': as, token: '', file: '' }
  return stage.run({ inputs: { ...own, ...inputs }, runId: '7' })
}

function audit(stage: Stage, inputs = {}) {
  const own = { mode: 'audit', token: '', file: '' }
  return stage.run({ inputs: { ...own, ...inputs }, env: { GITHUB_EVENT_NAME: 'schedule' } })
}

async function leaveInDoubt(stage: Stage) {
  stage.service.misbehave({ kind: 'reset-after-body' })
  expect((await stage.run()).outputs.outcome).toBe('unknown')
}

test('settling with an asset, its digest is recorded, and other content is refused', async () => {
  await using stage = await openStage()
  const { outputs } = await settle(stage, 'published', { asset: '*.zip' })
  expect(outputs).toMatchObject({ ...SETTLED, sha256: expect.stringMatching(/^[\da-f]{64}$/) })
  // Under which title it was uploaded, nobody has said.
  expect(stage.github.deployments[0]?.payload).toMatchObject({ title: '' })
  const env = { GITHUB_SHA: 'b'.repeat(40) }
  const next = await stage.run({ inputs: { file: 'rebuilt/*.zip' }, env })
  expect(next.outputs).toMatchObject(failed('different-content'))
  expect(told(next)).toContain(`its file had the SHA-256 ${outputs.sha256}`)
})

test('settling a doubt about other bytes than the file given: the file is what is published', async () => {
  await using stage = await openStage()
  await leaveInDoubt(stage)
  const { sha256 } = (await settle(stage, 'published', { file: 'rebuilt/*.zip' })).outputs
  expect(stage.histories()).toEqual(['in_progress error', 'in_progress success'])
  const { outputs } = await stage.run({ attempt: 2, inputs: { file: 'rebuilt/*.zip' } })
  expect(outputs).toMatchObject({ reason: 'already-published', sha256 })
})

test('settling as published, and once more, changes nothing; as not published is refused then', async () => {
  await using stage = await openStage()
  await leaveInDoubt(stage)
  for (const _ of ['once', 'twice']) {
    expect((await settle(stage, 'published')).outputs).toMatchObject(SETTLED)
    expect(stage.histories()).toEqual(['in_progress error success'])
  }
  const run = await settle(stage, 'not-published')
  expect(run.outputs).toMatchObject(failed('contradicted'))
  expect(told(run)).toMatch(/^ {4}gh api --method DELETE repos\/[\w/]+\/deployments\/\d+$/m)
  const env = { GITHUB_SERVER_URL: 'https://acme.ghe.com' }
  const inputs = { mode: 'mark-not-published', token: '', file: '' }
  const commands = told(await stage.run({ inputs, env })).match(/\bgh api .*$/gm)
  const of = (option: string) => expect.stringMatching(`^gh api --hostname acme.ghe.com ${option}`)
  expect(commands).toEqual([of('repos/'), of('--method DELETE repos/')])
  expect((await stage.run({ attempt: 2 })).outputs.outcome).toBe('skipped')
})

test('settling as not published, of all claims in doubt: the next run publishes', async () => {
  await using stage = await openStage()
  for (const id of ['1', '2']) stage.claim(id, 'in_progress', 'error')
  const run = await settle(stage, 'not-published')
  expect(run.outputs).toMatchObject(SETTLED)
  // Whether one does is for `order` to say, too.
  expect(run.log).toContain('is recorded as not published. A run may publish it now.')
  expect(stage.histories()).toEqual(Array(2).fill('in_progress error failure'))
  const idle = await settle(stage, 'not-published')
  expect(idle.log).toContain('is not in doubt, so nothing')
  expect(idle.summary).toContain('Nothing to record')
  expect((await stage.run()).outputs.outcome).toBe('published')
})

test.each(['published', 'not-published'])('settling as %s is refused in a run', async as => {
  await using stage = await openStage()
  stage.claim(RUN_ID)
  const run = await settle(stage, as)
  expect(run.outputs).toMatchObject(failed('busy'))
  expect(told(run)).toContain(`run ${RUN_ID} may be publishing "1.4.2" of product 12 right now`)
  expect(told(run)).toMatch(/If it was killed, run its job.* until 20\d\d-[\d-]+T[\d:]+Z\.$/m)
  expect(stage.histories()).toEqual([''])
})

test.each([
  ['a claim that lives', ['in_progress'], 'published', failed('busy')],
  ['one that has published', ['in_progress', 'success'], 'published', failed('busy')],
  ['one in doubt', ['in_progress', 'error'], 'not-published', failed('busy')],
  ['one that has failed', ['in_progress', 'failure'], 'published', SETTLED],
  ['none', undefined, 'published', SETTLED]
])('settling beside %s that shows late', async (_, states, as, outputs) => {
  await using stage = await openStage({ hidesLag: true })
  if (as === 'not-published') stage.claim('1', 'in_progress', 'error')
  const run = () => void (states && stage.claim(RUN_ID, ...states))
  stage.github.misbehave({ kind: 'meanwhile', run, on: RECORD })
  const settled = await settle(stage, as)
  expect(settled.outputs).toMatchObject(outputs)
  if (outputs === SETTLED) return
  expect(told(settled)).toContain(`is recorded as ${as.replace('-', ' ')}. But run ${RUN_ID} began`)
  expect(told(settled)).toContain('check how many times')
})

test('settling waits until all see it, and says what it could not see', async () => {
  await using stage = await openStage({ hidesLag: true })
  const start = stage.github.clock.now().getTime()
  const down = { kind: 'status', status: 503, on: { ...LIST, nth: 2 } } as const
  stage.github.misbehave(...Array.from({ length: 9 }, () => down))
  const run = await settle(stage, 'published')
  expect(run.outputs).toMatchObject(failed('github'))
  expect(told(run)).toContain('is recorded as published. But whether a run began')
  expect(stage.github.clock.now().getTime() - start).toBeGreaterThanOrEqual(6000)
})

const LOST = { kind: 'reset-after-processing', on: RECORD } as const
const LOST_AGAIN = { ...LOST, on: { ...RECORD, nth: 2 } } as const
const NO = { kind: 'status', status: 422, on: RECORD } as const
const NO_SECOND = { ...NO, on: { ...RECORD, nth: 2 } } as const
const [IS, MAY_BE] = [
  /" of product 12 is recorded as/,
  /" of product 12 may be recorded as .*in a min/s
]
test.each([
  ['published', 'is lost', [LOST], SETTLED, IS],
  ['not-published', 'is lost', [LOST], SETTLED, IS],
  ['published', 'is lost twice', [LOST, LOST_AGAIN], failed('github'), MAY_BE],
  ['not-published', 'is lost twice', [LOST, LOST_AGAIN], failed('github'), MAY_BE],
  ['not-published', 'is lost, and a no', [LOST, NO_SECOND], failed('github'), MAY_BE],
  ['not-published', 'is a no to the second of two', [NO_SECOND], failed('github'), MAY_BE],
  ['not-published', 'is a no', [NO], failed('github'), /^Nothing was recorded/]
])('settling as %s, when the answer to its record %s', async (as, _, faults, outputs, said) => {
  await using stage = await openStage()
  for (const id of ['1', '2']) if (as !== 'published') stage.claim(id, 'in_progress', 'error')
  stage.github.misbehave(...faults)
  const run = await settle(stage, as)
  expect(run.outputs).toMatchObject(outputs)
  expect(run.log).toMatch(said)
  expect((await settle(stage, as)).outputs).toMatchObject(SETTLED)
})

test.each([
  ['by a bug once it is recorded', [], 'is recorded as published. But whether', new Error('A bug')],
  ['once it is recorded', [], 'is recorded as published. But whether', undefined],
  [
    'before it is recorded again',
    [LOST, LOST_AGAIN],
    'may be recorded as published, or not',
    undefined
  ]
])('settling that is cancelled %s says so', async (_, faults, said, bug) => {
  await using stage = await openStage({ hidesLag: true })
  stage.github.misbehave(...faults)
  const stop = new AbortController()
  const own = { mode: 'mark-published', token: '', file: '' }
  const cancelled = stop.signal
  const run = await stage.run({
    inputs: own,
    runId: '7',
    cancelled,
    pausing: () => stop.abort(bug)
  })
  expect(run.outputs).toMatchObject(failed(bug ? 'github' : 'cancelled'))
  expect(told(run)).toContain(said)
})

test('settling works at once when a re-run has found its killed attempt in doubt', async () => {
  await using stage = await openStage()
  stage.claim(RUN_ID, 'in_progress')
  expect((await stage.run({ attempt: 2 })).outputs).toMatchObject({ reason: 'in-doubt' })
  expect(stage.histories()).toEqual(['in_progress error'])
  expect((await settle(stage, 'not-published')).outputs).toMatchObject(SETTLED)
  expect((await stage.run({ attempt: 3 })).outputs.outcome).toBe('published')
})

test('settling without the permission tells the lines to add', async () => {
  await using stage = await openStage({ permissions: { deployments: 'read' } })
  const run = await settle(stage, 'published')
  expect(run.outputs).toMatchObject(failed('permission'))
  expect(told(run)).toContain('deployments: write')
  expect(told(run)).not.toContain('once: off')
})

/** v1.4.2 is published, and these releases are there, too. */
async function openAudited(...releases: readonly Parameters<Stage['addRelease']>[0][]) {
  const stage = await openStage()
  await stage.run()
  for (const parts of releases) stage.addRelease(parts)
  return stage
}
const RC = { tag: 'v1.5.0-rc.1', prerelease: true }

test.each([
  ['since a tag that was never published', [], { 'audit-since': 'v1.0.0' }, 'v1.0.0 (missing)'],
  ['a pre-release, where they count', [RC], { prerelease: 'publish' }, 'v1.5.0-rc.1 (missing)']
])('an audit fails for a release %s', async (_, releases, inputs, missing) => {
  const at = '2025-01-01T00:00:00Z'
  await using stage = await openAudited({ tag: 'v1.0.0', at }, ...releases)
  const run = await audit(stage, inputs)
  expect(run.outputs).toMatchObject(failed('missing'))
  expect(told(run)).toContain('(2), these are not known to be published to product 12: ')
  expect(run.summary).toMatch(/^## ❌ Not every release is published\n/)
  expect(told(run)).toContain(missing)
  expect(told(run)).toMatch(/input `tag`.*`mode: settle`.*somebody deleted deployments/s)
})

test.each([
  ['before the oldest that is recorded', { tag: 'v1.0', at: '2025-01-01T00:00:00Z' }, {}],
  ['before the tag', { tag: 'v1.0', at: '2025-01-01T00:00:00Z' }, { 'audit-since': 'v1.4.2' }],
  ['younger than an hour', { tag: 'v1.6.0', at: new Date().toISOString() }, {}],
  ['that is a pre-release', RC, {}],
  ['that is a draft', { tag: 'v1.7.0', draft: true }, {}],
  ['whose tag is of another package', { tag: 'app-v2' }, { 'tag-pattern': 'v{version}' }]
])('an audit looks at no release %s', async (_, parts, inputs) => {
  await using stage = await openAudited(parts)
  const run = await audit(stage, inputs)
  expect(run.outputs).toMatchObject({ outcome: 'audited', reason: '' })
  expect(run.log).toContain('Every release that was looked at (1) is published to product 12')
})

test('an audit tells a release in doubt, the oldest too, and each target by itself', async () => {
  await using stage = await openStage()
  await leaveInDoubt(stage)
  stage.addRelease({ tag: 'v1.0', at: '2025-01-01T00:00:00Z' })
  const run = await audit(stage, { targets: '- product: 12\n- benefit: 34' })
  const versions: unknown = JSON.parse(run.outputs.versions ?? '')
  expect(versions).toMatchObject([failed('in-doubt'), failed('no-record')])
  expect(run.summary).toContain('❌ Not every release is known to be published: product 12\n')
  expect(told(run)).toContain('v1.4.2 (in doubt)')
  expect(told(run)).not.toContain('deleted')
})

test('an audit of a wiped record is no success while one version is on its way', async () => {
  await using stage = await openStage()
  stage.addRelease({ tag: 'v1.0', at: '2025-01-01T00:00:00Z' })
  stage.claim('1')
  expect((await audit(stage)).outputs).toMatchObject(failed('no-record'))
})

test('an audit starts with the oldest release that is published, however young, not with one that has failed', async () => {
  await using stage = await openStage()
  stage.claimOther('1.0', '1', 'in_progress', 'failure')
  stage.addRelease({ tag: 'v1.0', at: '2025-01-01T00:00:00Z' })
  const none = await audit(stage)
  expect(none.outputs).toMatchObject(failed('no-record'))
  expect(none.summary).toContain('❌ Nothing is recorded')
  expect(told(none)).toMatch(/Set `audit-since`.*deleted deployments/s)
  stage.addRelease({ tag: 'v1.5', at: stage.github.clock.now().toISOString() })
  stage.claimOther('1.5', '1', 'in_progress', 'success')
  const young = await audit(stage)
  expect(young.outputs).toMatchObject({ outcome: 'audited', reason: '' })
  expect(young.annotations).toMatchObject([{ message: 'No release was compared.' }])
})

/** So many releases of another package, which are listed before v1.4.2 and an older one. */
function addMany(stage: Stage, count: number) {
  const at = new Date(stage.github.clock.now().getTime() + 3_600_000).toISOString()
  stage.addRelease({ tag: 'v1.0', at: '2025-01-01T00:00:00Z' })
  for (let number = 0; number < count; number++) stage.addRelease({ tag: `app-${number}`, at })
}

const SINCE = { 'audit-since': 'v1.0' }
test.each([
  ['behind 500 of another package', 500, SINCE, failed('missing'), 'v1.0 (missing)'],
  ['behind 1,000', 1000, SINCE, failed('bad-input'), 'among the newest 1000'],
  ['where the window begins before', 1000, {}, failed('bad-input'), 'Set `audit-since`']
])('an audit finds a release %s', async (_, count, inputs, outputs, text) => {
  await using stage = await openStage()
  await stage.run()
  addMany(stage, count)
  const run = await audit(stage, { 'tag-pattern': 'v{version}', ...inputs })
  expect(run.outputs).toMatchObject(outputs)
  expect(told(run)).toContain(text)
})

test('audit since a tag without a release is an error before anything is asked of the memory', async () => {
  await using stage = await openStage()
  const run = await audit(stage, { 'audit-since': 'v9' })
  expect(run.outputs).toMatchObject(failed('bad-input'))
  expect(told(run)).toContain('audit-since: "v9" is not the tag')
  expect(stage.github.requests.filter(({ path }) => !path.includes('releases'))).toEqual([])
  const wrong = await audit(stage, { 'audit-since': 'v9', product: 'x', tag: 'v1', order: 'up' })
  const titles = wrong.annotations.map(({ title }) => title)
  expect(titles).toEqual(['Audit failed', 'order', 'tag', 'product', 'audit-since'])
})

test('an audit whose pattern fits no release fails, and one that GitHub stops says so', async () => {
  await using stage = await openStage()
  const none = await audit(stage, { 'tag-pattern': 'plugin-v{version}', 'audit-since': 'v1.4.2' })
  expect(none.outputs).toMatchObject(failed('bad-input'))
  expect(told(none)).toMatch(/No release was compared .*no tag of one fits `tag-pattern`/)
  stage.github.misbehave({ kind: 'status', status: 404, on: { path: /releases/ } })
  expect(told(await audit(stage))).toContain('Nothing was compared, since a request to GitHub')
})
