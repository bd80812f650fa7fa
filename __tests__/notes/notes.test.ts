// Tests of src/notes/notes.ts: the release notes that buyers get to read. HOME is the address of the repository.
import { describe, expect, test } from '@jest/globals'
import { writeNotes } from '../../src/notes/notes.ts'
import { hasText } from '../../src/notes/text.ts'
import { keep, strip, withHome, write } from './notes.ts'

const JANE = '[@jane](https://github.com/jane)'
const COMMIT = '[`1234abc`](HOME/commit/1234abc)'

function becomes(rows: readonly (readonly [source: string, text: string])[]): void {
  test.each(rows)('%j', async (source, text) => {
    expect(await strip(source)).toBe(withHome(text))
  })
}

const stays = (sources: readonly string[]) => becomes(sources.map(source => [source, source]))

describe('the words that generators write around an item go', () => {
  becomes([
    // GitHub
    ['* Add albums by @jane in HOME/pull/12\n* Sort', '* Add albums\n* Sort'],
    [`* a by ${JANE} in [#1](HOME/pull/1)\n* b By @joe in #2.`, '* a\n* b.'],
    ['* a by @a, @b-c[bot] and @d in <HOME/pull/1>\n* b by @e with @f & @g in (#1)', '* a\n* b'],
    ['* a by @[renovate[bot]](https://github.com/apps/renovate) in #3', '* a'],
    ['* a by @b in HOME/commit/1a2b3c4', '* a'],
    ['* a by @b in #1, closes #2', '* a'],
    // changelogithub
    ['- a &nbsp;-&nbsp; by **Jane Doe** in #1 [<samp>(abc12)</samp>](HOME/commit/1234abc)', '- a'],
    // release-drafter, whose bare names may be words: `Support @media (#12)`
    ['* a @alice (#12)\n* b (#13) @bob\n* c (#14)', '* a @alice\n* b (#13) @bob\n* c'],
    // conventional-changelog, release-please
    [`* **api:** a ([#1](HOME/pull/1)) (${COMMIT}), closes [#1](HOME/issues/1) #2`, '* **api:** a'],
    [`* a (${COMMIT}), closes #61\n* b (#1), closes #2`, '* a\n* b'],
    // nearly all
    ['- a (#1)\n- b (#1, #2)\n- c (#1 and #2)\n- d (GH-3)', '- a\n- b\n- c\n- d'],
    ['- a (1a2b3c4)\n- b [#1]\n- c ([#1][#2])\n- d (#1)!', '- a\n- b\n- c\n- d!'],
    ['- a. (#1)\n- b (#1).\n- c. (#2).\n- d - (#3)', '- a.\n- b.\n- c.\n- d'],
    [`- a [[#1](HOME/pull/1)] [${COMMIT}]`, '- a'],
    // lerna-changelog, auto
    [`* a (${JANE})\n* b (thanks ${JANE})`, '* a\n* b'],
    // by hand
    ['- a #1 by @jane\n- b #2 (by @jane)\n- c #3 (@jane)', '- a #1\n- b #2\n- c #3'],
    // tj-actions
    [`- **deps:** a (#1) (${COMMIT})  - (renovate[bot])`, '- **deps:** a'],
    // changesets
    [`- [#1](HOME/pull/1) ${COMMIT} Thanks ${JANE}! - a`, '- a'],
    [`- ${COMMIT} Thanks ${JANE}, [@joe](https://github.com/joe)! - a`, '- a'],
    [`- 1a2b3c4: a\n- Dependencies [${COMMIT}]:\n  - b@1.2.3`, '- a\n- Dependencies:\n  - b@1.2.3'],
    // GoReleaser, git-cliff
    ['* 1a2b3c4d5e a\n* [1a2b3c4] - b\n* 1a2b3c4 - c', '* a\n* b\n* c']
  ])
})

