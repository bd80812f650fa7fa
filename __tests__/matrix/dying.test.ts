// The matrix of dying machines: a run ends at each of its requests, in the middle too, and another one follows.
import { breachesOf } from './invariants.ts'
import { type End, type Moment, openMortal } from './mortal.ts'
import { type Combination, type Played, testAll } from './play.ts'
import { openStage } from './stage.ts'

interface Row extends Combination {
  readonly end: End
  readonly upload: string
  /** How much of GitHub's time passes before the next run, in milliseconds. */
  readonly pause: number
}

const LIST = { method: 'GET', path: /\/deployments\?/ }
const CREATE = { method: 'POST', path: /\/deployments$/ }
const HISTORY = { method: 'GET', path: /\/statuses\?/ }
const RECORD = { method: 'POST', path: /\/statuses$/ }
const SEND = { method: 'POST', path: /\/versions$/ }

const CALLS: readonly (readonly [phase: string, call: Omit<End, 'moment'>, Moment[]])[] = [
  ...([1, 2, 3, 4] as const).map(
    nth =>
      [`list ${nth}`, { ...LIST, nth }, ['before it', 'after it']] satisfies (typeof CALLS)[number]
  ),
  ['the claim', { ...CREATE, nth: 1 }, ['before it', 'after it']],
  ...([1, 2, 3] as const).map(
    nth =>
      [
        `history ${nth}`,
        { ...HISTORY, nth },
        ['before it', 'after it']
      ] satisfies (typeof CALLS)[number]
  ),
  ['the commit', { ...RECORD, nth: 1 }, ['before it', 'after it']],
  ['the success', { ...RECORD, nth: 2 }, ['before it', 'after it']],
  // The first is the request that cannot publish.
  ['the sending', { ...SEND, nth: 2 }, ['before it', 'in the body', 'before the tail', 'after it']]
]

const rows = CALLS.flatMap(([phase, call, moments]) =>
  moments.flatMap(moment =>
    ['multipart', 'base64'].flatMap(upload =>
      [0, 3_600_000].map(pause => ({
        ...{ fault: `death ${moment}`, phase, upload },
        mode: `${upload}, the next run ${pause === 0 ? 'at once' : 'an hour later'}`,
        ...{ end: { ...call, moment }, pause }
      }))
    )
  )
)

async function play({ end, upload, pause }: Row): Promise<Played> {
  await using stage = await openStage()
  const { connect, death } = openMortal(end)
  const inputs = { upload }
  const first = await stage.run({ inputs, connect, death, patience: 10_000 })
  const died = first.ended ? ['the machine did not die'] : []
  const left = first.after > 1 ? ['the service holds two versions'] : []
  stage.github.clock.advance(pause)
  const second = await stage.run({ inputs, attempt: 2, patience: 10_000 })
  const third = await stage.run({ inputs, attempt: 3, patience: 10_000 })
  const outcomes = [second, third].map(({ outputs }) => outputs.outcome ?? '')
  // What certainly was not published is published by the next run, without anybody's help.
  const helpless =
    !isCommitted(end) && outcomes.join() !== 'published,skipped'
      ? [`nothing was committed, but the next runs say ${outcomes.join()}`]
      : []
  const breaches = [second, third].flatMap(run => breachesOf(run, stage, false))
  return {
    told: `dead, then ${outcomes.join(', then ')}`,
    breaches: [
      ...died,
      ...left,
      ...helpless,
      ...breaches.filter(it => !it.startsWith('files left'))
    ]
  }
}

/** Whether the run had recorded that it was about to send the tail. */
function isCommitted({ path, nth, moment }: End): boolean {
  if (path === RECORD.path) return nth > 1 || moment === 'after it'
  if (path === SEND.path) return moment === 'after it' || moment === 'before the tail'
  return (path === LIST.path && nth === 4) || (path === HISTORY.path && nth > 1)
}

testAll('a machine that dies breaks no promise, and leaves nothing stuck', rows, play)
