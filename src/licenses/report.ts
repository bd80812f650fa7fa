// What happened: one report of a run, told as outputs, log and summary. Counts, never a license or a user.
import { CancelledError } from '../http/exchange.ts'
import type { Runner } from '../runner/runner.ts'
import { counted, factTable, markdown, prose, sizeText } from '../runner/text.ts'
import { describeFault, type Fault, textAt } from '../runner/values.ts'
import type { Written } from './file.ts'
import { ListingError, type Reason } from './pages.ts'

/** How far the listing got. */
export interface Progress {
  pages: number
  /** How many licenses were kept. */
  count: number
  /** How many came again, and were left out. */
  repeated: number
  /** How many were kept of each product. */
  readonly products: Map<string, number>
  /** The page before which `max-pages` stopped it. */
  next?: number
}

/** A message at the top of the workflow's page. */
type Annotation = readonly [kind: 'error' | 'warning' | 'notice', title: string, message: string]

interface Report {
  /** Why it failed; empty when it did not. */
  readonly reason: Reason | ''
  readonly message: string
  /** What to do now. */
  readonly advice?: string
  readonly annotations?: readonly Annotation[]
  readonly file?: Written | undefined
}

/** The report of inputs that cannot be used: every fault is an annotation of its own. */
export function badInputs(faults: readonly Fault[]): Report {
  const wrong = faults.length === 1 ? 'one input is wrong' : `${faults.length} inputs are wrong`
  const annotations = faults.map(fault => ['error', fault.place, describeFault(fault)] as const)
  return { reason: 'bad-input', message: `Nothing was listed: ${wrong}.`, annotations }
}

/** The report of a complete listing, with its file if there is one. */
export function success(product: string, progress: Progress, file?: Written): Report {
  const { count, repeated, next, pages } = progress
  const annotations: Annotation[] = []
  if (repeated > 0) {
    const were = repeated === 1 ? 'was' : 'were'
    const message = `${counted(repeated, 'license')} came more than once and ${were} counted and written once; for the same reason others may be missing.`
    annotations.push(['warning', 'The list changed while it was read', message])
  }
  if (next !== undefined) {
    const message = `\`max-pages\` ended the listing before page ${next}.`
    annotations.push(['notice', 'There are more pages', message])
  }
  if (count === 0 && product !== '') {
    annotations.push(['notice', 'No licenses', `No license belongs to the product "${product}".`])
  }
  const into = file ? ` into ${file.path} (${sizeText(file.size)})` : ''
  const message = `Listed ${counted(count, 'license')} from ${counted(pages, 'page')}${into}.`
  return { reason: '', message, annotations, file }
}

/** The report of a listing that ended early. */
export function failure(error: unknown, hasFile: boolean): Report {
  const isKnown = error instanceof ListingError
  const other = error instanceof CancelledError ? 'cancelled' : 'internal'
  const reason = isKnown ? error.reason : other
  const message = `${isKnown ? '' : 'Listing ended early: '}${textAt(error, 'message')}`
  // The service's text may have brought a full stop along.
  const stop = /[.!?]$/.test(message) ? '' : '.'
  const told = `${message}${stop}${hasFile ? ' No file was written.' : ''}`
  return { reason, message: told, advice: isKnown ? error.advice : '' }
}

/** Sets the outputs, says in log and summary how it ended, and fails the step if it failed. */
export async function tell(runner: Runner, report: Report, progress: Progress): Promise<void> {
  const { reason, message, advice = '', annotations = [], file } = report
  const { count, pages, next = '' } = progress
  const outcome = reason === '' ? 'listed' : 'failed'
  const outputs = { outcome, reason, count, pages, path: file?.path ?? '', next_page: next }
  for (const [name, value] of Object.entries(outputs)) runner.output(name, String(value))
  for (const [kind, title, text] of annotations) runner[kind](text, title)
  if (reason === '') {
    runner.info(message)
    if (file) runner.info(`  SHA-256  ${file.sha256}`)
  } else {
    runner.error([message, advice].join('\n').trimEnd(), 'No licenses listed')
    runner.fail()
  }
  await runner.summary(summaryOf(report, progress))
}

/** The job summary, in GitHub's Markdown. */
function summaryOf(report: Report, { count, pages, next, products }: Progress): string {
  const { reason, message, advice = '', annotations = [], file } = report
  const facts = [
    ['Pages read', pages > 0 ? String(pages) : ''],
    ['Next page', next === undefined ? '' : String(next)],
    ['File', file ? `${markdown(file.path)} (${sizeText(file.size)})` : ''],
    ['SHA-256', file ? `<code>${file.sha256}</code>` : '']
  ] as const
  const parts = [
    reason === '' ? `## ✅ ${counted(count, 'license')}` : '## ❌ No licenses listed',
    reason === '' ? '' : prose(message),
    advice === '' ? '' : `**What to do:** ${prose(advice)}`,
    ...annotations.map(([, title, text]) => `- **${markdown(title)}**: ${prose(text)}`),
    factTable(facts),
    reason === '' ? productTable(products) : ''
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

/** The summary shows so many products; the rest is one line. */
const SHOWN = 100

/** The products with the most licenses first. */
function productTable(products: ReadonlyMap<string, number>): string {
  const sorted = [...products].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  const rows = sorted.slice(0, SHOWN).map(([name, count]) => `| ${markdown(name)} | ${count} |`)
  const hidden = sorted.slice(SHOWN).reduce((sum, [, count]) => sum + count, 0)
  if (hidden > 0) rows.push(`| other products | ${hidden} |`)
  return rows.length === 0 ? '' : ['| Product | Licenses |', '|---|---|', ...rows].join('\n')
}
