// The adapter of @actions/core and `process`: inputs, log, outputs, summary, signals, and the exit.
import { appendFile, readFile } from 'node:fs/promises'
import * as core from '@actions/core'
import { harmless, oneLine, quoteLines } from './printing.ts'
import { openSecrets, proxySecrets } from './secrets.ts'
import { ANNOTATION_MAX_CHARACTERS, messageOf, shortened } from './words.ts'

/** How a step prints. Everything passes through here: credentials and runner commands are taken out. */
export interface Log {
  info(text: string): void
  /** Prints a text of many lines, each with a margin. */
  block(text: string): void
  /** Shows only in a run with debug logging. */
  debug(text: string): void
  /** The three annotations: they also show on the page of the run, under their title. */
  notice(text: string, title?: string): void
  warning(text: string, title?: string): void
  error(text: string, title?: string): void
  /** Prints what the body prints under a heading that folds. */
  group<T>(name: string, body: () => Promise<T>): Promise<T>
}

/** The runner as a step sees it; nothing else of the process is used. */
export interface Runner extends Log {
  readonly context: RunContext
  /** Aborted by the first SIGINT or SIGTERM, or by an uncaught error, which is then its reason. */
  readonly cancelled: AbortSignal
  /** An input, trimmed; empty if it is not given. */
  input(name: string): string
  /** The event's payload, or `{}` when no file is named. Throws when the file cannot be read. */
  payload(): Promise<unknown>
  /** Hides a credential from here on. */
  mask(secret: string): void
  /** The text with `***` for each credential. The log, outputs, and summary do this by themselves. */
  conceal(text: string): string
  output(name: string, value: string): void
  /** Writes the job summary, in Markdown. Never rejects. */
  summary(text: string): Promise<void>
  /** Fails the step, which goes on. */
  fail(): void
}

function openRunner(cancelled: AbortSignal): Runner {
  const { env } = process
  const { add, conceal } = openSecrets()
  const mask = (secret: string): void => {
    if (secret === '') return
    core.setSecret(secret)
    add(secret)
  }
  proxySecrets(env).forEach(mask)

  const log = openLog(conceal)
  return {
    ...log,
    context: contextOf(env, process.cwd()),
    cancelled,
    input: name => core.getInput(name),
    payload: () => readPayload(env.GITHUB_EVENT_PATH ?? ''),
    mask,
    conceal,
    output: (name, value) => core.setOutput(name, conceal(value)),
    summary: text => writeSummary(env.GITHUB_STEP_SUMMARY ?? '', conceal(text), log),
    fail
  }
}

function fail(): void {
  process.exitCode = core.ExitCode.Failure
}

/** This run, by the runner's variables; what is absent and has no usual value is empty. */
export interface RunContext {
  readonly eventName: string
  readonly ref: string
  /** Such as `octo-org/plugin`. */
  readonly repository: string
  readonly apiUrl: string
  readonly serverUrl: string
  readonly runId: string
  /** From 1. */
  readonly runAttempt: number
  /** The workflow's name, or the path of its file. */
  readonly workflow: string
  readonly job: string
  readonly sha: string
  readonly workspace: string
  readonly temp: string
  /** The names of all `INPUT_…` variables, without that: those of declared inputs in upper case, and others. */
  readonly inputNames: readonly string[]
  /** This action's repository; empty for a local action. */
  readonly actionRepository: string
  /** The ref after the `@` in `uses`; empty for a local action. */
  readonly actionRef: string
}

/** Whether the run is for a pull request: for one of its own, or in a merge queue, where several are tried together. */
export function isPullRequest({ eventName }: Pick<RunContext, 'eventName'>): boolean {
  return eventName.startsWith('pull_request') || eventName === 'merge_group'
}

