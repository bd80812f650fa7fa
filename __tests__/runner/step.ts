// Owns a step of its own for tests: a tiny action whose code goes through the door.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/manifest.ts'
import { makeFolder } from '../support/folders.ts'
import { type RunOptions, runAction } from '../support/runner.ts'

const DOOR = pathToFileURL(join(ROOT, 'src/runner/runner.ts')).href
const MANIFEST = `
name: tiny
inputs: { one: { description: An input, default: ' a ' }, empty: { description: Nothing } }
outputs: { first: { description: Set }, second: { description: Set } }
runs: { using: node24, main: main.ts }
`

/** Runs a step whose action is this code, with \`runner\` as the door. */
export function runStep(code: string, options: RunOptions = {}) {
  const main = `
import { setTimeout as sleep } from 'node:timers/promises'
import { runAction } from '${DOOR}'
await runAction(async runner => {
${code}
}, 300)
console.log('after the end')`
  const folder = makeFolder({ 'action.yml': MANIFEST, 'main.ts': main })
  return runAction({ action: join(folder, 'action.yml'), ...options })
}
