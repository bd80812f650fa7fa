// Tests of the wall around the tests: in a child of the runner, and in Jest's own process.
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { PROGRAMS, runProgram } from '../../scripts/programs.ts'
import { makeFolder } from './folders.ts'
import { runAction } from './runner.ts'

const ACTION = 'runs: { using: node24, main: index.mjs }'

function runScript(script: string) {
  const folder = makeFolder({
    'action.yml': ACTION,
    'index.mjs': `import dns from 'node:dns'\nimport net from 'node:net'\n${script}`
  })
  return runAction({ action: join(folder, 'action.yml') })
}

const HIDE = '.on("error", () => {})'

test.each([
  ['by an address', `try { net.connect(80, '192.0.2.1')${HIDE} } catch {}`, '192.0.2.1'],
  ['by fetch', `await fetch('http://example.com').catch(() => {})`, 'example.com'],
  ['by a query', `await dns.promises.resolve4('a.example').catch(() => {})`, 'a.example'],
  [
    'by a look-up of its own',
    `const answer = (_host, _options, done) => done(null, [{ address: '192.0.2.7', family: 4 }])
     net.connect({ host: 'a.test', port: 1, lookup: answer })${HIDE}`,
    '192.0.2.7'
  ],
  [
    'in a child of its own',
    `import { spawnSync } from 'node:child_process'
     spawnSync(process.execPath, ['-e', 'fetch("http://192.0.2.9")'])`,
    '192.0.2.9'
  ]
])('a child that would leave the machine %s makes its run throw', async (_, script, attempt) => {
  await expect(runScript(script)).rejects.toThrow(new RegExp(`NETWORK_GUARD.*${attempt}`))
})

test('a child may use this machine, and names that never exist', async () => {
  const run = await runScript(`
    const server = net.createServer(socket => socket.end('hello')).listen(0, '127.0.0.1')
    await new Promise(done => server.once('listening', done))
    for (const host of ['127.0.0.1', 'localhost']) {
      for await (const heard of net.connect(server.address().port, host)) console.log(String(heard))
    }
    server.close()
    for (const name of ['shop.invalid', 'shop.test']) {
      console.log((await fetch('http://' + name).catch(error => error.cause)).code)
      console.log((await dns.promises.lookup(name).catch(error => error)).code)
    }`)
  expect(run).toMatchObject({ exitCode: 0, stderr: '' })
  expect(run.log).toBe(`hello\nhello\n${'ENOTFOUND\n'.repeat(4)}`)
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
