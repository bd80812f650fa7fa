// The report: outputs, log and summary. They hold counts, never a license or a user.
import { factTable, joinBlocks, markdown, prose } from '../report/markdown.ts'
import type { ActionError } from '../runner/action-error.ts'
import type { Runner } from '../runner/runner.ts'
import { counted, sizeText } from '../runner/words.ts'
import type { ListConfig } from './list-config.ts'

/** How far the listing got. */
export interface Tally {
  /** Pages that were read. */
  pages: number
  /** Licenses that were kept. */
  count: number
  /** Licenses that came more than once. */
  repeated: number
}

/** A complete listing. */
export interface CompleteListing {
  /** The page before which `max-pages` stopped it; undefined at the end of the list. */
  readonly next: number | undefined
  /** The file's, in bytes; undefined without one. */
  readonly size: number | undefined
}

/** The outputs that say something only after a complete listing. */
interface Results {
  readonly path: string
  readonly next: string
}

const NO_RESULTS: Results = { path: '', next: '' }

function setOutputs(
  runner: Runner,
  reason: string,
  { count, pages }: Tally,
  { path, next }: Results
): void {
  const outputs = {
    outcome: reason === '' ? 'listed' : 'failed',
    reason,
    count,
    pages,
    path,
    next_page: next
  }
  for (const [name, value] of Object.entries(outputs)) runner.output(name, String(value))
}

/** Reports a complete listing. */
export async function reportListed(
  runner: Runner,
  { product, file: written }: ListConfig,
  tally: Tally,
  { next, size }: CompleteListing
): Promise<void> {
  const path = written?.path ?? ''
  setOutputs(runner, '', tally, { path, next: String(next ?? '') })

  const warnings = licenseWarnings(product, tally)
  for (const text of warnings) runner.warning(text)

  const all = counted(tally.count, 'license')
  const pages = counted(tally.pages, 'page')
  const file = size === undefined ? '' : `${path} (${sizeText(size)})`
  const rest = next === undefined ? '' : ` \`max-pages\` stopped it before page ${next}.`
  runner.info(`Listed ${all} from ${pages}${file && ` into ${file}`}.${rest}`)

  const facts = factTable([
    ['Pages read', String(tally.pages)],
    ['Next page', String(next ?? '')],
    ['File', markdown(file)]
  ])
  const shown = warnings.map(text => `⚠️ ${prose(text)}`)
  await runner.summary(`${joinBlocks(`## ✅ ${all}`, ...shown, facts)}\n`)
}

function licenseWarnings(product: string, { count, repeated }: Tally): string[] {
  const warnings: string[] = []
  if (product !== '' && count === 0) {
    warnings.push(`product: no license belongs to the product "${product}".`)
  }
  if (repeated > 0) {
    const again = `${counted(repeated, 'license')} came again and ${repeated === 1 ? 'was' : 'were'} left out`
    warnings.push(`The list changed while it was read: ${again}, and others may be missing.`)
  }
  return warnings
}

/** Reports a listing that failed, and fails the step. */
export async function reportFailed(
  runner: Runner,
  tally: Tally,
  { reason, message, advice, complaints }: ActionError
): Promise<void> {
  setOutputs(runner, reason, tally, NO_RESULTS)
  const text = [message, advice, 'No file was written.'].filter(Boolean).join('\n')
  runner.error(text, 'No licenses listed')
  for (const { place, message: said } of complaints) runner.error(`${place}: ${said}`, place)
  runner.fail()

  const items = complaints.map(({ place, message: said }) => `- ${prose(`${place}: ${said}`)}`)
  const todo = advice && `**What to do:** ${prose(advice)}`
  const blocks = [prose(message), todo, items.join('\n')]
  await runner.summary(`${joinBlocks('## ❌ No licenses listed', ...blocks)}\n`)
}
