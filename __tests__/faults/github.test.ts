// Tests of src/publish with all that it calls: every fault of GitHub's, at each call of the at-most-once steps; and a GitHub
// whose answers are broken is what failed.
import { expect, test } from '@jest/globals'
import type { GitHubFault, Matcher } from '../../sandbox/github-faults.ts'
import type { Call, NamedFault } from './github-faults.ts'
import { CALLS, CREATE, DOWNLOADS, GITHUB_FAULTS, HISTORY, LIST, RECORD } from './github-faults.ts'
import { breachesOf } from './invariants.ts'
import { type Combination, type Played, testAll } from './play.ts'
import { openStage } from './stage.ts'

interface Row extends Combination {
  readonly named: NamedFault
  readonly call: Call
  readonly inputs: Readonly<Record<string, string>>
}

/** In turn: the service's matrix has each row with both of them. */
const MODES = [{ upload: 'multipart' }, { upload: 'base64' }] as const
/** A download is in a temporary file, which has to go, however it ends. */
const DOWNLOADED = { file: '', asset: '*.zip' }

const rowOf = (named: NamedFault, call: Call, inputs: Row['inputs']): Row => {
  const mode = Object.values(inputs).join(' ')
  return {
    fault: named.name,
    phase: call.name,
    mode,
    named,
    call,
    inputs
  }
}

const rows = GITHUB_FAULTS.flatMap((named, index) => [
  ...CALLS.filter((call, place) => isTried(named, call, place)).map((call, turn) =>
    rowOf(named, call, MODES[(index + turn) % 2] ?? MODES[0])
  ),
  ...(named.slow ? [] : DOWNLOADS.map(call => rowOf(named, call, DOWNLOADED)))
])

/** Each fault hits each call, but for those that take long. `place` is the call's, in the list of all calls. */
function isTried({ slow, heavy }: NamedFault, { on }: Call, place: number): boolean {
  if (heavy) return place % 3 === 0 && on.length === 1
  return !slow || on.length <= 2
}

async function play({ named, call, inputs }: Row): Promise<Played> {
  await using stage = await openStage()
  stage.github.misbehave(...call.on.map(on => ({ ...named.fault, on })))
  const first = await stage.run({ inputs, patience: named.slow ? 250 : undefined })
  const breaches = breachesOf(first, stage)
  if (!first.ended) return { outcomes: 'endless', breaches }

  const second = await stage.run({ inputs, attempt: 2 })

  const { outcome, reason } = first.outputs
  const again = breachesOf(second, stage).map(breach => `in the next run: ${breach}`)
  return {
    outcomes: `${outcome} (${reason}), then ${second.outputs.outcome}`,
    breaches: [...breaches, ...again]
  }
}

const played = testAll('a fault of GitHub’s breaks no promise', rows, play)

test('without a fault it is published; with one it is published, or fails, and is never unknown', () => {
  for (const [{ fault }, text] of played) {
    if (fault === 'no fault') expect(text).toBe('published (), then skipped')
  }

  const firsts = new Set([...played.values()].map(text => text.split(' ')[0]))
  expect([...firsts].toSorted()).toEqual(['failed', 'published'])
})

test('a list whose pages never end is an error in the end', async () => {
  await using stage = await openStage()
  const page = {
    kind: 'status',
    status: 200,
    body: [{ id: 1 }],
    headers: { link: '<https://api.github.invalid/?page=2>; rel="next"' },
    on: LIST
  } as const
  stage.github.misbehave(...Array.from({ length: 999 }, () => page))

  const run = await stage.run()

  expect(breachesOf(run, stage)).toEqual([])
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
  expect(run.log).toContain('more than 200 pages')
})

test('a failure that GitHub refuses to record is tried for two minutes, and the message says what stands', async () => {
  await using stage = await openStage()
  const message = 'No.'
  stage.service.misbehave({ kind: 'answer', status: 400, body: { message }, stored: false })
  // The first write is the `in_progress`.
  const refusal = { kind: 'status', status: 401, on: { ...RECORD, nth: 2 } } as const
  stage.github.misbehave(...Array.from({ length: 20 }, () => refusal))
  const start = stage.github.clock.now().getTime()

  const run = await stage.run()

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(run.log).toContain('Its deployment stands in progress for 15 minutes')
  const writes = stage.github.requests.filter(
    ({ method, path }) => method === 'POST' && path.endsWith('/statuses')
  )
  expect(writes).toHaveLength(1 + 12)
  expect(stage.github.clock.now().getTime() - start).toBeLessThan(150_000)
})

/** An answer of that body, as JSON. */
function answer(body: unknown, headers = {}): GitHubFault {
  return {
    kind: 'status',
    status: 200,
    body,
    headers
  }
}

const OWN_STATUS = {
  id: 1,
  state: 'success',
  description: 'publish-version: published as 7'
}

/** A broken answer of GitHub's. */
interface BrokenAnswer {
  readonly name: string
  /** The requests that are answered so. */
  readonly on: Matcher
  readonly fault: GitHubFault
  /** In the log. */
  readonly said: RegExp
}

const BROKEN_ANSWERS: readonly BrokenAnswer[] = [
  {
    name: 'a list of nothing',
    on: LIST,
    fault: answer([null]),
    said: /was not written by this action/
  },
  {
    name: 'an answer without a date',
    on: LIST,
    fault: answer([], { date: '' }),
    said: /has no date/
  },
  {
    name: 'a claim without an id',
    on: CREATE,
    fault: answer({ id: '7' }),
    said: /the claim without its id/
  },
  {
    name: 'a history without dates',
    on: HISTORY,
    fault: answer([OWN_STATUS]),
    said: /without an id or a date/
  }
]

test.each(BROKEN_ANSWERS)(
  'a GitHub that answers with $name is what failed, and nothing is published',
  async ({ on, fault, said }) => {
    await using stage = await openStage()
    // Where an answer may have been lost, it is asked for four times.
    stage.github.misbehave(...Array.from({ length: 4 }, () => ({ ...fault, on })))

    const { outputs, log } = await stage.run()

    expect(outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
    expect(log).toMatch(said)
    expect(stage.service.versions).toEqual([])
  }
)
