// The job summary, in GitHub's Markdown, for someone who reads nothing else. Pure.
import {
  counted,
  factTable,
  fenced,
  firstOfMany,
  joinBlocks,
  markdown,
  prose,
  shortened,
  sizeText
} from '../runner/text.ts'
import { describeFault } from '../runner/values.ts'
import { fold, gridOf, htmlLink, paragraphs, quotedHtml } from './markup.ts'
import {
  type Changes,
  fieldText,
  OUTCOMES,
  type OutcomeWord,
  type Report,
  type Reports,
  type Subject,
  worstOf
} from './outcome.ts'
import { describeRoute, isProposed, pageOf, type RunFacts } from './ways.ts'

/** What the summary says about the run as a whole. */
export interface SummaryFacts extends RunFacts {
  readonly products: readonly string[]
  readonly note: string
  /** The page of the draft that was planned; empty for a release. */
  readonly draftUrl?: string
  /** Of the plan; empty unless every target was planned. */
  readonly digest: string
}

/** In characters, of all changelogs together: GitHub drops a summary over 1 MiB as a whole. */
const CHANGELOG_LIMIT = 200_000
const COMPLAINTS = 50

/** The summary of a run, as Markdown that ends in a line break. */
export function summaryOf(reports: Reports, facts: SummaryFacts): string {
  const { digest } = facts
  const limit = Math.floor(CHANGELOG_LIMIT / reports.length)
  const details = (report: Report) => detailsOf(report, facts, limit)
  const [first] = reports
  const isSingle = reports.length === 1
  const { subject } = first
  const names = new Set(reports.map(report => (report.subject ? nameOf(report.subject) : '')))
  const shared = names.size > 1 || names.has('') ? '' : `: ${markdown([...names].join())}`
  const groups = Object.entries(Object.groupBy(reports, ({ outcome }) => outcome))
  const counts = groups.map(([outcome, those]) => `${those.length} ${outcome}`)
  const heading = isSingle
    ? headingOf(first, subject ? nameOf(subject) : facts.tag)
    : `${OUTCOMES[worstOf(reports).outcome].mark} ${counts.join(', ')}${shared}`
  const sections = reports.map(report => {
    const title = headingOf(report, `product ${productOf(report)}`)
    // A good end is folded; everything else stays open.
    const isGood = ['published', 'skipped', 'checked'].includes(report.outcome)
    const isFolded = isGood && report.warnings === undefined
    return isFolded ? fold(title, details(report)) : joinBlocks(`### ${title}`, details(report))
  })
  // A pull request may publish only to a shop on this machine.
  const isRehearsal = isProposed(facts) && facts.mode === 'publish' && isSimulated(facts)
  const whole = joinBlocks(
    `## ${heading}${isRehearsal ? ' (rehearsal)' : ''}`,
    introOf(facts, isSingle && !subject?.versionName),
    ...(isSingle ? [details(first)] : [overviewOf(reports), ...sections]),
    digest &&
      `To approve this plan, set <code>approved-plan</code> to its digest:\n\n${fenced(digest)}`
  )
  return `${whole}\n`
}

/** Whether the shop is a stand-in on this machine: no other may have an address with http. */
function isSimulated({ baseUrl }: SummaryFacts): boolean {
  return baseUrl.startsWith('http:')
}

function headingOf({ outcome, heading }: Report, name: string): string {
  const { mark, title } = OUTCOMES[outcome]
  return `${mark} ${heading ?? title}${name && `: ${markdown(name)}`}`
}

function nameOf({ title, versionName }: Subject): string {
  if (title === '') return versionName
  return title.includes(versionName) ? title : `${title} (${versionName})`
}

function productOf({ subject, fields }: Report): string {
  return subject ? describeRoute(subject.route) + inBrackets(fieldText(fields.benefit_name)) : ''
}

function inBrackets(text: string): string {
  return text === '' ? '' : ` (${text})`
}

function overviewOf(reports: Reports): string {
  const rows = reports.map(report => {
    const { outcome, reason, subject, fields } = report
    const result = `${OUTCOMES[outcome].mark} ${outcome}${inBrackets(reason)}`
    const [name, file = ''] = subject ? [nameOf(subject), subject.file] : ['']
    return [result, productOf(report), name, fieldText(fields.id), file]
  })
  return gridOf({ head: ['Outcome', 'Product', 'Version', 'Version id', 'File'], rows })
}

