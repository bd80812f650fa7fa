// The job summary, in GitHub's Markdown, for someone who reads nothing else. Pure.
import type { RunContext, Runner } from '../runner/runner.ts'
import { counted, factTable, fenced, markdown, prose, shortened, sizeText } from '../runner/text.ts'
import { describeFault } from '../runner/values.ts'
import { describeRoute } from './naming.ts'
import {
  type Changes,
  OUTCOMES,
  type OutcomeWord,
  planOf,
  type Report,
  type Reports,
  type Subject,
  type Table,
  textOf,
  worstOf
} from './report.ts'

/** What the summary says about the run as a whole. */
export interface RunFacts extends Pick<Runner, 'context' | 'input'> {
  readonly products: readonly string[]
  readonly note: string
  /** The page of the draft that was planned; empty for a release. */
  readonly draftUrl?: string
  /** Whether the shop is a stand-in on this machine. */
  readonly rehearsal: boolean
  readonly milliseconds: number
}

/** In characters, of all changelogs together: GitHub drops a summary over 1 MiB as a whole. */
const CHANGELOG_LIMIT = 200_000
const COMPLAINTS = 50

/** The summary of a run, as Markdown that ends in a line break. */
export function summaryOf(reports: Reports, facts: RunFacts): string {
  const { digest = '' } = planOf(reports) ?? {}
  const limit = Math.floor(CHANGELOG_LIMIT / reports.length)
  const { serverUrl, repository } = facts.context
  const details = (report: Report) => detailsOf(report, facts.context, limit)
  const [first] = reports
  const isSingle = reports.length === 1
  const { subject } = first
  const names = new Set(reports.map(report => (report.subject ? nameOf(report.subject) : '')))
  const shared = names.size > 1 || names.has('') ? '' : `: ${markdown([...names].join())}`
  const groups = Object.entries(Object.groupBy(reports, ({ outcome }) => outcome))
  const counts = groups.map(([outcome, those]) => `${those.length} ${outcome}`)
  const heading = isSingle
    ? headingOf(first, subject ? nameOf(subject) : tagOf(facts))
    : `${OUTCOMES[worstOf(reports).outcome].mark} ${counts.join(', ')}${shared}`
  const sections = reports.map(report => {
    const title = headingOf(report, `product ${productOf(report)}`)
    // A good end is folded; everything else stays open.
    const isFolded = ['published', 'skipped', 'checked'].includes(report.outcome)
    return isFolded ? fold(title, details(report)) : joined(`### ${title}`, details(report))
  })
  const whole = joined(
    `## ${heading}${facts.rehearsal ? ' (rehearsal)' : ''}`,
    introOf(facts, isSingle && !subject?.versionName),
    ...(isSingle ? [details(first)] : [overviewOf(reports), ...sections]),
    digest &&
      `To approve this plan, set <code>approved-plan</code> to its digest:\n\n${fenced(digest)}`
  )
  // Addresses of other runs in messages become links.
  const runs = `${serverUrl}/${repository}/actions/runs/`
  const [start = '', ...others] = whole.split(markdown(runs))
  const linked = others.map(rest => rest.replace(/^\d+/, id => linkTo(runs + id, runs + id)))
  return `${start}${linked.join('')}\n`
}

function headingOf({ outcome, heading }: Report, name: string): string {
  const { mark, title } = OUTCOMES[outcome]
  return `${mark} ${heading ?? title}${name && `: ${markdown(name)}`}`
}

function nameOf({ title, versionName }: Subject): string {
  return title.includes(versionName) ? title : `${title} (${versionName})`
}

function productOf({ subject, fields }: Report): string {
  return subject ? describeRoute(subject.route) + inBrackets(textOf(fields.benefit_name)) : ''
}

function inBrackets(text: string): string {
  return text === '' ? '' : ` (${text})`
}

