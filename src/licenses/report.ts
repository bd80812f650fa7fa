// What the user is told: outputs, log and summary. They hold counts, never a license or a user.
import type { ActionError } from '../runner/action-error.ts'
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
import type { WrittenFile } from './file.ts'

/** How far the listing got, in licenses; `repeated` came more than once, `others` are of products not wanted. */
export interface Tally extends Record<'pages' | 'count' | 'others' | 'repeated', number> {
  /** By the product's id. */
  readonly products: Map<string, number>
}

/** What a listing came to. */
export interface Listed {
  /** The page before which `max-pages` stopped it. */
  readonly next: number | undefined
  /** Undefined with `format: none`. */
  readonly file: WrittenFile | undefined
}

function setOutputs(runner: Runner, reason: string, tally: Tally, listed?: Listed): void {
  runner.output('outcome', reason === '' ? 'listed' : 'failed')
  runner.output('reason', reason)
  runner.output('count', String(tally.count))
  runner.output('pages', String(tally.pages))
  runner.output('path', listed?.file?.path ?? '')
  runner.output('next_page', String(listed?.next ?? ''))
}

/** Reports a complete listing. */
export async function reportListed(
  runner: Runner,
  product: string,
  tally: Tally,
  listed: Listed
): Promise<void> {
  const { next, file } = listed
  setOutputs(runner, '', tally, listed)
  const warnings = findOddities(product, tally)
  for (const text of warnings) runner.warning(text)
  const all = counted(tally.count, 'license')
  const into = file ? ` into ${file.path} (${sizeText(file.size)})` : ''
  const rest = next === undefined ? '' : ` \`max-pages\` stopped it before page ${next}.`
  runner.info(`Listed ${all} from ${counted(tally.pages, 'page')}${into}.${rest}`)
  if (file) runner.info(`  SHA-256  ${file.sha256}`)
  const facts = factTable([
    ['Pages read', String(tally.pages)],
    ['Next page', String(next ?? '')],
    ['File', file ? `${markdown(file.path)} (${sizeText(file.size)})` : ''],
    ['SHA-256', file ? `<code>${file.sha256}</code>` : '']
  ])
  const told = warnings.map(text => `⚠️ ${prose(text)}`)
  await runner.summary(`${joinBlocks(`## ✅ ${all}`, ...told, facts, listProducts(tally))}\n`)
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

function findOddities(product: string, { count, others, repeated }: Tally): string[] {
  const oddities: string[] = []
  if (product !== '' && count === 0) {
    const all = `${counted(others, 'license')} of other products came.`
    oddities.push(`product: no license belongs to the product "${product}"; ${all}`)
  }
  if (repeated > 0) {
    oddities.push(
      `The list changed while it was read: ${counted(repeated, 'license')} came more than once and were written once, and others may be missing.`
    )
  }
  return oddities
}

/** Reports a listing that failed, and fails the step. */
export async function reportFailed(
  runner: Runner,
  tally: Tally,
  { reason, message, advice, complaints }: ActionError
): Promise<void> {
  setOutputs(runner, reason, tally)
  const told = [message, advice].filter(Boolean).join('\n')
  runner.error(`${told}\nNo file was written.`, 'No licenses listed')
  for (const { place, message: said } of complaints) runner.error(`${place}: ${said}`, place)
  runner.fail()
  const items = complaints.map(
    ({ place, message: said }) => `- **${markdown(place)}**: ${prose(said)}`
  )
  const todo = advice && `**What to do:** ${prose(advice)}`
  const blocks = [prose(message), todo, items.join('\n')]
  await runner.summary(`${joinBlocks('## ❌ No licenses listed', ...blocks)}\n`)
}
