// Turns release notes and changelog files into the text that buyers read, within a time limit: long ones in a worker,
// which can be ended. Parsers load only where they are needed.
import { Worker } from 'node:worker_threads'
import { CancelledError, uncaughtErrorOf } from '../http/exchange.ts'
import { ActionError } from '../runner/action-error.ts'
import type { RepositoryName } from './addresses.ts'
import type { Task, TaskAnswer } from './perform.ts'
import { normalize } from './text.ts'
import type { ChangelogFile } from './titles.ts'

export { hasText } from './text.ts'

/** Matches every text that may change: a false match costs time, a missed one leaves an address in. */
const MAY_CHANGE = {
  keep: /<!--/,
  // Every address has a slash, perhaps as `&#47;`, `\/` or `%2F`; a comparison has dots.
  strip: /[</@#&\\%]|GH-\d|[\da-f]{7}|-by:|\]\(|\]:|\.\./i
}

/** Notes, what becomes of links in them, and the repository that they are of. */
export interface Notes {
  readonly source: string
  readonly links: 'keep' | 'strip'
  readonly repository: RepositoryName
}

/** Trims, removes comments, treats links as asked; `removed` has each piece taken out. Throws an `ActionError`. */
export async function writeNotes({ source, links, repository }: Notes, signal: AbortSignal) {
  const text = normalize(source)
  if (!MAY_CHANGE[links].test(text)) return { text, removed: [] }
  return doTask({ kind: 'write', text, links, repository }, signal)
}

/** The HTML of Markdown, without anything that can run. Throws an `ActionError`. */
export async function renderMarkdown(markdown: string, signal: AbortSignal): Promise<string> {
  const { text } = await doTask({ kind: 'render', text: markdown }, signal)
  return text.trim()
}

/** The section of a version in a changelog file. Throws an `ActionError` if none is certainly its own. */
export async function takeSection(file: ChangelogFile, signal: AbortSignal): Promise<string> {
  return (await doTask({ kind: 'section', ...file }, signal)).text
}

/** Throws an `ActionError` if a file of one version has a heading of another. */
export async function checkWhole(file: ChangelogFile, signal: AbortSignal): Promise<void> {
  await doTask({ kind: 'whole', ...file }, signal)
}

/** In UTF-16 units. Whatever is in a text of this length, it takes seconds at most. */
const SHORT = 5_000
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
