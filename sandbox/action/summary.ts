// The job summary of a rehearsal: everything that arrived at the stand-in.
import { factTable, fenced, markdown } from '../../src/report/markdown.ts'
import { sizeText } from '../../src/runner/words.ts'
import type { Arrivals, ArrivedVersion, TroubledRequest } from './stand-in.ts'

/** The arrivals in one sentence. */
export function headingOf({ versions, mails }: Arrivals): string {
  if (versions.length === 0) return 'No version arrived, and no email would have been sent.'

  const what = versions.length === 1 ? '1 version' : `${versions.length} versions`
  const sent = mails === 1 ? '1 email' : `${mails} emails`
  return `${what} arrived; the real shop would have sent ${sent}.`
}

/** The summary, in Markdown. */
export function summarize(arrivals: Arrivals): string {
  const { versions, troubled } = arrivals
  const parts = [`## 🎭 Rehearsal: ${headingOf(arrivals)}`, ...versions.map(showVersion)]
  if (troubled.length > 0) parts.push(showTroubled(troubled))
  return `${parts.join('\n\n')}\n`
}

function showVersion(version: ArrivedVersion): string {
  const { product, benefit, changelogFormat } = version
  const rows: [string, string][] = [
    ['Product', benefit === null ? product : `${product}, benefit ${benefit}`],
    ['Version', markdown(version.versionName)],
    ['Title', markdown(version.title)],
    ['File', `${markdown(version.fileName)} (${sizeText(version.size)})`],
    ['SHA-256', `<code>${version.sha256}</code>`]
  ]

  const format = changelogFormat ?? 'no format given'
  return [
    factTable(rows),
    `<details open><summary>Changelog, as buyers get it (${format})</summary>`,
    fenced(version.changelog),
    '</details>'
  ].join('\n\n')
}

function showTroubled(troubled: readonly TroubledRequest[]): string {
  const head = ['| Request | What became of it |', '|---|---|']
  const rows = troubled.map(it => `| ${markdown(it.request)} | ${whyOf(it)} |`)
  return `### Requests that were refused or disturbed\n\n${[...head, ...rows].join('\n')}`
}

function whyOf({ completed, bytes, fault, status, message }: TroubledRequest): string {
  const reasons: string[] = []
  if (fault !== undefined) reasons.push(`disturbed by the fault, as asked (${fault})`)
  if (!completed) reasons.push(`cut short after ${sizeText(bytes)}`)
  if (status !== undefined && status >= 400) {
    reasons.push(`refused with ${status}: ${markdown(message)}`)
  }
  return reasons.join('; ')
}
