// Runs commands as whole processes, one after another, and makes figures of their times and their memory.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import path from 'node:path'
import { execPath, env as own } from 'node:process'
import { pathToFileURL } from 'node:url'

/** `size` is that of the uploaded file, in bytes; each figure comes of so many `runs`. */
export interface Options {
  readonly size: number
  readonly runs: number
  /** An empty folder, gone at the end. */
  readonly folder: string
}

export interface Figure {
  readonly figure: string
  readonly unit: keyof typeof JUDGES
  /** Every run of each contestant, ours first. */
  readonly all: Readonly<Record<string, readonly number[]>>
  /** The median of what each round came to, and what it is to be at most. */
  readonly result: number
  readonly aim: number
  /** How many processes were running or waiting, on average in the last minute. */
  readonly load: number
}

interface Command {
  readonly program?: string
  readonly args: readonly string[]
  /** All of it, but for PATH; nothing of ours is inherited. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Whether an end other than 0 is taken; else it throws. */
  readonly mayFail?: boolean
}

/** Runs a command, by default Node, and returns the milliseconds of the whole process. */
export async function run({ program = execPath, args, env, cwd = '.', mayFail }: Command) {
  const { PATH = '' } = own
  const startedAt = performance.now()
  // In milliseconds: what takes longer is ended.
  const limits = { timeout: 120_000, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 } as const
  const options = { cwd, env: { PATH, ...env }, ...limits }
  return new Promise<{ readonly ms: number; readonly stdout: string }>((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout) => {
      if (error && !mayFail) reject(new Error(`${error.message}\n${stdout}`))
      else resolve({ ms: performance.now() - startedAt, stdout })
    })
    child.stdin?.end()
  })
}

/** What is added to a Node process so that it writes its peak memory down, and the reading of that in MiB. */
export function openPeak(folder: string) {
  const file = path.join(folder, 'peak')
  return {
    nodeArguments: [`--import=${pathToFileURL(path.join(import.meta.dirname, 'peak.ts'))}`],
    env: { PEAK_FILE: file },
    read: async () => Number(await readFile(file, 'utf8')) / 1024 ** 2
  }
}

/** The middle value, or the higher of the two in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** What a round comes to: a ratio of ours to the other, what ours takes more, or ours alone. */
const JUDGES = {
  times: (ours: number, other: number) => ours / other,
  'ms more': (ours: number, other: number) => ours - other,
  'MiB more': (ours: number, other: number) => ours - other,
  ms: (ours: number) => ours,
  KB: (ours: number) => ours,
  requests: (ours: number) => ours
}

type Labels = Pick<Figure, 'figure' | 'unit' | 'aim'>
export type Contestants = Readonly<Record<string, () => Promise<number>>>

/**
 * The figure of ours and at most one other: once to warm up, then so often in pairs. The two change
 * places from round to round, since whoever comes second finds the machine as the first has left it.
 */
export async function* compare(
  { runs }: Pick<Options, 'runs'>,
  labels: Labels,
  contestants: Contestants
): AsyncGenerator<Figure> {
  const named = Object.entries(contestants)
  const all: Record<string, number[]> = Object.fromEntries(named.map(([name]) => [name, []]))
  for (let round = 0; round <= runs; round++) {
    for (const [name, measure] of round % 2 === 0 ? named : named.toReversed()) {
      const value = rounded(await measure())
      if (round > 0 || runs === 1) all[name]?.push(value)
    }
    if (runs === 1) break
  }
  const [ours = [], others = []] = named.map(([name]) => all[name])
  const results = ours.map((value, round) =>
    JUDGES[labels.unit](value, others[round] ?? Number.NaN)
  )
  yield { ...labels, all, result: rounded(median(results)), load: rounded(loadavg()[0] ?? 0) }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
