// What the log says: what is about to happen, what is wrong with the inputs, and how it ended.
import type { Artifact } from '../release/artifact.ts'
import type { Log } from '../runner/runner.ts'
import { sizeText } from '../runner/text.ts'
import type { Fault } from './inputs.ts'
import type { Target } from './plan.ts'
import { endedEarly, type Report } from './report.ts'

/** Before the first byte is sent: what goes where. */
export function announce(log: Log, target: Target, artifact: Artifact, baseUrl: string): void {
  const { product, benefit } = target.route
  const route =
    benefit === undefined ? `product ${product}` : `product ${product}, benefit ${benefit}`
  log.info(`Publishing version "${target.versionName}" of ${route} at ${baseUrl}`)
  log.info(`  title      ${target.title}`)
  log.info(`  file       ${artifact.path} (${sizeText(artifact.size)})`)
  log.info(`  changelog  ${count(target.changelog)}:`)
  log.block(target.changelog)
}

function count(text: string): string {
  const lines = text.split('\n').length
  return lines === 1 ? '1 line' : `${lines} lines`
}

/** The report of inputs that cannot be used: every fault is an annotation of its own. */
export function faulty(faults: readonly Fault[], subject?: Report['subject']): Report {
  const message =
    faults.length === 1
      ? 'Nothing was published: one input is wrong.'
      : `Nothing was published: ${faults.length} inputs are wrong.`
  const annotations = faults.map(({ input, message: text }) => {
    return { kind: 'error' as const, title: `Input ${input}`, message: text }
  })
  return { ...endedEarly('failed', 'bad-input', message, '', subject), annotations }
}

/** After the last: how it ended, where the run's page shows it. */
export function tell(log: Log, report: Report): void {
  const { outcome, annotations, advice, fields, showLink } = report
  for (const { kind, title, message } of annotations) log[kind](message, title)
  const text = advice === '' ? report.message : `${report.message}\n${advice}`
  switch (outcome) {
    case 'published':
      log.info(report.message)
      if (showLink && fields.download_url) log.info(`Download: ${String(fields.download_url)}`)
      return
    case 'skipped':
      log.notice(text, 'Nothing to publish')
      return
    case 'failed':
      log.error(text, 'Not published')
      return
    case 'unknown':
      log.error(text, 'Outcome unknown')
  }
}
