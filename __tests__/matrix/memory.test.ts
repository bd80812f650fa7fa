// Tests of what a run does without its memory: when it may not have it, or GitHub fails at any step.
import { describe, expect, test } from '@jest/globals'
import { connect } from '../../src/http/connection.ts'
import type { Connect } from '../../src/http/exchange.ts'
import { CREATE, HISTORY, LIST, RECORD } from './github-faults.ts'
import { failed, openStage, told } from './stage.ts'

const AUTO = { once: 'auto' }
const refused = (status: number, message = '') =>
  ({ kind: 'status', status, body: { message } }) as const

const LESS = ['read', 'none'] as const
test.each(LESS)('with the permission `%s`, `require` fails, `auto` warns', async deployments => {
  await using stage = await openStage({ permissions: { deployments } })
  const required = await stage.run()
  expect(required.outputs).toMatchObject(failed('permission'))
  expect(told(required)).toMatch(/permissions:\n +contents: read\n +deployments: write\n/)
  expect(stage.service.requests).toEqual([])
  const auto = await stage.run({ inputs: AUTO })
  expect(auto.outputs.outcome).toBe('published')
  expect(told(auto)).toContain('deployments: write')
})

test('without the permission to write, `auto` still sees what is published', async () => {
  await using stage = await openStage()
  await stage.run()
  stage.github.setPermissions({ deployments: 'read' })
  const { outputs } = await stage.run({ inputs: AUTO, attempt: 2 })
  expect(outputs.reason).toBe('already-published')
})

const ONCE = ['auto', 'require']
test.each(ONCE)('without it, `%s` sends nothing beside a run that lives', async once => {
  await using stage = await openStage()
  stage.claim('1', 'in_progress')
  stage.github.setPermissions({ deployments: 'read' })
  expect((await stage.run({ inputs: { once } })).outputs).toMatchObject(failed('github'))
  expect(stage.service.requests).toEqual([])
})

describe.each(ONCE)('GitHub fails, and with `%s`, nothing is sent, when', once => {
  const busy = [{ ...refused(403), on: { ...HISTORY, nth: 4 } }]
  const missing = Array.from({ length: 2 }, () => ({ ...refused(404), on: LIST }))
  const lost = [
    { kind: 'reset-after-processing', on: CREATE } as const,
    { ...refused(403), on: { ...LIST, nth: 3 } }
  ]
  test.each([
    ['a list is refused for abuse', [{ ...refused(403, 'abuse detection'), on: LIST }], 'github'],
    ['a list is not found twice', missing, 'no-deployments'],
    ['a claim is not found', [{ ...refused(404), on: CREATE }], 'github'],
    ['a claim is refused', [{ ...refused(422, 'Validation Failed'), on: CREATE }], 'github'],
    ['a claim is lost', [{ kind: 'reset-before-processing', on: CREATE } as const], 'github'],
    ['a lost claim cannot be looked for', lost, 'github'],
    ['a wait for another run is refused', busy, 'github'],
    ['all fails', Array.from({ length: 50 }, () => refused(503)), 'github']
  ])('%s', async (_, faults, reason) => {
    await using stage = await openStage()
    if (faults === busy) stage.claim('1')
    stage.github.misbehave(...faults)
    const run = await stage.run({ inputs: { once } })
    expect(run.outputs).toMatchObject(failed(reason))
    expect(stage.service.requests.filter(({ completed }) => completed)).toEqual([])
  })
})

test('a list that is not found once is asked for again, and never told as a server without deployments', async () => {
  await using stage = await openStage()
  const gone = { ...refused(404), on: LIST }
  stage.github.misbehave(gone)
  expect((await stage.run()).outputs.outcome).toBe('published')
  // The first list of a run is there: then, the server has them.
  const later = Array.from({ length: 2 }, () => ({ ...refused(404), on: { ...LIST, nth: 2 } }))
  stage.github.misbehave(...later)
  const run = await stage.run({ attempt: 2 })
  expect(run.outputs).toMatchObject(failed('github'))
  expect(run.log).not.toContain('once: off')
})

const FIRST = 'so this is taken for the first publication. There are releases already (v1.4.1'

test('nothing recorded beside earlier releases: a plan and a publication say what that may mean', async () => {
  await using stage = await openStage()
  const plan = { inputs: { mode: 'plan' } }
  expect((await stage.run(plan)).log).not.toContain(FIRST)
  stage.addRelease({ tag: 'v1.4.1', at: '2025-01-01T00:00:00Z' })
  expect(told(await stage.run(plan))).toContain(`Nothing is recorded for product 12 yet, ${FIRST})`)
  const other = { inputs: { mode: 'plan', 'tag-pattern': 'v1.4.{version}' } }
  stage.addRelease({ tag: 'app-2' })
  expect(told(await stage.run(other))).toContain(`${FIRST})`)
  stage.github.misbehave({ ...refused(500), on: { path: /\/releases\?/ } })
  expect(told(await stage.run())).toContain('already (app-2 and others)')
  expect((await stage.run({ attempt: 2 })).log).not.toContain(FIRST)
})

