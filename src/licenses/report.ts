// What happened: one report of a run, its outputs for later steps, and its log lines. Counts alone. Pure but for the log.
import { CancelledError } from '../http/exchange.ts'
import type { Log } from '../runner/runner.ts'
import { sizeText } from '../runner/text.ts'
import { describeFault, type Fault } from '../runner/values.ts'
import { OutputError, type Written } from './file.ts'
import type { LicenseInputs } from './inputs.ts'
import { PageError } from './page.ts'
import type { ProductCount, Selection } from './seen.ts'

/** Why it failed; stable words for machines, empty when it did not. */
export type Reason = '' | 'bad-input' | 'cancelled' | 'internal' | 'output' | PageError['reason']

/** Every output, as `licenses/action.yml` declares them. */
export const OUTPUT_NAMES = ['outcome', 'reason', 'count', 'pages', 'path', 'next_page'] as const

export type OutputName = (typeof OUTPUT_NAMES)[number]

/** A message at the top of the workflow's page. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice'
  readonly title: string
  readonly message: string
}

export interface Report {
  readonly outcome: 'listed' | 'failed'
  readonly reason: Reason
  readonly message: string
  /** What to do now; empty when there is nothing. */
  readonly advice: string
  readonly annotations: readonly Annotation[]
  readonly count: number
  readonly pages: number
  readonly next?: number
  readonly file?: Written
  readonly products: readonly ProductCount[]
}

/** How far the listing got. */
export interface Progress {
  readonly selection: Selection
  pages: number
  /** The page before which `max-pages` stopped it. */
  next?: number
}

/** How a listing ended: with the file, if there is one, or with what was thrown. */
export type Ending = { readonly file: Written | undefined } | { readonly error: unknown }

/** The report of inputs that cannot be used: every fault is an annotation of its own. */
export function badInputs(faults: readonly Fault[]): Report {
  const wrong = faults.length === 1 ? 'one input is wrong' : `${faults.length} inputs are wrong`
  return {
    outcome: 'failed',
    reason: 'bad-input',
    message: `Nothing was listed: ${wrong}.`,
    advice: '',
    annotations: faults.map(fault => {
      return { kind: 'error', title: fault.place, message: describeFault(fault) }
    }),
    ...{ count: 0, pages: 0, products: [] }
  }
}

/** The report of a listing that began; an error that nobody foresaw is thrown on. */
export function reportOf(inputs: LicenseInputs, progress: Progress, ending: Ending): Report {
  const { selection, pages, next } = progress
  const { count, repeated } = selection
  const counts = { count, pages, products: selection.products() }
  if ('error' in ending) {
    const { message, ...failure } = failureOf(ending.error)
    const where = inputs.format === 'none' ? '' : ' No file was written.'
    return {
      ...{ outcome: 'failed', ...failure, ...counts, annotations: [] },
      message: `${sentence(message)}${where}`
    }
  }
  const { file } = ending
  const into = file ? ` into ${file.path} (${sizeText(file.size)})` : ''
  return {
    ...{ outcome: 'listed', reason: '', advice: '', ...counts },
    message: `Listed ${counted(count, 'license')} from ${counted(pages, 'page')}${into}.`,
    annotations: remarksOn(inputs.product, count, repeated, next),
    ...(next === undefined ? {} : { next }),
    ...(file ? { file } : {})
  }
}

function failureOf(error: unknown): Pick<Report, 'reason' | 'message' | 'advice'> {
  if (error instanceof PageError) {
    return { reason: error.reason, message: error.message, advice: error.advice }
  }
  if (error instanceof OutputError) {
    return { reason: 'output', message: error.message, advice: 'Check the input `output`.' }
  }
  if (error instanceof CancelledError) {
    const reason = error.cause === undefined ? 'cancelled' : 'internal'
    return { reason, message: `Listing ended early: ${error.message}`, advice: '' }
  }
  throw error
}

/** With a full stop, unless the service's text has brought one along. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function remarksOn(
  product: string,
  count: number,
  repeated: number,
  next: number | undefined
): Annotation[] {
  const remarks: Annotation[] = []
  if (repeated > 0) {
    remarks.push({
      kind: 'warning',
      title: 'The list changed while it was read',
      message: `${counted(repeated, 'license')} came more than once and ${repeated === 1 ? 'was' : 'were'} counted and written once; for the same reason others may be missing.`
    })
  }
  if (next !== undefined) {
    const message = `\`max-pages\` ended the listing before page ${next}.`
    remarks.push({ kind: 'notice', title: 'There are more pages', message })
  }
  if (count === 0 && product !== '') {
    const message = `No license is for the product "${product}".`
    remarks.push({ kind: 'notice', title: 'No licenses', message })
  }
  return remarks
}

/** A number with its noun. */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}

/** Every output with its value, in the declared order. */
export function outputsOf(report: Report): (readonly [OutputName, string])[] {
  const { outcome, reason, count, pages, file, next = '' } = report
  const values = { outcome, reason, count, pages, path: file?.path ?? '', next_page: next }
  return OUTPUT_NAMES.map(name => [name, String(values[name])] as const)
}

/** Says in the log how it ended. */
export function logReport(log: Log, { outcome, message, advice, annotations, file }: Report): void {
  for (const { kind, title, message: text } of annotations) log[kind](text, title)
  if (outcome === 'failed') {
    log.error(advice === '' ? message : `${message}\n${advice}`, 'No licenses listed')
    return
  }
  log.info(message)
  if (file) log.info(`  SHA-256  ${file.sha256}`)
}
