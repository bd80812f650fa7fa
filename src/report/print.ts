// A result in the log: the outcome as an annotation if it needs attention, with a link to what is written about its reason.
import type { Log } from '../runner/runner.ts'
import { type RunFacts, reasonPage } from './guidance.ts'
import { OUTCOMES, type Result } from './result.ts'

/** Logs how a run ended. */
export function printResult(log: Log, result: Result, { context }: RunFacts): void {
  const { outcome, reason, message, advice, complaints, subject, warnings } = result
  for (const text of warnings) log.warning(text)
  const { level } = OUTCOMES[outcome]
  const page = level === 'info' ? '' : reasonPage(context, reason)
  const text = [message, advice, page && `More about it: ${page}`].filter(Boolean).join('\n')
  if (level === 'info') log.info(text)
  else log[level](text, headingOf(result))
  if (outcome === 'published' && subject.sha256) log.info(`  sha256     ${subject.sha256}`)
  // The log does not show an annotation's title, so the text has the place, too.
  for (const one of complaints) log.error(`${one.place}: ${one.message}`, one.place)
}

/** The outcome in words, such as `Outcome unknown: the shop may have published 1.4.2`. */
export function headingOf({ outcome, heading, subject }: Result): string {
  const { title } = OUTCOMES[outcome]
  const { versionName = '' } = subject
  if (heading !== undefined) return heading
  if (outcome === 'unknown') {
    return `${title}: the shop may have published ${versionName || 'the version'}`
  }
  return versionName === '' ? title : `${title}: ${versionName}`
}
