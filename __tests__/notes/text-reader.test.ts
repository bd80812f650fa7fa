// Tests of src/notes/text-reader.ts: texts are read in a worker, the long ones too, and none takes longer than its limit.
import { expect, test } from '@jest/globals'
import { renderMarkdown, takeSection, takeWhole } from '../../src/notes/notes.ts'
import type { Task } from '../../src/notes/perform.ts'
import { TextReader } from '../../src/notes/text-reader.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import { CancelledError } from '../../src/runner/cancellation.ts'
import { DEEP } from '../support/deep.ts'
import { reader, strip, write } from './notes.ts'

const ITEMS = 500
const NOTES = Array.from(
  { length: ITEMS },
  (_, at) => `* Album ${at} by @jane in HOME/pull/${at + 1}`
).join('\n')

const REPOSITORY = { serverUrl: 'https://github.com', repository: 'acme/plugin' }
const writing = (text: string): Task => {
  return {
    kind: 'write',
    text,
    links: 'strip',
    repository: REPOSITORY
  }
}
const rendering = (text: string): Task => ({ kind: 'render', text })

test('a long text is written, rendered and searched as a short one', async () => {
  const items = Array.from({ length: ITEMS }, (_, at) => `* Album ${at}`)
  expect(await strip(NOTES)).toBe(items.join('\n'))

  const { removed } = await write('strip', NOTES)
  expect(removed[ITEMS - 1]).toBe(`by @jane in #${ITEMS}`)

  const html = await renderMarkdown(`# A\n\n${'b '.repeat(8000)}`, reader)
  expect(html).toMatch(/^<h1>A<\/h1>\n<p>b b /)

  const file = {
    text: `# 1.2.3\n\na\n\n# 1.2.2\n\n${NOTES}`,
    path: 'a.md',
    version: '1.2.3',
    tag: 'v1.2.3'
  }
  expect(await takeSection(file, reader)).toBe('a')
})

test('an error about a long text says the same as one about a short text', async () => {
  const hidden = `${'a '.repeat(8000)} https://github&period;com/acme/plugin`
  const refused = { reason: 'no-changelog', advice: expect.stringContaining('leave it out') }
  await expect(strip(hidden)).rejects.toMatchObject(refused)

  const file = {
    text: `# 1.2.2\n\n${NOTES}`,
    path: 'a.md',
    version: '1.2.3',
    tag: ''
  }
  await expect(takeWhole(file, reader)).rejects.toThrow('line 1: # 1.2.2')
})

test('notes as long as GitHub takes them are stripped and rendered in time', async () => {
  const times = Math.floor(125_000 / (NOTES.length + 10))
  const started = performance.now()

  const text = await strip(Array.from({ length: times }, () => NOTES).join('\n\n## More\n\n'))
  const html = await renderMarkdown(text, reader)
  expect(performance.now() - started).toBeLessThan(60_000)
  expect(html.match(/<li>Album \d+<\/li>/g)).toHaveLength(times * ITEMS)
})

/** Marks that libraries and patterns may be slow with. */
const HOSTILE = ['[a](#1 ', 'a <!-- ', '(#1)']
/** More of them, for the deep suite. */
const MORE = [
  '[',
  '>',
  '**a #1 ',
  '`a``',
  '@a, ',
  'acme/plugin/',
  '<!--',
  '>- ',
  '![',
  '*a _',
  '~a',
  '<a ',
  '%2',
  '&#47;',
  '<a href="HOME">',
  '[a]: b\n',
  '[^a]',
  '- ',
  '# ',
  '```\n',
  '<pre>',
  'by @a in #1\n',
  ' (',
  '(#1, ',
  '1a2b3c4 ',
  '\\',
  '<!<!--',
  '|a\n|-\n'
]

/** In milliseconds: a limit that long texts reach. */
const SHORT = 300
const NEVER = new AbortController().signal

test.each(DEEP ? [...HOSTILE, ...MORE] : HOSTILE)(
  'texts of nothing but %j end in time, by a result or by an error',
  async piece => {
    const fill = (length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

    /** Writes and renders a text; either may be refused. */
    async function read(text: string, budget?: number): Promise<void> {
      const texts = new TextReader(NEVER, budget)
      for (const task of [writing(text), rendering(text)]) {
        const ended = await texts.doTask(task).catch((error: unknown) => error)
        if (!(ended instanceof ActionError)) {
          expect(ended).toMatchObject({ text: expect.any(String) })
        }
      }
      await texts.close()
    }

    const started = performance.now()
    await read(fill(5000))
    await read(fill(100_000), SHORT)
    expect(performance.now() - started).toBeLessThan(60_000)
  },
  90_000
)

/** It takes longer to read than `SHORT`. */
const ENDLESS = writing('>- '.repeat(40_000))

test('at the limit the worker is ended', async () => {
  const ended = new TextReader(NEVER, SHORT).doTask(ENDLESS)
  await expect(ended).rejects.toThrow('It takes too long to read the changelog')
})

test('all texts of a run have one limit of time together', async () => {
  const texts = new TextReader(NEVER, SHORT)
  const ended = texts.doTask(ENDLESS)
  await expect(ended).rejects.toThrow(ActionError)
  await expect(texts.doTask(ENDLESS)).rejects.toThrow('It takes too long to read the changelog')
})

test('a text that is large and has no odd marks is said to be large', async () => {
  const listOf = (items: number) => rendering('- Albums can be sorted by date\n'.repeat(items))
  for (const [items, size] of [
    [10_000, '310 kB'],
    [80_000, '2.48 MB']
  ] as const) {
    const ended = new TextReader(NEVER, SHORT).doTask(listOf(items))
    await expect(ended).rejects.toThrow(`The changelog has ${size}, which is too large`)
  }
})

test('after a text that was refused, the next one is read as if it were the first', async () => {
  const deep = rendering(`${'>'.repeat(4900)} a`)
  await expect(reader.doTask(deep)).rejects.toThrow('nested too deeply')
  expect(await renderMarkdown('# A', reader)).toBe('<h1>A</h1>')
})

test('a canceled run does not wait for a text', async () => {
  const controller = new AbortController()
  const ended = new TextReader(controller.signal).doTask(ENDLESS)
  controller.abort()
  await expect(ended).rejects.toThrow(CancelledError)
})