test.each([
  [{}, '', 'Whether it can also write', []],
  [{ permissions: { deployments: 'none' } }, '', 'would fail: the job is', ['deployments: write']],
  [{ permissions: { deployments: 'none' } }, 'auto', 'would go on without', ['deployments: write']],
  [{ hasDeployments: false }, 'auto', 'would fail: this server has no', ['Set `once: off`']]
] as const)('a check says whether the memory can be used: %j, once %s', async (...row) => {
  const [options, once, text, warnings] = row
  await using stage = await openStage(options)
  const run = await stage.run({ inputs: { mode: 'check', file: '', once } })
  expect(run.log.includes('would fail')).toBe(text.startsWith('would fail'))
  const published = { outcome: text.startsWith('would fail') ? 'failed' : 'published' }
  expect((await stage.run({ inputs: { once } })).outputs).toMatchObject(published)
  expect([run.outputs.outcome, run.log]).toEqual(['checked', expect.stringContaining(text)])
  const warned = run.annotations.filter(({ kind }) => kind === 'warning')
  expect(warned.map(({ message }) => message)).toEqual(
    warnings.map(it => expect.stringContaining(it))
  )
  const off = await stage.run({ inputs: { mode: 'check', file: '', record: 'false' } })
  expect(off.log).not.toMatch(/record|deployments/)
})

test('an answer that may come too late is told before anything is sent', async () => {
  await using stage = await openStage()
  const inputs = { 'response-timeout': '86400' }
  const run = await stage.run({ inputs })
  expect(run.outputs).toMatchObject(failed('bad-input'))
  expect(told(run)).toContain('Set `response-timeout` to 86040 or less')
  expect(stage.service.requests).toEqual([])
  expect((await stage.run({ inputs: { ...inputs, record: 'false' } })).outputs.outcome).toBe(
    'published'
  )
})

