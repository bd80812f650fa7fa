// Tests of src/publish with all that it calls: every fault of the service, at the preflight, at the first try and at every
// try, in every mode.
import { expect, test } from '@jest/globals'
import { breachesOf } from './invariants.ts'
import { type Combination, type Played, testAll } from './play.ts'
import { SERVICE_FAULTS, type ServiceFault } from './service-faults.ts'
import { CONTENT, openStage } from './stage.ts'

interface Row extends Combination {
  readonly row: ServiceFault
  /** How many sendings it hits. */
  readonly times: number
  readonly inputs: Readonly<Record<string, string>>
}

/** When a fault hits, and of which faults that is tried. */
interface Phase {
  readonly name: string
  /** How many sendings the fault hits. */
  readonly times: number
  /** Instead of the small file that is published otherwise. */
  readonly file?: string
  isTriedWith(kind: string): boolean
}

/** The kinds of faults that cut a body, such as `early-answer` and `reset-in-body`. */
const CUTTING = /^early-|-accept$|-(?:before-body|in-body|after-headers)$/
/** These end by a limit of time, which is short then; nothing else reaches one, however busy the machine is. */
const SLOW = /^(?:silence|trickle|slow|endless|truncated|wrong-length)/
/** Answers to a whole request that are not documented: no second try follows, which the fault could hit. */
const FINAL = ['answer', 'odd-answer']

const CONTACT = 'at the preflight'
const PHASES: readonly Phase[] = [
  {
    name: CONTACT,
    times: 1,
    isTriedWith: () => true
  },
  {
    name: 'at the first try',
    times: 1,
    isTriedWith: () => true
  },
  {
    name: 'at every try',
    times: 9,
    isTriedWith: kind => !FINAL.includes(kind)
  },
  {
    name: 'of a large file',
    times: 1,
    file: 'large/*.zip',
    // Before the tail, the service sees only a part of it: that matters where the body is cut.
    isTriedWith: kind => CUTTING.test(kind)
  }
]

/** The inputs that each fault and phase are tried with. */
const MODES = [{ upload: 'multipart' }, { upload: 'base64' }]

const rows: readonly Row[] = SERVICE_FAULTS.flatMap(row => {
  const phases = PHASES.filter(phase => phase.isTriedWith(row.fault.kind))
  return phases.flatMap(phase => rowsOf(row, phase))
})

/** A fault in a phase, with each mode. */
function rowsOf(row: ServiceFault, { name, times, file }: Phase): Row[] {
  return MODES.map(mode => ({
    fault: row.name,
    phase: name,
    mode: mode.upload,
    row,
    times,
    inputs: file === undefined ? mode : { ...mode, file }
  }))
}

/** Limits of time for a fault that reaches one. */
const SHORT = { 'stall-timeout': '0.3', 'response-timeout': '0.5' }
/** A large file takes longer to be sent. */
const SHORT_FOR_LARGE = { ...SHORT, 'stall-timeout': '1' }
/** Limits of time that nothing reaches. */
const LONG = { 'stall-timeout': '5', 'response-timeout': '5' }

function limitsFor({ name, fault }: ServiceFault, { file }: Row['inputs']) {
  const isSlow = SLOW.test(fault.kind) && name !== 'no fault'
  if (!isSlow) return LONG
  return file === undefined ? SHORT : SHORT_FOR_LARGE
}

async function play({ row, phase, times, inputs }: Row): Promise<Played> {
  await using stage = await openStage({}, { sparesChecks: phase !== CONTACT })
  stage.service.misbehave(...Array.from({ length: times }, () => row.fault))
  const lied = row.lied === true

  const given = { inputs: { ...limitsFor(row, inputs), ...inputs } }
  const first = await stage.run(given)
  const breaches = breachesOf(first, stage, lied)
  const outcome = `${first.outputs.outcome} (${first.outputs.reason})`

  if (!first.ended) return { outcomes: outcome, breaches }

  // A fault at every try may be left for the next run.
  const second = await stage.run({ ...given, attempt: 2 })
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

test('a server that gives up while the tail is held, by a 408, is tried again', async () => {
  // However busy the machine is, the 408 comes before GitHub lets the tail go.
  await using stage = await openStage({ hidesLag: true, latency: 30 })
  stage.service.misbehave({
    kind: 'early-answer',
    status: 408,
    close: 'fin',
    // More than the file: all but the tail has come.
    bytes: CONTENT.length
  })

  const run = await stage.run()

  expect(breachesOf(run, stage)).toEqual([])
  expect(run.outputs.outcome).toBe('published')
  expect(run.log).toMatch(/answered 408\. Trying again \(2 of 4\)/)
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

test('of endless complaints, the first are shown, and the summary still describes the version', async () => {
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
  expect(run.summary).toContain('- 8950 more&#58;<!-- --> are not shown')
  expect(run.summary).toContain('SHA-256')
  expect(run.log).toContain('8950 more: are not shown')
  expect(run.log.length).toBeLessThan(250_000)
})
