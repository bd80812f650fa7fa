// Tests of src/runner/runner.ts: steps of their own that print, write and end through the adapter of the runner.
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { makeFolder } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'
import { fc } from '../support/properties.ts'
import { hostileText, runStep } from './step.ts'

test('no text is ever a command', async () => {
  const texts = fc.sample(fc.tuple(hostileText, hostileText), 200)
  const file = join(makeFolder({ 'texts.json': JSON.stringify(texts) }), 'texts.json')
  const run = await runStep(
    `
    const { readFileSync } = await import('node:fs')
    const texts = JSON.parse(readFileSync(${JSON.stringify(file)}))
    for (const [index, [text, title]] of texts.entries()) {
      for (const kind of ['info', 'block', 'debug']) runner[kind](text)
      await runner.group(title, async () => runner.info(text))
      if (index < 9) for (const kind of ['notice', 'warning', 'error']) runner[kind](text, title)
    }
    const error = new Error(texts.map(pieces => pieces.join('')).join('\\n'))
    error.stack = 'Error: ' + error.message
    throw error`,
    { debug: true }
  )

  const meant = texts.flatMap((_, index) => {
    const annotations = index < 9 ? ['notice', 'warning', 'error'] : []
    return ['debug', 'group', 'endgroup', ...annotations]
  })

  expect(run.commands.map(({ name }) => name)).toEqual([...meant, 'error', 'debug'])
  expect(run).toMatchObject({ masks: [], exitCode: 1, stderr: '', outputs: {} })
})

test('notes that have no room on the page are in the log', async () => {
  const run = await runStep(`
    const text = 'a\\n::error::b\\r::add-mask::c ##[add-path]d'
    runner.notice(text, text)
    runner.error('x'.repeat(3999) + '🎉' + 'y'.repeat(5000), 'Long')
    for (let i = 1; i <= 12; i++) runner.warning('number ' + i)`)

  const [notice, error, ...warnings] = run.annotations
  const line = 'a\n| ::error::b\n| ::add-mask::c ## [add-path]d'
  const title = 'a ::error::b ::add-mask::c ## [add-path]d'
  expect(notice).toEqual({ kind: 'notice', title, message: line })

  expect(error?.message).toMatch(/^x{3999}\ufffd… \(cut short; the log has all of it\)$/)
  expect(run.log).toContain(`error: ${'x'.repeat(3999)}🎉${'y'.repeat(5000)}\n`)

  expect(warnings).toHaveLength(10)
  expect(run.log).toMatch(/Warning: number 11\n.*Warning: number 12\n/s)
})

test('a masked text is *** in the log, in outputs and in the summary', async () => {
  const proxy = 'http://me:p%40ssword@127.0.0.1:9'
  const run = await runStep(
    `
    runner.mask('')
    runner.mask('s3cret"value')
    for (const text of ['s3cret"value', JSON.stringify('s3cret"value'), '${proxy}']) {
      for (const kind of ['info', 'block', 'debug', 'notice', 'warning', 'error']) runner[kind]('a ' + text)
      await runner.group(text, async () => runner.notice('text', text))
      runner.output('first', 'a ' + text)
      await runner.summary('a ' + text)
    }
    // A secret is hidden before the text is cut.
    runner.error('x'.repeat(3995) + 's3cret"value')`,
    { debug: true, env: { HTTPS_PROXY: proxy } }
  )

  const printed = run.stdout.split('\n').filter(line => !line.startsWith('::add-mask::'))
  const all = [...printed, run.raw.output, run.raw.summary].join('\n')

  expect(run.masks).toEqual(expect.arrayContaining(['p%40ssword', 'p@ssword', 's3cret"value']))
  expect(run.masks).not.toContain('')
  expect(all).not.toMatch(/s3cr|value|ssword/)
  for (const hidden of ['a ***', 'a "***"']) {
    expect(printed.filter(line => line.includes(hidden))).toHaveLength(6)
  }
  expect(run.outputs.first).toBe('a http://me:***@127.0.0.1:9')
  expect(run.raw.summary).toBe(`a ***a "***"a http://me:***@127.0.0.1:9`)
})