test('what others wrote on a deployment neither gives a link that is none, nor keeps a run for ever', async () => {
  await using stage = await openStage()
  const id = stage.claim('1', 'in_progress')
  const { payload } = stage.github.deployments[0] ?? {}
  Object.assign(Object(payload), { deadline_seconds: 1e12, title: '</h2>\n## <script>' })
  const pausing = () => {
    if (stage.histories()[0] !== 'in_progress') return
    stage.github.addStatus(id, { state: 'success', description: 'x published as version 7' })
    const [forged] = stage.github.deployments[0]?.statuses.slice(-1) ?? []
    Object.assign(Object(forged), { environment_url: 'javascript:alert(1)' })
  }
  const run = await stage.run({ pausing, inputs: { 'download-link': 'show' } })
  expect(run.log).toContain('(1440 minutes at most)')
  expect(run.outputs).toMatchObject({ outcome: 'skipped', id: '7', download_url: '' })
  expect(run.summary).not.toMatch(/<\/h2>|^## <|<script>/m)
})

test.each([
  ['in words of its own', 'Deployed to staging', 'failure', 'published'],
  ['without words', '', 'failure', 'skipped']
])(
  'an app that marks a fresh deployment as a success, %s, does not make it published',
  async (...row) => {
    const [, description, state, again] = row
    await using stage = await openStage()
    const mark = () => {
      const { id = 0 } = stage.github.deployments.at(-1) ?? {}
      stage.github.addStatus(id, { state: 'success', description })
    }
    for (const on of [/\/statuses\?/, /\/statuses$/]) {
      stage.github.deployments.length = 0
      const method = on.source.endsWith('$') ? 'POST' : 'GET'
      stage.github.misbehave({ kind: 'meanwhile', run: mark, on: { method, path: on } })
      const run = await stage.run()
      expect(run.outputs).toMatchObject(failed('contradicted'))
      const id = stage.github.deployments[0]?.id
      expect(told(run)).toMatch(
        new RegExp(`own deployment ${id}.*${id}/statuses -f state=inactive\n.*DELETE .*/${id}`, 's')
      )
      expect(told(run).includes(`("${description}")`)).toBe(description !== '')
      expect(stage.histories()[0]).toMatch(new RegExp(`${state}$`))
    }
    expect((await stage.run({ attempt: 2 })).outputs.outcome).toBe(again)
  }
)

test('an app that marks a deployment as a success makes a doubt at its deadline, which a person settles', async () => {
  await using stage = await openStage()
  const id = stage.claim('1')
  stage.github.addStatus(id, { state: 'success', description: 'Deployed to staging' })
  const run = await stage.run()
  expect([run.outputs.outcome, run.outputs.reason]).toEqual(['unknown', 'in-doubt'])
  expect(run.log).toContain('Waiting for run 1,')
  expect(told(run)).toContain('as a success ("Deployed to staging")')
  stage.github.addStatus(id, { state: 'failure' })
  expect((await stage.run()).outputs.outcome).toBe('published')
})

test.each([
  ['when the run begins', false, {}, ''],
  ['before its last bytes', true, {}, ' --hostname ghe.example.com'],
  ['by a person', false, { mode: 'mark-published' }, '']
])('a deployment that cannot be read %s is shown with what deletes it', async (...row) => {
  const [, isLate, inputs, host] = row
  await using stage = await openStage()
  let id = 0
  const add = () => {
    id = stage.claim('1')
    const claim = stage.github.deployments.find(it => it.id === id)
    Object.assign(Object(claim?.payload), { publication: 'gallery' })
  }
  const on = { method: 'POST', path: /\/statuses$/ }
  if (isLate) stage.github.misbehave({ kind: 'meanwhile', run: add, on })
  else add()
  const env = { GITHUB_SERVER_URL: host === '' ? 'https://github.com' : 'https://ghe.example.com' }
  const run = await stage.run({ env, inputs })
  expect([run.outputs.outcome, run.after]).toEqual(['failed', 0])
  const place = `repos/acme/gallery/deployments/${id}`
  const commands = [
    `${host} ${place}/statuses -f state=inactive`,
    `${host} --method DELETE ${place}`
  ]
  for (const command of commands) expect(told(run)).toContain(`    gh api${command}`)
})

test('a server without deployments says to set `once: off`', async () => {
  await using stage = await openStage({ hasDeployments: false })
  const run = await stage.run()
  expect(run.outputs).toMatchObject(failed('no-deployments'))
  expect(told(run)).toMatch(/server has no deployments.*set `once: off`/s)
  expect((await stage.run({ inputs: { record: 'false' } })).outputs.outcome).toBe('published')
})

test('a claim that does not show within 15 seconds is ended, and nothing is sent', async () => {
  const lag = { ms: 900_000, mode: 'ordered', seed: 1 } as const
  await using stage = await openStage({ lag })
  const start = stage.github.clock.now().getTime()
  const run = await stage.run()
  expect(run.outputs).toMatchObject(failed('withheld'))
  expect(told(run)).toContain('did not list this run’s deployment')
  expect(stage.histories()).toEqual(['failure'])
  const waited = stage.github.clock.now().getTime() - start
  expect([waited >= 15_000, waited < 20_000]).toEqual([true, true])
})

test('before the tail, another tool wrote on the own claim: it is given up for a new one', async () => {
  await using stage = await openStage()
  const run = () =>
    void stage.github.addStatus(stage.github.deployments[0]?.id ?? 0, { state: 'inactive' })
  stage.github.misbehave({ kind: 'meanwhile', run, on: RECORD })
  expect((await stage.run()).outputs.outcome).toBe('published')
  expect(stage.histories()).toEqual(['inactive in_progress failure', 'in_progress success'])
  expect(stage.service.requests.map(({ completed }) => completed)).toEqual([false, true])
})

const DOWN = [false, true]
test.each(DOWN)('a loss before the tail: a new claim, unless GitHub is down: %s', async isDown => {
  await using stage = await openStage()
  stage.service.misbehave({ kind: 'reset-in-body', bytes: 299_999 })
  stage.github.misbehave({ kind: 'slow-answer', ms: 200, on: RECORD })
  const down = { ...refused(503), on: { ...LIST, nth: 5 } }
  if (isDown) stage.github.misbehave(...Array.from({ length: 9 }, () => down))
  const run = await stage.run()
  expect(run.outputs).toMatchObject(isDown ? failed('not-sent') : { outcome: 'published' })
  expect(/This is not tried again: .* answered 503/.test(run.log)).toBe(isDown)
})

test('before the tail, another run has published at the last look: that is told, and no last byte is sent', async () => {
  await using stage = await openStage()
  const run = () => void stage.claim('1', 'in_progress', 'success')
  stage.github.misbehave({ kind: 'meanwhile', run, on: RECORD })
  expect((await stage.run()).outputs.reason).toBe('already-published')
  expect(stage.histories()).toEqual(['in_progress failure', 'in_progress success'])
  expect(stage.service.requests.map(({ completed }) => completed)).toEqual([false])
})

test.each([
  ['failure', { kind: 'answer', status: 422, stored: false }],
  ['error', { kind: 'reset-after-body' }],
  // Without its link, that GitHub may refuse.
  ['success', { kind: 'slow-answer', ms: 1 }]
] as const)('%s is written down at the second try', async (state, fault) => {
  await using stage = await openStage()
  stage.service.misbehave(fault)
  stage.github.misbehave({ ...refused(422), on: { ...RECORD, nth: 2 } })
  expect((await stage.run()).annotations.filter(({ kind }) => kind === 'warning')).toEqual([])
  expect(stage.histories()).toEqual([`in_progress ${state}`])
  expect(stage.github.deployments[0]?.statuses.map(it => it.environment_url).join('')).toBe('')
})

test('a run that an error stops which nobody caught settles its claim', async () => {
  await using stage = await openStage()
  const stopping = new AbortController()
  const stray: Connect = (origin, options) => {
    const connection = connect(origin, options)
    const exchange: typeof connection.exchange = request => {
      if (request.body && stage.github.deployments.length > 0) stopping.abort(new Error('lost'))
      return connection.exchange(request)
    }
    return { ...connection, exchange }
  }
  const run = await stage.run({ connect: stray, cancelled: stopping.signal })
  expect(run.outputs).toMatchObject(failed('internal'))
  expect(run.log).toContain('Nothing was published. This should not have happened')
  expect(stage.histories()).toEqual(['failure'])
})
