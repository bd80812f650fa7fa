// Tests of src/publish with all that it calls: the faults of GitHub's, in the modes that look after the record.
import type { Matcher } from '../../sandbox/github-faults.ts'
import { CREATE, GITHUB_FAULTS, HISTORY, LIST, type NamedFault, RECORD } from './github-faults.ts'
import { breachesOf } from './invariants.ts'
import { type Combination, type Played, testAll } from './play.ts'
import { openStage, type Stage } from './stage.ts'

interface Row extends Combination {
  readonly named: NamedFault
  readonly on: Matcher
  readonly play: (stage: Stage, row: Row) => Promise<Played>
}

const SUCCESS = { ...RECORD, nth: 2 }

/** A mode, with what the record has before it. */
interface Mode {
  readonly name: string
  /** Its calls of GitHub. */
  readonly calls: readonly Matcher[]
  readonly play: Row['play']
}

const MODES: readonly Mode[] = [
  {
    name: 'mark, uploaded by hand',
    calls: [LIST, CREATE, RECORD, SUCCESS],
    play: mark('published', 'by hand')
  },
  {
    name: 'mark, in doubt and there',
    calls: [LIST, HISTORY, RECORD],
    play: mark('published', 'stored')
  },
  {
    name: 'mark, in doubt and not there',
    calls: [LIST, HISTORY, RECORD],
    play: mark('not-published', 'lost')
  }
]

const rows = GITHUB_FAULTS.flatMap(named =>
  MODES.flatMap(({ name, calls, play }) =>
    calls.map(
      (on): Row => ({
        fault: named.name,
        phase: `${on.method} ${on.path?.source} ${on.nth ?? 1} of ${name.slice(0, 6)}`,
        mode: name,
        named,
        on,
        play
      })
    )
  )
)

/** How many requests the shop got, with the checks. */
function countAsked({ service }: Stage): number {
  return service.requests.length + service.checks.length
}

/** Whatever happens, nothing is sent; once GitHub is well, the version is marked, and the next run acts on that. */
function mark(as: 'published' | 'not-published', doubt: 'by hand' | 'stored' | 'lost') {
  return async (stage: Stage, { named, on }: Row): Promise<Played> => {
    if (doubt !== 'by hand') {
      stage.service.misbehave({ kind: 'reset-after-body', stored: doubt === 'stored' })
      await stage.run()
    }

    const sent = countAsked(stage)
    const inputs = { mode: as === 'published' ? 'mark-published' : 'mark-not-published' }

    // From then on, a person may look.
    stage.github.clock.advance(20 * 60_000)
    stage.github.misbehave({ ...named.fault, on })
    const first = await stage.run({
      inputs,
      runId: '7',
      patience: named.slow ? 1500 : undefined
    })

    stage.github.clock.advance(120_000)
    const second = await stage.run({ inputs, runId: '8' })
    const other = countAsked(stage) - sent

    const third = await stage.run({ attempt: 2 })
    const runs = [first, second, third]
    const outcomes = runs.map(({ outputs }) => outputs.outcome).join(', then ')
    // Once it is lifted, there is nothing left to lift.
    const end = as === 'published' ? /, then marked, then skipped$/ : /marked, .*then published$/

    const breaches = runs.flatMap(run => breachesOf(run, stage, doubt === 'by hand'))
    if (other > 0) breaches.push('something was sent to the shop')
    if (!end.test(outcomes)) breaches.push(`it ended as ${outcomes}`)
    return { outcomes, breaches }
  }
}

testAll('a fault of GitHub’s leaves one truth, and nothing is sent', rows, async row => {
  await using stage = await openStage()
  return await row.play(stage, row)
})
