// What the user is told: outputs, log and summary. They hold counts, never a license or a user.
import { CancelledError } from '../http/exchange.ts'
import type { Runner } from '../runner/runner.ts'
import {
  counted,
  factTable,
  joinBlocks,
  markdown,
  prose,
  sizeText,
  tableOf
} from '../runner/text.ts'
import { describeFault, type Fault, textAt } from '../runner/values.ts'
import type { ListChanges } from './changes.ts'
import type { WrittenFile } from './file.ts'
import type { ListInputs } from './inputs.ts'
import type { Tally } from './known.ts'
import { CIRCLING_PAGES, type ListEnd, ListingError, type ListingReason } from './pages.ts'

/** What a complete listing came to. */
export interface CompleteListing {
  readonly end: ListEnd
  /** Undefined without an earlier list. */
  readonly changes: ListChanges | undefined
  /** Undefined with `format: none`. */
  readonly file: WrittenFile | undefined
}

/** Why a listing failed; `faults` are wrong inputs. */
export interface FailedListing {
  readonly reason: ListingReason
  readonly message: string
  readonly advice: string
  readonly faults: readonly Fault[]
}

const RESULTS = [
  'path',
  'next_page',
  'expiring',
  'added',
  'removed',
  'changed',
  'changes_path'
] as const
type Results = Readonly<Partial<Record<(typeof RESULTS)[number], string | number | undefined>>>

function setOutputs(runner: Runner, reason: string, tally: Tally, results: Results): void {
  runner.output('outcome', reason === '' ? 'listed' : 'failed')
  runner.output('reason', reason)
  runner.output('count', String(tally.count))
  runner.output('pages', String(tally.pages))
  for (const name of RESULTS) runner.output(name, String(results[name] ?? ''))
}

function showRemark({ place, message }: Fault): string {
  return `- **${markdown(place)}**: ${prose(message)}`
}

/** Reports a complete listing. */
export async function reportListed(
  runner: Runner,
  inputs: ListInputs,
  tally: Tally,
  listed: CompleteListing
): Promise<void> {
  const { expiresWithin: days } = inputs
  const { end, changes, file } = listed
  const all = counted(tally.count, 'license')
  const from = `Listed ${all} from ${counted(tally.pages, 'page')}`
  const soon = days === undefined ? '' : `${tally.kept} expiring within ${counted(days, 'day')}`
  const into = file ? ` into ${file.path} (${sizeText(file.size)})` : ''
  const wrote = file && soon !== '' ? `; wrote the ${soon}` : soon && `, ${soon}`
  const rest = end.next === undefined ? '' : ` \`max-pages\` stopped it before page ${end.next}.`
  const oddities = findOddities(inputs, tally, listed)
  const notice = describeFirstRun(inputs, listed)
  setOutputs(runner, '', tally, {
    path: file?.path,
    next_page: end.next,
    expiring: days === undefined ? undefined : tally.kept,
    added: changes && tally.added,
    removed: changes?.removed,
    changed: changes && tally.changed,
    changes_path: changes?.file.path
  })
  for (const oddity of oddities) runner.warning(describeFault(oddity), oddity.place)
  if (notice !== '') runner.notice(notice, 'compare-with')
  runner.info(`${from}${wrote}${into}.${rest}`)
  if (changes) {
    const earlier = `${counted(changes.earlierCount, 'license')} of ${changes.earlierPath}`
    const where = `listed in ${changes.file.path}`
    runner.info(`Since the ${earlier}: ${countChanges(tally, changes)}, ${where}.`)
  }
  if (file) runner.info(`  SHA-256  ${file.sha256}`)
  const heading = `## ✅ ${all}${soon && `, ${soon}`}`
  const remarks = [prose(notice), ...oddities.map(showRemark)]
  const facts = listFacts(tally, listed)
  await runner.summary(`${joinBlocks(heading, ...remarks, facts, listProducts(tally))}\n`)
}

