// What happened: one report of a run, and the outputs for later steps. Counts alone. Pure.
import { sizeText } from '../runner/text.ts'
import { describeFault, type Fault } from '../runner/values.ts'
import type { Failure } from './explain.ts'
import type { Written } from './file.ts'
import type { LicenseInputs } from './inputs.ts'
import type { Progress } from './list.ts'
import type { ProductCount } from './tally.ts'

/** Why it failed; stable words for machines. */
export type Reason =
  | ''
  | 'bad-input'
  | 'cancelled'
  | 'no-answer'
  | 'output'
  | 'rejected'
  | 'strange-answer'

/** Every output, as `licenses/action.yml` declares them. */
export const OUTPUT_NAMES = ['outcome', 'reason', 'count', 'pages', 'path', 'next_page'] as const

export type OutputName = (typeof OUTPUT_NAMES)[number]

/** One message of its own at the top of the workflow's page. */
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
  /** Licenses of products that were not counted one by one. */
  readonly others: number
}

/** The report of inputs that cannot be used: every fault is an annotation of its own. */
export function faulty(faults: readonly Fault[]): Report {
  const wrong = faults.length === 1 ? 'one input is wrong' : `${faults.length} inputs are wrong`
  return {
    outcome: 'failed',
    reason: 'bad-input',
    message: `Nothing was listed: ${wrong}.`,
    advice: '',
    annotations: faults.map(fault => {
      return { kind: 'error', title: fault.place, message: describeFault(fault) }
    }),
    ...{ count: 0, pages: 0, products: [], others: 0 }
  }
}

/** The report of a listing that began. */
export function reportOf(
  inputs: LicenseInputs,
  { selection, pages, next }: Progress,
  file: Written | undefined,
  failure?: Failure
): Report {
  const { count, tally } = selection
  const about = { count, pages, products: tally.products(), others: tally.others }
  if (failure) {
    const where = inputs.format === 'none' ? '' : ' No file was written.'
    const message = `${failure.message}${where}`
    return { outcome: 'failed', ...failure, message, annotations: [], ...about }
  }
  const into = file ? ` into ${file.path} (${sizeText(file.size)})` : ''
  return {
    outcome: 'listed',
    reason: '',
    message: `Listed ${counted(count, 'license')} from ${counted(pages, 'page')}${into}.`,
    advice: '',
    annotations: remarks(inputs, selection.count, selection.repeated, next),
    ...about,
    ...(next === undefined ? {} : { next }),
    ...(file ? { file } : {})
  }
}

function remarks(
  { product }: LicenseInputs,
  count: number,
  repeated: number,
  next: number | undefined
): Annotation[] {
  const remark = (kind: Annotation['kind'], title: string, message: string) => ({
    kind,
    title,
    message
  })
  const again = repeated === 1 ? '1 license was' : `${repeated} licenses were`
  return [
    ...(repeated > 0
      ? [
          remark(
            'warning',
            'The list changed meanwhile',
            `${again} listed more than once, and counted and written once, since the list changed while it was read; for the same reason others may be missing.`
          )
        ]
      : []),
    ...(next === undefined
      ? []
      : [
          remark(
            'notice',
            'There are more pages',
            `\`max-pages\` ended the listing before page ${next}.`
          )
        ]),
    ...(count === 0 && product !== ''
      ? [remark('notice', 'No license', `None of the licenses is of the product "${product}".`)]
      : [])
  ]
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
