// Owns a step on this machine: starts an action as GitHub's runner does, and reads what it left.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execPath, env as own } from 'node:process'
import { pathToFileURL } from 'node:url'
import { ROOT, readManifest } from '../../scripts/manifest.ts'
import { openStep, parsePairs, type StepOptions, type StepTexts } from './environment.ts'
import { faultsOf, findCredential, type Log, parseLog } from './log.ts'

/** When to interrupt the step, and how; `cancel` is what the runner does on a cancelled run. */
export interface Interruption {
  /** Asked every few milliseconds, with everything printed so far to standard output. */
  readonly after: (output: string) => boolean
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'cancel'
}

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

/** How the process ended, and all that it printed. */
interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** What a run did. */
export interface Run extends Log, ProcessEnd {
  readonly outputs: Readonly<Record<string, string>>
  /** Outputs that a job would drop, since they hold something hidden. */
  readonly maskedOutputs: readonly string[]
  readonly missingOutputs: readonly string[]
  readonly state: Readonly<Record<string, string>>
  /** As shown, with everything hidden that must be. */
  readonly summary: string
  readonly raw: StepTexts
}

const TIMEOUT_MS = 60_000
const POLL_MS = 5
const GUARD = pathToFileURL(path.join(import.meta.dirname, 'loopback-only.js'))
// Hundreds of processes compile the same bundle.
const NODE_COMPILE_CACHE = path.join(ROOT, 'node_modules', '.cache', 'compile')
// Runners other than GitHub's start actions with a Node of their own.
const { ACTION_NODE = execPath } = own

/**
 * Runs an action to its end. Throws when it would leave the machine, shows a credential, or does what no
 * action of ours has a reason to do.
 */
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
    const script = post === undefined ? manifest.main : (manifest.post ?? '')
    const env = {
      ...{ ...step.env, ...Object.fromEntries(state), NODE_COMPILE_CACHE },
      NODE_OPTIONS: `--import=${GUARD}?marker=${encodeURIComponent(marker)} ${NODE_OPTIONS}`
    }
    const args = [...(options.nodeArguments ?? []), script]
    const end = await runNode(args, workspace, env, options.signal)
    const raw = await step.read()
    const { stdout, stderr } = end
    const printed = [stdout, stderr].filter(Boolean).join('\n')
    const log = parseLog(printed, [...secrets, options.githubToken ?? ''])
    const outputs = parsePairs(raw.output)
    const names = Object.keys(outputs)
    const undeclared = names.filter(name => !manifest.outputs.has(name))
    const faults = [
      await readFile(marker, 'utf8').catch(() => ''),
      findCredential({ stdout, stderr, ...raw }, credentials),
      ...faultsOf(log.commands, outputs, raw.summary),
      ...undeclared.map(name => `The output ${name} is not declared.`),
      raw.env + raw.path === '' ? '' : 'Later steps would get other variables.'
    ].filter(Boolean)
    if (faults.length > 0) throw new Error(`${faults.join('\n')}\n\n${log.log}`)
    return {
      ...{ ...log, ...end, raw, outputs, state: parsePairs(raw.state) },
      maskedOutputs: names.filter(name => log.mask(outputs[name] ?? '') !== outputs[name]),
      missingOutputs: [...manifest.outputs.keys()].filter(name => !names.includes(name)),
      summary: log.mask(raw.summary)
    }
  } finally {
    await step.remove()
    await rm(root, { recursive: true, force: true })
  }
}

/** Runs Node, or the one that `ACTION_NODE` names, to its end; after a minute it is killed. */
function runNode(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  interruption?: Interruption
): Promise<ProcessEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd>()
  let poll: NodeJS.Timeout | undefined
  const limits = { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: 2 ** 30 } as const
  const child = execFile(ACTION_NODE, args, { cwd, env, ...limits }, (error, stdout, stderr) => {
    clearInterval(poll)
    const { exitCode, signalCode: signal } = child
    if (child.pid === undefined) reject(error)
    else resolve({ exitCode, signal, stdout, stderr })
  })
  child.stdin?.end()
  if (interruption === undefined) return promise
  const { after, signal } = interruption
  let output = ''
  child.stdout?.on('data', chunk => {
    output += chunk
  })
  poll = setInterval(() => {
    if (!after(output)) return
    clearInterval(poll)
    child.kill(signal === 'cancel' ? 'SIGINT' : signal)
    if (signal !== 'cancel') return
    setTimeout(() => child.kill('SIGTERM'), 7500).unref()
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
  }, POLL_MS)
  return promise
}
