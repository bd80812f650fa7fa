// Runs commands as whole processes, one after another, and makes figures of their times.
import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { execPath, env as own } from 'node:process'

export interface Options {
  /** The size of the uploaded file, in bytes. */
  readonly size: number
  /** How many pairs of runs make a figure. */
  readonly runs: number
  /** An empty folder, gone at the end. */
  readonly folder: string
}

export interface Figure {
  readonly figure: string
  readonly unit: keyof typeof JUDGES
  /** Every run of each contestant, ours first. */
  readonly all: Readonly<Record<string, readonly number[]>>
  /** The median of the rounds. */
  readonly result: number
  /** The most that the result should be. */
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
  /** Without it, it throws when the command ends with another code than 0. */
  readonly mayFail?: boolean
}

/** How a command ended. */
export interface Measured {
  /** Of the whole process. */
  readonly ms: number
  readonly stdout: string
}

/** In milliseconds: a command that takes longer is ended. */
const LIMIT = 120_000

/** Runs a command, which is Node when left out. Throws when it fails, unless it may, or takes too long. */
export async function run(command: Command): Promise<Measured> {
  const { program = execPath, args, env, cwd = '.', mayFail } = command
  const { PATH = '' } = own
  const startedAt = performance.now()
  const options = {
    cwd,
    env: { PATH, ...env },
    timeout: LIMIT,
    killSignal: 'SIGKILL' as const,
    maxBuffer: 2 ** 26
  }
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout) => {
      if (error && !mayFail) reject(new Error(`${error.message}\n${stdout}`))
      else resolve({ ms: performance.now() - startedAt, stdout })
    })
    child.stdin?.end()
  })
}

/** The middle value, or the higher of the two in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The result of a round, by its unit: a ratio of ours to the other, a difference, or ours alone. */
const JUDGES = {
  times: (ours: number, other: number) => ours / other,
  'ms more': (ours: number, other: number) => ours - other,
  ms: (ours: number) => ours,
  KB: (ours: number) => ours,
  requests: (ours: number) => ours
}

/** The figure's name, its unit and its aim. */
export type Labels = Pick<Figure, 'figure' | 'unit' | 'aim'>
/** Each measures itself once. */
export type Contestants = Readonly<Record<string, () => Promise<number>>>

/**
 * Makes the figure of ours and at most one other: one round to warm up, and then so many rounds. The two change
 * places from round to round, since the second finds the machine as the first has left it.
 */
export async function* compare(
  { runs }: Pick<Options, 'runs'>,
  labels: Labels,
  contestants: Contestants
): AsyncGenerator<Figure> {
  const named = Object.entries(contestants)
  const all: Record<string, number[]> = Object.fromEntries(named.map(([name]) => [name, []]))

  // The first round warms up, unless it is the only one.
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
  yield {
    ...labels,
    all,
    result: rounded(median(results)),
    load: rounded(loadavg()[0] ?? 0)
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
