// Owns what a user sees of a step: the log, with everything hidden that must be, and annotations.
import { createMasker, type Masker } from './masks.ts'

/** A note on the run's page. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice'
  readonly message: string
  readonly title?: string
  readonly file?: string
  readonly line?: string
  readonly endLine?: string
  readonly col?: string
  readonly endColumn?: string
}

/** What a user sees. */
export interface PageText {
  readonly log: string
  /** At most ten of a kind, as on the run's page. */
  readonly annotations: readonly Annotation[]
  /** How many annotations the page leaves out; the log has them. */
  readonly droppedAnnotations: number
  /** Why the step fails for what it printed or wrote; empty when it does not. */
  readonly faults: readonly string[]
}

/** What a page may be told before it is shown. */
export interface PageOptions {
  readonly debug?: boolean
  /** What the runner hides before the step starts. */
  readonly secrets?: readonly string[]
}

/** A page that grows. */
export interface Page {
  readonly masker: Masker
  readonly show: (line: string) => void
  readonly debug: (text: string) => void
  readonly annotate: (annotation: Annotation) => void
  /** An error that makes the step fail. */
  readonly fault: (message: string) => void
  readonly finish: () => PageText
}

const MAX_OF_A_KIND = 10
const MAX_MESSAGE_LENGTH = 4096
const LABELS = { error: 'Error', warning: 'Warning', notice: 'Notice' } as const

/** An empty page. */
export function createPage(options: PageOptions): Page {
  const masker = createMasker()
  for (const secret of options.secrets ?? []) masker.add(secret)
  const lines: string[] = []
  const annotations: Annotation[] = []
  const faults: string[] = []

  const show = (line: string) => {
    lines.push(masker.mask(line))
  }
  const annotate = (annotation: Annotation) => {
    // The runner cuts before it writes the log, so the log is cut as well.
    const message = masker.mask(annotation.message).slice(0, MAX_MESSAGE_LENGTH)
    annotations.push({ ...annotation, message })
    if (message !== '') lines.push(`${LABELS[annotation.kind]}: ${message}`)
  }
  return {
    masker,
    show,
    debug: text => {
      if (!options.debug) return
      for (const line of text.split(/\r\n|\n/)) show(`##[debug]${line}`)
    },
    annotate,
    fault: message => {
      faults.push(masker.mask(message))
      annotate({ kind: 'error', message })
    },
    finish: () => {
      const onPage = annotations.filter(isOnPage)
      return {
        log: lines.map(line => `${line}\n`).join(''),
        annotations: onPage,
        droppedAnnotations: annotations.length - onPage.length,
        faults: [...faults]
      }
    }
  }
}

function isOnPage({ kind }: Annotation, index: number, all: readonly Annotation[]): boolean {
  return all.slice(0, index).filter(other => other.kind === kind).length < MAX_OF_A_KIND
}
