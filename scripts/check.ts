// Owns `npm run checks`: everything that holds for the sources but the tests.
import path from 'node:path'
import { ROOT } from './manifest.ts'
import { PROGRAMS, runProgram } from './programs.ts'

const script = (name: string) => path.join(ROOT, 'scripts', name)

const CHECKS: readonly (readonly [name: string, file: string, args: readonly string[]])[] = [
  ['lint', PROGRAMS.biome, ['check', '--error-on-warnings', '.']],
  ['layers', script('layers.ts'), []],
  ['expressions', script('expressions.ts'), []],
  ['types', PROGRAMS.tsc, ['--noEmit']],
  ['dist', script('dist.ts'), []],
  ['docs', script('docs.ts'), ['--check']],
  ['workflows', script('workflows.ts'), []],
  ['demo', path.join(ROOT, 'sandbox', 'demo.ts'), []]
]

// All at once; a line for each, and what those that failed had to say.
const ends = CHECKS.map(async ([name, file, args]) => ({ name, ...(await runProgram(file, args)) }))
for (const { name, exitCode, output } of await Promise.all(ends)) {
  process.stdout.write(`${exitCode === 0 ? 'ok  ' : 'FAIL'} ${name}\n`)
  if (exitCode === 0) continue
  process.exitCode = 1
  process.stdout.write(`${output.trimEnd().replace(/^/gm, '    ')}\n`)
}
