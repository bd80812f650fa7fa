// Owns one child process: its streams, its end, and the signals sent to it on the way.
import { spawn } from 'node:child_process'
import { execPath, env as own } from 'node:process'
import { text } from 'node:stream/consumers'

/** When to interrupt the step, and how; `cancel` is what the runner does on a cancelled run. */
export interface Interruption {
  /** Asked every few milliseconds, with everything printed so far to standard output. */
  readonly after: (output: string) => boolean
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'cancel'
}

export interface ChildOptions {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly interruption?: Interruption | undefined
}

/** How the process ended, and all that it printed. */
export interface ChildEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

const TIMEOUT_MS = 60_000
const POLL_MS = 5
/** What follows a SIGINT when a run is cancelled, after so many milliseconds. */
const CANCELLED = [
  ['SIGTERM', 7500],
  ['SIGKILL', 10_000]
] as const

// Runners other than GitHub's start actions with a Node of their own.
const { ACTION_NODE = execPath } = own

/** Runs Node, or the one that `ACTION_NODE` names, to its end; after a minute it is killed. */
export async function runChild({ args, cwd, env, interruption }: ChildOptions): Promise<ChildEnd> {
  const child = spawn(ACTION_NODE, args, {
    ...{ cwd, env, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const timers: NodeJS.Timeout[] = []
  if (interruption !== undefined) {
    const { after, signal } = interruption
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
    })
    const poll = setInterval(() => {
      if (!after(output)) return
      clearInterval(poll)
      child.kill(signal === 'cancel' ? 'SIGINT' : signal)
      if (signal !== 'cancel') return
      for (const [next, ms] of CANCELLED) timers.push(setTimeout(() => child.kill(next), ms))
    }, POLL_MS)
    timers.push(poll)
  }
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  const [exitCode, signal] = await new Promise<readonly [number | null, NodeJS.Signals | null]>(
    (resolve, reject) => {
      child.once('error', reject)
      child.once('close', (...end) => resolve(end))
    }
  ).finally(() => timers.forEach(clearTimeout))
  const [stdout, stderr] = await printed
  return { exitCode, signal, stdout, stderr }
}
