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

function setOutputs(runner: Runner, reason: string, { count }: Tally, path: string): void {
  const outputs = {
    outcome: reason === '' ? 'listed' : 'failed',
    reason,
    count,
    path
  }
  for (const [name, value] of Object.entries(outputs)) runner.output(name, String(value))
}

/** Reports a complete listing; `size` is the file's, in bytes. */
export async function reportListed(
  runner: Runner,
  { path }: ListConfig,
  tally: Tally,
  size: number
): Promise<void> {
  setOutputs(runner, '', tally, path)

  const warning = describeRepeated(tally)
  if (warning !== '') runner.warning(warning)

  const all = counted(tally.count, 'license')
  const file = `${path} (${sizeText(size)})`
  runner.info(`Listed ${all} from ${counted(tally.pages, 'page')} into ${file}.`)

  const facts = factTable([
    ['Pages read', String(tally.pages)],
    ['File', markdown(file)]
  ])
  const shown = warning && `⚠️ ${prose(warning)}`
  await runner.summary(`${joinBlocks(`## ✅ ${all}`, shown, facts)}\n`)
}

function describeRepeated({ repeated }: Tally): string {
  if (repeated === 0) return ''
  const again = `${counted(repeated, 'license')} came again and ${repeated === 1 ? 'was' : 'were'} left out`
  return `The list changed while it was read: ${again}, and others may be missing.`
}

/** Reports a listing that failed, and fails the step. */
export async function reportFailed(
  runner: Runner,
  tally: Tally,
  { reason, message, advice, complaints }: ActionError
): Promise<void> {
  setOutputs(runner, reason, tally, '')
  const text = [message, advice, 'No file was written.'].filter(Boolean).join('\n')
  runner.error(text, 'No licenses listed')
  for (const { place, message: said } of complaints) runner.error(`${place}: ${said}`, place)
  runner.fail()

  const items = complaints.map(({ place, message: said }) => `- ${prose(`${place}: ${said}`)}`)
  const todo = advice && `**What to do:** ${prose(advice)}`
  const blocks = [prose(message), todo, items.join('\n')]
  await runner.summary(`${joinBlocks('## ❌ No licenses listed', ...blocks)}\n`)
}
