// Tests of the local runner, with a tiny action in a folder of its own.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { findCredential, type RunOptions, runAction } from './runner.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'fake-action-'))
afterAll(() => rmSync(folder, { recursive: true }))

const MANIFEST = `
name: fake
inputs:
  base-url: { required: true, description: An address }
  two words: { default: 60, description: A number }
  token: { default: "\${{ github.token }}", description: A token }
  bare: { description: Nothing }
outputs:
  good: { description: Set }
  never: { description: Not set }
runs: { using: node24, main: dist/index.mjs }
`

const HEAD = `
import { appendFileSync } from 'node:fs'
const put = (name, text) => appendFileSync(process.env['GITHUB_' + name], text)
`

let made = 0

/** Runs a script as the main file of the fake action. */
function runScript(script: string, options: RunOptions = {}) {
  const action = path.join(folder, String(made++))
  mkdirSync(path.join(action, 'dist'), { recursive: true })
  writeFileSync(path.join(action, 'action.yml'), MANIFEST)
  writeFileSync(path.join(action, 'dist/index.mjs'), HEAD + script)
  return runAction({ action: path.join(action, 'action.yml'), githubToken: 'ghs_x', ...options })
}

const PRINT_ENV = 'process.stdout.write(JSON.stringify(process.env))'

describe('what the action finds', () => {
  test('inputs: all that are declared, and those that are not', async () => {
    const run = await runScript(PRINT_ENV, {
      inputs: { 'Base-URL': 'x', extra: 'y', 'two words': '' }
    })
    expect(JSON.parse(run.stdout)).toMatchObject({
      'INPUT_BASE-URL': 'x',
      // An empty value that is given beats the default.
      INPUT_TWO_WORDS: '',
      INPUT_TOKEN: 'ghs_x',
      INPUT_BARE: '',
      INPUT_EXTRA: 'y'
    })
    expect(run.unexpectedInputs).toEqual(['extra'])
    expect(run.annotations[0]).toMatchObject({
      kind: 'warning',
      message: expect.stringContaining('extra')
    })
    expect(run.log).not.toContain('ghs_x')
  })

  test('the context of a release, and nothing of this process', async () => {
    const payload = { release: { tag_name: 'v1' }, repository: { full_name: 'me/shop' } }
    const run = await runScript(PRINT_ENV, {
      event: { name: 'release', payload },
      env: { GITHUB_RUN_ATTEMPT: '2', HTTPS_PROXY: 'http://127.0.0.1:9' },
      debug: true
    })
    const env = JSON.parse(run.stdout)
    expect(env).toMatchObject({
      GITHUB_REF: 'refs/tags/v1',
      GITHUB_REF_TYPE: 'tag',
      GITHUB_REF_NAME: 'v1',
      GITHUB_REPOSITORY: 'me/shop',
      GITHUB_REPOSITORY_OWNER: 'me',
      GITHUB_EVENT_NAME: 'release',
      GITHUB_RUN_ATTEMPT: '2',
      GITHUB_ACTIONS: 'true',
      CI: 'true',
      RUNNER_DEBUG: '1',
      HTTPS_PROXY: 'http://127.0.0.1:9'
    })
    expect(Object.keys(env).filter(name => /^(GITHUB_TOKEN|JEST_.*|npm_.*)$/.test(name))).toEqual(
      []
    )
  })

  test('the event file, its folder, and a closed standard input', async () => {
    const run = await runScript(
      `import { readFileSync } from 'node:fs'
       process.stdin.on('end', () => {
         const event = JSON.parse(readFileSync(process.env.GITHUB_EVENT_PATH, 'utf8'))
         put('OUTPUT', 'good=' + event.a + (process.cwd() === process.env.GITHUB_WORKSPACE))
       }).resume()`,
      { event: { name: 'push', payload: { a: 'é' } } }
    )
    expect(run.outputs).toEqual({ good: 'étrue' })
  })

  test('no start with a variable that is too long', async () => {
    const run = await runScript('', { inputs: { bare: 'x'.repeat(131_072) } })
    expect(run).toMatchObject({ exitCode: null, conclusion: 'failure' })
  })
})

