// Runs commands as whole processes, one after another, and takes their time and their peak memory.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { env as own } from 'node:process'
import { pathToFileURL } from 'node:url'

export interface Command {
  readonly program: string
  readonly args: readonly string[]
  /** All of it, but for PATH; nothing of ours is inherited. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** 0 when left out; any other end throws. */
  readonly exitCode?: number
}

export interface Sample {
  /** From the start of the process to its end. */
  readonly ms: number
  readonly stdout: string
}

/** Runs a command to its end, as the runner does: standard input closed, output piped. */
export async function run({
  program,
  args,
  env = {},
  cwd,
  exitCode = 0
}: Command): Promise<Sample> {
  const { PATH = '' } = own
  const startedAt = performance.now()
  const child = spawn(program, args, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    texts.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    texts.stderr += chunk
  })
  const [end, ms] = await new Promise<[number | string | null, number]>((resolve, reject) => {
    let elapsed = 0
    child.once('error', reject)
    child.once('exit', () => {
      elapsed = performance.now() - startedAt
    })
    child.once('close', (code, signal) => resolve([code ?? signal, elapsed]))
  })
  if (end === exitCode) return { ms, stdout: texts.stdout }
  throw new Error(`${program} ${args[0] ?? ''} ended with ${end}:\n${texts.stdout}${texts.stderr}`)
}

const PEAK = pathToFileURL(path.join(import.meta.dirname, 'peak.ts')).href

/** The peak memory of a Node process, in bytes: the most that lay in memory at once, files not counted. */
export async function peakOf(
  file: string,
  launch: (
    nodeArguments: readonly string[],
    env: Readonly<Record<string, string>>
  ) => Promise<unknown>
): Promise<number> {
  await launch([`--import=${PEAK}`], { PEAK_FILE: file })
  return Number(await readFile(file, 'utf8'))
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[Math.floor(middle)],
    sorted[Math.ceil(middle)]
  ]
  return (low + high) / 2
}

/** One of those that are compared: a name, and how to run it once. */
export interface Contestant {
  readonly name: string
  /** Resolves to what is measured. */
  run(): Promise<number>
}

/** Runs all of them in turn, so often; what they came to, in their order. */
export async function inTurn(
  contestants: readonly Contestant[],
  runs: number
): Promise<readonly (readonly number[])[]> {
  const results = contestants.map((): number[] => [])
  for (let round = 0; round < runs; round++) {
    for (const [index, contestant] of contestants.entries()) {
      results[index]?.push(await contestant.run())
    }
  }
  return results
}
