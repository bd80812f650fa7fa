// A result for the runner: in the log, as an annotation if it needs attention, and the outputs for later steps.

import type { Log, Runner } from '../runner/runner.ts'
import { messageOf } from '../runner/words.ts'
import { VERSION_FIELDS } from '../shop/answer.ts'
import type { Asked } from './asked.ts'
import { codeLines, reasonPage } from './guidance.ts'
import { rulesOf } from './modes.ts'
import { OUTCOMES, type Result } from './result.ts'

/** Logs how a run ended. */
export function printResult(log: Log, result: Result, asked: Asked): void {
  const { outcome, reason, message, advice, next, commands, complaints } = result
  const { subject, warnings } = result
  for (const text of warnings) log.warning(text)

  const { level = OUTCOMES[outcome].level } = result
  const page = level === 'info' ? '' : reasonPage(asked.context, reason)
  const lines = [message, advice, next && `Next: ${next}`, page && `More about it: ${page}`]
  const text = lines.filter(Boolean).join('\n')
  if (level === 'info') log.info(text)
  else log[level](text, headingOf(result, asked))

  if (commands.length > 0) log.info(`Without the button:${codeLines(...commands)}`)
  if (outcome === 'published' && subject.sha256) log.info(`  sha256     ${subject.sha256}`)

  // The log does not show an annotation's title, so the text has the place, too.
  for (const one of complaints) log.error(`${one.place}: ${one.message}`, one.place)
}

/** The outcome in words, such as `Outcome unknown: the shop may have published 1.4.2`. */
export function headingOf({ outcome, heading, subject }: Result, { mode }: Asked): string {
  if (heading !== undefined) return heading

  const title = outcome === 'failed' ? rulesOf(mode).failed : OUTCOMES[outcome].title
  const { versionName = '' } = subject
  if (outcome === 'unknown') {
    return `${title}: the shop may have published ${versionName || 'the version'}`
  }
  return versionName === '' ? title : `${title}: ${versionName}`
}

/** Every output, as action.yml declares them. */
export const OUTPUT_NAMES = [
  'outcome',
  'published',
  'reason',
  'version_id',
  ...VERSION_FIELDS,
  'version',
  'sha256',
  'size'
]

/** In bytes of UTF-16. GitHub takes 1 MiB for all outputs of a job, and other steps have outputs, too. */
const OUTPUTS_MAX_BYTES = 1_000_000

/** The outputs of a run. */
export interface Outputs {
  /** Each with its name, in the declared order. */
  readonly outputs: readonly (readonly [name: string, value: string])[]
  /** Whether the changelog is left out, since all would not fit. */
  readonly isCut: boolean
}

/** Every output that action.yml declares. */
export function outputsOf(result: Result): Outputs {
  const { changelog, ...short } = result.versionFields
  const all = valuesOf(result, result.versionFields)
  const isCut = all.reduce((sum, [, value]) => sum + 2 * value.length, 0) > OUTPUTS_MAX_BYTES
  return { outputs: isCut ? valuesOf(result, short) : all, isCut }
}

/** Outputs that may be long, and that no later step has to know of a version that is published. */
const LONG_OUTPUTS: readonly string[] = ['changelog', 'version']

/**
 * Says what was published, and sets the short outputs, before that is recorded: a run that is killed meanwhile has lost
 * nothing but the record. Never throws, and so keeps nothing from being recorded: what fails here, such as a full disk,
 * fails again at the end, and is reported then.
 */
export function announcePublished(runner: Pick<Runner, 'info' | 'output'>, result: Result): void {
  const { id } = result.versionFields
  const { outputs } = outputsOf(result)
  const short = outputs.filter(([name]) => !LONG_OUTPUTS.includes(name))
  try {
    runner.info(`The shop answered that the version is published. Version id: ${fieldText(id)}.`)
    for (const [name, value] of short) runner.output(name, value)
  } catch {}
}

/** Sets all outputs. Never throws: if they cannot be written, an error says how the run ended all the same. */
export function writeOutputs(
  runner: Pick<Runner, 'output' | 'error' | 'fail'>,
  outputs: Outputs['outputs'],
  { message }: Result
): void {
  try {
    for (const [name, value] of outputs) runner.output(name, value)
  } catch (error) {
    const why = messageOf(error)
    runner.fail()
    runner.error(
      `The outputs of this step cannot be written (${why}), so later steps do not have them. How it ended: ${message}`,
      'Outputs are missing'
    )
  }
}

function valuesOf(
  { outcome, reason, subject }: Result,
  fields: Result['versionFields']
): Outputs['outputs'] {
  const values: Readonly<Record<string, unknown>> = {
    ...fields,
    outcome,
    published: String(outcome === 'published'),
    reason,
    version_id: fields.id,
    version: Object.keys(fields).length === 0 ? '' : JSON.stringify(fields),
    sha256: subject.sha256,
    size: subject.size
  }
  return OUTPUT_NAMES.map(name => [name, fieldText(values[name])] as const)
}

/** A field's value as an output: text as it is, null and undefined as an empty text, all else as JSON. */
export function fieldText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
