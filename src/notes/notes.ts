// Turns release notes and changelog files into the text that buyers read: in a worker, since only a worker can be ended
// where a text takes too much time or memory. Parsers load only there.
import { Worker } from 'node:worker_threads'
import { ActionError } from '../runner/action-error.ts'
import { CancelledError, uncaughtErrorOf } from '../runner/cancellation.ts'
import type { RepositoryName } from './addresses.ts'
import type { Task, TaskAnswer, Written } from './perform.ts'
import { mayBeEscaped, mayPoint, normalize } from './text.ts'
import type { ChangelogFile } from './titles.ts'

export { hasText, namesOfNoNews } from './text.ts'

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

/** Trims, removes comments, treats links as asked. Throws an `ActionError`. */
export async function writeNotes(
  { source, links, repository }: Notes,
  signal: AbortSignal
): Promise<Written> {
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

/** In bytes; the history of a product of twenty years has a tenth of it. */
export const LARGEST_TEXT = 4_000_000

/** The line on which some step escaped the line breaks; empty if there is none. Throws an `ActionError`. */
export async function findEscaped(source: string, signal: AbortSignal): Promise<string> {
  const text = normalize(source)
  return mayBeEscaped(text) ? (await doTask({ kind: 'escaped', text }, signal)).text : ''
}

/** The only line, if it only points to something of the repository; else empty. Throws an `ActionError`. */
export async function findPointing(
  source: string,
  repository: RepositoryName,
  signal: AbortSignal
): Promise<string> {
  const text = normalize(source)
  return mayPoint(text) ? (await doTask({ kind: 'pointer', text, repository }, signal)).text : ''
}

/** In milliseconds; real texts, however long, take two seconds. */
const DEADLINE = 15_000
/** What the worker has, in MB: its heap, and a stack as small as the main thread's, so that deep texts end soon. */
const LIMITS = {
  maxOldGenerationSizeMb: 448,
  maxYoungGenerationSizeMb: 24,
  stackSizeMb: 1
}

const TOO_LONG =
  'It takes too long to read the changelog: it has too many marks such as *, _, ~, [, > or | in one place.'
const TOO_LARGE = 'The changelog is too large to be read.'
const SHORTER = 'Make it shorter.'
const TOO_DEEP = 'Quotes or lists in the changelog are nested too deeply.'
const SIMPLER = 'Write it more simply.'

/** Does a task. Throws an `ActionError`, also when it takes too much time or memory, and a `CancelledError`. */
export async function doTask(
  task: Task,
  signal: AbortSignal,
  deadline = DEADLINE
): Promise<Written> {
  const isTooLarge = task.text.length > LARGEST_TEXT
  const answer = isTooLarge
    ? { refusal: TOO_LARGE, advice: SHORTER }
    : await askWorker(task, signal, deadline)
  if ('text' in answer) return answer
  throw new ActionError('no-changelog', answer.refusal, { advice: answer.advice })
}

/** Does a task in this thread, which is a worker's: it calls this by its name. */
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
  // This file when the sources run; the bundle, which exports the same, when that does. The script is a CommonJS one, or
  // a module where Node is started with `--input-type=module`.
  const script = `
    const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
    const answer = import(${JSON.stringify(import.meta.url)}).then(file => file.answerTask(workerData))
    answer.then(it => parentPort.postMessage(it))`
  const worker = new Worker(script, { eval: true, workerData: task, resourceLimits: LIMITS })
  return new Promise<TaskAnswer>((resolve, reject) => {
    const late = () => resolve({ refusal: TOO_LONG, advice: SIMPLER })
    const timer = setTimeout(late, deadline)
    const abort = () => reject(uncaughtErrorOf(signal.reason) ?? new CancelledError())
    signal.addEventListener('abort', abort, { once: true })
    worker.once('message', resolve)
    worker.once('error', error => {
      if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        resolve({ refusal: TOO_LARGE, advice: SHORTER })
      } else reject(error)
    })
    worker.once('exit', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    })
  }).finally(() => worker.terminate())
}
