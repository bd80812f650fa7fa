// Owns a runner in this process that writes down what an action prints, sets and sums up.
import { harmless, oneLine, quoteLines } from '../../src/runner/printing.ts'
import type { Log, RunContext, Runner } from '../../src/runner/runner.ts'
import { openSecrets } from '../../src/runner/secrets.ts'
import type { Annotation } from './log.ts'

export interface RecorderOptions {
  readonly context: RunContext
  readonly inputs?: Readonly<Record<string, string>>
  /** Of the event. */
  readonly payload?: unknown
  readonly cancelled?: AbortSignal | undefined
  /** Called with each line of `lines`. */
  readonly onLine?: (line: string) => void
}

/** Everything that an action left. */
export interface Recording {
  /** As the real runner prints it, made harmless. */
  readonly log: string
  readonly annotations: readonly Annotation[]
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  readonly failed: boolean
}

/** A runner that records. */
export interface Recorder {
  readonly runner: Runner
  /** Each call of the log as it was made, after its kind and its title. */
  readonly lines: readonly string[]
  /** The texts that the action had masked. */
  readonly masks: readonly string[]
  /** The recording so far. */
  recording(): Recording
}

/** Opens a runner that records. */
export function openRecorder(options: RecorderOptions): Recorder {
  const {
    context,
    inputs = {},
    payload = {},
    cancelled = new AbortController().signal,
    onLine = () => {}
  } = options
  const lines: string[] = []
  const printed: string[] = []
  const masks: string[] = []
  const annotations: Annotation[] = []
  const outputs: Record<string, string> = {}
  let summary = ''
  let failed = false
  const { add, conceal } = openSecrets()

  const note = (kind: string, text: string, title?: string) => {
    const line = title === undefined ? `${kind}: ${text}` : `${kind}: ${title}: ${text}`
    lines.push(line)
    onLine(line)
  }

  const print = (kind: string, make: (text: string) => string) => (text: string) => {
    note(kind, text)
    printed.push(make(conceal(text)))
  }

  const annotate = (kind: Annotation['kind']) => (text: string, title?: string) => {
    note(kind, text, title)
    const message = harmless(conceal(text))
    printed.push(message)
    if (title === undefined) annotations.push({ kind, message })
    else annotations.push({ kind, message, title: oneLine(conceal(title)) })
  }

  const log: Log = {
    info: print('info', harmless),
    block: print('block', quoteLines),
    debug: print('debug', harmless),
    notice: annotate('notice'),
    warning: annotate('warning'),
    error: annotate('error'),
    group: (name, body) => {
      print('group', oneLine)(name)
      return body()
    }
  }

  const runner: Runner = {
    ...log,
    context,
    cancelled,
    input: name => (inputs[name] ?? '').trim(),
    payload: () => Promise.resolve(payload),
    mask: secret => {
      masks.push(secret)
      add(secret)
    },
    conceal,
    output: (name, value) => {
      outputs[name] = conceal(value)
    },
    summary: async text => {
      summary = conceal(text)
    },
    fail: () => {
      failed = true
    }
  }

  const recording = (): Recording => ({
    log: printed.join('\n'),
    annotations,
    outputs,
    summary,
    failed
  })
  return {
    runner,
    lines,
    masks,
    recording
  }
}
