// Tests that the local runner sees what others rely on: stray commands, leaks, faults of files, and what it hides.
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { makeFolder } from './folders.ts'
import { parseLog } from './log.ts'
import { type RunOptions, runAction } from './runner.ts'

const MANIFEST = `
inputs: { two words: { default: 60 }, token: { default: "\${{ github.token }}" } }
outputs: { good: { description: Set }, never: { description: Not set } }
runs: { using: node24, main: index.mjs }
`
const HEAD = `import { appendFileSync } from 'node:fs'
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

test.each([
  'a ::error::no',
  'a\uFEFF::error::no',
  '::error:no',
  '::nothing::no',
  '##[a] ##[error]b'
])('no command is found in "%s"', line => {
  expect(parseLog(line).log).toBe(`${line}\n`)
})

test('a secret is hidden from then on, with each of its lines and its encodings', () => {
  const printed = 'tiger\n::add-mask::tiger%0Alion 7\na tiger, a lion 7, lion%207, bGlvbiA3'
  const { log } = parseLog(`${printed}\n::notice title=N::b%0Atiger\n::debug::no`)
  expect(log).toMatch(/^tiger\na \*{3}, a \*{3}, \*{3}, \*{3}\nNotice: b\n\*{3}\n$/)
})

test('what a step finds and leaves is read', async () => {
  const run = await runScript(
    `const { INPUT_TWO_WORDS, INPUT_TOKEN, GITHUB_REF, JEST_WORKER_ID } = process.env
     put('OUTPUT', 'good<<E\\n' + [INPUT_TWO_WORDS, INPUT_TOKEN, GITHUB_REF, JEST_WORKER_ID] + '\\nE\\n')
     put('OUTPUT', 'other<<E\\nE\\n')
     put('STEP_SUMMARY', '# ghs_x')`,
    { event: { name: 'release', payload: { release: { tag_name: 'v1' } } }, inputs: { extra: '' } }
  )
  expect(run).toMatchObject({
    outputs: { good: '60,ghs_x,refs/tags/v1,', other: '' },
    ...{ maskedOutputs: ['good'], undeclaredOutputs: ['other'], missingOutputs: ['never'] },
    ...{ unexpectedInputs: ['extra'], summary: '# ***', conclusion: 'success' }
  })
})

test.each([
  ['outputs over 1 MB', `put('OUTPUT', 'x<<E\\n' + 'x'.repeat(524289) + '\\nE\\n')`],
  ['a summary over 1 MiB', `put('STEP_SUMMARY', 'x'.repeat(1048577))`],
  ['a command that nobody meant', `console.log('a ##[add-path]/x')`],
  ['variables for later steps', `put('ENV', 'A=1')`]
])('%s makes the step fail', async (_, script) => {
  expect(await runScript(script)).toMatchObject({ exitCode: 0, conclusion: 'failure' })
})

test.each([
  ['a file that is malformed', `put('OUTPUT', 'x')`, 'holds "x"'],
  ['a credential in part', `console.log('x ${CREDENTIAL.slice(5, 21)}')`, '2 stands in stdout'],
  ['one as base64', `put('STEP_SUMMARY', btoa('u:${CREDENTIAL}'))`, '2 stands in summary'],
  ['one in a URL', `put('ENV', 'https://x/?t=${CREDENTIAL}')`, '2 stands in env']
])('%s makes the run throw', async (_, script, message) => {
  const run = runScript(script, { credentials: ['other', CREDENTIAL] })
  await expect(run).rejects.toThrow(message)
})
