// What the user is told: outputs, log and summary. They hold counts, never a license or a user.
import { CancelledError } from '../http/exchange.ts'
import type { Runner } from '../runner/runner.ts'
import { counted, factTable, markdown, prose, sizeText } from '../runner/text.ts'
import { describeFault, type Fault, textAt } from '../runner/values.ts'
import type { ListChanges } from './changes.ts'
import type { WrittenFile } from './file.ts'
import type { ListInputs } from './inputs.ts'
import { ListingError, type ListingReason } from './pages.ts'
import { CIRCLING_PAGES, type ListEnd } from './paging.ts'
import type { Tally } from './tally.ts'

/** What a complete listing came to. */
export interface CompleteListing {
  readonly end: ListEnd
  /** Undefined without an earlier list. */
  readonly changes: ListChanges | undefined
  /** Undefined with `format: none`. */
  readonly file: WrittenFile | undefined
}

/** How it ended; an empty `reason` is success. */
export interface ListReport {
  readonly reason: ListingReason | ''
  readonly heading: string
  readonly message: string
  readonly advice?: string
  /** What is worth knowing although nothing is wrong. */
  readonly notice?: string
  /** Warnings; or, of a failure, the wrong inputs. */
  readonly remarks?: readonly Fault[]
  readonly listed?: CompleteListing
  /** Undefined without `expires-within`. */
  readonly expiring?: number | undefined
}

/** A report of a complete listing. */
export function describeListed(
  inputs: ListInputs,
  tally: Tally,
  listed: CompleteListing
): ListReport {
  const { expiresWithin: days } = inputs
  const { end, file } = listed
  const all = counted(tally.count, 'license')
  const from = `Listed ${all} from ${counted(tally.pages, 'page')}`
  const soon = days === undefined ? '' : `${tally.kept} expiring within ${counted(days, 'day')}`
  const into = file ? ` into ${file.path} (${sizeText(file.size)})` : ''
  const wrote = file && soon !== '' ? `; wrote the ${soon}` : soon && `, ${soon}`
  const rest = end.next === undefined ? '' : ` \`max-pages\` stopped it before page ${end.next}.`
  return {
    reason: '',
    heading: `✅ ${all}${soon && `, ${soon}`}`,
    message: `${from}${wrote}${into}.${rest}`,
    notice: describeFirstRun(inputs, listed),
    remarks: findOddities(inputs, tally, listed),
    listed,
    expiring: days === undefined ? undefined : tally.kept
  }
}

function describeFirstRun(inputs: ListInputs, { changes }: CompleteListing): string {
  const { compareWith, expiresWithin, format } = inputs
  if (compareWith === undefined || changes) return ''
  const isBase = expiresWithin === undefined && /json/.test(format)
  const next = isBase
    ? 'Keep this list for the next one.'
    : 'The next run needs a whole list: one in `json` or `ndjson`, made without `expires-within`.'
  return `There is no file ${compareWith}, so nothing was compared: this is the first run. ${next}`
}

/** Fewer additions or removals are never odd. */
const ODD_CHANGES = 10
const MANY_GONE =
  'Many of the earlier licenses are gone. Is it the same shop and API key? Look at the list before you act on the changes.'
const MANY_NEW =
  'Many licenses are new. An earlier list that was made with `product`, `expires-within` or `max-pages` lacked the others: compare with one that was made without.'

/** What may be wrong with the list or its changes. */
function findOddities(
  { product }: ListInputs,
  { count, others, repeated }: Tally,
  { end, changes }: CompleteListing
): Fault[] {
  const oddities: Fault[] = []
  const add = (place: string, message: string) => void oddities.push({ place, message })
  if (product !== '' && count === 0) {
    const none = `No license belongs to the product "${product}"`
    const way = 'List once without `product`: the summary names every product.'
    const all = `${counted(others, 'license')} of other products came. ${way}`
    add('product', `${none}; ${others === 0 ? 'the shop listed none at all.' : all}`)
  }
  if (end.isCircling) {
    const pages = `The last ${CIRCLING_PAGES} pages brought only licenses that earlier pages had`
    const ended = 'so the listing ended. Licenses may be missing: tell the shop.'
    add('The list goes in circles', `${pages}, ${ended}`)
  } else if (repeated > 0) {
    const were = repeated === 1 ? 'was' : 'were'
    const came = `${counted(repeated, 'license')} came more than once and ${were} counted and written once`
    const lost = changes ? ', and `removed` may name some that still exist' : ''
    const missing = `for the same reason others may be missing${lost}.`
    add('The list changed while it was read', `${came}; ${missing}`)
  }
  const isOdd = (part = 0, whole = 0) => part >= ODD_CHANGES && part > whole / 4
  if (isOdd(changes?.removed, changes?.earlierCount)) add('compare-with', MANY_GONE)
  if (isOdd(changes?.added, count)) add('compare-with', MANY_NEW)
  return oddities
}

