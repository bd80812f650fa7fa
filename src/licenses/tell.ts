// What the log says at the end.
import type { Log } from '../runner/runner.ts'
import type { Report } from './report.ts'

/** Tells how it ended, where the run's page shows it. */
export function tell(log: Log, { outcome, message, advice, annotations, file }: Report): void {
  for (const { kind, title, message: text } of annotations) log[kind](text, title)
  if (outcome === 'failed') {
    log.error(advice === '' ? message : `${message}\n${advice}`, 'No licenses listed')
    return
  }
  log.info(message)
  if (file) log.info(`  SHA-256  ${file.sha256}`)
}
