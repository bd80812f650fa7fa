// Owns `npm run checks`: everything that holds for the sources but the tests; with names, only these.
import path from 'node:path'
import { argv } from 'node:process'
import { ROOT } from './manifest.ts'
import { PROGRAMS, runProgram } from './programs.ts'

const script = (name: string) => path.join(ROOT, 'scripts', name)

type Check = readonly [name: string, file: string, args: readonly string[]]

const CHECKS: readonly Check[] = [
  ['lint', PROGRAMS.biome, ['check', '--error-on-warnings', '.']],
  ['layers', script('layers.ts'), []],
  ['types', PROGRAMS.tsc, ['--noEmit']],
  ['dist', script('dist.ts'), []],
  ['docs', script('docs.ts'), ['--check']],
  ['workflows', script('workflows.ts'), []],
  ['demo', path.join(ROOT, 'sandbox', 'demo.ts'), []]
]

const names = CHECKS.map(([name]) => name)
const chosen = argv.slice(2)
const unknown = chosen.filter(name => !names.includes(name))
if (unknown.length > 0) {
  throw new Error(`There is no check ${unknown.join(', ')}. The checks are ${names.join(', ')}.`)
}

const isChosen = ([name]: Check) => chosen.length === 0 || chosen.includes(name)

async function run([name, file, args]: Check) {
  const { exitCode, output } = await runProgram(file, args)
  return { name, exitCode, output }
}

// They run at the same time. Each gets a line, and those that failed show their output below it.
for (const { name, exitCode, output } of await Promise.all(CHECKS.filter(isChosen).map(run))) {
  process.stdout.write(`${exitCode === 0 ? 'ok  ' : 'FAIL'} ${name}\n`)
  if (exitCode === 0) continue

  process.exitCode = 1
  process.stdout.write(`${output.trimEnd().replace(/^/gm, '    ')}\n`)
}
