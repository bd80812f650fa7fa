// Tests of support/runner.ts: it sees what other tests rely on: stray commands, leaks, faults of files, connections
// that leave this machine.
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { makeFolder } from './folders.ts'
import { parseLog } from './log.ts'
import { runAction } from './runner.ts'

const MANIFEST = `
outputs: { good: { description: Set } }
runs: { using: node24, main: index.mjs }
`
const HEAD = `import { appendFileSync } from 'node:fs'
import dns from 'node:dns'
import net from 'node:net'
const put = (name, text) => appendFileSync(process.env['GITHUB_' + name], text)
`
const CREDENTIAL = 'pat_0123456789abcdefghijklmnop'

test('lines are commands or text, as the runner has it', () => {
  const text = 'a ::error::no\na\uFEFF::error::no\n::error:no\n::nothing::no\n##[a] ##[error]b\n'
  const printed = [
    '\uFEFF::error::first',
    ' \t\u0085::ERROR title=a%2Cb::a%0Ab%0Dc%25d%3A%250A\r::add-mask::x1y2',
    'see ##[warning title=a]a%3Bb%5Dc%0A',
    `::nothing::##[notice]no\n${text}`
  ]
  const { commands, log } = parseLog(printed.join('\n'))
  expect(commands).toMatchObject([
    { name: 'error', data: 'first' },
    { name: 'error', title: 'a,b', data: 'a\nb\rc%d%3A%0A' },
    { name: 'add-mask', data: 'x1y2' },
    { name: 'warning', title: 'a', data: 'a;b]c\n' },
    { name: 'notice', data: 'no' }
  ])
  expect(log.endsWith(`\nNotice: no\n${text}`)).toBe(true)
})

test('a secret is hidden from then on, with each of its lines and its encodings', () => {
  const printed = 'tiger\n::add-mask::tiger%0Alion 7\na tiger, a lion 7, lion%207, bGlvbiA3'
  const { log } = parseLog(`${printed}\n::notice title=N::b%0Atiger\n::debug::no`)
  expect(log).toMatch(/^tiger\na \*{3}, a \*{3}, \*{3}, \*{3}\nNotice: b\n\*{3}\n$/)
})

const HIDE = '.on("error", () => {})'
const CHILD = `import { spawnSync } from 'node:child_process'
spawnSync(process.execPath, ['-e', 'fetch("http://192.0.2.9")'])`

test.each([
  ['an output that is not declared', `put('OUTPUT', 'x=1\\n')`, 'x is not declared'],
  ['outputs over 1 MB', `put('OUTPUT', 'good=' + 'x'.repeat(524289) + '\\n')`, 'than 1 MB'],
  ['a summary over 1 MiB', `put('STEP_SUMMARY', 'x'.repeat(1048577))`, 'too large'],
  ['a command that nobody meant', `console.log('a ##[add-path]/x')`, 'command: a ##[add-path]/x'],
  ['variables for later steps', `put('ENV', 'A=1')`, 'other variables'],
  ['a credential in part', `console.log('x ${CREDENTIAL.slice(5, 21)}')`, '2 stands in stdout'],
  ['one as base64', `put('STEP_SUMMARY', btoa('u:${CREDENTIAL}'))`, '2 stands in summary'],
  ['an address', `try { net.connect(80, '192.0.2.1')${HIDE} } catch {}`, 'connect 192.0.2.1'],
  ['a fetch', `await fetch('http://example.com').catch(() => {})`, 'lookup example.com'],
  ['a child of its own', CHILD, 'connect 192.0.2.9']
])('%s makes the run throw', async (_, script, message) => {
  const folder = makeFolder({ 'action.yml': MANIFEST, 'index.mjs': HEAD + script })
  const options = { action: join(folder, 'action.yml'), credentials: ['other', CREDENTIAL] }
  await expect(runAction(options)).rejects.toThrow(message)
})
