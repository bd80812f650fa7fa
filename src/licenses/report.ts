// The report: outputs, log and summary. They hold counts, never a license or a user.

import { factTable, joinBlocks, markdown, prose } from '../report/markdown.ts'
import type { ActionError } from '../runner/action-error.ts'
import type { Runner } from '../runner/runner.ts'
import { counted, sizeText } from '../runner/words.ts'
import type { ListConfig } from './list-config.ts'

/** How far the listing got; `repeated` licenses came more than once. */
export type Tally = Record<'pages' | 'count' | 'repeated', number>

/** `next`: the page before which `max-pages` stopped it. `size`: of the file in bytes; undefined without one. */
export type Listed = Readonly<Record<'next' | 'size', number | undefined>>

function setOutputs(runner: Runner, reason: string, { count, pages }: Tally, path = '', next = '') {
  const outcome = reason === '' ? 'listed' : 'failed'
  const outputs = { outcome, reason, count, pages, path, next_page: next }
  for (const [name, value] of Object.entries(outputs)) runner.output(name, String(value))
}

/** Reports a complete listing. */
export async function reportListed(
  runner: Runner,
  { product, path }: ListConfig,
  tally: Tally,
  { next, size }: Listed
): Promise<void> {
  setOutputs(runner, '', tally, path, String(next ?? ''))
  const all = counted(tally.count, 'license')
  const isNone = product !== '' && tally.count === 0
  const twice = `${counted(tally.repeated, 'license')} came more than once and were written once, and others may be missing`
  const warnings = [
    ...(isNone ? [`product: no license belongs to the product "${product}".`] : []),
    ...(tally.repeated === 0 ? [] : [`The list changed while it was read: ${twice}.`])
  ]
  for (const text of warnings) runner.warning(text)
  const file = size === undefined ? '' : `${path} (${sizeText(size)})`
  const rest = next === undefined ? '' : ` \`max-pages\` stopped it before page ${next}.`
  const pages = counted(tally.pages, 'page')
  runner.info(`Listed ${all} from ${pages}${file && ` into ${file}`}.${rest}`)
  const facts = factTable([
    ['Pages read', String(tally.pages)],
    ['Next page', String(next ?? '')],
    ['File', markdown(file)]
  ])
  const shown = warnings.map(text => `⚠️ ${prose(text)}`)
  await runner.summary(`${joinBlocks(`## ✅ ${all}`, ...shown, facts)}\n`)
}

/** Reports a listing that failed, and fails the step. */
export async function reportFailed(
  runner: Runner,
  tally: Tally,
  { reason, message, advice, complaints }: ActionError
): Promise<void> {
  setOutputs(runner, reason, tally)
  const text = [message, advice, 'No file was written.'].filter(Boolean).join('\n')
  runner.error(text, 'No licenses listed')
  for (const { place, message: said } of complaints) runner.error(`${place}: ${said}`, place)
  runner.fail()
  const items = complaints.map(({ place, message: said }) => `- ${prose(`${place}: ${said}`)}`)
  const todo = advice && `**What to do:** ${prose(advice)}`
  const blocks = [prose(message), todo, items.join('\n')]
  await runner.summary(`${joinBlocks('## ❌ No licenses listed', ...blocks)}\n`)
}
