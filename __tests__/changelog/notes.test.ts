// Tests of src/changelog/notes.ts: notes as tools write them, and what their buyers read.
import { describe, expect, test } from '@jest/globals'
import { normalize } from '../../src/changelog/markdown.ts'
import { hasText, writeForBuyers } from '../../src/changelog/notes.ts'
import { expand, fixture, keep, NOTES, REPOSITORY, strip } from './notes.ts'

describe('notes as they are written', () => {
  test.each(NOTES)('%s: expanded as GitHub renders them', async name => {
    const text = await expand(fixture(name, 'notes.md'), fixture(name, 'body_html.txt'))
    expect(text).toBe(fixture(name, 'expanded.md'))
  })

  test.each(NOTES)('%s: stripped of the repository and its people', async name => {
    expect(await strip(fixture(name, 'notes.md'))).toBe(fixture(name, 'stripped.md'))
  })

  test.each(NOTES)('%s: kept but for comments', async name => {
    const notes = fixture(name, 'notes.md')
    expect(await keep(notes)).toBe(notes.replace(/<!--.*?-->/g, '').trim())
  })

  test.each(NOTES)('%s: the same with the line ends of Windows', async name => {
    const notes = fixture(name, 'notes.md').replaceAll('\n', '\r\n')
    const rendering = fixture(name, 'body_html.txt').replaceAll('\n', '\r\n')
    expect(await expand(notes, rendering)).toBe(fixture(name, 'expanded.md'))
    expect(await strip(notes)).toBe(fixture(name, 'stripped.md'))
  })
})

describe('line ends and spaces around', () => {
  test.each([
    ['of Windows', '\r\n a\r\n\r\nb\r\n', 'a\n\nb'],
    ['of old Macs', 'a\rb\r', 'a\nb'],
    ['mixed', 'a\r\r\nb\n\rc', 'a\n\nb\n\nc']
  ])('%s', (_, source, text) => {
    expect(normalize(source)).toBe(text)
  })

  test('a text without anything to edit comes back as it is', async () => {
    const source = '  * Faster\r\n* “Nicer”, with `code`\n\n\n  1. 100 % sure…\t\n'
    expect(await keep(source)).toBe('* Faster\n* “Nicer”, with `code`\n\n\n  1. 100 % sure…')
    expect(await strip(source)).toBe(await keep(source))
    expect(await expand(source, '')).toBe(await keep(source))
  })
})

describe('what has nothing to read', () => {
  test.each(['', '\u200b', '&nbsp;', ' \u00a0\ufeff', '<p>&nbsp;</p>', '- ', '---'])('%j', text => {
    expect(hasText(text)).toBe(false)
  })

  test.each(['a', '1', '…', '🎉', '<https://a.b>', '<img src="a">'])('but %j', text => {
    expect(hasText(text)).toBe(true)
  })
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
    [
      'in a block of HTML that ends before it, and before its end is code',
      '<div>\n<!-- a\n\nb `-->` c',
      '<div>\n\n\nb `-->` c'
    ],
    ['in a block of HTML, and never closed', '<div>\n<!-- a\n\nb', '<div>\n\n\nb'],
    ['in a quote', '> a\n> <!-- b\n> c -->\n> d', '> a\n> \n> d'],
    ['in a list', '- a\n  <!-- b -->\n- c', '- a\n  \n- c'],
    ['not in code', '`<!-- a -->`\n\n```\n<!-- b -->\n```', '`<!-- a -->`\n\n```\n<!-- b -->\n```'],
    ['not in indented code', 'a\n\n    <!-- b -->', 'a\n\n    <!-- b -->'],
    ['not instructions', '<?php a ?>\n\n<!-- b -->c', '<?php a ?>\n\nc'],
    ['not escaped', '\\<!-- a -->', '\\<!-- a -->'],
    ['that come forth from others', 'a <!<!-- b -->-- c --> d', 'a  d']
  ])('%s', async (_, source, text) => {
    expect(await keep(source)).toBe(text)
    expect(await strip(source)).toBe(text)
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

describe('notices', () => {
  const notice = async (source: string, rendering?: string) => {
    const found = await writeForBuyers({
      ...{ source, links: 'expand', repository: REPOSITORY },
      ...(rendering === undefined ? {} : { render: async () => rendering })
    })
    expect(found.text).toBe(source)
    return found.notice
  }

  test.each([
    ['an issue', 'See acme/theme#12.', 'acme/theme#12'],
    ['a user', 'By @octocat.', '@octocat'],
    ['a commit', 'In 12ab34cd.', '12ab34cd'],
    ['a relative link', 'See [the guide](docs/guide.md).', 'docs/guide.md'],
    ['a definition', 'See [the guide].\n\n[the guide]: docs/guide.md', 'docs/guide.md'],
    ['a link in HTML', '<b>See</b> <a id="a" href="docs/guide.md">the guide</a>.', 'docs/guide.md'],
    ['a reference in HTML', '<p>See #12.</p>', '#12'],
    ['the first of several', '`#1` [#2](https://example.com) #3 @octocat', '#3']
  ])('%s stays without a rendering, and it is said', async (_, source, named) => {
    expect(await notice(source)).toBe(
      `References such as “${named}” stay as they are in the changelog: ` +
        'GitHub’s own rendering of the release is not known.'
    )
  })

  test.each([
    ['code', '`#12` and\n\n    @octocat'],
    ['links', '[#12](https://example.com) and https://example.com/#12'],
    ['numbers and words', 'Since 20260102, a@example.com & #news'],
    ['addresses within the text', '[below](#news) and <a name="docs/a.md">there</a>'],
    ['texts of images', '![#12](https://example.com/a.png)']
  ])('nothing is said of %s', async (_, source) => {
    expect(await notice(source)).toBeUndefined()
  })

  test.each([
    ['without any', '0.5 s', 'expand'],
    ['without its comments', 'a <!-- b -->', 'keep'],
    ['with references that are kept', '`<!-- a -->` #12', 'keep'],
    ['with references that are no links', '<b>#12</b>', 'strip']
  ] as const)('nothing is said of a text %s', async (_, source, links) => {
    const { notice } = await writeForBuyers({ source, links, repository: REPOSITORY })
    expect(notice).toBeUndefined()
  })

  test('nothing is said of references that GitHub does not link', async () => {
    expect(await notice('See #12.', '<p>See #12.</p>')).toBeUndefined()
  })
})
