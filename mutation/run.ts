// Owns `npm run test:mutation`: changes the parts that decide, one place at a time, and shows what no test noticed.
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { ROOT } from '../scripts/manifest.ts'
import { runVisibly } from '../scripts/programs.ts'
import { PARTS, type Part } from './parts.ts'

const FOLDER = path.join(ROOT, 'mutation')
const STRYKER = path.join(FOLDER, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const REPORT = path.join(FOLDER, '.tmp/report.json')

interface Tally {
  readonly killed: number
  readonly survived: number
}

/** What Stryker calls detected; what it could not run, such as code that does not parse, counts as neither. */
const KILLED = ['Killed', 'Timeout']
const SURVIVED = ['Survived', 'NoCoverage']

async function mutate(part: Part): Promise<Tally> {
  const tests = part.tests.map(name => `<rootDir>/__tests__/${name}.test.ts`)
  const sources = part.sources.map(name => `src/${name}`)
  const settings = path.join(FOLDER, 'stryker.config.js')
  rmSync(REPORT, { force: true })
  const args = ['run', settings, '--mutate', sources.join()]
  const exitCode = await runVisibly(STRYKER, args, { MUTATION_TESTS: JSON.stringify(tests) })
  // Also when too few are killed.
  if (exitCode !== 0) process.exitCode = exitCode
  const report = JSON.parse(readFileSync(REPORT, 'utf8'))
  const files: { mutants: { status: string }[] }[] = Object.values(report.files)
  const statuses = files.flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (among: readonly string[]) => statuses.filter(s => among.includes(s)).length
  return { killed: count(KILLED), survived: count(SURVIVED) }
}

function row(name: string, { killed, survived }: Tally): string {
  const share = ((killed / (killed + survived)) * 100).toFixed(1)
  return `${name.padEnd(12)} ${String(killed).padStart(5)} killed ${String(survived).padStart(5)} survived  ${share.padStart(5)} %`
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PARTS)
const tallies = new Map<string, Tally>()
for (const name of names) {
  const part = PARTS[name]
  if (!part)
    throw new Error(`No part is called "${name}". There are: ${Object.keys(PARTS).join(', ')}`)
  tallies.set(name, await mutate(part))
}
const all = [...tallies.values()]
const sum = (key: keyof Tally) => all.reduce((total, tally) => total + tally[key], 0)
const lines = [...tallies].map(([name, tally]) => row(name, tally))
process.stdout.write(
  `\n${lines.join('\n')}\n${row('altogether', { killed: sum('killed'), survived: sum('survived') })}\n`
)