describe('sections and lines about people go', () => {
  becomes([
    // GitHub
    ['a\n\n**Full Changelog**: HOME/compare/v1...v2', 'a'],
    ['a\n\n**Full Changelog**: HOME/commits/v1', 'a'],
    ['* a\n**Full Changelog**: HOME/compare/v1...v2', '* a'],
    ['a\n\n__Full changelog__: v1..v2\n\nb', 'a\n\nb'],
    [
      'a\n\n## New Contributors\n* @b made their first contribution in HOME/pull/1\n\n## D\n\ne',
      'a\n\n## D\n\ne'
    ],
    ['a\n\n> ## New Contributors\n> * @b\n> * @c', 'a'],
    ['a\n\n## 🎉 New Contributors! 🎉\n* @b\n* @c\n\n**Full Changelog**: HOME/compare/a...b', 'a'],
    // changelogen, nx
    ['[compare changes](HOME/compare/v1...v2)\n\na\n\n### ❤️ Contributors\n\n- Jane (@jane)', 'a'],
    ['a\n\n### ❤️ Thank You\n\n- Jane Doe @jane\n- Jim Beam', 'a'],
    // lerna-changelog, auto
    [`a\n\n#### Committers: 2\n- Jane (${JANE})\n- ${JANE}`, 'a'],
    [`a\n\n#### Authors: 1\n\n- Jane Doe (${JANE})`, 'a'],
    // git
    ['a\n\nCo-authored-by: Jane <jane@a.example>\nSigned-off-by: Joe <joe@laptop>', 'a']
  ])
})

describe('a person’s text keeps its words', () => {
  stays([
    '- Payments are processed by @stripe\n- You can log in as name@example.com',
    'Thanks @jane for the report! The crash is gone.',
    '- Done by hand in #1\n- Standby @jane in #1',
    '- Contact - Our Support Team <help@shop.example>\n- New address: help@shop.example',
    '- Signed-off-by: lines are now written\n- Co-authored-by: Jane',
    '- Updated **@acme/core** and @acme/gallery-pro',
    '- A by @a in #1\n  and by @b',
    'ⓟ made their first contribution in #1',
    // The line would end in a preposition, or in a verb that the reference belongs to.
    '- Related to (#3)\n- See (#12)\n- See also: (#12)',
    '- Closes #12.\n\nFixes #12, and @jane knows why.',
    '- Reverts (#3)\n- Fixed in (#12)\n- Works as number (#1)\n- Refs (1234abc)',
    '- When idle, closes #3\n- This item closes #3',
    // A list that a heading such as Contributors stands over, but not of people
    '## Contributors\n\n- Contributor Box @jane. It is new.\n- @joe',
    '## Authors\n\n- Author Pages\n- Author Search',
    '### Credits system\n\n- Buy Credits\n- Refund Credits',
    '## New Contributors\n\n* Hi!',
    '* @a made their first contribution in #1 and more',
    'Full Changelog: soon\n\nFull Changelog: all from a...b until c',
    '- The differences: v1...v2',
    '| a |\n| - |\n| by @jane in #1 |',
    // Words that look like the id of a commit, or like a number
    '- BCF2000 faders\n- Motor faders (bcf2000)\n- Calls (face2face)\n- facade1 is gone',
    '- bcf2000 faders\n- face2face: calls\n* 1e10000 rows\n* 1234567 rows',
    '- The background is black (#000000)\n- #112233 is used',
    '- Fix the export - (1a2b3c4) - now works on Linux, too',
    '- New engine (#3) is faster\n- New engine (#3) - (experimental)\n- a - (1a2b3c4) - now on Linux'
  ])

  becomes([
    // Of names before a reference, which could be what a generator writes, as in `c @y (#6)`
    [
      '- Sort by @date (#3)\n- Group by @x (#5)\n- c @y (#6)',
      '- Sort by @date\n- Group by @x\n- c @y'
    ],
    ['- Like @jane (#4)\n- Filter by @jane (#4)', '- Like @jane\n- Filter by @jane'],
    [
      '- Update to react@18.2.0 (#12)\n- Log in as name@example.com (#13)',
      '- Update to react@18.2.0\n- Log in as name@example.com'
    ],
    ['- Contact us: @acme (#3)\n- Renamed @a → @b (#3)', '- Contact us: @acme\n- Renamed @a → @b'],
    ['- b reported by @b\n- c in #3 by @c', '- b reported by @b\n- c in #3'],
    ['- Fix (#1) and [#2](HOME/pull/2), see (#3)', '- Fix (#1) and #2, see (#3)'],
    ['- A (#1)\n- B (#2)\n- C in gray (#333333)', '- A\n- B\n- C in gray (#333333)'],
    ['See the [full changelog](HOME/compare/a...b) for all.', 'See the full changelog for all.'],
    ['The differences are in\nHOME/compare/a...b', 'The differences are in\na...b'],
    ['As reported (HOME/pull/12), it crashed.', 'As reported (#12), it crashed.'],
    ['Introduced in HOME/pull/3', 'Introduced in #3'],
    ['- **a (#1)**', '- **a (#1)**'],
    ['> - a (#1)\n> - b (#2)', '> - a\n> - b'],
    ['- a\n- #1\n  - b (#2)\n- (#3)\n- c (#4)', '- a\n- #1\n  - b\n- (#3)\n- c']
  ])
})

