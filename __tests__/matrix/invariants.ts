// Owns what holds for every run, whatever the service, GitHub or the machine does.
import { OUTPUT_NAMES } from '../../src/publish/report.ts'
import { faultsOf, findCredential } from '../support/log.ts'
import { GITHUB_TOKEN, type Stage, type StageRun, TOKEN } from './stage.ts'

const OUTCOMES = ['published', 'failed', 'skipped', 'unknown', 'settled', 'audited']

/** How what is told and what the service holds go together. */
interface Truth {
  readonly outcome: string
  readonly reason: string
  readonly before: number
  readonly after: number
  /** The service says that it did what it did not do, or the other way round. */
  readonly lied: boolean
  /** It was told that nothing is remembered: then nobody promises that it is published once. */
  readonly unremembered?: boolean
}

/** What a run told that is not so. */
function untruthsOf(truth: Truth): string[] {
  const { outcome, reason, before, after, lied, unremembered = false } = truth
  const came = after - before
  const claims: readonly (readonly [broken: boolean, breach: string])[] = [
    [after > 1 && !unremembered, `the service holds ${after} versions of one publication`],
    [came < 0 || came > 1, `${came} versions came of one run`],
    [outcome === 'published' && came !== 1 && !lied, 'published, but nothing new came'],
    [outcome === 'failed' && came !== 0 && !lied, 'failed, but the service holds it'],
    [
      ['skipped', 'settled', 'audited'].includes(outcome) && came !== 0,
      `${outcome}, but published`
    ],
    [
      outcome === 'skipped' && reason === 'already-published' && after !== 1 && !lied,
      'skipped as published before, but the service holds nothing'
    ],
    [!OUTCOMES.includes(outcome), `outcome "${outcome}"`]
  ]
  return claims.filter(([broken]) => broken).map(([, breach]) => breach)
}

/** Every invariant that a run on a stage breaks. */
export function breachesOf(run: StageRun, stage: Stage, lied: boolean): string[] {
  if (!run.ended) return ['it did not end']
  const { outcome = '', reason = '' } = run.outputs
  const missing = OUTPUT_NAMES.filter(name => run.outputs[name] === undefined)
  const { stdout, summary, outputs } = run
  const deployments = JSON.stringify(stage.github.deployments)
  const texts = { stdout, summary, deployments, outputs: Object.values(outputs).join('\n') }
  const leak = findCredential(texts, [TOKEN, GITHUB_TOKEN])
  const unremembered = stage.unremembered()
  const failing = outcome === 'failed' || outcome === 'unknown'
  const held: readonly (readonly [broken: boolean, breach: string])[] = [
    [leak !== undefined, String(leak)],
    [missing.length > 0, `outputs not set: ${missing.join()}`],
    [run.failed !== failing, `the step ${run.failed ? 'fails' : 'passes'} with "${outcome}"`],
    [run.leftovers.length > 0, `files left: ${run.leftovers.join()}`],
    [run.summary === '', 'there is no summary'],
    [reason === 'internal', 'something went wrong that was not thought of'],
    [failing && !/^::error/m.test(run.stdout), 'there is no error to read']
  ]
  return [
    ...faultsOf(run.commands, outputs, summary),
    ...untruthsOf({ ...run, outcome, reason, lied, unremembered }),
    ...held.filter(([broken]) => broken).map(([, breach]) => breach)
  ]
}
