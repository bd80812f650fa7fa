// Tests of src/release/changelog.ts: notes as tools write them, and what their buyers read.
import { describe, expect, test } from '@jest/globals'
import { mayChange, normalise, writeForBuyers } from '../../src/changelog/changelog.ts'
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
    expect(normalise(source)).toBe(text)
  })

  test('a text without anything to edit comes back as it is', async () => {
    const source = '  * Faster\r\n* “Nicer”, with `code`\n\n\n  1. 100 % sure…\t\n'
    expect(await keep(source)).toBe('* Faster\n* “Nicer”, with `code`\n\n\n  1. 100 % sure…')
    expect(await strip(source)).toBe(await keep(source))
    expect(await expand(source, '')).toBe(await keep(source))
  })
})

describe('what is looked at more closely', () => {
  test.each([
    ...[
      'a <!-- b -->',
      '#1',
      'GH-1',
      'gh-1',
      '0123abc',
      '@a',
      '&num;1',
      '\\#1',
      '[a](b)',
      '[a]: b'
    ],
    '<A href=b>c</A>'
  ])('expanding: %s', source => {
    expect(mayChange(source, 'expand')).toBe(true)
  })

  test.each([
    ...['a <!-- b -->', '<b title=c>', 'github.com/a', '@a', 'github&period;com', 'github\\a'],
    ...['github.com%2Fa%2Fb', '[a](b)', '[a]: b', 'Full Changelog: v1..v2']
  ])('stripping: %s', source => {
    expect(mayChange(source, 'strip')).toBe(true)
  })

  test.each([
    ['keep', '[a](b) #1 @c <b>'],
    ['expand', '1. Faster: 0.5 s, 123456 of [all] in <b>ABC</b> <abbr>'],
    ['strip', '- Faster: [0.5] s, 1234567. See #1 (or GH-1)']
  ] as const)('nothing, to %s: %s', (links, source) => {
    expect(mayChange(source, links)).toBe(false)
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
    ['with an end of HTML alone', 'a <!-- b --!> c --> d', 'a  d'],
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

describe('comments within comments', () => {
  const nested = (depth: number) => `a ${'<!'.repeat(depth)}-- b ${'-- -->'.repeat(depth)}`

  test('go, one after another', async () => {
    expect(await keep(nested(15))).not.toContain('b')
    expect(await strip(nested(15))).not.toContain('b')
  })

  test('are refused when they are too many', async () => {
    await expect(keep(nested(30))).rejects.toThrow(/nested in each other too deeply/)
  })
})

describe('notices', () => {
  const notice = async (source: string, rendering?: string) => {
    const found = await writeForBuyers({
      ...{ source, links: 'expand', repository: REPOSITORY },
      ...(rendering === undefined ? {} : { rendering })
    })
    expect(found.text).toBe(source)
    return found.notices
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
    expect(await notice(source)).toEqual([
      `References such as “${named}” stay as they are in the changelog: ` +
        'GitHub’s own rendering of the release is not known.'
    ])
  })

  test.each([
    ['code', '`#12` and\n\n    @octocat'],
    ['links', '[#12](https://example.com) and https://example.com/#12'],
    ['numbers and words', 'Since 20260102, a@example.com & #news'],
    ['addresses within the text', '[below](#news) and <a name="docs/a.md">there</a>'],
    ['texts of images', '![#12](https://example.com/a.png)']
  ])('nothing is said of %s', async (_, source) => {
    expect(await notice(source)).toEqual([])
  })

  test.each([
    ['without any', '0.5 s', 'expand'],
    ['without its comments', 'a <!-- b -->', 'keep'],
    ['with references that are kept', '`<!-- a -->` #12', 'keep'],
    ['with references that are no links', '<b>#12</b>', 'strip']
  ] as const)('nothing is said of a text %s', async (_, source, links) => {
    const { notices } = await writeForBuyers({ source, links, repository: REPOSITORY })
    expect(notices).toEqual([])
  })

  test('nothing is said of references that GitHub does not link', async () => {
    expect(await notice('See #12.', '<p>See #12.</p>')).toEqual([])
  })

  test('a rendering of another text is not used', async () => {
    const words = (seed: number) => Array.from({ length: 2500 }, (_, index) => `w${index * seed}`)
    const source = `#12 ${words(2).join(' ')}`
    const rendering = `<p>${words(3).join(' ')} <a href="https://github.com/a/b/pull/1">#12</a></p>`
    expect(await notice(source, rendering)).toEqual([
      'References such as “#12” stay as they are in the changelog: GitHub’s rendering is not of these notes.'
    ])
  })
})
