// Tests of src/runner/runner.ts: what was masked leaves the door in no text, whatever the runner would hide itself.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { makeFolder } from '../support/folders.ts'
import { runAction } from '../support/runner.ts'

const DOOR = pathToFileURL(join(ROOT, 'src/runner/runner.ts')).href
const MANIFEST = `
name: tiny
outputs: { first: { description: Set } }
runs: { using: node24, main: main.ts }
`
const MAIN = `
import { openRunner, runAction } from '${DOOR}'
const runner = openRunner()
await runAction(runner, async () => {
  runner.mask('s3cret|value')
  for (const text of ['s3cret|value', 's3cret%7Cvalue', Buffer.from('s3cret|value').toString('base64')]) {
    for (const kind of ['info', 'block', 'debug', 'notice', 'warning', 'error']) runner[kind]('a ' + text)
    runner.notice('text', text)
    await runner.group(text, async () => undefined)
    runner.output('first', 'a ' + text)
    await runner.summary('a ' + text)
  }
  // What is cut short is cut after that.
  runner.error('x'.repeat(3995) + 's3cret|value')
})`

test('a masked text is printed, set and summed up as ***', async () => {
  const folder = makeFolder({ 'action.yml': MANIFEST, 'main.ts': MAIN })
  const run = await runAction({ action: join(folder, 'action.yml'), debug: true })
  expect(run.conclusion).toBe('success')
  const printed = run.stdout.split('\n').filter(line => !line.startsWith('::add-mask::'))
  const all = [...printed, run.raw.output, run.raw.summary].join('\n')
  expect(all).not.toMatch(/s3cr|value|czNj|fHZh/)
  expect(printed.filter(line => line.includes('a ***'))).toHaveLength(18)
  expect(run.outputs.first).toBe('a ***')
  expect(run.raw.summary).toContain('a ***')
})
