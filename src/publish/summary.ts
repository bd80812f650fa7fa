// The job summary, in GitHub's Markdown, for someone who looks at nothing else. Pure.
import { fenced, markdown, sizeText } from '../runner/text.ts'
import type { RunFacts } from './facts.ts'
import { describeRoute } from './naming.ts'
import { planOf, textOf } from './outputs.ts'
import {
  type Annotation,
  type OutcomeWord,
  type Report,
  type Reports,
  type Subject,
  type Table,
  worstOf
} from './report.ts'
import { pageFor } from './summary-pages.ts'
import {
  factsTable,
  fold,
  linkTo,
  listItem,
  paragraphs,
  quotedHtml,
  shortened
} from './summary-text.ts'

const HEADINGS: Readonly<Record<OutcomeWord, readonly [mark: string, heading: string]>> = {
  published: ['✅', 'Published'],
  skipped: ['⏭️', 'Nothing to publish'],
  planned: ['📋', 'Plan, nothing sent'],
  settled: ['✅', 'Recorded, nothing sent'],
  checked: ['✅', 'Checked, nothing published'],
  audited: ['✅', 'Every release is published'],
  failed: ['❌', 'Not published'],
  unknown: ['⚠️', 'Nobody knows yet whether this was published']
}

/** In all, so many characters of changelogs are shown: a summary over 1 MiB would be dropped whole. */
const CHANGELOG_LIMIT = 200_000
/** The service may complain about any number of fields. */
const COMPLAINTS = 50

/** The summary of a run. */
export function summaryOf(reports: Reports, facts: RunFacts = {}): string {
  const body = reports.length === 1 ? singleOf(reports[0], facts) : severalOf(reports, facts)
  const note = facts.note ? paragraphs(facts.note) : ''
  const plan = planOf(reports)
  const digest = plan
    ? paragraphs(`To approve this plan, set \`approved-plan\` to its digest: \`${plan.digest}\``)
    : ''
  return `${withRunLinks(joined(note, body, digest), facts)}\n`
}

/** Other runs that a message names become links. */
function withRunLinks(text: string, { repositoryUrl }: RunFacts): string {
  if (!repositoryUrl) return text
  const runs = `${repositoryUrl}/actions/runs/`
  const [start = '', ...others] = text.split(markdown(runs))
  const linked = others.map(rest => rest.replace(/^\d+/, id => linkTo(runs + id, runs + id)))
  return start + linked.join('')
}

function singleOf(report: Report, facts: RunFacts): string {
  const { subject } = report
  const name = subject ? titleOf(subject) : (facts.tag ?? '')
  const kind = headingOf(report) + rehearsalOf(facts)
  const heading = `## ${kind}${name === '' ? '' : `: ${markdown(name)}`}`
  const line = runLine(subject ? { ...facts, product: '' } : facts)
  return joined(heading, line, detailsOf(report, facts, CHANGELOG_LIMIT))
}

function severalOf(reports: Reports, facts: RunFacts): string {
  const limit = Math.floor(CHANGELOG_LIMIT / reports.length)
  const [mark] = HEADINGS[worstOf(reports).outcome]
  const sections = reports.map(report => {
    const heading = `${headingOf(report)}: ${markdown(placeOf(report))}`
    const { documentation = '' } = facts
    const details = detailsOf(report, { documentation }, limit)
    return isFolded(report) ? fold(heading, details) : joined(`### ${heading}`, details)
  })
  return joined(
    `## ${mark} ${countsOf(reports)}${rehearsalOf(facts)}`,
    runLine(facts),
    overviewOf(reports),
    ...sections
  )
}

function headingOf({ outcome, heading }: Report): string {
  const [mark, general] = HEADINGS[outcome]
  return `${mark} ${heading ?? general}`
}

function rehearsalOf({ rehearsal = false }: RunFacts): string {
  return rehearsal ? ' (rehearsal)' : ''
}

/** The title, and the version where the title does not name it. */
function titleOf({ title, versionName }: Subject): string {
  return title.includes(versionName) ? title : `${title} (${versionName})`
}

/** Such as `product 12, benefit 34 (Gallery for studios)`. */
function placeOf({ subject, fields }: Report): string {
  if (!subject) return 'not prepared'
  const benefit = textOf(fields.benefit_name)
  return `product ${describeRoute(subject.route)}${benefit === '' ? '' : ` (${benefit})`}`
}

/** A success needs no reading; everything else stays open. */
function isFolded({ outcome }: Report): boolean {
  return outcome === 'published' || outcome === 'skipped' || outcome === 'checked'
}

/** Such as `2 published, 1 failed`. */
function countsOf(reports: readonly Report[]): string {
  const counts = new Map<OutcomeWord, number>()
  for (const { outcome } of reports) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
}

