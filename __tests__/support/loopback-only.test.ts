// Tests of the wall around the tests: in a child of the runner, and in Jest's own process.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execPath } from 'node:process'
import { afterAll, describe, expect, test } from '@jest/globals'
import { runAction } from './runner.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'guard-'))
afterAll(() => rmSync(folder, { recursive: true }))

function runScript(script: string) {
  const action = path.join(folder, 'action.yml')
  writeFileSync(action, 'runs: { using: node24, main: index.mjs }')
  writeFileSync(path.join(folder, 'index.mjs'), script)
  return runAction({ action })
}

const HIDE = '.on("error", () => {})'

describe('a child that would leave the machine makes its run throw', () => {
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
  ])('%s', async (_, script, attempt) => {
    const run = runScript(`
      import dns from 'node:dns'
      import net from 'node:net'
      ${script}`)
    await expect(run).rejects.toThrow(new RegExp(`NETWORK_GUARD.*${attempt}`))
  })
})

test('a child may use this machine, and names that never exist', async () => {
  const run = await runScript(`
    import dns from 'node:dns'
    import http from 'node:http'
    const server = http.createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
    await new Promise(done => server.once('listening', done))
    const { port } = server.address()
    for (const host of ['127.0.0.1', 'localhost']) {
      console.log(await (await fetch('http://' + host + ':' + port)).text())
    }
    server.close()
    server.closeAllConnections()
    for (const name of ['shop.invalid', 'shop.test']) {
      console.log((await fetch('http://' + name).catch(error => error.cause)).code)
      console.log((await dns.promises.lookup(name).catch(error => error)).code)
    }`)
  expect(run).toMatchObject({ exitCode: 0, stderr: '' })
  expect(run.log).toBe(`hello\nhello\n${'ENOTFOUND\n'.repeat(4)}`)
})

test('a test that would leave the machine fails, even if it swallows the error', () => {
  const root = path.join(import.meta.dirname, '../..')
  const project = path.join(folder, 'project')
  mkdirSync(project)
  writeFileSync(
    path.join(project, 'a.test.mjs'),
    `import { test } from '@jest/globals'
     test('stays', () => fetch('http://127.0.0.1:1').catch(() => {}))
     test('leaves', () => fetch('http://192.0.2.1').catch(() => {}))`
  )
  const config = {
    rootDir: project,
    roots: [project],
    testMatch: ['**/*.test.mjs'],
    moduleFileExtensions: ['js', 'mjs', 'ts'],
    modulePaths: [path.join(root, 'node_modules')],
    extensionsToTreatAsEsm: ['.ts'],
    transform: { '\\.ts$': path.join(import.meta.dirname, 'strip-types.js') },
    setupFiles: [path.join(import.meta.dirname, 'loopback-only.ts')],
    watchman: false,
    cache: false
  }
  const jest = path.join(root, 'node_modules/jest/bin/jest.js')
  const args = [
    '--experimental-vm-modules',
    jest,
    '--config',
    JSON.stringify(config),
    '--json',
    '-i'
  ]
  const child = spawnSync(execPath, args, { cwd: root, encoding: 'utf8' })
  expect(child.stderr).toContain('NETWORK_GUARD: this would leave the machine: connect 192.0.2.1')
  expect(JSON.parse(child.stdout)).toMatchObject({ numPassedTests: 1, numFailedTests: 1 })
})
