// What the log says: what is about to happen, what is wrong with the inputs, and how it ended.
import type { Log } from '../runner/runner.ts'
import { sizeText } from '../runner/text.ts'
import { describeFault, type Fault } from '../runner/values.ts'
import { describeRoute } from './naming.ts'
import type { Planned } from './prepare.ts'
import { endedEarly, type Reason, type Report, textOf } from './report.ts'

/** What a target is, before anything is done with it. */
export function announce(log: Log, planned: Planned, baseUrl: string): void {
  const { route, versionName, title, artifact, changelog, changelogFormat } = planned
  log.info(`Version "${versionName}" of product ${describeRoute(route)} at ${baseUrl}`)
  log.info(`  title      ${title}`)
  log.info(`  file       ${artifact.path} (${sizeText(artifact.size)})`)
  log.info(`  changelog  ${count(changelog)} of ${changelogFormat}:`)
  log.block(changelog)
}

function count(text: string): string {
  const lines = text.split('\n').length
  return lines === 1 ? '1 line' : `${lines} lines`
}

/**
 * The report of what has to be mended first. One fault is told as it is; of several, each is an annotation
 * of its own.
 */
export function faulty(faults: readonly (Fault & { readonly reason?: Reason })[]): Report {
  const [first, ...others] = faults
  const reasons = new Set(faults.map(({ reason }) => reason ?? 'bad-input'))
  const [reason = 'bad-input'] = reasons.size === 1 ? reasons : []
  if (first && others.length === 0) return endedEarly('failed', reason, describeFault(first))
  const message = `Nothing was published: ${faults.length} things have to be mended first.`
  const annotations = faults.map(fault => {
    return { kind: 'error' as const, title: fault.place, message: fault.message }
  })
  return { ...endedEarly('failed', reason, message), annotations }
}

/** How a target ended, where the run's page shows it; `name` tells it from others, if there are some. */
export function tell(log: Log, report: Report, name = ''): void {
  const { outcome, annotations, advice, fields, showLink, subject } = report
  const text = advice === '' ? report.message : `${report.message}\n${advice}`
  const titled = (title: string) => (name === '' ? title : `${title}: ${name}`)
  switch (outcome) {
    case 'published':
      log.info(text)
      if (subject?.sha256) log.info(`  sha256     ${subject.sha256}`)
      if (showLink && fields.download_url) log.info(`  download   ${textOf(fields.download_url)}`)
      break
    case 'planned':
    case 'checked':
      log.info(text)
      break
    case 'skipped':
      log.notice(text, titled('Skipped'))
      break
    case 'failed':
      // Told first: of many faults each has an annotation of its own, and the page shows ten at most.
      log.error(text, titled(report.heading ?? 'Not published'))
      break
    case 'unknown':
      log.error(text, titled('Outcome unknown'))
  }
  for (const { kind, title, message } of annotations) {
    // The log does not show titles.
    log[kind](describeFault({ place: title, message }), title)
  }
}
