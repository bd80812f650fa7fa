// Owns a step on this machine: starts an action as GitHub's runner does, and reads what it left.
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Manifest, ROOT, readManifest } from '../../scripts/manifest.ts'
import { type ChildEnd, type Interruption, runChild } from './child.ts'
import { findCredential } from './credentials.ts'
import { openStep, parsePairs, type StepOptions, type StepTexts } from './environment.ts'
import { type Log, parseLog } from './log.ts'

export interface RunOptions
  extends Partial<Pick<StepOptions, 'inputs' | 'event' | 'env' | 'debug' | 'githubToken'>> {
  /** Path of an action.yml; the one at the root without it. */
  readonly action?: string
  /** Runs the post step instead of the main step, with the state that the main step left. */
  readonly post?: Readonly<Record<string, string>>
  /** A folder of its own without it, removed at the end. */
  readonly workspace?: string
  /** RUNNER_TEMP; a folder of its own without it, removed at the end. */
  readonly temp?: string
  /** What the runner hides from the start, beside GitHub's token. */
  readonly secrets?: readonly string[]
  /** What must appear nowhere: the run throws if it does. */
  readonly credentials?: readonly string[]
  readonly signal?: Interruption
  readonly nodeArguments?: readonly string[]
}

/** What a run did. */
export interface Run extends Log, ChildEnd {
  readonly outputs: Readonly<Record<string, string>>
  /** Outputs that a job would drop, since they hold something hidden. */
  readonly maskedOutputs: readonly string[]
  readonly undeclaredOutputs: readonly string[]
  readonly missingOutputs: readonly string[]
  readonly unexpectedInputs: readonly string[]
  readonly state: Readonly<Record<string, string>>
  /** As shown, with everything hidden that must be. */
  readonly summary: string
  /** What the runner would not take, and what no action of ours has a reason to do. */
  readonly faults: readonly string[]
  readonly raw: StepTexts
  readonly conclusion: 'success' | 'failure'
}

/** The largest summary that the runner takes, in bytes. */
export const MAX_SUMMARY_BYTES = 1_048_576
/** The most that all outputs of a job may hold, counted in UTF-16. */
export const MAX_OUTPUT_BYTES = 1_048_576

const GUARD = pathToFileURL(path.join(import.meta.dirname, 'loopback-only.js'))
// Hundreds of processes compile the same bundle.
const NODE_COMPILE_CACHE = path.join(ROOT, 'node_modules', '.cache', 'compile')

/** Runs an action to its end. */
export async function runAction(options: RunOptions = {}): Promise<Run> {
  const { action = path.join(ROOT, 'action.yml'), post, secrets = [], credentials = [] } = options
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'step-')))
  const { workspace = path.join(root, 'work'), temp = path.join(root, 'temp') } = options
  const marker = path.join(root, 'network')
  await mkdir(workspace, { recursive: true })
  const manifest = readManifest(path.resolve(action))
  const step = await openStep({ ...options, manifest, workspace, temp })
  try {
    const { NODE_OPTIONS = '' } = options.env ?? {}
    const state = Object.entries(post ?? {}).map(([name, value]) => [`STATE_${name}`, value])
    const script = post === undefined ? manifest.main : manifest.post
    const end = await runChild({
      args: [...(options.nodeArguments ?? []), script ?? ''],
      cwd: workspace,
      env: {
        ...{ ...step.env, ...Object.fromEntries(state), NODE_COMPILE_CACHE },
        NODE_OPTIONS: `--import=${GUARD}?marker=${encodeURIComponent(marker)} ${NODE_OPTIONS}`
      },
      interruption: options.signal
    })
    const left = await readFile(marker, 'utf8').catch(() => '')
    if (left !== '') throw new Error(left)
    const raw = await step.read()
    checkCredentials({ ...end, raw }, credentials)
    const printed = [end.stdout, end.stderr].filter(text => text !== '').join('\n')
    const { githubToken = '', debug } = options
    const log = parseLog(printed, { debug, secrets: [...secrets, githubToken] })
    return { ...log, ...conclude(manifest, end, log, raw), unexpectedInputs: step.unexpectedInputs }
  } finally {
    await step.remove()
    await rm(root, { recursive: true, force: true })
  }
}

/** Judges what a step printed and wrote. */
function conclude(manifest: Manifest, end: ChildEnd, log: Log, raw: StepTexts) {
  const outputs = parsePairs(raw.output)
  const names = Object.keys(outputs)
  const faults = [
    ...log.unexpected.map(line => `Unexpected command: ${line}`),
    ...(measureOutputs(outputs) > MAX_OUTPUT_BYTES ? ['The outputs hold more than 1 MB.'] : []),
    ...(Buffer.byteLength(raw.summary) > MAX_SUMMARY_BYTES ? ['The summary is too large.'] : []),
    ...(raw.env + raw.path === '' ? [] : ['Later steps would get other variables.'])
  ]
  return {
    ...end,
    outputs,
    maskedOutputs: names.filter(name => log.mask(outputs[name] ?? '') !== outputs[name]),
    undeclaredOutputs: names.filter(name => !manifest.outputs.has(name)),
    missingOutputs: [...manifest.outputs.keys()].filter(name => !names.includes(name)),
    state: parsePairs(raw.state),
    summary: log.mask(raw.summary),
    faults,
    raw,
    conclusion: end.exitCode === 0 && faults.length === 0 ? 'success' : 'failure'
  } as const
}

/** The size that counts against the limit of a job's outputs. */
export function measureOutputs(outputs: Readonly<Record<string, string>>): number {
  return Object.values(outputs).reduce((bytes, value) => bytes + 2 * value.length, 0)
}

function checkCredentials(
  run: Parameters<typeof findCredential>[0],
  credentials: readonly string[]
): void {
  const leak = findCredential(run, credentials)
  if (leak === undefined) return
  throw new Error(`Credential ${leak.credential} stands in ${leak.place}, after: ${leak.before}`)
}
