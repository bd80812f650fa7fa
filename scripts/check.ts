// Owns `npm run checks`: everything that holds for the sources but the tests.
import path from 'node:path'
import { ROOT } from './manifest.ts'
import { PROGRAMS, runProgram } from './programs.ts'

/** How many checks held. */
export interface Counts {
  readonly passed: number
  readonly failed: number
}

const script = (name: string) => path.join(ROOT, 'scripts', name)

const CHECKS: readonly (readonly [name: string, file: string, args: readonly string[]])[] = [
  ['lint', PROGRAMS.biome, ['check', '--error-on-warnings', '.']],
  ['layers', script('layers.ts'), []],
  ['types', PROGRAMS.tsc, ['--noEmit']],
  ['dist', script('dist.ts'), []],
  ['docs', script('docs.ts'), ['--check']],
  ['workflows', script('workflows.ts'), []]
]

/** Runs all checks; prints a line for each, and what those that failed had to say. */
export async function runChecks(): Promise<Counts> {
  const ends = CHECKS.map(async ([name, file, args]) => ({
    name,
    ...(await runProgram(file, args))
  }))
  let failed = 0
  for (const end of ends) {
    const { name, exitCode, output } = await end
    process.stdout.write(`${exitCode === 0 ? 'ok  ' : 'FAIL'} ${name}\n`)
    if (exitCode === 0) continue
    failed++
    process.stdout.write(`${output.trimEnd().replace(/^/gm, '    ')}\n`)
  }
  return { passed: CHECKS.length - failed, failed }
}

if (import.meta.main) {
  const { failed } = await runChecks()
  process.exitCode = failed > 0 ? 1 : 0
}
