// Reads texts in a worker, since only a worker can be ended where a text takes too much time or memory. Parsers load only
// there.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ActionError } from '../runner/action-error.ts'
import { CancelledError, uncaughtErrorOf } from '../runner/cancellation.ts'
import { sizeText } from '../runner/words.ts'
import type { Task, TaskAnswer, TaskRefusal, TaskText } from './perform.ts'

/** A changelog file has no more: the history of a product of twenty years has a tenth of it. */
export const FILE_MAX_BYTES = 4_000_000
/** A text for buyers has no more: release notes on GitHub have a quarter of it at most. */
const TEXT_MAX_CHARACTERS = 500_000
/** For all texts of a run; real ones, however long, take two seconds. */
const BUDGET_MS = 15_000
/** The worker's limits in MB: of its heap, and of a stack as small as the main thread's, so that deep texts end soon. */
const LIMITS = {
  maxOldGenerationSizeMb: 448,
  maxYoungGenerationSizeMb: 24,
  stackSizeMb: 1
}

const TOO_LONG: TaskRefusal = {
  refusal:
    'It takes too long to read the changelog: it has too many marks such as *, _, ~, [, > or | in one place.',
  advice: 'Simplify it.'
}
/** A text that takes longer than the budget is as long as this, or has odd marks. */
const LARGE_TEXT_CHARACTERS = 200_000
/** Tasks that read a text for buyers as Markdown, whole. */
const OF_TEXT: readonly Task['kind'][] = ['write', 'render', 'pointer']
const TOO_DEEP: TaskRefusal = {
  refusal: 'Quotes or lists in the changelog are nested too deeply.',
  advice: 'Simplify it.'
}

/** A text that is too large: no odd marks are to be looked for in it. */
function tooLarge(text: string): TaskRefusal {
  return {
    refusal: `The changelog has ${sizeText(text.length)}, which is too large: at most ${sizeText(TEXT_MAX_CHARACTERS)} are for buyers.`,
    advice: 'Leave only what is new in this version.'
  }
}

/** Reads the texts of one run, one after another, in a worker that starts with the first of them. */
export class TextReader {
  readonly #cancelled: AbortSignal
  #worker: Worker | undefined
  /** The time that is left for all texts, in milliseconds. */
  #budget: number

  constructor(cancelled: AbortSignal, budget = BUDGET_MS) {
    this.#cancelled = cancelled
    this.#budget = budget
  }

  /** Does a task. Throws an `ActionError`, also when it takes too much time or memory, and a `CancelledError`. */
  async doTask(task: Task): Promise<TaskText> {
    const started = performance.now()
    const most = OF_TEXT.includes(task.kind) ? TEXT_MAX_CHARACTERS : FILE_MAX_BYTES
    const isTooLarge = task.text.length > most
    const answer = isTooLarge ? tooLarge(task.text) : await this.#ask(task)
    this.#budget -= performance.now() - started

    if ('text' in answer) return answer
    throw new ActionError('no-changelog', answer.refusal, { advice: answer.advice })
  }

  /** Ends the worker. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async #ask(task: Task): Promise<TaskAnswer> {
    this.#worker ??= startWorker()
    const worker = this.#worker
    const late = AbortSignal.timeout(Math.max(1, Math.ceil(this.#budget)))
    const signal = AbortSignal.any([this.#cancelled, late])
    try {
      // The process waits for the worker only while it reads.
      worker.ref()
      worker.postMessage(task)
      const [answer]: TaskAnswer[] = await once(worker, 'message', { signal })
      worker.unref()

      if (answer === undefined) throw new Error('the worker gave no answer')
      return answer
    } catch (error) {
      // The worker may still be at work, and must not answer the next task with this one's text.
      await this.close()

      if (this.#cancelled.aborted) {
        throw uncaughtErrorOf(this.#cancelled.reason) ?? new CancelledError()
      }
      const isLarge = task.text.length > LARGE_TEXT_CHARACTERS
      if (late.aborted) return isLarge ? tooLarge(task.text) : TOO_LONG
      if (Object(error).code === 'ERR_WORKER_OUT_OF_MEMORY') return tooLarge(task.text)
      throw error
    }
  }
}

function startWorker(): Worker {
  // This file when the sources run; the bundle, which exports the same, when that does. The script is a CommonJS one, or
  // a module where Node is started with `--input-type=module`.
  const script = `
    const { parentPort } = process.getBuiltinModule('node:worker_threads')
    const file = import(${JSON.stringify(import.meta.url)})
    parentPort.on('message', async task => parentPort.postMessage(await (await file).answerTask(task)))`
  const worker = new Worker(script, { eval: true, resourceLimits: LIMITS })
  // The caller that waits for an answer hears of an error. One that comes after the worker was given up must not be
  // an uncaught one.
  return worker.on('error', () => undefined)
}

/** Does a task in this thread, which is a worker's: it calls this by its name. */
export async function answerTask(task: Task): Promise<TaskAnswer> {
  try {
    const { performTask } = await import('./perform.ts')
    return await performTask(task)
  } catch (error) {
    if (error instanceof ActionError) return { refusal: error.message, advice: error.advice }
    // The parser calls itself for each level.
    if (error instanceof RangeError) return TOO_DEEP
    throw error
  }
}
