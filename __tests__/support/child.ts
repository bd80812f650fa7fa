// Owns one child process: its streams, its end, and the signals sent to it on the way.
import { type ChildProcess, spawn } from 'node:child_process'
import { execPath } from 'node:process'
import type { Stream } from './log.ts'

/** When to interrupt the step, and how; `cancel` is what the runner does on a cancelled run. */
export interface Interruption {
  /** Asked after each piece of output, and every 10 ms, with everything printed so far. */
  readonly after: (output: string) => boolean
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'cancel'
}

export interface ChildOptions {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly interruption?: Interruption | undefined
  readonly onChunk: (stream: Stream, chunk: Buffer) => void
}

export interface ChildEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly timedOut: boolean
  readonly durationMs: number
}

const TERMINATE_AFTER_MS = 7500
const KILL_AFTER_MS = 10_000
const POLL_MS = 10

/** Runs Node to its end; the streams are read out before this returns. */
export function runChild(options: ChildOptions): Promise<ChildEnd> {
  const startedAt = performance.now()
  const child = spawn(execPath, options.args, {
    cwd: options.cwd,
    env: options.env,
    stdio: ['pipe', 'pipe', 'pipe']
  })
  child.stdin.on('error', () => {})
  child.stdin.end()

  const interrupter = createInterrupter(child, options.interruption)
  let output = ''
  const listen = (stream: Stream) => (chunk: Buffer) => {
    options.onChunk(stream, chunk)
    if (options.interruption !== undefined) output += chunk.toString('utf8')
    interrupter.look(output)
  }
  child.stdout.on('data', listen('stdout'))
  child.stderr.on('data', listen('stderr'))
  const poll = setInterval(() => interrupter.look(output), POLL_MS)

  let timedOut = false
  const timeout = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
    // A grandchild may hold the pipes open; nobody waits for it.
    child.stdout.destroy()
    child.stderr.destroy()
  }, options.timeoutMs)

  return new Promise<ChildEnd>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => {
      resolve({ exitCode, signal, timedOut, durationMs: performance.now() - startedAt })
    })
  }).finally(() => {
    clearInterval(poll)
    clearTimeout(timeout)
    interrupter.stop()
  })
}

function createInterrupter(child: ChildProcess, interruption: Interruption | undefined) {
  let waiting = interruption
  const timers: NodeJS.Timeout[] = []
  const sendLater = (signal: NodeJS.Signals, ms: number) => {
    timers.push(setTimeout(() => child.kill(signal), ms))
  }
  return {
    look: (output: string) => {
      if (waiting === undefined || !waiting.after(output)) return
      const { signal } = waiting
      waiting = undefined
      child.kill(signal === 'cancel' ? 'SIGINT' : signal)
      if (signal === 'cancel') {
        sendLater('SIGTERM', TERMINATE_AFTER_MS)
        sendLater('SIGKILL', KILL_AFTER_MS)
      }
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }
}