describe('addresses of the repository become text', () => {
  becomes([
    ['a [b *c*](HOME/pull/1 "d") e', 'a b *c* e'],
    ['[#12](HOME/issues/12): a [`abc1234`](HOME/commit/abc1234) b', '#12: a `abc1234` b'],
    ['Since HOME/commit/0123456789abcdef it works.', 'Since `0123456` it works.'],
    ['a <HOME/pull/1> b HOME/discussions/2, HOME/issues/3?a=b#c.', 'a #1 b #2, #3.'],
    ['Broken since acme/plugin@1234abcd, see Acme/Plugin#12.', 'Broken since `1234abc`, see #12.'],
    [
      'See HOME/blob/main/INSTALL.md#a! And HOME and HOME/wiki',
      'See INSTALL.md! And plugin and wiki'
    ],
    ['[b](<HOME/a b>) [c](HTTPS://GITHUB.COM/Acme/PLUGIN/)', 'b c'],
    ['[a](git@github.com:acme/plugin.git)', 'a'],
    ['[a](https://raw.githubusercontent.com/acme/plugin/main/a)', 'a'],
    ['[a](https&#58;//github&period;com/acme\\/plugin) b', 'a b'],
    ['[a](https://example.com/?to=https%3A%2F%2Fgithub.com%2F%61cme%2Fplugin)', 'a'],
    ['[a](docs/a.md) [b](/acme/plugin/wiki) [c](../c) [d](?tab=d)', 'a b c d'],
    ["[a][b] [c][] [c]\n\n[b]: HOME/pull/1\n[C]:\n  <HOME>\n  'title'\n", 'a c c'],
    ['![a](HOME/a.png) ![b](https://a.b/b.png)', 'a ![b](https://a.b/b.png)'],
    ['a[^1]\n\n[^1]: [b](HOME).', 'a[^1]\n\n[^1]: b.'],
    ['## [1.2.3](HOME/compare/v1.2.2...v1.2.3) (2026-01-02)\n\na', '## 1.2.3 (2026-01-02)\n\na'],
    ['| a |\n| - |\n| [b](HOME) HOME/pull/1 |', '| a |\n| - |\n| b #1 |'],
    ['<a href="HOME">b</a> <a href=\'https://a.b\'>c</a>', "b <a href='https://a.b'>c</a>"],
    ['<a name="x">a <a HREF="HOME/c">b</a> c</a>', '<a name="x">a b c</a>'],
    ['a <img src=\'HOME/b.png\' alt="b"> d', 'a b d'],
    ['<div>\nSee HOME/pull/1!\n</div>', '<div>\nSee #1!\n</div>']
  ])

  stays([
    '[a](https://github.com/acme/plugin-pro) https://github.com/acme/plugin.js',
    `[a](https://github.com/acme) https://github.com/jane ${JANE} [a](https://github.com/o/p/pull/1)`,
    '[a](https://notgithub.com/acme/plugin) [c]() [d](mailto:b@example.com) [a][b] [c](#c)',
    // Code
    '`HOME` ``a [b](HOME)`` by `@jane in #1`',
    '```md HOME\n[b](HOME) by @jane in #1\n\n**Full Changelog**: HOME/compare/a...b\n```',
    'a\n\n    **Full Changelog**: HOME/compare/a...b\n    <!-- c -->',
    '- a\n\n      [b](HOME) (#1)'
  ])

  test('also those of a company’s own server', async () => {
    const repository = {
      serverUrl: 'https://git.example.com:8443',
      apiUrl: 'https://git.example.com:8443/api/v3',
      repository: 'x/y'
    }
    const source =
      '[a](https://git.example.com:8443/x/y/pull/1) [b](https://github.com/x/y) https://git.example.com:8443/api/v3/repos/x/y/issues/1'
    const { text } = await writeNotes({ source, links: 'strip', repository })
    expect(text).toBe('a [b](https://github.com/x/y) #1')
  })

  test.each([
    'a https://github&period;com/acme/plugin b',
    '<p>https://github&#46;com/acme/plugin</p>',
    'a https://github\\.com/acme/plugin b',
    'a https:%2F%2Fgithub.com%2Facme%2Fplugin b'
  ])('where one would remain, the notes are refused: %j', async source => {
    await expect(strip(source)).rejects.toThrow('A link to acme/plugin would be left')
    await expect(strip(source)).rejects.toMatchObject({ reason: 'no-changelog' })
  })
})

