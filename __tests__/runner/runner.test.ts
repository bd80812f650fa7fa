// Tests of src/runner/runner.ts: a step of its own that prints, writes and ends through the door.
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { makeFolder } from '../support/folders.ts'
import { runStep } from './step.ts'

const COMMANDS = '"a\\n::error::b\\r::add-mask::c ##[add-path]d"'

describe('what is printed', () => {
  test('other people’s text is no command, wherever it stands', async () => {
    const run = await runStep(`
      const text = ${COMMANDS}
      runner.info(text)
      runner.block(text)
      await runner.group(text, async () => runner.info('inside'))
      runner.notice(text, text)`)
    expect(run.commands.map(({ name }) => name)).toEqual(['group', 'endgroup', 'notice'])
    const line = 'a\n| ::error::b\n| ::add-mask::c ## [add-path]d'
    expect(run.log).toContain(line)
    expect(run.log).toContain('  | ::error::b\n')
    expect(run.annotations).toEqual([
      { kind: 'notice', title: 'a ::error::b ::add-mask::c ## [add-path]d', message: line }
    ])
    expect(run.conclusion).toBe('success')
  })

  test('details come with debugging alone', async () => {
    const code = `runner.debug(${COMMANDS})`
    expect((await runStep(code, { debug: true })).log).toContain('| ::error::b')
    expect((await runStep(code)).log).not.toContain('::error::b')
  })

  test('a long annotation stands in the log whole', async () => {
    const run = await runStep(`runner.error('x'.repeat(3999) + '🎉' + 'y'.repeat(5000), 'Long')`)
    const [annotation] = run.annotations
    expect(annotation?.message).toMatch(/^x{3999}\ufffd… \(cut short; the log has all of it\)$/)
    expect(run.log).toContain(`error: ${'x'.repeat(3999)}🎉${'y'.repeat(5000)}\n`)
  })

  test('what was masked is hidden, and an empty text is not masked', async () => {
    const run = await runStep(`
      runner.mask('')
      runner.mask('s3cret-value')
      runner.info('the s3cret-value')`)
    expect(run.log).toContain('the ***')
    expect(run.masks).toEqual(['s3cret-value'])
  })

  test('a proxy’s password is masked from the start', async () => {
    const run = await runStep(`runner.info('tried http://me:p%40ssword@127.0.0.1:9')`, {
      env: { HTTPS_PROXY: 'http://me:p%40ssword@127.0.0.1:9' }
    })
    expect(run.masks).toEqual(expect.arrayContaining(['p%40ssword', 'p@ssword']))
    expect(run.log).not.toContain('ssword')
  })
})

describe('what is read', () => {
  test('inputs are trimmed, and empty when they are not given', async () => {
    const run = await runStep(`
      runner.info(JSON.stringify([runner.input('one'), runner.input('empty'), runner.input('no')]))`)
    expect(run.log).toContain('["a","",""]')
  })

  test('the payload', async () => {
    const run = await runStep(`runner.info(JSON.stringify(await runner.payload()))`, {
      event: { name: 'release', payload: { a: 'é' } }
    })
    expect(run.log).toContain('{"a":"é"}')
  })

  test('no payload is an empty one', async () => {
    const run = await runStep(`runner.info(JSON.stringify(await runner.payload()))`, {
      env: { GITHUB_EVENT_PATH: '' }
    })
    expect(run.log).toContain('{}')
  })

  test.each([
    ['not there', makeFolder()],
    ['no JSON', join(makeFolder({ 'event.json': '{' }), 'event.json')]
  ])('a payload that is %s is named', async (_, path) => {
    const run = await runStep('await runner.payload()', { env: { GITHUB_EVENT_PATH: path } })
    expect(run.annotations[0]?.message).toContain(`The event file "${path}" cannot be read: `)
    expect(run.conclusion).toBe('failure')
  })
})

describe('what is written', () => {
  test('outputs, whatever they hold', async () => {
    const value = '"a\\nb\\r\\n::error::c\\nEOF\\nghadelimiter_\\n🎉="'
    const run = await runStep(`
      runner.output('first', ${value})
      runner.output('second', '')`)
    expect(run.outputs).toEqual({ first: JSON.parse(value), second: '' })
    expect(run.commands).toEqual([])
  })

  test('outputs that cannot be written fail the step, and keep nothing from being told', async () => {
    const run = await runStep(
      `
      runner.output('first', 'a')
      runner.output('second', 'b')
      runner.notice('published all the same')`,
      { env: { GITHUB_OUTPUT: '/no/such/file' } }
    )
    expect(run.annotations).toMatchObject([
      { kind: 'error', message: expect.stringContaining('outputs cannot be written') },
      { kind: 'notice', message: 'published all the same' }
    ])
    expect(run.exitCode).toBe(1)
  })

  test('the summary', async () => {
    const run = await runStep(`await runner.summary('# Done\\n')`)
    expect(run.summary).toBe('# Done\n')
  })

  test('a summary that cannot be written is a warning', async () => {
    const code = `await runner.summary('# Done\\n')`
    const run = await runStep(code, { env: { GITHUB_STEP_SUMMARY: '/no/such/file' } })
    expect(run.annotations).toMatchObject([{ kind: 'warning' }])
    expect(run.conclusion).toBe('success')
    expect((await runStep(code, { env: { GITHUB_STEP_SUMMARY: '' } })).annotations).toEqual([])
  })

  test('a summary that the runner would drop is cut at a line', async () => {
    const run = await runStep(
      `await runner.summary('é'.repeat(49) + '\\n' + 'é\\n'.repeat(400_000))`
    )
    expect(run.faults).toEqual([])
    expect(run.summary).toMatch(/^é{49}\n(é\n){333300,}\n… \(cut short\)\n$/)
  })
})