function introOf(facts: SummaryFacts, namesProducts: boolean): string {
  const { context, products, note, draftUrl, tag } = facts
  const release = `${context.serverUrl}/${context.repository}/releases/tag/${encodeURIComponent(tag)}`
  const noun = products.length > 1 ? 'Products' : 'Product'
  const parts = [
    namesProducts && products.length > 0 ? `${noun} ${products.join('; ')}` : '',
    tag && `Release ${htmlLink(draftUrl || release, tag)}`
  ]
  return joinBlocks(parts.filter(part => part !== '').join(' · '), paragraphs(note, context))
}

const RE_RUNS = ['re-runs.md#what-a-re-run-does', 'What a re-run does'] as const
const SEE_ALSO: Readonly<Record<OutcomeWord, readonly [page: string, name: string]>> = {
  unknown: RE_RUNS,
  failed: RE_RUNS,
  published: RE_RUNS,
  skipped: RE_RUNS,
  planned: ['recipes.md#approve-without-protected-environments', 'Approve a plan'],
  checked: ['recipes.md#by-hand-for-any-tag', 'Publish by hand'],
  settled: ['re-runs.md#record-what-is-in-the-shop-mode-settle', 'What is recorded'],
  audited: ['re-runs.md#check-what-is-missing-mode-audit', 'What an audit looks at']
}

function detailsOf(report: Report, facts: SummaryFacts, limit: number): string {
  const { context } = facts
  const { subject, outcome, reason, complaints, table } = report
  const items = complaints
    .slice(0, COMPLAINTS)
    .map(one =>
      `- ${paragraphs(shortened(describeFault(one)), context)}`.replace(/\n(?=.)/g, '\n  ')
    )
  const left = complaints.length - items.length
  if (left > 0) items.push(`- … and ${left} more, in the log`)
  const advice = paragraphs(report.advice, context)
  const [page, name] = reason ? [`troubleshooting.md#${reason}`, reason] : SEE_ALSO[outcome]
  const url = pageOf(context, `docs/${page}`)
  const linked = url && htmlLink(url, name)
  const message = outcome === 'published' ? describeArrival(facts) : shortened(report.message)
  const warned = (report.warnings ?? []).map(({ text }) => paragraphs(`⚠️ ${text}`, context))
  return joinBlocks(
    paragraphs(message, context),
    ...warned,
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

function describeArrival(facts: SummaryFacts): string {
  const host = `\`${facts.host || 'the shop'}\``
  return isSimulated(facts)
    ? `Published at ${host}, a simulated shop on this machine: nobody was emailed.`
    : `Published at ${host}: buyers were emailed.`
}

function factsOf({ fields, showLink }: Report, subject: Subject): string {
  const { route, file = '', size, sha256 = '', removed = [] } = subject
  const link = showLink ? fieldText(fields.download_url) : ''
  const benefit = `${route.benefit ?? ''}${inBrackets(fieldText(fields.benefit_name))}`
  return factTable([
    ['Product', `${route.product}`],
    ['Benefit', markdown(benefit)],
    ['Version', markdown(subject.versionName)],
    ['Title', markdown(subject.title)],
    ['Version id', markdown(fieldText(fields.id))],
    ['File', markdown(file && `${file}${size === undefined ? '' : ` (${sizeText(size)})`}`)],
    ['Contents', markdown(subject.contents ?? '')],
    ['SHA-256', sha256 && `<code>${sha256}</code>`],
    ['Download', link && htmlLink(link, fieldText(fields.file_name) || 'the file')],
    ['Removed', removed.length > 0 ? `${counted(removed.length, 'piece')} of the changelog` : '']
  ])
}

function changesOf({ line, warnings, tables }: Changes): string {
  const warned = warnings.map(text => `⚠️ ${prose(text)}`)
  const lists = tables.map(gridOf)
  return joinBlocks(
    ...warned,
    lists.length === 0 ? prose(line) : fold(prose(line), joinBlocks(...lists))
  )
}

/** For a plan, the changelog as buyers will see it, then its source, folded; for all else only the source. */
function changelogOf(
  { preview }: Report,
  { changelog, removed = [] }: Subject,
  limit: number
): string {
  const left = changelog.length - limit
  const more = left > 0 ? `\n… (${counted(left, 'character')} more, not shown here)` : ''
  const source = fenced(`${changelog.slice(0, limit).toWellFormed()}${more}`)
  if (preview === undefined || preview.length > limit) return fold('Changelog', source)
  const asText = fold('Changelog, as text', source)
  const list = fenced(firstOfMany(removed, 50))
  const cut = removed.length > 0 ? fold('Removed from the changelog', list) : ''
  return joinBlocks('### What buyers will read', quotedHtml(preview), asText, cut)
}