function countChanges({ added, changed }: Tally, { removed }: ListChanges): string {
  return `${added} added, ${removed} removed, ${changed} changed`
}

function listFacts(tally: Tally, { end, changes, file }: CompleteListing): string {
  const show = ({ path, size }: WrittenFile) => `${markdown(path)} (${sizeText(size)})`
  return factTable([
    ['Pages read', String(tally.pages)],
    ['Next page', String(end.next ?? '')],
    ['File', file ? show(file) : ''],
    ['SHA-256', file ? `<code>${file.sha256}</code>` : ''],
    ['Changes', changes ? `${countChanges(tally, changes)}, in ${show(changes.file)}` : '']
  ])
}

const MOST_PRODUCTS = 100

function listProducts({ products }: Tally): string {
  if (products.size === 0) return ''
  const rows = [...products]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, licenses]) => [name, String(licenses)])
    .slice(0, MOST_PRODUCTS)
  const more = products.size - rows.length
  const table = tableOf(['Product', 'Licenses'], rows)
  return more > 0 ? `${table}\n\nAnd ${more} more products.` : table
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
const FEWEST = 4

/** Whether so large a part of a list changed that the lists may not be alike: of small ones, nearly all of it. */
function isOdd(part: number, whole: number): boolean {
  if (part < 10) return part >= FEWEST && part > (3 / 4) * whole
  return part > whole / 4
}

const MANY_GONE =
  'Many of the earlier licenses are gone. Is it the same shop and API key? Look at the list before you act on the changes.'
const MANY_NEW =
  'Many licenses are new. An earlier list that was made with `product`, `expires-within` or `max-pages` lacked the others: compare with one that was made without.'
const NEW_PRODUCTS =
  'All new licenses are of products of which the earlier list has none. If it was made with `product`, compare with one that was made without.'

function findOddities(
  { product }: ListInputs,
  { count, added, others, repeated }: Tally,
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
  if (!changes) return oddities
  if (isOdd(changes.removed, changes.earlierCount)) add('compare-with', MANY_GONE)
  if (isOdd(added, count)) add('compare-with', MANY_NEW)
  else if (added >= FEWEST && changes.hasOnlyNewProducts) add('compare-with', NEW_PRODUCTS)
  return oddities
}

/** Returns why a listing ended early, from what it threw. */
export function describeFailure(error: unknown, { format }: ListInputs): FailedListing {
  const isKnown = error instanceof ListingError
  const other = error instanceof CancelledError ? 'cancelled' : 'internal'
  const text = `${isKnown ? '' : 'Listing ended early: '}${textAt(error, 'message')}`
  // The shop's words may end in a period.
  const stop = /[.!?]$/.test(text) ? '' : '.'
  const message = `${text}${stop}${format === 'none' ? '' : ' No file was written.'}`
  const reason = isKnown ? error.reason : other
  const help = reason === 'internal' ? 'Report this with the log of a run in debug mode.' : ''
  return { reason, message, advice: isKnown ? error.advice : help, faults: [] }
}

/** Reports a listing that failed, and fails the step. */
export async function reportFailedListing(
  runner: Runner,
  tally: Tally,
  failed: FailedListing
): Promise<void> {
  const { reason, message, advice, faults } = failed
  setOutputs(runner, reason, tally, {})
  for (const fault of faults) runner.error(describeFault(fault), fault.place)
  runner.error([message, advice].join('\n').trimEnd(), 'No licenses listed')
  runner.fail()
  const whatToDo = advice === '' ? '' : `**What to do:** ${prose(advice)}`
  const facts = factTable([['Pages read', tally.pages > 0 ? String(tally.pages) : '']])
  const heading = '## ❌ No licenses listed'
  const remarks = faults.map(showRemark)
  const whole = joinBlocks(heading, prose(message), whatToDo, ...remarks, facts)
  await runner.summary(`${whole}\n`)
}
