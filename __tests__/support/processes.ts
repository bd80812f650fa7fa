// The processes that actions run in: one for each run, or one for many, where a run needs none of its own.
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Socket } from 'node:net'
import path from 'node:path'
import { execPath, env as own } from 'node:process'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/manifest.ts'
import { DEEP } from './deep.ts'
import { IS_PLAY, scriptOf } from './recording.ts'

/** When to interrupt the step, and how; `cancel` does as the runner does when a run is canceled. */
export interface Interruption {
  /** Asked every few milliseconds, with everything printed so far to standard output. */
  readonly after: (output: string) => boolean
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'cancel'
}

/** A script, and how Node is to run it. */
interface Start {
  readonly script: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** How a process ended. */
export interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

// Other runners have a Node of their own.
const { ACTION_NODE, PATH = '', SystemRoot = '' } = own
/** What every process loads before its script. */
const LOADED = ['loopback-only.js', ...(IS_PLAY ? ['short-pauses.js'] : [])]
  .map(name => `--import=${pathToFileURL(path.join(import.meta.dirname, name))}`)
  .join(' ')
// Hundreds of processes compile the same bundle.
const NODE_COMPILE_CACHE = path.join(ROOT, 'node_modules', '.cache', 'compile')
const PACKED = ['publish', 'licenses'].map(scriptOf)
/** How long a script may run, in milliseconds. */
const LIMIT = 60_000
/** How long a shared process waits for the next script, in milliseconds. */
const IDLE = 2000
/** How often an interruption is asked whether it is time, in milliseconds. */
const POLL = 5

/**
 * Runs a script to its end; after a minute it is killed. The actions of dist/ share a process where nothing is asked
 * of it, since most of a run is the start of one; in the deep suite, and with another Node, each has its own.
 */
export function runNode(start: Start, interruption?: Interruption): Promise<ProcessEnd> {
  const { script, args, env } = start
  const hasVariables = Object.keys(env).some(name => name.startsWith('NODE_'))
  const asksSomething = args.length > 0 || interruption !== undefined || hasVariables
  const isAlone = DEEP || ACTION_NODE !== undefined || asksSomething || !PACKED.includes(script)
  return isAlone ? runAlone(start, interruption) : runAmongOthers(start)
}

function runAlone(
  { script, args, cwd, env }: Start,
  interruption?: Interruption
): Promise<ProcessEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<ProcessEnd>()
  let poll: NodeJS.Timeout | undefined
  const { NODE_OPTIONS = '' } = env
  const options = {
    cwd,
    env: {
      ...env,
      NODE_COMPILE_CACHE,
      NODE_OPTIONS: `${LOADED} ${NODE_OPTIONS}`
    },
    timeout: LIMIT,
    killSignal: 'SIGKILL' as const,
    maxBuffer: 2 ** 30
  }
  const program = ACTION_NODE ?? execPath

  const child = execFile(program, [...args, script], options, (error, stdout, stderr) => {
    clearInterval(poll)
    if (child.pid === undefined) return reject(error)
    resolve({
      exitCode: child.exitCode,
      signal: child.signalCode,
      stdout,
      stderr
    })
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

    // The runner waits so long, too, before it uses more force.
    setTimeout(() => child.kill('SIGTERM'), 7500).unref()
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
  }, POLL)
  return promise
}

type IdleHosts = Map<ChildProcess, NodeJS.Timeout>

/** Node's own modules are all that the test files of a worker share: the hosts are kept at one of them. */
const shared: typeof Socket & { idleHosts?: IdleHosts } = Socket
shared.idleHosts ??= new Map()
/** Processes of `host.js` that nothing runs in, each with the timer that ends it. */
const idle = shared.idleHosts

/** A process that is idle, or a new one. */
function openHost(): ChildProcess {
  for (const [host, timer] of idle) {
    clearTimeout(timer)
    idle.delete(host)
    if (host.connected) return host
  }

  const host = fork(path.join(import.meta.dirname, 'host.js'), {
    env: {
      PATH,
      SystemRoot,
      NODE_COMPILE_CACHE,
      NODE_OPTIONS: LOADED
    },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })

  // It lives as long as this process at most.
  host.unref()
  host.channel?.unref()
  for (const stream of [host.stdout, host.stderr]) {
    if (stream instanceof Socket) stream.unref()
  }
  return host
}

/** Runs a script in a process that has run others, or will. */
async function runAmongOthers({ script, cwd, env }: Start): Promise<ProcessEnd> {
  const host = openHost()
  const mark = `end ${randomUUID()}`

  const { promise, resolve } = Promise.withResolvers<Omit<ProcessEnd, 'stdout' | 'stderr'>>()
  const closed = (exitCode: number | null, signal: NodeJS.Signals | null) =>
    resolve({ exitCode, signal })
  let isReusable = false
  host.once('close', closed)
  host.once('message', message => {
    const sent = Object(message)
    isReusable = sent.isReusable
    resolve({ exitCode: sent.exitCode, signal: null })
  })

  const limit = setTimeout(() => host.kill('SIGKILL'), LIMIT)
  const read = [host.stdout, host.stderr].map(stream => readTo(stream, mark))
  host.send({
    script,
    folder: cwd,
    variables: env,
    mark
  })
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

/** Reads a stream up to the mark or its end, and resolves with what comes before. */
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