function overviewOf(reports: Reports): string {
  const rows = reports.map(report => {
    const { outcome, reason, subject, fields } = report
    const result = `${OUTCOMES[outcome].mark} ${outcome}${inBrackets(reason)}`
    const [name, file = ''] = subject ? [nameOf(subject), subject.file] : ['']
    return [result, productOf(report), name, textOf(fields.id), file]
  })
  return gridOf({ head: ['Outcome', 'Product', 'Version', 'Version id', 'File'], rows })
}

function gridOf({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(markdown).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function tagOf({ input, context: { ref } }: RunFacts): string {
  return input('tag') || (/^refs\/tags\/(.+)$/.exec(ref)?.[1] ?? '')
}

function introOf(facts: RunFacts, namesProducts: boolean): string {
  const { context, products, note, draftUrl, milliseconds } = facts
  const { serverUrl, repository, runId, runAttempt } = context
  const [url, tag] = [`${serverUrl}/${repository}`, tagOf(facts)]
  const [again, attempt] =
    runAttempt > 1 ? [`/attempts/${runAttempt}`, `, attempt ${runAttempt}`] : ['', '']
  const noun = products.length > 1 ? 'Products' : 'Product'
  const parts = [
    namesProducts && products.length > 0 ? `${noun} ${products.join('; ')}` : '',
    tag && `Release ${linkTo(draftUrl || `${url}/releases/tag/${encodeURIComponent(tag)}`, tag)}`,
    runId && `Run ${linkTo(`${url}/actions/runs/${runId}${again}`, `${runId}${attempt}`)}`,
    milliseconds < 50 ? '' : `${(milliseconds / 1000).toFixed(1)} seconds`
  ]
  return joined(parts.filter(part => part !== '').join(' · '), paragraphs(note))
}

const RE_RUNS = ['re-runs.md#what-a-re-run-does', 'What a re-run does'] as const
const PAGES: Readonly<Record<OutcomeWord, readonly [page: string, name: string]>> = {
  ...{ unknown: RE_RUNS, failed: RE_RUNS, published: RE_RUNS, skipped: RE_RUNS },
  planned: ['recipes.md#approve-without-protected-environments', 'Approve a plan'],
  checked: ['recipes.md#by-hand-for-any-tag', 'Publish by hand'],
  settled: ['re-runs.md#record-what-is-in-the-shop-mode-settle', 'What is recorded'],
  audited: ['re-runs.md#check-what-is-missing-mode-audit', 'What an audit looks at']
}

function detailsOf(report: Report, context: RunContext, limit: number): string {
  const { subject, outcome, reason, complaints, table } = report
  const items = complaints
    .slice(0, COMPLAINTS)
    .map(one => `- ${paragraphs(shortened(describeFault(one)))}`.replace(/\n(?=.)/g, '\n  '))
  const left = complaints.length - items.length
  if (left > 0) items.push(`- … and ${left} more, in the log`)
  const advice = paragraphs(report.advice)
  const { serverUrl, actionRepository, actionRef } = context
  const [page, name] = reason ? [`troubleshooting.md#${reason}`, reason] : PAGES[outcome]
  const url = `${serverUrl}/${actionRepository}/blob/${actionRef}/docs/${page}`
  const linked = actionRepository && linkTo(url, name)
  return joined(
    outcome === 'published' ? '' : paragraphs(shortened(report.message)),
    items.join('\n'),
    advice && `**What to do:**${advice.includes('\n') ? '\n\n' : ' '}${advice}`,
    reason && linked && `Reason: ${linked}`,
    table ? gridOf(table) : '',
    subject?.versionName ? factsOf(report, subject) : '',
    report.changes ? changesOf(report.changes) : '',
    subject?.changelog ? changelogOf(report, subject, limit) : '',
    reason || !linked ? '' : `See also: ${linked}`
  )
}

function factsOf({ fields, showLink }: Report, subject: Subject): string {
  const { route, file = '', size, sha256 = '' } = subject
  const link = showLink ? textOf(fields.download_url) : ''
  const benefit = `${route.benefit ?? ''}${inBrackets(textOf(fields.benefit_name))}`
  return factTable([
    ['Product', `${route.product}`],
    ['Benefit', markdown(benefit)],
    ['Version', markdown(subject.versionName)],
    ['Title', markdown(subject.title)],
    ['Version id', markdown(textOf(fields.id))],
    ['File', markdown(file && `${file}${size === undefined ? '' : ` (${sizeText(size)})`}`)],
    ['Contents', markdown(subject.contents ?? '')],
    ['SHA-256', sha256 && `<code>${sha256}</code>`],
    ['Download', link && linkTo(link, textOf(fields.file_name) || 'the file')],
    ['For buyers', markdown(subject.removed ?? '')]
  ])
}

function changesOf({ line, warnings, tables }: Changes): string {
  const warned = warnings.map(text => `⚠️ ${prose(text)}`)
  const lists = tables.map(gridOf)
  return joined(...warned, lists.length === 0 ? prose(line) : fold(prose(line), joined(...lists)))
}

/** For a plan, the changelog as buyers will see it, then its source, folded; for all else only the source. */
function changelogOf({ preview }: Report, { changelog }: Subject, limit: number): string {
  const left = changelog.length - limit
  const more = left > 0 ? `\n… (${counted(left, 'character')} more, not shown here)` : ''
  const source = fenced(`${changelog.slice(0, limit).toWellFormed()}${more}`)
  if (preview === undefined || preview.length > limit) return fold('Changelog', source)
  const asText = fold('Changelog, as text', source)
  return joined('### What buyers will read', quotedHtml(preview), asText)
}

function joined(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('\n\n')
}

/** Each line of a message becomes a paragraph; lines indented by two spaces or more, a code block. */
function paragraphs(text: string): string {
  const blocks = text.match(/^ {2,}\S.*(?:(?:\r\n|\r|\n) {2,}\S.*)*|.*\S.*/gm) ?? []
  return blocks.map(block => (/^ {2}/.test(block) ? codeBlock(block) : prose(block))).join('\n\n')
}

function codeBlock(block: string): string {
  const lines = block.split(/\r\n|\r|\n/)
  const indent = Math.min(...lines.map(line => line.search(/\S/)))
  const text = lines.map(line => line.slice(indent)).join('\n')
  if (/^(gh|git) /.test(text)) return fenced(text, 'sh')
  return fenced(text, /^[\w-]+:(\s|$)/.test(text) ? 'yaml' : 'text')
}

/** Content that is shown on a click; `heading` and `content` are Markdown. */
function fold(heading: string, content: string): string {
  return `<details><summary>${heading}</summary>\n\n${content}\n\n</details>`
}

/** A link; or only text, if the address has a character that could end the attribute. */
function linkTo(address: string, label: string): string {
  if (!/^https?:\/\/[^\s<>"'`|\\]+$/.test(address)) return markdown(address)
  return `<a href="${address.replaceAll('&', '&amp;')}">${markdown(label)}</a>`
}

/** Cleaned HTML on one line, which Markdown leaves alone. Images become words; GitHub links no names. */
function quotedHtml(html: string): string {
  const parts = html.trim().split(/(<[^>"]*(?:"[^"]*"[^>"]*)*>)/)
  const safe = parts.map((part, index) => {
    if (index % 2 === 0) return part.replace(/[@#](?=\w)|www(?=\.)/g, '$&<!-- -->')
    if (!/^<(img|source|picture)\b/i.test(part)) return part
    const alt = /\balt="([^"]*)"/.exec(part)?.[1] ?? ''
    return alt === '' ? '[image]' : `[image: ${alt}]`
  })
  return `<blockquote>${safe.join('').replaceAll('\n', '&#10;')}</blockquote>`
}
