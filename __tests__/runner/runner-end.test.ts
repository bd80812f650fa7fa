// Tests of how a step ends through src/runner/runner.ts: at once, after its last word, and by signals.
import { describe, expect, test } from '@jest/globals'
import { runStep } from './step.ts'

describe('the end', () => {
  test('comes at once, whatever is left', async () => {
    const run = await runStep(`setInterval(() => {}, 1000); runner.info('done')`)
    expect(run).toMatchObject({ exitCode: 0 })
    expect(run.log).not.toContain('after the end')
  })

  test('comes after the last word, however long', async () => {
    const run = await runStep(`
      for (let i = 0; i < 4000; i++) runner.info('x'.repeat(500))
      runner.notice('last')`)
    expect(run.log.match(/^x{500}$/gm)).toHaveLength(4000)
    expect(run.annotations).toEqual([{ kind: 'notice', message: 'last' }])
  })

  test('is a failure when the action says so', async () => {
    expect(await runStep('runner.fail()')).toMatchObject({ exitCode: 1, annotations: [] })
  })

  test.each([
    ['thrown', `throw new Error('so\\n::error::x')`, 'so\n| ::error::x'],
    ['thrown, and no error', `throw 'text'`, 'text'],
    ['thrown, and without a message', 'throw new RangeError()', 'RangeError']
  ])('is a failure when something is %s', async (_, code, message) => {
    const run = await runStep(code)
    expect(run.annotations).toEqual([
      { kind: 'error', message: `This should not have happened: ${message}` }
    ])
    expect(run).toMatchObject({ exitCode: 1, stderr: '' })
  })

  test.each([
    ['a rejection', `Promise.reject(new Error('lost'))`],
    ['an exception', `setTimeout(() => { throw new Error('lost') })`]
  ])('%s that nobody caught stops the action, which still sets its outputs', async (_, code) => {
    const run = await runStep(`
      const stopped = new Promise(resolve => runner.cancelled.addEventListener('abort', resolve))
      ${code}
      await stopped
      Promise.reject(new Error('follows from the stop'))
      await sleep(10)
      runner.output('first', runner.cancelled.reason.message)`)
    expect(run.annotations).toEqual([
      { kind: 'error', message: 'This should not have happened: lost' }
    ])
    expect(run.outputs).toMatchObject({ first: 'lost' })
    expect(run).toMatchObject({ exitCode: 1, stderr: '' })
  })

  test('comes after an error that nobody caught, though the action does not stop', async () => {
    const run = await runStep(`
      setInterval(() => {}, 1000)
      Promise.reject(new Error('lost'))
      await new Promise(() => {})`)
    expect(run).toMatchObject({ exitCode: 1 })
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s is told to the action, which ends itself',
    async signal => {
      const run = await runStep(
        `
      runner.info('ready')
      await new Promise(resolve => {
        const timer = setInterval(() => {}, 1000)
        runner.cancelled.addEventListener('abort', () => resolve(clearInterval(timer)))
      })
      runner.info('tidied up')
      runner.fail()`,
        { signal: { after: output => output.includes('ready'), signal } }
      )
      expect(run.log).toContain('tidied up')
      expect(run).toMatchObject({ exitCode: 1, signal: null })
    }
  )
})
