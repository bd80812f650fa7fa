// Works on texts within a time limit: long ones in a worker, which can be ended. The adapter of worker threads.
import { Worker } from 'node:worker_threads'
import { CancelledError, uncaughtErrorOf } from '../http/exchange.ts'
import { ActionError } from '../runner/action-error.ts'
import type { Task, TaskAnswer } from './perform.ts'

/** In UTF-16 units. Whatever is in a text of this length, it takes seconds at most. */
const SHORT = 10_000
/** In milliseconds; real texts, however long, take two seconds. */
const DEADLINE = 15_000

const TOO_LONG =
  'It takes too long to read the changelog: it has too many marks such as *, _, ~, [, > or | in one place.'
const TOO_DEEP = 'Quotes or lists in the changelog are nested too deeply.'
const SIMPLER = 'Write it more simply.'

/** Does a task. Throws an `ActionError`, also when it takes more than 15 seconds, and a `CancelledError`. */
export async function doTask(task: Task, signal: AbortSignal, deadline = DEADLINE) {
  const isShort = task.text.length <= SHORT
  const answer = isShort ? await answerTask(task) : await askWorker(task, signal, deadline)
  if ('text' in answer) return answer
  throw new ActionError('no-changelog', answer.refusal, { advice: answer.advice })
}

/** Does a task in this thread. Workers call this by its name. */
export async function answerTask(task: Task): Promise<TaskAnswer> {
  try {
    const { performTask } = await import('./perform.ts')
    return await performTask(task)
  } catch (error) {
    if (error instanceof ActionError) return { refusal: error.message, advice: error.advice }
    // The parser calls itself for each level.
    if (error instanceof RangeError) return { refusal: TOO_DEEP, advice: SIMPLER }
    throw error
  }
}

function askWorker(task: Task, signal: AbortSignal, deadline: number): Promise<TaskAnswer> {
  // This file when the sources run; the bundle, which exports the same, when that does.
  const script = `
    const { parentPort, workerData } = require('node:worker_threads')
    const answer = import(${JSON.stringify(import.meta.url)}).then(file => file.answerTask(workerData))
    answer.then(it => parentPort.postMessage(it))`
  const worker = new Worker(script, { eval: true, workerData: task })
  return new Promise<TaskAnswer>((resolve, reject) => {
    const late = () => resolve({ refusal: TOO_LONG, advice: SIMPLER })
    const timer = setTimeout(late, deadline)
    const abort = () => reject(uncaughtErrorOf(signal.reason) ?? new CancelledError())
    signal.addEventListener('abort', abort, { once: true })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    })
  }).finally(() => worker.terminate())
}
