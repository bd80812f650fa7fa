// The door to the runner: inputs, environment, log, annotations, outputs, summary, signals and the exit.
import { readFile } from 'node:fs/promises'
import * as core from '@actions/core'
import { harmless, oneLine, quoted } from './text.ts'

/** What the runner says about this run. Absent values are empty. */
export interface RunContext {
  readonly eventName: string
  readonly ref: string
  /** Such as `octocat/hello`. */
  readonly repository: string
  readonly apiUrl: string
  readonly serverUrl: string
  readonly runId: string
  readonly runAttempt: number
  readonly job: string
  readonly sha: string
  readonly workspace: string
  readonly temp: string
}

/** What a step prints. All of it passes here; other people's text comes out harmless. */
export interface Log {
  info(text: string): void
  /** A text of somebody else's, in a block of its own. */
  block(text: string): void
  debug(text: string): void
  notice(text: string, title?: string): void
  warning(text: string, title?: string): void
  error(text: string, title?: string): void
  group<T>(name: string, body: () => Promise<T>): Promise<T>
}

export interface Runner extends Log {
  readonly context: RunContext
  /** Fires on the first SIGINT or SIGTERM. */
  readonly cancelled: AbortSignal
  input(name: string): string
  /** The event's payload; throws when the file cannot be read. */
  payload(): Promise<unknown>
  mask(secret: string): void
  output(name: string, value: string): void
  summary(markdown: string): Promise<void>
  /** Marks the step as failed. */
  fail(): void
}

const ANNOTATION_LIMIT = 4000
const ANNOTATIONS = 10
const ANNOTATE = { notice: core.notice, warning: core.warning, error: core.error }

/** Opens the door: reads the environment, and takes over the signals. */
export function openRunner(): Runner {
  const { env } = process
  const cancelling = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => cancelling.abort())
  }
  maskProxies(env)
  return {
    ...openLog(),
    context: contextOf(env),
    cancelled: cancelling.signal,
    input: name => core.getInput(name),
    payload: async () => {
      const path = env.GITHUB_EVENT_PATH
      return path ? JSON.parse(await readFile(path, 'utf8')) : {}
    },
    mask,
    output: (name, value) => core.setOutput(name, value),
    summary: async markdown => {
      if (env.GITHUB_STEP_SUMMARY) await core.summary.addRaw(markdown).write()
    },
    fail: () => {
      process.exitCode = core.ExitCode.Failure
    }
  }
}

/**
 * Runs an action to its end, and ends the process then, whatever timer or socket may be left. What is
 * thrown fails the step.
 */
export async function runAction(runner: Runner, action: () => Promise<void>): Promise<never> {
  const broken = (error: unknown) => {
    runner.error(`This should not have happened: ${describe(error)}`)
    runner.debug(error instanceof Error ? (error.stack ?? '') : '')
    process.exit(core.ExitCode.Failure)
  }
  process.on('uncaughtException', broken)
  process.on('unhandledRejection', broken)
  await action().catch(broken)
  process.exit()
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function openLog(): Log {
  const counts = new Map<string, number>()
  const annotate = (kind: 'notice' | 'warning' | 'error') => (text: string, title?: string) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const message = harmless(text)
    if (count > ANNOTATIONS) {
      core.info(`${kind}: ${message}`)
      return
    }
    const short =
      message.length > ANNOTATION_LIMIT
        ? `${message.slice(0, ANNOTATION_LIMIT)}… (cut short)`
        : message
    ANNOTATE[kind](short, title === undefined ? {} : { title: oneLine(title) })
  }
  return {
    info: text => core.info(harmless(text)),
    block: text => core.info(quoted(text)),
    debug: text => core.debug(harmless(text)),
    notice: annotate('notice'),
    warning: annotate('warning'),
    error: annotate('error'),
    group: (name, body) => core.group(oneLine(name), body)
  }
}

function mask(secret: string): void {
  if (secret !== '') core.setSecret(secret)
}

/** A proxy's password stands in its address; error messages may quote it, in either form. */
function maskProxies(env: NodeJS.ProcessEnv): void {
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
    const value = env[name] ?? ''
    if (!URL.canParse(value)) continue
    const { username, password } = new URL(value)
    if (password === '') continue
    mask(password)
    mask(safeDecode(password))
    const pair = `${safeDecode(username)}:${safeDecode(password)}`
    mask(Buffer.from(pair).toString('base64'))
  }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function contextOf(env: NodeJS.ProcessEnv): RunContext {
  const value = (name: string, fallback = '') => env[name] || fallback
  return {
    eventName: value('GITHUB_EVENT_NAME'),
    ref: value('GITHUB_REF'),
    repository: value('GITHUB_REPOSITORY'),
    apiUrl: value('GITHUB_API_URL', 'https://api.github.com'),
    serverUrl: value('GITHUB_SERVER_URL', 'https://github.com'),
    runId: value('GITHUB_RUN_ID'),
    runAttempt: Number(value('GITHUB_RUN_ATTEMPT', '1')),
    job: value('GITHUB_JOB'),
    sha: value('GITHUB_SHA'),
    workspace: value('GITHUB_WORKSPACE', process.cwd()),
    temp: value('RUNNER_TEMP')
  }
}
