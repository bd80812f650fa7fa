// Tests that the local runner sees what others rely on: stray commands, leaks, faults of files, ways off this machine.
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { PROGRAMS, runProgram } from '../../scripts/programs.ts'
import { makeFolder } from './folders.ts'
import { parseLog } from './log.ts'
import { type RunOptions, runAction } from './runner.ts'

const MANIFEST = `
inputs: { two words: { default: 60 }, token: { default: "\${{ github.token }}" } }
outputs: { good: { description: Set }, never: { description: Not set } }
runs: { using: node24, main: index.mjs }
`
const HEAD = `import { appendFileSync } from 'node:fs'
import dns from 'node:dns'
import net from 'node:net'
const put = (name, text) => appendFileSync(process.env['GITHUB_' + name], text)
`
const CREDENTIAL = 'pat_0123456789abcdefghijklmnop'

function runScript(script: string, options: RunOptions = {}) {
  const folder = makeFolder({ 'action.yml': MANIFEST, 'index.mjs': HEAD + script })
  return runAction({ action: join(folder, 'action.yml'), githubToken: 'ghs_x', ...options })
}

test.each([
  ['at the start', '::error::no', 'no'],
  ['after blanks', ' \t\u0085::ERROR title=a%2Cb::no', 'no'],
  ['after a byte order mark', '\uFEFF::error::no', 'no'],
  ['after a carriage return', 'a\r::error::no', 'no'],
  ['with escapes', '::error::a%0Ab%0Dc%25d%3A%250A', 'a\nb\rc%d%3A%0A'],
  ['in brackets amid text', 'see ##[error]a%3Bb%5Dc%0A', 'a;b]c\n'],
  ['in brackets after an unknown one', '::nothing::##[error]no', 'no']
])('a command is found %s', (_, line, data) => {
  expect(parseLog(line).commands).toMatchObject([{ name: 'error', data }])
})

test('what only looks like a command is text', () => {
  const printed = 'a ::error::no\na\uFEFF::error::no\n::error:no\n::nothing::no\n##[a] ##[error]b\n'
  expect(parseLog(printed).log).toBe(printed)
})

test('a secret is hidden from then on, with each of its lines and its encodings', () => {
  const printed = 'tiger\n::add-mask::tiger%0Alion 7\na tiger, a lion 7, lion%207, bGlvbiA3'
  const { log, annotations } = parseLog(`${printed}\n::notice title=N%2C::b%0Atiger\n::debug::no`)
  expect(log).toMatch(/^tiger\na \*{3}, a \*{3}, \*{3}, \*{3}\nNotice: b\n\*{3}\n$/)
  expect(annotations).toEqual([{ kind: 'notice', title: 'N,', message: 'b\n***' }])
})

test('what a step finds and leaves is read, and it may use this machine', async () => {
  const run = await runScript(
    `const { INPUT_TWO_WORDS, INPUT_TOKEN, GITHUB_REF, JEST_WORKER_ID } = process.env
     put('OUTPUT', 'good<<E\\n' + [INPUT_TWO_WORDS, INPUT_TOKEN, GITHUB_REF, JEST_WORKER_ID] + '\\nE\\n')
     put('STEP_SUMMARY', '# ghs_x')
     const server = net.createServer(socket => socket.end('hello')).listen(0, '127.0.0.1')
     await new Promise(done => server.once('listening', done))
     for await (const heard of net.connect(server.address().port, 'localhost')) console.log(String(heard))
     server.close()
     console.log((await fetch('http://shop.invalid').catch(error => error.cause)).code)
     console.log((await dns.promises.lookup('shop.test').catch(error => error)).code)`,
    { event: { name: 'release', payload: { release: { tag_name: 'v1' } } } }
  )
  expect(run).toMatchObject({
    ...{ outputs: { good: '60,ghs_x,refs/tags/v1,' }, summary: '# ***', exitCode: 0 },
    ...{ maskedOutputs: ['good'], missingOutputs: ['never'], stderr: '' },
    log: 'hello\nENOTFOUND\nENOTFOUND\n'
  })
})

const HIDE = '.on("error", () => {})'
test.each([
  ['an output that is not declared', `put('OUTPUT', 'x=1\\n')`, 'x is not declared'],
  ['outputs over 1 MB', `put('OUTPUT', 'good=' + 'x'.repeat(524289) + '\\n')`, 'than 1 MB'],
  ['a summary over 1 MiB', `put('STEP_SUMMARY', 'x'.repeat(1048577))`, 'too large'],
  ['a command that nobody meant', `console.log('a ##[add-path]/x')`, 'command: a ##[add-path]/x'],
  ['variables for later steps', `put('ENV', 'A=1')`, 'other variables'],
  ['a file that is malformed', `put('OUTPUT', 'x')`, 'holds "x"'],
  ['a credential in part', `console.log('x ${CREDENTIAL.slice(5, 21)}')`, '2 stands in stdout'],
  ['one as base64', `put('STEP_SUMMARY', btoa('u:${CREDENTIAL}'))`, '2 stands in summary'],
  ['one in a URL', `put('ENV', 'https://x/?t=${CREDENTIAL}')`, '2 stands in env'],
  ['an address', `try { net.connect(80, '192.0.2.1')${HIDE} } catch {}`, 'connect 192.0.2.1'],
  ['a fetch', `await fetch('http://example.com').catch(() => {})`, 'lookup example.com'],
  ['a query', `await dns.promises.resolve4('a.example').catch(() => {})`, 'resolve4 a.example'],
  [
    'a look-up of its own',
    `const lookup = (_host, _options, done) => done(null, [{ address: '192.0.2.7', family: 4 }])
     net.connect({ host: 'a.test', port: 1, lookup })${HIDE}`,
    'connect 192.0.2.7'
  ],
  [
    'a child of its own',
    `import { spawnSync } from 'node:child_process'
     spawnSync(process.execPath, ['-e', 'fetch("http://192.0.2.9")'])`,
    'connect 192.0.2.9'
  ]
])('%s makes the run throw', async (_, script, message) => {
  const run = runScript(script, { credentials: ['other', CREDENTIAL] })
  await expect(run).rejects.toThrow(message)
})

test('a test that would leave the machine fails, even if it swallows the error', async () => {
  const project = makeFolder({
    'a.test.mjs': `
      test('stays', () => fetch('http://127.0.0.1:1').catch(() => {}))
      test('leaves', () => fetch('http://192.0.2.1').catch(() => {}))`
  })
  const config = {
    ...{ rootDir: project, testMatch: ['**/*.test.mjs'], moduleFileExtensions: ['js', 'mjs'] },
    ...{ setupFiles: [join(import.meta.dirname, 'loopback-only.js')], transform: {}, cache: false }
  }
  const { output } = await runProgram(PROGRAMS.jest, ['--config', JSON.stringify(config), '-i'])
  expect(output).toContain('NETWORK_GUARD: this would leave the machine: connect 192.0.2.1')
  expect(output).toMatch(/✓ stays.*✕ leaves/s)
})
