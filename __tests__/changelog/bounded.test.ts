// Tests of src/changelog/bounded.ts: texts that libraries are slow with end in time, others as they would anyway.
import { expect, test } from '@jest/globals'
import { doTask } from '../../src/changelog/bounded.ts'
import { CancelledError } from '../../src/http/exchange.ts'
import { REPOSITORY, write } from './notes.ts'

const never = new AbortController().signal
const notes = (source: string) => ({
  ...({ source, links: 'strip', repository: REPOSITORY, bodyHtml: '' } as const)
})

test('a long text becomes the same in a worker', async () => {
  const source = '* Faster by @jane in #12\n'.repeat(600)
  expect(await doTask(notes(source), never)).toEqual(await write('strip', source))
  const { text } = await doTask({ markdown: `# A\n\n${'b '.repeat(8000)}` }, never)
  expect(text).toMatch(/^<h1>A<\/h1>\n<p>b b /)
})

test('an error about a long text is the same', async () => {
  const hidden = `${'a '.repeat(8000)} github&period;com/acme/plugin`
  await expect(doTask(notes(hidden), never)).rejects.toThrow('would remain in the changelog')
})

test.each([
  ['lists in quotes', '>- '.repeat(40_000)],
  ['one emphasis after another', '**a #1 '.repeat(40_000)],
  ['one bracket after another', '[a](#1 '.repeat(40_000)],
  ['a deep list', Array.from({ length: 900 }, (_, at) => `${' '.repeat(2 * at)}- #1`).join('\n')]
])('%s end at the deadline, or before', async (_, source) => {
  const ended = doTask(notes(source), never, 500).then(String, String)
  expect(await ended).toMatch(/object|too long to read|nested too deeply/)
})

test('quotes in quotes are nested too deeply', async () => {
  const deep = doTask({ markdown: `${'>'.repeat(9000)} a` }, never)
  await expect(deep).rejects.toThrow('nested too deeply')
})

test('a cancelled run does not wait for it', async () => {
  const controller = new AbortController()
  const ended = doTask(notes('>- '.repeat(40_000)), controller.signal)
  controller.abort()
  await expect(ended).rejects.toThrow(CancelledError)
})
