// Owns starting the programs that the scripts need, with this process's Node.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { env, execPath } from 'node:process'
import { ROOT } from './manifest.ts'

/** How a program ended, and what it printed. */
export interface ProgramEnd {
  readonly exitCode: number
  readonly output: string
}

const MODULES = path.join(ROOT, 'node_modules')

/** The programs, as files that Node runs. */
export const PROGRAMS = {
  biome: path.join(MODULES, '@biomejs/biome/bin/biome'),
  jest: path.join(MODULES, 'jest/bin/jest.js'),
  tsc: path.join(MODULES, 'typescript/bin/tsc')
} as const

/** Runs a file with Node in the repository's folder; keeps what it prints. */
export function runProgram(file: string, args: readonly string[]): Promise<ProgramEnd> {
  const child = spawn(execPath, [file, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', chunk => chunks.push(chunk))
  child.stderr.on('data', chunk => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}

/** Runs a file with Node on this process's own streams. */
export function runVisibly(
  file: string,
  args: readonly string[],
  extra: Readonly<Record<string, string>>
): Promise<number> {
  const child = spawn(execPath, [file, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...env, ...extra }
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve(code ?? 1))
  })
}
