// Owns the processes that actions run in: one for each run, or one for many, where a run needs none of its own.
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import path from 'node:path'
import { execPath, env as own } from 'node:process'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/manifest.ts'
import { DEEP } from './deep.ts'

/** When to interrupt the step, and how; `cancel` is what the runner does on a cancelled run. */
export interface Interruption {
  /** Asked every few milliseconds, with everything printed so far to standard output. */
  readonly after: (output: string) => boolean
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'cancel'
}

/** What is started: a script, by Node with these arguments. */
interface Start {
  readonly script: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

interface End {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

// Other runners have a Node of their own.
const { ACTION_NODE, PATH = '', SystemRoot = '' } = own
const GUARD = `--import=${pathToFileURL(path.join(import.meta.dirname, 'loopback-only.js'))}`
// Hundreds of processes compile the same bundle.
const NODE_COMPILE_CACHE = path.join(ROOT, 'node_modules', '.cache', 'compile')
const PACKED = ['publish', 'licenses'].map(name => path.join(ROOT, 'dist', name, 'index.js'))
/** In milliseconds. */
const [LIMIT, IDLE] = [60_000, 2000]

/**
 * Runs a script to its end; after a minute it is killed. The actions of dist/ share a process where nothing is asked
 * of it, since most of a run is the start of one; in the deep suite, and with another Node, each has its own.
 */
export function runNode(start: Start, interruption?: Interruption): Promise<End> {
  const { script, args, env } = start
  const isAsked = args.length > 0 || interruption || Object.keys(env).some(it => /^NODE_/.test(it))
  if (DEEP || ACTION_NODE || isAsked || !PACKED.includes(script))
    return runAlone(start, interruption)
  return runAmongOthers(start)
}

function runAlone({ script, args, cwd, env }: Start, interruption?: Interruption): Promise<End> {
  const { promise, resolve, reject } = Promise.withResolvers<End>()
  let poll: NodeJS.Timeout | undefined
  const { NODE_OPTIONS = '' } = env
  const options = {
    cwd,
    env: { ...env, NODE_COMPILE_CACHE, NODE_OPTIONS: `${GUARD} ${NODE_OPTIONS}` },
    ...({ timeout: LIMIT, killSignal: 'SIGKILL', maxBuffer: 2 ** 30 } as const)
  }
  const program = ACTION_NODE ?? execPath
  const child = execFile(program, [...args, script], options, (error, stdout, stderr) => {
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
  }, 5)
  return promise
}

/** Processes of `host.js` that nothing runs in, each with the timer that ends it. */
const idle = new Map<ChildProcess, NodeJS.Timeout>()

function openHost(): ChildProcess {
  for (const [host, timer] of idle) {
    clearTimeout(timer)
    idle.delete(host)
    if (host.connected) return host
  }
  const host = fork(path.join(import.meta.dirname, 'host.js'), {
    env: { PATH, SystemRoot, NODE_COMPILE_CACHE, NODE_OPTIONS: GUARD },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  // It lives as long as this process at most.
  host.unref()
  host.channel?.unref()
  for (const stream of [host.stdout, host.stderr]) if (stream instanceof Socket) stream.unref()
  return host
}

async function runAmongOthers({ script, cwd, env }: Start): Promise<End> {
  const host = openHost()
  const mark = `end ${randomUUID()}`
  const { promise, resolve } = Promise.withResolvers<Omit<End, 'stdout' | 'stderr'>>()
  const closed = (exitCode: number | null, signal: NodeJS.Signals | null) =>
    resolve({ exitCode, signal })
  let isReusable = false
  host.once('close', closed).once('message', message => {
    const { exitCode, ...rest } = Object(message)
    isReusable = rest.isReusable
    resolve({ exitCode, signal: null })
  })
  const limit = setTimeout(() => host.kill('SIGKILL'), LIMIT)
  const read = [host.stdout, host.stderr].map(stream => readTo(stream, mark))
  host.send({ script, folder: cwd, variables: env, mark })
  const [stdout = '', stderr = ''] = await Promise.all(read)
  const end = await promise
  clearTimeout(limit)
  host.removeAllListeners()
  const leave = () => {
    idle.delete(host)
    if (host.connected) host.disconnect()
  }
  if (isReusable) idle.set(host, setTimeout(leave, IDLE).unref())
  else leave()
  return { ...end, stdout, stderr }
}

/** What comes before the mark, or before the end. */
function readTo(stream: ChildProcess['stdout'], mark: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  stream?.setEncoding('utf8')
  const take = (chunk: string) => {
    text += chunk
    if (text.endsWith(mark)) finish()
  }
  const finish = () => {
    stream?.off('data', take).off('close', finish)
    resolve(text.endsWith(mark) ? text.slice(0, -mark.length) : text)
  }
  stream?.on('data', take).once('close', finish)
  return promise
}
