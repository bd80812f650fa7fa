// The matrix of GitHub's faults for the modes that look after the record: each, at each of their calls.
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
const RELEASES = { method: 'GET', path: /\/releases\?/ }
/** For each mode: what the record has before it, its calls there, and how it is played. */
const MODES: readonly (readonly [mode: string, calls: readonly Matcher[], play: Row['play']])[] = [
  ['mark, uploaded by hand', [LIST, CREATE, RECORD, SUCCESS], mark('published', 'by hand')],
  ['mark, in doubt and there', [LIST, HISTORY, RECORD], mark('published', 'stored')],
  ['mark, in doubt and not there', [LIST, HISTORY, RECORD], mark('not-published', 'lost')],
  ['audit, all published', [RELEASES, LIST, HISTORY], audit(false)],
  ['audit, one missing', [RELEASES, LIST, HISTORY], audit(true)]
]

const rows = GITHUB_FAULTS.flatMap(named =>
  MODES.flatMap(([mode, calls, play]) =>
    calls.map(on => {
      const phase = `${on.method} ${on.path?.source} ${on.nth ?? 1} of ${mode.slice(0, 6)}`
      return { fault: named.name, phase, mode, named, on, play }
    })
  )
)

/** However it goes, nothing is sent; once GitHub is well, it is marked, and the next run acts on that. */
function mark(as: 'published' | 'not-published', doubt: 'by hand' | 'stored' | 'lost') {
  return async (stage: Stage, { named, on }: Row): Promise<Played> => {
    if (doubt !== 'by hand') {
      stage.service.misbehave({ kind: 'reset-after-body', stored: doubt === 'stored' })
      await stage.run()
    }
    const sent = stage.service.requests.length
    const inputs = { mode: as === 'published' ? 'mark-published' : 'mark-not-published' }
    // From then on, a person may look.
    stage.github.clock.advance(20 * 60_000)
    stage.github.misbehave({ ...named.fault, on })
    const first = await stage.run({ inputs, runId: '7', patience: named.slow ? 1500 : undefined })
    stage.github.clock.advance(120_000)
    const second = await stage.run({ inputs, runId: '8' })
    const other = stage.service.requests.length - sent
    const third = await stage.run({ attempt: 2 })
    const told = [first, second, third].map(({ outputs }) => outputs.outcome).join(', then ')
    // Once it is lifted, there is nothing left to lift.
    const end = as === 'published' ? /, then marked, then skipped$/ : /marked, .*then published$/
    return {
      told,
      breaches: [
        ...[first, second, third].flatMap(run => breachesOf(run, stage, doubt === 'by hand')),
        ...(other > 0 ? ['something was sent to the shop'] : []),
        ...(end.test(told) ? [] : [`it ended as ${told}`])
      ]
    }
  }
}

/** It writes nothing, and says what is so, as far as GitHub does. */
function audit(isMissing: boolean) {
  return async (stage: Stage, { named, on }: Row): Promise<Played> => {
    await stage.run()
    if (isMissing) stage.addRelease({ tag: 'v1.4.3' })
    const sent = stage.service.requests.length
    const asked = stage.github.requests.length
    stage.github.misbehave({ ...named.fault, on })
    const inputs = { mode: 'audit', file: '' }
    const run = await stage.run({ inputs, patience: named.slow ? 1500 : undefined })
    const told = `${run.outputs.outcome} (${run.outputs.reason})`
    const truth = isMissing ? 'failed (missing)' : 'audited ()'
    const isKnown = told === truth || /^failed \((github|no-deployments)\)$/.test(told)
    const isSaid = isKnown || named.name.startsWith('200 with')
    const isReading = stage.github.requests.slice(asked).every(({ method }) => method === 'GET')
    const isQuiet = isReading && stage.service.requests.length === sent
    return {
      told,
      breaches: [
        ...breachesOf(run, stage),
        ...(isQuiet ? [] : ['something was written']),
        ...(isSaid ? [] : [`it ended as ${told}`])
      ]
    }
  }
}

testAll('a fault of GitHub’s leaves one truth, and nothing is sent', rows, async row => {
  await using stage = await openStage()
  return await row.play(stage, row)
})
