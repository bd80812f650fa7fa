// A step of its own for tests, a tiny action; and the hostile texts that the properties of printing are tried with.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/manifest.ts'
import { pick } from '../support/deep.ts'
import { makeFolder } from '../support/folders.ts'
import { ANY_UNIT, fc } from '../support/properties.ts'
import { type Run, type RunOptions, runAction } from '../support/runner.ts'

const RUNNER = pathToFileURL(join(ROOT, 'src/runner/runner.ts')).href
const MANIFEST = `
name: tiny
inputs: { one: { description: An input, default: ' a ' }, empty: { description: Nothing } }
outputs: { first: { description: Set }, second: { description: Set } }
runs: { using: node24, main: main.ts }
`

/** Runs a step whose action is this code, which has the `runner`. */
export function runStep(code: string, options: RunOptions = {}): Promise<Run> {
  const main = `
import { setTimeout as sleep } from 'node:timers/promises'
import { runAction } from '${RUNNER}'
await runAction(async runner => {
${code}
}, 300)
console.log('after the end')`

  const folder = makeFolder({ 'action.yml': MANIFEST, 'main.ts': main })
  return runAction({ action: join(folder, 'action.yml'), ...options })
}

export const RUNS = pick(200, 2000)

/** Pieces that mean something to the runner, among others and among line ends of all kinds. */
const PIECES = [
  '::',
  '##',
  '#',
  '[',
  ']',
  ' ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\ufeff',
  '\x85',
  '\v',
  '\f',
  '\0',
  '\x1b',
  '\u2028',
  '\u2029',
  '\u00a0',
  '\u3000',
  '\ud800',
  '\x1b[31m',
  '\x1b]8;;https://a.b',
  '%0A',
  '%0D',
  '%25',
  'x'.repeat(5000),
  '##[error]',
  '::error::',
  '::add-mask::x',
  '##[add-path]',
  '::stop-commands::t',
  '::error file=a,line=1::',
  '::set-output name=a::b'
]

/** Texts of these pieces, and of any others. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: ANY_UNIT, maxLength: 6 })), {
    maxLength: 14
  })
  .map(parts => parts.join(''))
