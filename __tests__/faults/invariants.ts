// The promises that hold for every run, whatever the service, GitHub or the machine does.
import { OUTPUT_NAMES } from '../../src/report/print.ts'
import { OUTCOMES } from '../../src/report/result.ts'
import { faultsOf, findCredential, parseLog } from '../support/log.ts'
import { GITHUB_TOKEN, TOKEN } from '../support/shop.ts'
import type { Stage, StageRun } from './stage.ts'

/** Every invariant that a run breaks. With `lied`, the service says that it did what it did not, or the reverse. */
export function breachesOf(run: StageRun, stage: Stage, lied = false): string[] {
  if (!run.ended) return ['it did not end']

  const { before, after, log, summary, outputs, annotations, leftovers } = run
  const { outcome = '', reason = '' } = outputs

  const came = after - before
  const isQuiet = !['published', 'failed', 'unknown'].includes(outcome)
  const isRepeated = outcome === 'skipped' && reason === 'already-published'
  const fails = outcome === 'failed' || outcome === 'unknown'

  const commands = parseLog(log).commands.map(({ line }) => line)
  const missing = OUTPUT_NAMES.filter(name => outputs[name] === undefined)
  const deployments = JSON.stringify(stage.github.deployments)
  const texts = {
    log,
    summary,
    deployments,
    outputs: Object.values(outputs).join('\n')
  }
  const leak = findCredential(texts, [TOKEN, GITHUB_TOKEN])

  const promises: readonly (readonly [broken: boolean, breach: string])[] = [
    [after > 1, `the service holds ${after} versions of one publication`],
    [came < 0 || came > 1, `${came} versions came of one run`],
    [outcome === 'published' && came !== 1 && !lied, 'published, but nothing new came'],
    [outcome === 'failed' && came !== 0 && !lied, 'failed, but the service holds it'],
    [isQuiet && came !== 0, `${outcome}, but published`],
    [isRepeated && after !== 1 && !lied, 'published before, but the service holds nothing'],
    [!Object.hasOwn(OUTCOMES, outcome), `outcome "${outcome}"`],
    [leak !== undefined, String(leak)],
    [commands.length > 0, `commands that the log gives: ${commands.join(' | ')}`],
    [missing.length > 0, `outputs not set: ${missing.join()}`],
    [run.failed !== fails, `the step ${run.failed ? 'fails' : 'passes'} with "${outcome}"`],
    [leftovers.length > 0, `files left: ${leftovers.join()}`],
    [run.held !== 0, `uploads left held: ${run.held}`],
    [summary === '', 'there is no summary'],
    [reason === 'internal', 'something went wrong that no code foresees'],
    [fails && !annotations.some(({ kind }) => kind === 'error'), 'there is no error to read']
  ]
  const breaches = promises.filter(([broken]) => broken).map(([, breach]) => breach)
  return [...breaches, ...faultsOf([], outputs, summary)]
}