test('inputs are trimmed, and empty when they are not given; the payload is read', async () => {
  const code = `
    runner.info(JSON.stringify([runner.input('one'), runner.input('empty'), runner.input('no')]))
    runner.info(JSON.stringify(await runner.payload()))`
  const event = { name: 'release', payload: { a: 'é' } }

  const run = await runStep(code, { event })
  expect(run.log).toContain('["a","",""]\n{"a":"é"}\n')

  const without = await runStep(code, { env: { GITHUB_EVENT_PATH: '' } })
  expect(without.log).toContain('{}\n')
})

test('outputs and the summary are written, whatever is in them', async () => {
  const value = '"a\\nb\\r\\n::error::c\\nEOF\\nghadelimiter_\\n🎉="'
  const run = await runStep(`
    runner.output('first', ${value})
    runner.output('second', '')
    await runner.summary('é'.repeat(49) + '\\n' + 'é\\n'.repeat(400_000))`)

  expect(run.outputs).toEqual({ first: JSON.parse(value), second: '' })
  expect(run.commands).toEqual([])
  expect(run.summary).toMatch(/^é{49}\n(é\n){333300,}\n… \(cut short\)\n$/)
})

test('a file that cannot be read or written is named', async () => {
  const code = `await runner.summary('# Done\\n')
    await runner.payload().catch(({ message }) => runner.notice(message))
    runner.output('first', 'a')`
  const gone = {
    GITHUB_STEP_SUMMARY: '/no/a',
    GITHUB_OUTPUT: '/no/b',
    GITHUB_EVENT_PATH: '/no/c'
  }

  const { annotations, exitCode } = await runStep(code, { env: gone })

  expect(annotations.map(({ kind }) => kind)).toEqual(['warning', 'notice', 'error'])
  expect(annotations[1]?.message).toMatch(/^The event file "\/no\/c" cannot be read: /)
  expect(exitCode).toBe(1)
})

test('the process ends at once, but not before everything is printed', async () => {
  const run = await runStep(`
    setInterval(() => {}, 1000)
    for (let i = 0; i < 4000; i++) runner.info('x'.repeat(500))
    runner.notice('last')`)

  expect(run.log.match(/^x{500}$/gm)).toHaveLength(4000)
  expect(run.annotations).toEqual([{ kind: 'notice', message: 'last' }])
  expect(run).toMatchObject({ exitCode: 0 })
  expect(run.log).not.toContain('after the end')
})

const ENDLESS = `setInterval(() => {}, 1000)
  Promise.reject(new Error('lost'))
  await new Promise(() => {})`
const IDLE = 'there was nothing left to wait for'

test.each([
  ['the action says so', 'runner.fail()', []],
  ['an error is thrown', `throw new Error('so\\n::error::x')`, ['so\n| ::error::x']],
  ['a text is thrown', `throw 'text'`, ['text']],
  ['an error has no message', 'throw new RangeError()', ['RangeError']],
  ['a promise is never settled', 'await new Promise(() => {})', [IDLE]],
  ['nobody catches an error, and the action does not stop', ENDLESS, ['lost']]
])('the end is a failure when %s', async (_, code, messages) => {
  const run = await runStep(code)

  const errors = messages.map(text => {
    return { kind: 'error', message: `This should not have happened: ${text}` }
  })
  expect(run.annotations).toEqual(errors)
  expect(run).toMatchObject({ exitCode: 1, stderr: '' })
})

test('an exception that nobody caught stops the action, which still sets its outputs', async () => {
  const run = await runStep(`
    const stopped = new Promise(resolve => runner.cancelled.addEventListener('abort', resolve))
    setTimeout(() => { throw new Error('lost') })
    await stopped
    Promise.reject(new Error('follows from the stop'))
    await sleep(10)
    runner.output('first', runner.cancelled.reason.message)`)

  expect(run.annotations).toMatchObject([{ message: 'This should not have happened: lost' }])
  expect(run).toMatchObject({ exitCode: 1, stderr: '', outputs: { first: 'lost' } })
})

const TIDY = `runner.info('ready')
  await new Promise(resolve => {
    const timer = setInterval(() => {}, 1000)
    runner.cancelled.addEventListener('abort', () => resolve(clearInterval(timer)))
  })
  runner.info('tidied up')`

onPosix.each(['SIGINT', 'SIGTERM'] as const)('%s, not on Windows, stops the action', async name => {
  const interruption = { after: (output: string) => output.includes('ready'), signal: name }
  const run = await runStep(TIDY, { interruption })

  expect(run.log).toContain('tidied up')
  expect(run).toMatchObject({ exitCode: 0, signal: null })
})
