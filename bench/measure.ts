// Runs commands as whole processes, one after another, and makes figures of their times and their memory.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { execPath, env as own } from 'node:process'
import { pathToFileURL } from 'node:url'

/** `size` is that of the uploaded file, in bytes; each figure is the median of so many `runs`. */
export interface Options {
  readonly size: number
  readonly runs: number
  /** An empty folder, gone at the end. */
  readonly folder: string
  /** Whether a figure of this name was asked for. */
  wants(name: string): boolean
}

export interface Figure {
  readonly figure: string
  readonly unit: keyof typeof JUDGES
  /** Every run of each contestant, ours first. */
  readonly all: Readonly<Record<string, readonly number[]>>
  /** Of the medians, of the fastest runs, and what the first is to be at most. */
  readonly result: number
  readonly best: number
  readonly aim: number
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

/** Times as a ratio of ours to the slowest of the others, or alone; memory as what ours takes more. */
const JUDGES = {
  ms: (ours: number, others: readonly number[]) => ours / (Math.max(0, ...others) || 1),
  MiB: (ours: number, [other = 0]: readonly number[]) => ours - other,
  KB: (ours: number) => ours,
  requests: (ours: number) => ours
}

type Labels = Pick<Figure, 'figure' | 'unit' | 'aim'>
export type Contestants = Readonly<Record<string, () => Promise<number>>>

/** The figure, if it is wanted: runs all contestants in turn, ours first, so often. */
export async function* compare(
  { runs, wants }: Pick<Options, 'runs' | 'wants'>,
  labels: Labels,
  contestants: Contestants
): AsyncGenerator<Figure> {
  if (!wants(labels.figure)) return
  const named = Object.entries(contestants).map(([name, measure]) => {
    const values: number[] = []
    return { name, measure, values }
  })
  for (let round = 0; round < runs; round++) {
    for (const { measure, values } of named) values.push(rounded(await measure()))
  }
  const resultOf = (pick: (values: readonly number[]) => number) => {
    const [ours = Number.NaN, ...others] = named.map(({ values }) => pick(values))
    return rounded(JUDGES[labels.unit](ours, others))
  }
  const all = Object.fromEntries(named.map(({ name, values }) => [name, values]))
  yield { ...labels, all, result: resultOf(median), best: resultOf(it => Math.min(...it)) }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