describe('HTML comments go, with `keep` as well', () => {
  test.each([
    ['a <!-- b --> c', 'a  c'],
    ['a <!-- b\nc --> d', 'a  d'],
    ['a\n\n<!--\n\n# b\n\n-->\n\nc', 'a\n\n\n\nc'],
    // Never closed: a block to the end, but no comment within a line
    ['a\n\n<!-- b\n\nc', 'a'],
    ['a <!-- b\n\nc', 'a <!-- b\n\nc'],
    ['a<!---->b<!-->c', 'abc'],
    ['<div>\n<!-- a\n\nb -->\n\nc', '<div>\n\n\nc'],
    ['<div>\n<!-- a\n\nb `-->` c', '<div>\n\n\nb `-->` c'],
    ['> a\n> <!-- b\n> c -->\n> d', '> a\n> \n> d'],
    ['`<!-- a -->`\n\n```\n<!-- b -->\n```', '`<!-- a -->`\n\n```\n<!-- b -->\n```'],
    ['\\<!-- a -->', '\\<!-- a -->'],
    // Markdown's own
    ['- News\n\n[//]: # (internal: ask the team)\n', '- News'],
    ['- News\n\n[comment]: <> (internal)', '- News'],
    ['[//]: # "internal"\n\n- News\n\n[a]: # (b)', '- News\n\n[a]: # (b)'],
    ['[//]: https://a.example (b)', '[//]: https://a.example (b)']
  ])('%j', async (source, text) => {
    expect([await keep(source), await strip(source)]).toEqual([text, text])
  })
})

test('with `keep`, nothing else changes but line ends and the blank lines around', async () => {
  const source =
    '\r\n * a by @jane in HOME/pull/1\r\n\r\n*  (#2)\rb\t\n**Full Changelog**: a...b\r\n'

  const text = ' * a by @jane in HOME/pull/1\n\n*  (#2)\nb\t\n**Full Changelog**: a...b'
  expect(await write('keep', source)).toEqual({ text: withHome(text), removed: [] })
})

test('items that are all indented alike stay as they are', async () => {
  const source = '\n  \n  * Albums\n    and maps\n\n  * Faster\n\n'
  const text = '  * Albums\n    and maps\n\n  * Faster'
  expect(await write('keep', source)).toEqual({ text, removed: [] })
})

test('the pieces that were removed are listed', async () => {
  const source = [
    '- a by @octocat in HOME/pull/1\n- b (#3)\n- c (#2)',
    '## New Contributors',
    '* @octocat',
    '**Full Changelog**: HOME/compare/a...b'
  ].join('\n\n')

  expect(await write('strip', source)).toEqual({
    text: '- a\n- b\n- c',
    removed: [
      'by @octocat in #1',
      '(#3)',
      '(#2)',
      '## New Contributors',
      '* @octocat',
      '**Full Changelog**: a...b'
    ]
  })
})

test.each([
  '',
  ' \u00a0\ufeff',
  '\u200b',
  '&nbsp;',
  '<p>&nbsp;</p>',
  '- ',
  '---',
  '# News',
  'News\n====',
  '> # News',
  '<br>\n<p></p>',
  '## Changed\n\n## Fixed',
  withHome('**Full Changelog**: HOME/compare/v1...v2'),
  '[Full changelog](https://a.b)'
])('%j has nothing to read', text => {
  expect(hasText(text)).toBe(false)
})

test.each([
  'a',
  '1',
  '…',
  '🎉',
  '<https://a.b>',
  '<img src="a">',
  'Новый TODO',
  '新しいTODO機能',
  '#1',
  '# A\nb',
  '- TODO lists',
  `a\n${' '.repeat(99_999)}x`,
  `${'>'.repeat(99_999)}x`
])('%.40j has', text => {
  expect(hasText(text)).toBe(true)
})

test.each([
  'Update the library, fixes (#12)',
  'Rewrite the importer, which resolves (#12)',
  'This reverts (#12)',
  'New gallery, supersedes (#12)',
  'Sort by date, replaces (#12)',
  'Better contrast, addresses (#12)',
  'Neue Galerie, behebt (#12)',
  'Nouvelle galerie, voir (#12)',
  'Neue Galerie, siehe (#12)'
])('an item that would end in a verb keeps what the verb is about: %s', async item => {
  expect(await strip(`- ${item}`)).toBe(`- ${item}`)
  expect(await strip(`- ${item} by @mona in HOME/pull/13`)).toBe(`- ${item}`)
})
