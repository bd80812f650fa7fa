// `npm run bench`: every bench in turn, or those named; the options go to each of them.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { say } from './figures.ts'
import { readOptions } from './options.ts'

const BENCHES = ['uploads', 'startup', 'licenses', 'glob', 'archive']

const { names } = readOptions()
const unknown = names.filter(name => !BENCHES.includes(name))
if (unknown.length > 0) {
  throw new Error(`There is no bench "${unknown.join('", "')}", only ${BENCHES.join(', ')}`)
}
const options = process.argv.slice(2).filter(arg => !names.includes(arg))
for (const name of names.length > 0 ? names : BENCHES) {
  const file = path.join(import.meta.dirname, `${name}.ts`)
  if (!existsSync(file)) {
    say(`\n# ${name}: there is no such bench yet`)
    continue
  }
  say(`\n# ${name}`)
  const child = spawn(process.execPath, [file, ...options], { stdio: 'inherit' })
  const code = await new Promise<number | null>(resolve => child.once('close', resolve))
  // A bench that could not be run; an aim that is missed is no failure.
  if (code !== 0) process.exitCode = 1
}