/** A report of wrong inputs. */
export function describeBadInputs(faults: readonly Fault[]): ListReport {
  const message = `Nothing was listed: ${counted(faults.length, 'wrong input')}.`
  return { reason: 'bad-input', heading: FAILED, message, remarks: faults }
}

const FAILED = '❌ No licenses listed'

/** A report of what a listing threw. */
export function describeFailure(error: unknown, { format }: ListInputs): ListReport {
  const isKnown = error instanceof ListingError
  const other = error instanceof CancelledError ? 'cancelled' : 'internal'
  const text = `${isKnown ? '' : 'Listing ended early: '}${textAt(error, 'message')}`
  // The shop's words may end in a period.
  const stop = /[.!?]$/.test(text) ? '' : '.'
  const message = `${text}${stop}${format === 'none' ? '' : ' No file was written.'}`
  const advice = isKnown ? error.advice : ''
  return { reason: isKnown ? error.reason : other, heading: FAILED, message, advice }
}

/** Sets the outputs, writes the log and the summary, and fails the step if the listing failed. */
export async function reportListing(
  runner: Runner,
  report: ListReport,
  tally: Tally
): Promise<void> {
  const { reason, message, advice = '', notice = '', remarks = [] } = report
  const { end, changes, file } = { ...report.listed }
  const outputs = {
    outcome: reason === '' ? 'listed' : 'failed',
    reason,
    count: tally.count,
    pages: tally.pages,
    path: file?.path,
    next_page: end?.next,
    expiring: report.expiring,
    added: changes?.added,
    removed: changes?.removed,
    changed: changes?.changed,
    changes_path: changes?.file.path
  }
  for (const [name, value] of Object.entries(outputs)) runner.output(name, String(value ?? ''))
  const kind = reason === '' ? 'warning' : 'error'
  for (const remark of remarks) runner[kind](describeFault(remark), remark.place)
  if (notice !== '') runner.notice(notice, 'compare-with')
  if (reason === '') {
    runner.info(message)
    if (changes) runner.info(describeListChanges(changes))
    if (file) runner.info(`  SHA-256  ${file.sha256}`)
  } else {
    runner.error([message, advice].join('\n').trimEnd(), 'No licenses listed')
    runner.fail()
  }
  await runner.summary(summarize(report, tally))
}

const MOST_PRODUCTS = 100

function summarize(report: ListReport, { pages, products }: Tally): string {
  const { reason, heading, message, advice = '', notice = '', remarks = [] } = report
  const { end, changes, file } = { ...report.listed }
  const show = ({ path, size }: WrittenFile) => `${markdown(path)} (${sizeText(size)})`
  const facts = [
    ['Pages read', pages > 0 ? String(pages) : ''],
    ['Next page', String(end?.next ?? '')],
    ['File', file ? show(file) : ''],
    ['SHA-256', file ? `<code>${file.sha256}</code>` : ''],
    ['Changes', changes ? `${countChanges(changes)}, in ${show(changes.file)}` : '']
  ] as const
  const rows = [...products]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, licenses]) => `| ${markdown(name)} | ${licenses} |`)
    .slice(0, MOST_PRODUCTS)
  const hasTable = reason === '' && rows.length > 0
  const parts = [
    `## ${heading}`,
    prose(reason === '' ? notice : message),
    advice === '' ? '' : `**What to do:** ${prose(advice)}`,
    ...remarks.map(({ place, message }) => `- **${markdown(place)}**: ${prose(message)}`),
    factTable(facts),
    hasTable ? ['| Product | Licenses |', '|---|---|', ...rows].join('\n') : '',
    products.size > rows.length ? `And ${products.size - rows.length} more products.` : ''
  ]
  return `${parts.filter(part => part !== '').join('\n\n')}\n`
}

function describeListChanges(changes: ListChanges): string {
  const { earlierPath, earlierCount, file } = changes
  const earlier = `${counted(earlierCount, 'license')} of ${earlierPath}`
  return `Since the ${earlier}: ${countChanges(changes)}, listed in ${file.path}.`
}

function countChanges({ added, removed, changed }: ListChanges): string {
  return `${added} added, ${removed} removed, ${changed} changed`
}
