// A runner in this process that writes down what an action prints, sets and sums up.
import { harmless, oneLine, quoteLines } from '../../src/runner/printing.ts'
import type { Log, RunContext, Runner } from '../../src/runner/runner.ts'
import { openSecrets } from '../../src/runner/secrets.ts'
import type { Annotation } from './log.ts'

export interface RecorderOptions {
  readonly context: RunContext
  readonly inputs?: Readonly<Record<string, string>>
  /** The payload of the event. */
  readonly payload?: unknown
  readonly cancelled?: AbortSignal | undefined
  /** Called with each line of `lines`. */
  readonly onLine?: (line: string) => void
}

/** Everything that an action left. */
export interface Recording {
  /** The log as the real runner prints it, made harmless. */
  readonly log: string
  readonly annotations: readonly Annotation[]
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  readonly failed: boolean
}

/** Opens a runner that records. */
export function openRecorder(options: RecorderOptions): Recorder {
  return new Recorder(options)
}

/** A runner that records. */
export class Recorder {
  readonly runner: Runner
  /** Each call of the log as it was made, after its kind and its title. */
  readonly lines: string[] = []
  /** The texts that the action had masked. */
  readonly masks: string[] = []
  readonly #onLine: (line: string) => void
  readonly #secrets = openSecrets()
  readonly #printed: string[] = []
  readonly #annotations: Annotation[] = []
  readonly #outputs: Record<string, string> = {}
  #summary = ''
  #failed = false

  /** `openRecorder` makes it. */
  constructor(options: RecorderOptions) {
    const { context, inputs = {}, payload = {}, cancelled, onLine = () => {} } = options
    const { conceal } = this.#secrets
    this.#onLine = onLine
    this.runner = {
      ...this.#openLog(),
      context,
      cancelled: cancelled ?? new AbortController().signal,
      input: name => (inputs[name] ?? '').trim(),
      payload: () => Promise.resolve(payload),
      mask: secret => {
        this.masks.push(secret)
        this.#secrets.add(secret)
      },
      conceal,
      output: (name, value) => {
        this.#outputs[name] = conceal(value)
      },
      summary: async text => {
        this.#summary = conceal(text)
      },
      fail: () => {
        this.#failed = true
      }
    }
  }

  /** The recording so far. */
  recording(): Recording {
    return {
      log: this.#printed.join('\n'),
      annotations: this.#annotations,
      outputs: this.#outputs,
      summary: this.#summary,
      failed: this.#failed
    }
  }

  #openLog(): Log {
    return {
      info: text => this.#print('info', text, harmless),
      block: text => this.#print('block', text, quoteLines),
      debug: text => this.#print('debug', text, harmless),
      notice: (text, title) => this.#annotate('notice', text, title),
      warning: (text, title) => this.#annotate('warning', text, title),
      error: (text, title) => this.#annotate('error', text, title),
      group: (name, body) => {
        this.#print('group', name, oneLine)
        return body()
      }
    }
  }

  #print(kind: string, text: string, make: (text: string) => string): void {
    this.#note(kind, text)
    this.#printed.push(make(this.#secrets.conceal(text)))
  }

  #annotate(kind: Annotation['kind'], text: string, title?: string): void {
    const { conceal } = this.#secrets
    this.#note(kind, text, title)
    const message = harmless(conceal(text))
    this.#printed.push(message)

    const note = { kind, message }
    const isTitled = title !== undefined
    this.#annotations.push(isTitled ? { ...note, title: oneLine(conceal(title)) } : note)
  }

  #note(kind: string, text: string, title?: string): void {
    const line = title === undefined ? `${kind}: ${text}` : `${kind}: ${title}: ${text}`
    this.lines.push(line)
    this.#onLine(line)
  }
}