function overviewOf(reports: readonly Report[]): string {
  const rows = reports.map(report => {
    const { outcome, reason, subject, fields } = report
    const cells = [
      reason === '' ? outcome : `${outcome} (${reason})`,
      placeOf(report).replace(/^product /, ''),
      subject ? titleOf(subject) : '',
      textOf(fields.id),
      subject?.file ?? ''
    ]
    return `| ${HEADINGS[outcome][0]} ${cells.map(markdown).join(' | ')} |`
  })
  const head = '| Outcome | Product | Version | Version id | File |\n|---|---|---|---|---|'
  return [head, ...rows].join('\n')
}

/** The product where no table names it, the release, the run, and how long it took. */
function runLine(facts: RunFacts): string {
  const { product, tag, repositoryUrl, runId, runAttempt = 1, milliseconds } = facts
  const parts = product ? [`Product ${markdown(product)}`] : []
  if (tag) {
    const address = `${repositoryUrl}/releases/tag/${encodeURIComponent(tag)}`
    parts.push(`Release ${repositoryUrl ? linkTo(address, tag) : markdown(tag)}`)
  }
  if (runId && repositoryUrl) {
    const attempt = runAttempt > 1 ? `/attempts/${runAttempt}` : ''
    const name = runAttempt > 1 ? `${runId}, attempt ${runAttempt}` : runId
    parts.push(`Run ${linkTo(`${repositoryUrl}/actions/runs/${runId}${attempt}`, name)}`)
  }
  if (milliseconds !== undefined) parts.push(`${(milliseconds / 1000).toFixed(1)} seconds`)
  return parts.join(' · ')
}

function detailsOf(report: Report, facts: RunFacts, limit: number): string {
  const { subject, message, advice, outcome, annotations, reason } = report
  return joined(
    outcome === 'published' ? '' : paragraphs(shortened(message)),
    complaintsOf(annotations),
    advice === '' ? '' : whatToDo(advice),
    pageFor(reason, facts.documentation),
    report.table ? gridOf(report.table) : '',
    subject ? tableOf(report, subject) : '',
    subject ? changelogOf(report, subject, limit) : ''
  )
}

/** The errors, each with what it is about; notices are for the log. */
function complaintsOf(annotations: readonly Annotation[]): string {
  const errors = annotations.filter(({ kind }) => kind === 'error')
  const items = errors
    .slice(0, COMPLAINTS)
    .map(({ title, message }) => listItem(shortened(`${title}: ${message}`)))
  const left = errors.length - items.length
  return [...items, ...(left > 0 ? [`- … and ${left} more, in the log`] : [])].join('\n')
}

function gridOf({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(markdown).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function tableOf({ fields, showLink }: Report, subject: Subject): string {
  const { route, versionName, file = '', size, sha256 } = subject
  const benefit = textOf(fields.benefit_name)
  const link = showLink ? textOf(fields.download_url) : ''
  return factsTable([
    ['Product', markdown(String(route.product))],
    [
      'Benefit',
      route.benefit === undefined
        ? ''
        : markdown(`${route.benefit}${benefit === '' ? '' : ` (${benefit})`}`)
    ],
    ['Version', markdown(versionName)],
    ['Title', markdown(subject.title)],
    ['Version id', markdown(textOf(fields.id))],
    ['File', markdown(size === undefined || file === '' ? file : `${file} (${sizeText(size)})`)],
    ['Contents', markdown(subject.contents ?? '')],
    ['SHA-256', sha256 ? `<code>${markdown(sha256)}</code>` : ''],
    ['Download', link === '' ? '' : linkTo(link, textOf(fields.file_name) || 'the file')],
    ['For buyers', markdown(subject.removed ?? '')]
  ])
}

function whatToDo(advice: string): string {
  const steps = paragraphs(advice)
  return `**What to do:**${steps.includes('\n') ? '\n\n' : ' '}${steps}`
}

/** A plan shows the text as buyers see it, and as it is sent; after that it is folded away. */
function changelogOf({ preview }: Report, { changelog }: Subject, limit: number): string {
  if (changelog === '') return ''
  const left = changelog.length - limit
  const shown =
    left > 0
      ? `${changelog.slice(0, limit).toWellFormed()}\n… (${left} characters more, not shown here)`
      : changelog
  const source = fold('Changelog, as text', fenced(shown))
  if (preview === undefined || preview.length > limit) {
    return fold('Changelog', fenced(shown))
  }
  return joined('### What buyers will read', quotedHtml(preview), source)
}

/** Parts with a blank line between them; empty ones are left out. */
function joined(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('\n\n')
}
