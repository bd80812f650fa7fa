// Tests of src/changelog/notes.ts: notes as tools write them, comments, and what is not worth a parser.
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { hasText, normalize } from '../../src/changelog/text.ts'
import { expand, fixture, keep, NOTES, strip } from './notes.ts'

test.each(NOTES)('notes of %s: expanded as GitHub renders them, stripped, or kept', async name => {
  const source = fixture(name, 'notes.md')
  const windows = source.replaceAll('\n', '\r\n')
  const rendering = fixture(name, 'body_html.txt')
  for (const notes of [source, windows]) {
    expect(await expand(notes, rendering)).toBe(fixture(name, 'expanded.md'))
    expect(await strip(notes)).toBe(fixture(name, 'stripped.md'))
    expect(await keep(notes)).toBe(source.replace(/<!--.*?-->/g, '').trim())
  }
})

test('line ends become one, and the text is trimmed; nothing else changes', async () => {
  expect(normalize('\r\n a\r\n\r\nb\r\n')).toBe('a\n\nb')
  expect(normalize('a\r\r\nb\n\rc\r')).toBe('a\n\nb\n\nc')
  const source = '  * Faster\r\n* “Nicer”, with `code`\n\n\n  1. 100 % sure…\t\n'
  const text = '* Faster\n* “Nicer”, with `code`\n\n\n  1. 100 % sure…'
  for (const write of [keep, strip, expand]) expect(await write(source, '')).toBe(text)
})

const none = ['', '\u200b', '&nbsp;', ' \u00a0\ufeff', '<p>&nbsp;</p>', '- ', '---']
test.each([...none, 'News\n====', '> # News\n> TODO:'])('%j has nothing to read', text => {
  expect(hasText(text)).toBe(false)
})

const some = ['a', '1', '…', '🎉', '<https://a.b>', '<img src="a">', 'Новый TODO', '新しいTODO機能']
test.each([...some, `a\n${' '.repeat(99_999)}x`, `${'>'.repeat(99_999)}x`])('%.40j has', text => {
  expect(hasText(text)).toBe(true)
})

describe('comments', () => {
  test.each([
    ['within a line', 'a <!-- b --> c', 'a  c'],
    ['over several lines', 'a <!-- b\nc --> d', 'a  d'],
    ['as a block', 'a\n\n<!--\n\n# b\n\n-->\n\nc', 'a\n\n\n\nc'],
    ['never closed, as a block: to the end', 'a\n\n<!-- b\n\nc', 'a'],
    ['never closed, within a line: no comment', 'a <!-- b\n\nc', 'a <!-- b\n\nc'],
    ['empty', 'a<!---->b<!-->c', 'abc'],
    ['up to an end of HTML alone', 'a <!-- b --!> c', 'a <!-- b --!> c'],
    ['in a block of HTML', '<div>\n<!-- a -->\n</div>', '<div>\n\n</div>'],
    ['in a block of HTML that ends before it', '<div>\n<!-- a\n\nb -->\n\nc', '<div>\n\n\nc'],
    ['before code that closes it', '<div>\n<!-- a\n\nb `-->` c', '<div>\n\n\nb `-->` c'],
    ['in a quote', '> a\n> <!-- b\n> c -->\n> d', '> a\n> \n> d'],
    ['in a list', '- a\n  <!-- b -->\n- c', '- a\n  \n- c'],
    ['not in code', '`<!-- a -->`\n\n```\n<!-- b -->\n```', '`<!-- a -->`\n\n```\n<!-- b -->\n```'],
    ['not in indented code', 'a\n\n    <!-- b -->', 'a\n\n    <!-- b -->'],
    ['not escaped', '\\<!-- a -->', '\\<!-- a -->'],
    ['that come forth from others', 'a <!<!-- b -->-- c --> d', 'a  d']
  ])('%s', async (_, source, text) => {
    expect([await keep(source), await strip(source)]).toEqual([text, text])
  })
})

test('a text beyond all measure is refused, and the longest that GitHub takes is not', async () => {
  await expect(keep('a'.repeat(1_000_001))).rejects.toThrow('the changelog has 1000001 characters')
  const times = Math.floor(125_000 / fixture('generated', 'notes.md').length)
  const repeat = (file: string) =>
    new Array(times).fill(fixture('generated', file)).join('\n\n## Next\n\n')
  const expanded = await expand(repeat('notes.md'), repeat('body_html.txt'))
  expect(expanded.split('@octocat](').length - 1).toBe(2 * times)
  const stripped = await strip(repeat('notes.md'))
  expect(stripped.match(/Add a dark mode$/gm)).toHaveLength(times)
  expect(stripped).not.toMatch(/github\.com|octocat/)
})

test('what is not needed is not loaded', () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ resolve(name, context, next) { loaded.push(name); return next(name, context) } })
    const { writeForBuyers } = await import('${new URL('../../src/changelog/notes.ts', import.meta.url)}')
    const repository = { serverUrl: 'https://github.com', repository: 'acme/plugin' }
    await writeForBuyers({ source: '- Faster\\n- Nicer, 100 %', links: 'expand', repository })
    await writeForBuyers({ source: '[a](b) #12 @octocat', links: 'keep', repository })
    console.log(loaded.includes('mdast-util-from-markdown'))
    await writeForBuyers({ source: 'by @octocat in #12', links: 'strip', repository })
    console.log(loaded.includes('mdast-util-from-markdown'), loaded.includes('xss'))`
  const node = [process.execPath, ['--input-type=module', '--eval', script]] as const
  expect(execFileSync(...node, { encoding: 'utf8', env: {} })).toBe('false\ntrue false\n')
})
