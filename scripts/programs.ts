// Owns starting the programs that the scripts need, with this process's Node.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { env, execPath } from 'node:process'
import { text } from 'node:stream/consumers'
import { ROOT } from './manifest.ts'

const MODULES = path.join(ROOT, 'node_modules')

/** The programs, as files that Node runs. */
export const PROGRAMS = {
  biome: path.join(MODULES, '@biomejs/biome/bin/biome'),
  jest: path.join(MODULES, 'jest/bin/jest.js'),
  tsc: path.join(MODULES, 'typescript/bin/tsc')
} as const

/** How a program ended. */
interface Ended {
  readonly exitCode: number
  /** All that it printed, errors last. */
  readonly output: string
}

/** Runs a file with Node in the repository's folder, with these variables besides its own. */
export async function runProgram(
  file: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {}
): Promise<Ended> {
  const child = spawn(execPath, [file, ...args], {
    cwd: ROOT,
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe']
  })

  const read = [text(child.stdout), text(child.stderr)]
  const [[exitCode], ...outputs] = await Promise.all([once(child, 'close'), ...read])
  return { exitCode: Number(exitCode ?? 1), output: outputs.join('') }
}