describe('what the action leaves', () => {
  test('both streams, outputs, state, summary, in a clean folder', async () => {
    const temp = path.join(folder, 'temp')
    const run = await runScript(
      `console.log('::add-mask::tiger')
       console.error('##[notice title=N]no tiger')
       put('OUTPUT', 'good<<E\\na\\nE\\nother=tiger\\n')
       put('STATE', 's=1\\n')
       put('STEP_SUMMARY', '# tiger\\n')
       put('ENV', 'A=1\\n')
       put('PATH', '/x\\n')`,
      { temp }
    )
    expect(run).toMatchObject({
      exitCode: 0,
      conclusion: 'success',
      annotations: [{ kind: 'notice', title: 'N', message: 'no ***' }],
      outputs: { good: 'a', other: 'tiger' },
      maskedOutputs: ['other'],
      undeclaredOutputs: ['other'],
      missingOutputs: ['never'],
      state: { s: '1' },
      summary: '# ***\n',
      exported: { A: '1' },
      paths: ['/x']
    })
    expect(run.commands.map(({ stream }) => stream).sort()).toEqual(['stderr', 'stdout'])
    expect(readdirSync(temp)).toEqual([])
  })

  test.each([
    ['a thrown error', 'throw new Error("x")', { exitCode: 1 }],
    ['a malformed output file', `put('OUTPUT', 'x')`, { outputsError: "Invalid format 'x'" }],
    ['outputs over 1 MB', `put('OUTPUT', 'x=' + 'x'.repeat(524289))`, { exitCode: 0 }],
    ['a disabled command', `console.log('a ##[add-path]/x')`, { exitCode: 0 }]
  ])('%s makes the step fail', async (_, script, expected) => {
    const run = await runScript(script)
    expect(run).toMatchObject({ ...expected, conclusion: 'failure' })
  })

  test('a summary over 1 MiB is dropped', async () => {
    const run = await runScript(`put('STEP_SUMMARY', 'x'.repeat(1048577))`)
    expect(run).toMatchObject({ summary: '', summaryDropped: true, conclusion: 'success' })
  })
})

describe('the end', () => {
  const WAIT = `process.on('SIGINT', () => process.exit(9)); setInterval(() => {}, 1000)
    console.log('ready')`

  test('by a signal, once the output says so', async () => {
    const after = (output: string) => output.includes('ready')
    expect(await runScript(WAIT, { signal: { after, signal: 'SIGINT' } })).toMatchObject({
      exitCode: 9
    })
    expect(await runScript(WAIT, { signal: { after, signal: 'SIGKILL' } })).toMatchObject({
      signal: 'SIGKILL',
      conclusion: 'failure'
    })
  })

  test('by the time-out', async () => {
    const run = await runScript(WAIT, { timeoutMs: 300 })
    expect(run).toMatchObject({ timedOut: true, signal: 'SIGKILL', conclusion: 'failure' })
  })
})

describe('a credential', () => {
  const credential = 'pat_0123456789abcdefghijklmnop'

  test.each([
    ['in standard output', `console.log('x ${credential}')`, 'stdout (plain)'],
    ['in part', `console.log('x ${credential.slice(5, 21)}')`, 'stdout (plain)'],
    [
      'in the summary, as base64',
      `put('STEP_SUMMARY', btoa('u:${credential}'))`,
      'summary (base64)'
    ]
  ])('%s is found', async (_, script, place) => {
    const run = runScript(script, { credentials: ['other', credential], secrets: [credential] })
    await expect(run).rejects.toThrow(`Credential 2 stands in ${place}`)
  })

  test('is found when it is URL-encoded', () => {
    const run = { stdout: 'a%2Fb%2Bc', stderr: '', commands: [] }
    const raw = { output: '', state: '', summary: '', env: '', path: '' }
    expect(findCredential({ ...run, raw }, ['a/b+c'])).toMatchObject({ form: 'URL-encoded' })
  })
})
