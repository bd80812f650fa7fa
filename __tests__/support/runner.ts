// Owns a step on this machine: starts an action as GitHub's runner does, and reads what it left.
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, readManifest } from '../../scripts/manifest.ts'
import { type Interruption, runChild } from './child.ts'
import { findCredential } from './credentials.ts'
import { createStepFiles, type EventOption, openStep, type StepFiles } from './environment.ts'
import { resolveInputs } from './inputs.ts'
import { createLineSplitter } from './lines.ts'
import { createLogReader, type LogReader, type Stream } from './log.ts'
import { concludeRun, type Printed, type Run } from './outcome.ts'

export { findCredential } from './credentials.ts'
export { parseLog } from './log.ts'
export type { Run } from './outcome.ts'

export interface RunOptions {
  /** Path of an action.yml; the one at the root without it. */
  readonly action?: string
  readonly inputs?: Readonly<Record<string, string>>
  /** Runs the post step instead of the main step, with the state that the main step left. */
  readonly post?: Readonly<Record<string, string>>
  /** `workflow_dispatch` without it. */
  readonly event?: EventOption
  /** Set last, over everything the runner sets. */
  readonly env?: Readonly<Record<string, string>>
  /** A folder of its own without it, removed at the end. */
  readonly workspace?: string
  /** RUNNER_TEMP; a folder of its own without it, removed at the end. */
  readonly temp?: string
  readonly debug?: boolean
  /** What `${{ github.token }}` gives; masked from the start. */
  readonly githubToken?: string
  /** What the runner masks from the start. */
  readonly secrets?: readonly string[]
  /** What must appear nowhere: the run throws if it does. */
  readonly credentials?: readonly string[]
  readonly signal?: Interruption
  /** The process is killed then; a minute without it. */
  readonly timeoutMs?: number
  readonly nodeArguments?: readonly string[]
}

const GUARD = pathToFileURL(path.join(import.meta.dirname, 'loopback-only.js'))
// Hundreds of processes compile the same bundle.
const NODE_COMPILE_CACHE = path.join(ROOT, 'node_modules', '.cache', 'compile')
const DEFAULT_TIMEOUT_MS = 60_000
// Linux: MAX_ARG_STRLEN, less the closing NUL.
const MAX_VARIABLE_BYTES = 131_071

/** Runs an action to its end. */
export async function runAction(options: RunOptions): Promise<Run> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'step-')))
  const temp = options.temp ?? path.join(root, 'temp')
  let files: StepFiles | undefined
  try {
    files = await createStepFiles(temp, options.event)
    const run = await runStep(options, root, temp, files)
    await checkNetwork(path.join(root, 'network'))
    checkCredentials(run, options.credentials ?? [])
    return run
  } finally {
    await files?.remove()
    await rm(root, { recursive: true, force: true })
  }
}

async function runStep(
  options: RunOptions,
  root: string,
  temp: string,
  files: StepFiles
): Promise<Run> {
  const manifest = readManifest(path.resolve(options.action ?? path.join(ROOT, 'action.yml')))
  const workspace = options.workspace ?? path.join(root, 'work')
  const home = path.join(root, 'home')
  for (const folder of [workspace, home]) await mkdir(folder, { recursive: true })
  const step = openStep({ ...options, workspace, temp, home, files })
  const github = new Map(step.github)
  if (options.githubToken !== undefined) github.set('token', options.githubToken)
  const inputs = resolveInputs(manifest, options.inputs ?? {}, github)

  const reader = createLogReader({
    debug: options.debug ?? false,
    secrets: [...(options.secrets ?? []), ...(options.githubToken ? [options.githubToken] : [])]
  })
  if (inputs.unexpected.length > 0) {
    const message = `Unexpected input(s) '${inputs.unexpected.join("', '")}'`
    reader.page.annotate({ kind: 'warning', message })
  }
  const { NODE_OPTIONS: ownOptions = '', ...ownEnv } = options.env ?? {}
  const state = Object.entries(options.post ?? {}).map(([name, value]) => [`STATE_${name}`, value])
  const env = { ...inputs.env, ...step.env, ...Object.fromEntries(state), ...ownEnv }
  const script = options.post === undefined ? manifest.main : manifest.post
  if (script === undefined) throw new Error(`${manifest.file} has no post step`)
  const printed = await execute(options, script, workspace, reader, {
    ...env,
    NODE_COMPILE_CACHE,
    NODE_OPTIONS: `--import=${guardUrl(path.join(root, 'network'))} ${ownOptions}`.trim()
  })
  return concludeRun(manifest, reader, printed, await files.read(), inputs.unexpected)
}

async function execute(
  options: RunOptions,
  script: string,
  workspace: string,
  reader: LogReader,
  env: Readonly<Record<string, string>>
): Promise<Printed> {
  const chunks: Record<Stream, Buffer[]> = { stdout: [], stderr: [] }
  const splitters = {
    stdout: createLineSplitter(line => reader.read(line, 'stdout')),
    stderr: createLineSplitter(line => reader.read(line, 'stderr'))
  }
  const tooLong = Object.entries(env).find(
    ([name, value]) => Buffer.byteLength(`${name}=${value}`) > MAX_VARIABLE_BYTES
  )
  if (tooLong !== undefined) {
    reader.page.fault(`Cannot start the process: ${tooLong[0]}: Argument list too long`)
    return { exitCode: null, signal: null, timedOut: false, durationMs: 0, stdout: '', stderr: '' }
  }
  const end = await runChild({
    args: [...(options.nodeArguments ?? []), script],
    cwd: workspace,
    env,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    interruption: options.signal,
    onChunk: (stream, chunk) => {
      chunks[stream].push(chunk)
      splitters[stream].write(chunk)
    }
  })
  splitters.stdout.end()
  splitters.stderr.end()
  return {
    ...end,
    stdout: Buffer.concat(chunks.stdout).toString('utf8'),
    stderr: Buffer.concat(chunks.stderr).toString('utf8')
  }
}

function guardUrl(marker: string): string {
  const url = new URL(GUARD)
  url.searchParams.set('marker', marker)
  return url.href
}

async function checkNetwork(marker: string) {
  const attempts = await readFile(marker, 'utf8').catch(() => '')
  if (attempts !== '') throw new Error(attempts.trimEnd())
}

function checkCredentials(run: Run, credentials: readonly string[]) {
  const leak = findCredential(run, credentials)
  if (leak === undefined) return
  const { credential, form, place, before } = leak
  throw new Error(`Credential ${credential} stands in ${place} (${form}), after: ${before}`)
}
