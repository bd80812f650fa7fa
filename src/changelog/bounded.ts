// Works on texts within a time limit: long ones in a worker, which can be ended. The adapter of worker threads.
import { Worker } from 'node:worker_threads'
import { CancelledError, strayError } from '../http/exchange.ts'
import { type BuyerNotes, type Notes, writeForBuyers } from './notes.ts'
import { TextError } from './text.ts'

/** Notes to be written for buyers, or Markdown to be rendered as HTML. */
export type Task = Notes | { readonly markdown: string }

/** In UTF-16 units. Whatever is in a text of this length, it takes seconds at most. */
const SHORT = 10_000
/** In milliseconds; real texts, however long, take two seconds. */
const TEXT_DEADLINE = 15_000

const TOO_LONG =
  'it takes too long to read the changelog: it has too many marks such as *, _, ~, [, > or | in one place. Write it more simply'
const TOO_DEEP = 'quotes or lists in the changelog are nested too deeply. Write it more simply'

/** Does a task. Throws a `TextError` also when that takes too long (in milliseconds), and a `CancelledError`. */
export async function doTask(
  task: Task,
  signal: AbortSignal,
  deadline = TEXT_DEADLINE
): Promise<BuyerNotes> {
  const { length } = 'markdown' in task ? task.markdown : task.source
  const answer = length > SHORT ? await askWorker(task, signal, deadline) : await answerTask(task)
  if (typeof answer !== 'string') return answer
  throw new TextError(answer)
}

/** Does a task in this thread; returns a message if the text is bad. Workers call this by its name. */
export async function answerTask(task: Task): Promise<BuyerNotes | string> {
  try {
    if ('source' in task) return await writeForBuyers(task)
    const { renderHtml } = await import('./html.ts')
    return { text: renderHtml(task.markdown), notice: '', removed: [] }
  } catch (error) {
    if (error instanceof TextError) return error.message
    // The parser calls itself for each level.
    if (error instanceof RangeError) return TOO_DEEP
    throw error
  }
}

function askWorker(
  task: Task,
  signal: AbortSignal,
  deadline: number
): Promise<BuyerNotes | string> {
  // This file when the sources run; the bundle, which exports the same, when that does.
  const script = `
    const { parentPort, workerData } = require('node:worker_threads')
    const answer = import(${JSON.stringify(import.meta.url)}).then(file => file.answerTask(workerData))
    answer.then(it => parentPort.postMessage(it))`
  const worker = new Worker(script, { eval: true, workerData: task })
  return new Promise<BuyerNotes | string>((resolve, reject) => {
    const timer = setTimeout(() => resolve(TOO_LONG), deadline)
    const abort = () => reject(strayError(signal.reason) ?? new CancelledError())
    signal.addEventListener('abort', abort, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    })
  }).finally(() => worker.terminate())
}
