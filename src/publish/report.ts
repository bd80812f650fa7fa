// What happened, for every reader: outputs for later steps, the summary for people. Pure.
import type { Route } from '../marketplace/client.ts'
import { VERSION_FIELDS } from '../marketplace/version.ts'
import { fenced, markdown, sizeText } from '../runner/text.ts'

export type OutcomeWord = 'published' | 'skipped' | 'failed' | 'unknown'

/** Why; stable words for machines. */
export type Reason =
  | ''
  | 'already-published'
  | 'bad-file'
  | 'bad-input'
  | 'cancelled'
  | 'different-content'
  | 'draft'
  | 'event'
  | 'event-action'
  | 'file-changed'
  | 'github'
  | 'in-doubt'
  | 'no-answer'
  | 'no-file'
  | 'not-prerelease'
  | 'not-sent'
  | 'permission'
  | 'prerelease'
  | 'rejected'
  | 'several-files'
  | 'strange-answer'
  | 'withheld'

/** Every output, as `action.yml` declares them. */
export const OUTPUT_NAMES = [
  'outcome',
  'reason',
  'version_id',
  ...VERSION_FIELDS,
  'sha256',
  'size',
  'versions'
] as const

export type OutputName = (typeof OUTPUT_NAMES)[number]

/** What was published, or was to be: known as far as the run got. */
export interface Subject {
  readonly route: Route
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  /** As a user names it. */
  readonly file?: string
  readonly size?: number
  readonly sha256?: string
}

/** One message of its own at the top of the workflow's page. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly message: string
}

/** How it ended for one target. */
export interface Report {
  readonly outcome: OutcomeWord
  readonly reason: Reason
  /** What happened, in a sentence or a few lines. */
  readonly message: string
  /** What to do now; empty when there is nothing. */
  readonly advice: string
  /** The fields of the version record that are known. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly subject?: Subject
  readonly annotations: readonly Annotation[]
  /** Whether the log and the summary may show `download_url`. */
  readonly showLink: boolean
}

/** A report of something that ended before there was a version. */
export function endedEarly(
  outcome: OutcomeWord,
  reason: Reason,
  message: string,
  advice = '',
  subject?: Subject
): Report {
  const base = { outcome, reason, message, advice, fields: {}, annotations: [], showLink: false }
  return subject ? { ...base, subject } : base
}

/** Every output with its value, in the declared order. */
export function outputsOf(report: Report): (readonly [OutputName, string])[] {
  const { outcome, reason, subject, fields } = report
  const record: Readonly<Record<string, unknown>> = {
    ...fields,
    outcome,
    reason,
    version_id: fields.id ?? '',
    sha256: subject?.sha256 ?? '',
    size: subject?.size ?? ''
  }
  const valueOfOutput = (name: OutputName) =>
    name === 'versions' ? stringify([record]) : textOf(record[name])
  return OUTPUT_NAMES.map(name => [name, valueOfOutput(name)] as const)
}

/** A field's value as an output: null and absent become empty. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : stringify(value)
}

/** JSON that keeps the digits of integers too large for a number. */
function stringify(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(stringify).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}:${stringify(inner)}`
  )
  return `{${entries.join(',')}}`
}

const HEADINGS = {
  published: '✅ Published',
  skipped: '⏭️ Nothing to publish',
  failed: '❌ Not published',
  unknown: '⚠️ Nobody knows yet whether this was published'
} as const

/** The job summary, in GitHub's Markdown. */
export function summaryOf(report: Report): string {
  const { subject, message, advice, outcome } = report
  const parts = [
    `## ${HEADINGS[outcome]}${subject ? `: ${markdown(subject.versionName)}` : ''}`,
    outcome === 'published' ? '' : paragraphs(message),
    advice === '' ? '' : `**What to do:** ${paragraphs(advice)}`,
    ...report.annotations
      .filter(({ kind }) => kind === 'error')
      .map(({ title, message: text }) => `- **${markdown(title)}**: ${markdown(text)}`),
    subject ? tableOf(report, subject) : '',
    subject ? foldedChangelog(subject.changelog) : ''
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

/** Several lines as they stand, in a block; one line as a paragraph. */
function paragraphs(text: string): string {
  return text.includes('\n') ? `\n\n${fenced(text)}` : markdown(text)
}

function tableOf({ fields, showLink }: Report, subject: Subject): string {
  const { product, benefit } = subject.route
  const link = showLink ? textOf(fields.download_url) : ''
  const rows: readonly (readonly [string, string])[] = [
    ['Product', markdown(String(product))],
    ['Benefit', benefit === undefined ? '' : markdown(String(benefit))],
    ['Version', markdown(subject.versionName)],
    ['Title', markdown(subject.title)],
    ['Version id', markdown(textOf(fields.id))],
    ['File', subject.file === undefined ? '' : fileCell(subject)],
    ['SHA-256', subject.sha256 === undefined ? '' : `<code>${markdown(subject.sha256)}</code>`],
    [
      'Download',
      /^https?:\/\/[^\s<>"]+$/.test(link)
        ? `<a href="${attribute(link)}">${markdown(link)}</a>`
        : markdown(link)
    ]
  ]
  const shown = rows.filter(([, value]) => value !== '')
  return ['| | |', '|---|---|', ...shown.map(([name, value]) => `| ${name} | ${value} |`)].join(
    '\n'
  )
}

function fileCell({ file = '', size }: Subject): string {
  return size === undefined ? markdown(file) : `${markdown(file)} (${sizeText(size)})`
}

function attribute(url: string): string {
  return url.replaceAll('&', '&amp;').replaceAll('|', '%7C')
}

const CHANGELOG_LIMIT = 100_000

function foldedChangelog(changelog: string): string {
  if (changelog === '') return ''
  const left = changelog.length - CHANGELOG_LIMIT
  const shown =
    left > 0
      ? `${changelog.slice(0, CHANGELOG_LIMIT)}\n… (${left} characters more were sent)`
      : changelog
  return `<details><summary>Changelog</summary>\n\n${fenced(shown)}\n\n</details>`
}
