// The matrix of the service's faults: every fault, at first contact, at the first try, at every try, in every mode.
import { expect, test } from '@jest/globals'
import { breachesOf } from './invariants.ts'
import { type Combination, type Played, testAll } from './play.ts'
import { SERVICE_FAULTS, type ServiceFault } from './service-faults.ts'
import { openStage } from './stage.ts'

interface Row extends Combination {
  readonly row: ServiceFault
  readonly times: number
  readonly inputs: Readonly<Record<string, string>>
}

/** The kinds of faults that cut a body, such as `early-answer` and `reset-in-body`. */
const CUTTING = /^early-|-accept$|-(?:before-body|in-body|after-headers)$/
/** These end by a limit of time, which is short then; nothing else reaches one, however busy the machine is. */
const SLOW = /^(?:silence|trickle|slow|endless|truncated|wrong-length)/
const CONTACT = 'at first contact'
const PHASES = [
  {
    phase: CONTACT,
    times: 1,
    own: {},
    kinds: /./
  },
  {
    phase: 'at the first try',
    times: 1,
    own: {},
    kinds: /./
  },
  {
    phase: 'at every try',
    times: 9,
    own: {},
    // After a strange answer to a whole request there is no second try that the fault could hit.
    kinds: /^(?!odd-answer$|answer$)/
  },
  {
    phase: 'of a large file',
    times: 1,
    own: { file: 'large/*.zip' },
    // Before the tail, the service sees only a part of it: that matters where the body is cut.
    kinds: CUTTING
  }
]
const MODES = ['multipart', 'base64'].flatMap(upload =>
  ['true', 'false'].map(record => ({
    mode: `${upload}, record ${record}`,
    own: { upload, record }
  }))
)

const rows: readonly Row[] = SERVICE_FAULTS.flatMap(row =>
  PHASES.filter(({ kinds }) => kinds.test(row.fault.kind)).flatMap(({ phase, times, own }) =>
    MODES.map(({ mode, own: inputs }) => ({
      fault: row.name,
      phase,
      mode,
      row,
      times,
      inputs: { ...inputs, ...own }
    }))
  )
)

async function play({ row, phase, times, inputs }: Row): Promise<Played> {
  await using stage = await openStage({}, { sparesChecks: phase !== CONTACT })
  stage.service.misbehave(...Array.from({ length: times }, () => row.fault))
  const lied = row.lied === true

  const isSlow = SLOW.test(row.fault.kind) && row.name !== 'no fault'
  const short = { 'stall-timeout': inputs.file ? '1' : '0.3', 'response-timeout': '0.5' }
  const long = { 'stall-timeout': '5', 'response-timeout': '5' }
  const limits = isSlow ? short : long

  const first = await stage.run({ inputs: { ...limits, ...inputs } })
  const breaches = breachesOf(first, stage, lied)
  const outcome = `${first.outputs.outcome} (${first.outputs.reason})`

  // Without the record, a second run is a second publication, and nothing promises otherwise.
  if (inputs.record === 'false' || !first.ended) return { outcomes: outcome, breaches }

  const second = await stage.run({ inputs, attempt: 2 })
  const again = breachesOf(second, stage, lied).map(breach => `in the next run: ${breach}`)
  return {
    outcomes: `${outcome}, then ${second.outputs.outcome}`,
    breaches: [...breaches, ...again]
  }
}

const played = testAll('a fault of the service breaks no promise', rows, play)

test('the outcomes are of every kind, so that the promises mean something', () => {
  const outcomes = [...played.values()]
  const firsts = new Set(outcomes.map(text => text.split(' ')[0]))
  expect([...firsts].toSorted()).toEqual(['failed', 'published', 'unknown'])

  const seconds = new Set(outcomes.map(text => text.split(', then ')[1]))
  expect([...seconds]).toEqual(expect.arrayContaining(['published', 'skipped', 'unknown']))
})

test('a changelog of 900,000 characters is left out, and a warning says so', async () => {
  await using stage = await openStage()
  const data = {
    id: 7,
    title: 'Spring',
    changelog: 'c'.repeat(900_000),
    file_name: 'a.zip'
  }
  stage.service.misbehave({ kind: 'answer', status: 201, body: { data } })

  const run = await stage.run()
  expect(breachesOf(run, stage)).toEqual([])
  expect(run.outputs).toMatchObject({
    outcome: 'published',
    changelog: '',
    file_name: 'a.zip'
  })
  expect(JSON.parse(run.outputs.version ?? '')).toEqual({
    id: 7,
    title: 'Spring',
    file_name: 'a.zip'
  })

  const warnings = run.annotations.filter(({ kind }) => kind === 'warning')
  const message = expect.stringContaining('1 MB')
  expect(warnings).toMatchObject([{ message }])
})

test('a summary of endless complaints still describes the version', async () => {
  await using stage = await openStage()
  const complaints = Array.from({ length: 9000 }, (_, at) => [`field-${at}`, ['*'.repeat(60)]])
  stage.service.misbehave({
    kind: 'answer',
    status: 422,
    stored: false,
    body: { message: '*'.repeat(200_000), errors: Object.fromEntries(complaints) }
  })

  const run = await stage.run()

  expect(breachesOf(run, stage)).toEqual([])
  expect(run.outputs.reason).toBe('rejected')
  expect(run.summary).toContain('- … and 8950 more, in the log')
  expect(run.summary).toContain('SHA-256')
  expect(run.log).toContain('field-8999')
})