/** Reads the context; `folder` is the workspace if the runner names none. */
export function contextOf(env: NodeJS.ProcessEnv, folder: string): RunContext {
  const value = (name: string, fallback = '') => env[name] || fallback
  return {
    eventName: value('GITHUB_EVENT_NAME'),
    ref: value('GITHUB_REF'),
    repository: value('GITHUB_REPOSITORY'),
    apiUrl: value('GITHUB_API_URL', 'https://api.github.com'),
    serverUrl: value('GITHUB_SERVER_URL', 'https://github.com'),
    runId: value('GITHUB_RUN_ID'),
    runAttempt: Number(value('GITHUB_RUN_ATTEMPT')) || 1,
    workflow: value('GITHUB_WORKFLOW'),
    job: value('GITHUB_JOB'),
    sha: value('GITHUB_SHA'),
    workspace: value('GITHUB_WORKSPACE', folder),
    temp: value('RUNNER_TEMP'),
    inputNames: inputNamesIn(env),
    actionRepository: value('GITHUB_ACTION_REPOSITORY'),
    actionRef: value('GITHUB_ACTION_REF')
  }
}

function inputNamesIn(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).flatMap(name => /^INPUT_(.+)/.exec(name)?.[1] ?? [])
}

async function readPayload(path: string): Promise<unknown> {
  if (path === '') return {}
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    throw new Error(`The event file "${path}" cannot be read: ${messageOf(cause)}`, { cause })
  }
}

/** The runner drops a whole summary that is over 1 MiB. */
const SUMMARY_MAX_BYTES = 1_000_000

/** A summary that cannot be written is only a warning: it changes nothing about what was published. */
async function writeSummary(path: string, markdown: string, log: Log): Promise<void> {
  if (path === '') return

  const bytes = Buffer.from(markdown)
  const start = bytes.toString('utf8', 0, bytes.lastIndexOf('\n', SUMMARY_MAX_BYTES) + 1)
  const text = bytes.length > SUMMARY_MAX_BYTES ? `${start}\n… (cut short)\n` : markdown
  await appendFile(path, text).catch(error => {
    log.warning(`The summary cannot be written: ${messageOf(error)}`)
  })
}

/**
 * Runs an action, then ends the process, even if timers or sockets are left. What the action throws fails the
 * step. So does an uncaught error, which also cancels the action and leaves it `limit` milliseconds to end.
 */
export async function runAction(action: (runner: Runner) => Promise<void>, limit = 7000) {
  const cancelling = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => cancelling.abort())
  }
  const runner = openRunner(cancelling.signal)

  const report = (error: unknown) => {
    runner.error(`This should not have happened: ${messageOf(error)}`)
    runner.debug(error instanceof Error ? (error.stack ?? '') : '')
    fail()
  }

  const onUncaught = (error: unknown) => {
    // Once the action is canceled, further uncaught errors are likely consequences, and are not reported.
    if (cancelling.signal.aborted) return fail()

    report(error)
    setTimeout(leave, limit)
    cancelling.abort(error)
  }

  process.on('uncaughtException', onUncaught)
  process.on('unhandledRejection', onUncaught)
  // Node exits with 0, and silently, when all that is left is a promise that never settles.
  process.once('beforeExit', () => onUncaught(new Error('there was nothing left to wait for')))

  await action(runner).catch(report)
  await leave()
}

/** The longest wait, in milliseconds, for a reader of the output that has stopped reading. */
const LEAVE_MAX_MS = 2000

/** Ends the process once its output is written. A pipe holds 64 KiB; `exit` alone would lose the rest. */
async function leave(): Promise<void> {
  const { stdout, stderr, exit } = process
  setTimeout(exit, LEAVE_MAX_MS)
  await Promise.all([stdout, stderr].map(it => new Promise(resolve => it.write('', resolve))))
  exit()
}

const ANNOTATE = {
  notice: core.notice,
  warning: core.warning,
  error: core.error
}

function openLog(conceal: (text: string) => string): Log {
  const annotate = (kind: keyof typeof ANNOTATE) => (text: string, title?: string) => {
    const message = harmless(conceal(text))
    if (message.length > ANNOTATION_MAX_CHARACTERS) core.info(`${kind}: ${message}`)
    const named = title === undefined ? {} : { title: oneLine(conceal(title)) }
    ANNOTATE[kind](shortened(message), named)
  }

  return {
    info: text => core.info(harmless(conceal(text))),
    block: text => core.info(quoteLines(conceal(text))),
    debug: text => core.debug(harmless(conceal(text))),
    notice: annotate('notice'),
    warning: annotate('warning'),
    error: annotate('error'),
    group: (name, body) => core.group(oneLine(conceal(name)), body)
  }
}
