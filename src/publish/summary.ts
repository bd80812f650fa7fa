// The job summary, in GitHub's Markdown, for someone who looks at nothing else. Pure.
import { fenced, markdown, sizeText } from '../runner/text.ts'
import { describeRoute } from './naming.ts'
import { textOf } from './outputs.ts'
import {
  type Annotation,
  type OutcomeWord,
  type Report,
  type Reports,
  type Subject,
  type Table,
  worstOf
} from './report.ts'

const HEADINGS: Readonly<Record<OutcomeWord, readonly [mark: string, heading: string]>> = {
  published: ['✅', 'Published'],
  skipped: ['⏭️', 'Nothing to publish'],
  planned: ['📋', 'Planned, nothing sent'],
  settled: ['✅', 'Recorded, nothing sent'],
  checked: ['✅', 'Checked, nothing published'],
  audited: ['✅', 'Every release is published'],
  failed: ['❌', 'Not published'],
  unknown: ['⚠️', 'Nobody knows yet whether this was published']
}

/** In all, so many characters of changelogs are shown: a summary over 1 MiB would be dropped whole. */
const CHANGELOG_LIMIT = 200_000
/** A message of the service's may be as long as its whole answer; the log has all of it. */
const MESSAGE_LIMIT = 4000
/** The service may complain about any number of fields. */
const COMPLAINTS = 50

/** The summary of a run; `note` stands first where there is one, and the heading tells a rehearsal. */
export function summaryOf(reports: Reports, note = '', rehearsal = false): string {
  const body = bodyOf(reports, rehearsal ? ' (rehearsal)' : '')
  return note === '' ? body : `${paragraph(note)}\n\n${body}`
}

function bodyOf(reports: Reports, kind: string): string {
  const limit = Math.floor(CHANGELOG_LIMIT / reports.length)
  if (reports.length === 1) {
    const [report] = reports
    return `${sectionOf(report, `## ${headingOf(report)}${kind}`, report.subject?.versionName, limit)}\n`
  }
  const [mark] = HEADINGS[worstOf(reports).outcome]
  const heading = `## ${mark} ${countsOf(reports)}${kind}`
  const sections = reports.map(report => {
    const { subject } = report
    const name = subject && `product ${describeRoute(subject.route)}`
    return sectionOf(report, `### ${headingOf(report)}`, name, limit)
  })
  return `${[heading, overviewOf(reports), ...sections].join('\n\n')}\n`
}

function headingOf({ outcome, heading }: Report): string {
  const [mark, general] = HEADINGS[outcome]
  return `${mark} ${heading ?? general}`
}

/** Such as `2 published, 1 failed`. */
function countsOf(reports: readonly Report[]): string {
  const counts = new Map<OutcomeWord, number>()
  for (const { outcome } of reports) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
}

function overviewOf(reports: readonly Report[]): string {
  const rows = reports.map(({ outcome, reason, subject, fields }) => {
    const cells = [
      reason === '' ? outcome : `${outcome} (${reason})`,
      subject ? describeRoute(subject.route) : '',
      subject?.versionName ?? '',
      textOf(fields.id),
      subject?.file ?? ''
    ]
    return `| ${cells.map(markdown).join(' | ')} |`
  })
  const head = '| Outcome | Product | Version | Version id | File |\n|---|---|---|---|---|'
  return [head, ...rows].join('\n')
}

function sectionOf(report: Report, heading: string, name = '', limit: number): string {
  const { subject, message, advice, outcome, annotations } = report
  const parts = [
    `${heading}${name === '' ? '' : `: ${markdown(name)}`}`,
    outcome === 'published' ? '' : paragraph(shortened(message)),
    complaintsOf(annotations),
    adviceOf(advice),
    report.table ? gridOf(report.table) : '',
    subject ? tableOf(report, subject) : '',
    subject ? foldedChangelog(subject.changelog, limit) : ''
  ]
  return parts.filter(part => part !== '').join('\n\n')
}

/** Paragraphs; one that is indented is code to copy. */
function adviceOf(advice: string): string {
  if (advice === '') return ''
  const parts = advice
    .split('\n\n')
    .map(part => (part.startsWith('    ') ? fenced(part.trimStart()) : paragraph(part)))
  return `**What to do:**${advice.includes('\n') ? '\n\n' : ' '}${parts.join('\n\n')}`
}

/** The errors, each with what it is about; notices are for the log. */
function complaintsOf(annotations: readonly Annotation[]): string {
  const errors = annotations.filter(({ kind }) => kind === 'error')
  const items = errors
    .slice(0, COMPLAINTS)
    .map(({ title, message }) => `- ${item(shortened(`${title}: ${message}`))}`)
  const left = errors.length - items.length
  return [...items, ...(left > 0 ? [`- … and ${left} more, in the log`] : [])].join('\n')
}

function shortened(text: string): string {
  if (text.length <= MESSAGE_LIMIT) return text
  return `${text.slice(0, MESSAGE_LIMIT).toWellFormed()}… (cut short; the log has all of it)`
}

/** Several lines as they stand, in a block; one line as a paragraph. */
function paragraph(text: string): string {
  return text.includes('\n') ? fenced(text) : prose(text)
}

/** An item of a list: what has several lines stands in a block that belongs to the item. */
function item(text: string): string {
  const [first = '', ...rest] = text.split('\n')
  if (rest.length === 0) return prose(first)
  return `${prose(first)}\n\n${fenced(rest.join('\n')).replace(/^/gm, '  ')}`
}

/** Text with our own `names` in it, shown as code. */
function prose(text: string): string {
  return text
    .split(/`([^`\n]+)`/)
    .map((part, index) => (index % 2 === 1 ? `<code>${markdown(part)}</code>` : between(part)))
    .join('')
}

/** With the spaces that keep it apart from its neighbours. */
function between(part: string): string {
  const [, before = '', text = '', after = ''] = /^( *)(.*?)( *)$/s.exec(part) ?? []
  return `${before}${markdown(text)}${after}`
}

function gridOf({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(markdown).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
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
    ['SHA-256', !subject.sha256 ? '' : `<code>${markdown(subject.sha256)}</code>`],
    ['Download', linkCell(link, textOf(fields.file_name) || 'the file')]
  ]
  const shown = rows.filter(([, value]) => value !== '')
  return ['| | |', '|---|---|', ...shown.map(([name, value]) => `| ${name} | ${value} |`)].join(
    '\n'
  )
}

function fileCell({ file = '', size }: Subject): string {
  return size === undefined ? markdown(file) : `${markdown(file)} (${sizeText(size)})`
}

/** A link only where nothing in the address could end it. */
function linkCell(link: string, label: string): string {
  if (!/^https?:\/\/[^\s<>"'`|\\]+$/.test(link)) return markdown(link)
  return `<a href="${link.replaceAll('&', '&amp;')}">${markdown(label)}</a>`
}

function foldedChangelog(changelog: string, limit: number): string {
  if (changelog === '') return ''
  const left = changelog.length - limit
  const shown =
    left > 0
      ? `${changelog.slice(0, limit)}\n… (${left} characters more, not shown here)`
      : changelog
  return `<details><summary>Changelog</summary>\n\n${fenced(shown)}\n\n</details>`
}
