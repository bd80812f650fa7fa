// Tests of src/changelog/strip.ts: what buyers do not get to read. HOME is the address of the repository.
import { describe, expect, test } from '@jest/globals'
import { writeForBuyers } from '../../src/changelog/notes.ts'
import { REPOSITORY, strip } from './notes.ts'

const withHome = (text: string) => text.replaceAll('HOME', 'https://github.com/acme/plugin')
const OCTOCAT = '[@octocat](https://github.com/octocat)'

function becomes(rows: readonly (readonly [source: string, text: string])[]): void {
  test.each(rows)('%j', async (source, text) => {
    expect(await strip(withHome(source))).toBe(withHome(text))
  })
}

const stays = (sources: readonly string[]) => becomes(sources.map(source => [source, source]))

describe('links into the repository become their text', () => {
  becomes([
    ['a [b *c*](HOME/pull/1 "d") e', 'a b *c* e'],
    ['[b](<HOME/a b>)', 'b'],
    ['[b](HTTPS://GITHUB.COM/Acme/PLUGIN/)', 'b'],
    ['[a](ssh://git@github.com:22/acme/plugin.git) b', 'a b'],
    ['[a](git@github.com:acme/plugin.git) b', 'a b'],
    ['[a](https://api.github.com/repos/acme/plugin/pulls)', 'a'],
    ['[b](https://raw.githubusercontent.com/acme/plugin/main/a)', 'b'],
    ['[a](https&#58;//github&period;com/acme\\/plugin) b', 'a b'],
    ['[a](https://github.com/%61cme%2Fplugin) b', 'a b'],
    ['[a](https://example.com/?to=https%3A%2F%2Fgithub.com%2Facme%2Fplugin)', 'a'],
    ['[a](docs/a.md) [b](/acme/plugin/wiki) [c](../c) [d](?tab=d)', 'a b c d'],
    ['[a][b]\n\n[b]: HOME/pull/1\n', 'a'],
    ["[a][] [a] b\n\n[A]:\n  <HOME>\n  'title'\n", 'a a b'],
    ['[a [b](HOME) c](https://example.com)', '[a b c](https://example.com)'],
    ['[a](https://example.com "HOME/a")', 'a'],
    ['[`a`](HOME)', '`a`'],
    ['![a](HOME/a.png) ![b](https://a.b/b.png)', 'a ![b](https://a.b/b.png)'],
    ['[![a](HOME/a.svg)](HOME) b', 'a b'],
    ['a [ ](HOME) b', 'a b'],
    ['a ![](HOME/a.png) b', 'a b'],
    ['| a |\n| - |\n| [b](HOME) |', '| a |\n| - |\n| b |'],
    ['a[^1]\n\n[^1]: [b](HOME).', 'a[^1]\n\n[^1]: b.']
  ])

  stays([
    '[a](https://github.com/acme/plugin-pro) https://github.com/acme/plugin.js',
    '[a](https://github.com/acme) https://github.com/octocat',
    '[a](https://notgithub.com/acme/plugin)',
    '[a](#b) [c]() [d](mailto:b@example.com) [a][b] [c]'
  ])

  test('of the server that is given', async () => {
    const source = '[a](https://git.example.com:8443/x/y/pull/1) [b](https://github.com/x/y)'
    const repository = { serverUrl: 'https://git.example.com:8443', repository: 'x/y' }
    const { text } = await writeForBuyers({ source, links: 'strip', repository })
    expect(text).toBe('a [b](https://github.com/x/y)')
  })
})

describe('raw HTML', () => {
  becomes([
    ['<a href="HOME">b</a> <a href=\'https://a.b\'>c</a>', "b <a href='https://a.b'>c</a>"],
    ['<a href="HOME">\n\nb\n\n</a>\n\nc', 'b\n\n\n\nc'],
    ['<a href="https:&#47;/github.com/acme/plugin">b</a>', 'b'],
    ['<a href=" docs/a.md ">b</a> <a HREF=c.md>d</a>', 'b d'],
    ['<a name="x">a <a href="HOME">b</a> c</a>', '<a name="x">a b c</a>'],
    ['a</a> <a href="HOME"><b>b</b></a></a>', 'a</a> <b>b</b></a>'],
    ['a <img src=\'HOME/b.png\' alt="b &amp; c"> d', 'a b &amp; c d'],
    ['a <img alt=b src="HOME/a.png"> <img alt="c" src=a.png>', 'a b c'],
    ['a <img alt=" " src="HOME/a.png" /> b <img alt src="c.png">', 'a b'],
    ['<p>\n<video src="HOME/a" poster="b.png"></video></p>', '<p>\n</p>'],
    [
      '<picture>\n<source srcset="HOME/a 2x">\n<img src=a alt=c>\n</picture>',
      '<picture>\nc\n</picture>'
    ],
    ['<div>\nSee HOME/pull/1!\n</div>', '<div>\nSee #1!\n</div>'],
    ['- <p>\n  See HOME/pull/1\n\ta by @octocat in #1\n  </p>', '- <p>\n  See #1\n\ta\n  </p>'],
    ['> <div>\n> HOME\n> b\n> </div>', '> <div>\n> b\n> </div>'],
    ['a</code> <code>HOME</code> HOME', 'a</code> <code>HOME</code>'],
    ['<pre>a <tt>b</tt> HOME</pre> HOME', '<pre>a <tt>b</tt> HOME</pre>'],
    ['<div>\n<a href="<pre>HOME', '<div>\n<a href="<pre>'],
    ['<div><code>\n\na HOME', '<div><code>\n\na'],
    ['<div\nid="HOME"\n\na', '<div\nid=""\n\na']
  ])

  stays([
    '<pre>\nHOME\n</pre>\n\n<samp>HOME</samp> a <script>HOME</script>',
    '<a href=" https://a.b">c</a> <i id="a/b" class="c">d</i> <img src="https://a.b">'
  ])
})

describe('bare addresses: those of issues become numbers, others go', () => {
  becomes([
    ['See HOME/pull/1 for more.', 'See #1 for more.'],
    ['a <HOME/pull/1> b', 'a #1 b'],
    ['HOME/pull/1 is in.', '#1 is in.'],
    ['a (HOME/pull/1) b (see HOME).', 'a b.'],
    ['a HOME; b HOME! HOME: c', 'a; b!: c'],
    ['a HOME“b”', 'a “b”'],
    ['> HOME  b', '> b'],
    ['12. HOME  b\n\n3) HOME c', '12. b\n\n3) c'],
    ['a **c HOME**. _HOME d_', 'a **c**. _d_'],
    ['Moved to HOME/wiki/Setup for all.', 'Moved to Setup for all.'],
    ['a <https://example.com/?to=HOME> b', 'a b'],
    ['a [HOME](HOME) ![HOME](HOME/a.png) b', 'a b'],
    ['a [HOME](https://example.com) b', 'a [](https://example.com) b'],
    ['a HOME/wiki/A_(b) c', 'a c'],
    ['a github.com/acme/plugin b www.github.com/acme/plugin/', 'a b'],
    ['a git@github.com:acme/plugin.git b', 'a b'],
    ['HOME/pull/1。あ HOME/blob/main/ж.md б', '#1。あ б']
  ])

  stays([
    '`HOME` ``a [b](HOME)``',
    '```md HOME\n[b](HOME) by @octocat in #1\n```',
    'a\n\n    **Full Changelog**: HOME/compare/a...b',
    '- a\n\n      [b](HOME)'
  ])

  test('that hide behind entities and escapes are an error', async () => {
    const source = 'a github&period;com/acme/plugin b'
    await expect(strip(source)).rejects.toThrow('an address under acme/plugin would remain')
  })
})

describe('nothing is left in pieces', () => {
  becomes([
    ['Faster, see\n  [4](HOME/pull/4),\n  [5](HOME/pull/5).', 'Faster, see\n  #4,\n  #5.'],
    ['Fixed. HOME/commit/abc1234.', 'Fixed.'],
    ['Faster. See HOME/wiki and HOME/releases.', 'Faster.'],
    ['- a ([[#1](HOME/pull/1), [#2](HOME/pull/2)])', '- a'],
    ['* **b:** a ([abc1234](HOME/commit/abc1234)), closes [#1](HOME/issues/1) #2', '* **b:** a'],
    ['* a by @b in HOME/commit/abc1234', '* a'],
    ['a\n\n**Changelog**: HOME/compare/a...b', 'a'],
    ['a\n\n**Links:**\n\n- HOME/releases', 'a'],
    ['a\n\n## Links\n\n- [Compare](HOME/compare/a...b)\n- HOME/releases', 'a'],
    ['a\n\n## More\n\n### Links\n\n- HOME/releases\n\n---\n\n# b', 'a\n\n---\n\n# b'],
    ['### Dark mode\n\nCloses #12.', '### Dark mode'],
    ['* a by @alice_acme in #4', '* a'],
    ['* a, reported by @alice (#12)', '* a'],
    ['**Dark mode**\n\nHOME/pull/1\n\na', '**Dark mode**\n\na'],
    ['> [!NOTE]\n> HOME/pull/1\n\na', 'a'],
    ['a\n\nCloses #1, fixes #2.\n\n- #3', 'a'],
    ['- a. Fixes #11. Closes #12.\n- b? Fixes [#1](HOME/issues/1).', '- a.\n- b?'],
    ['* a ([#1](HOME/pull/1)), ([#2](HOME/pull/2))\n* b! (#3)!', '* a\n* b!'],
    ['- A crash on start: #12\n- New guide: HOME/wiki/A', '- A crash on start: #12\n- New guide'],
    ['The crash of [#12](HOME/issues/12) is gone.', 'The crash of #12 is gone.'],
    ['- [#12](HOME/pull/12): a', '- #12: a'],
    ['Read [how to set it up](HOME/wiki).', 'Read how to set it up.'],
    ['## [1.2.3](HOME/compare/v1.2.2...v1.2.3) (2026-01-02)\n\na', '## 1.2.3 (2026-01-02)\n\na']
  ])
})

describe('lines that are left empty go', () => {
  becomes([
    ['a\nHOME HOME\nb', 'a\nb'],
    ['- a\n- [](HOME) [](HOME)\n- b', '- a\n- b'],
    ['- a\n+ HOME\n\n10) HOME\n\nb', '- a\n\nb'],
    ['a\n\n-  [x] HOME\n\nb', 'a\n\nb'],
    ['a\n\nHOME * HOME\n\nb', 'a\n\nb'],
    ['a\n\n**HOME\n\nb', 'a\n\nb'],
    ['- a\n  - HOME\n  - b', '- a\n  - b'],
    ['- [x] HOME\n- [ ] HOME\n- [ ] b', '- [ ] b'],
    ['a\n\n### HOME\n\nb', 'a\n\nb'],
    ['a\n\n> 1. ## HOME\n\nb', 'a\n\nb'],
    ['- a\n- [x]: HOME\n- b', '- a\n- b'],
    ['a\n\n![](HOME/a.png\n"b")\n\nc', 'a\n\nc'],
    // What goes on below keeps its item.
    ['- HOME\n  a', '-\n  a'],
    ['12. HOME\n    b', '12.\n    b'],
    ['a\n\n1. HOME\n   - b', 'a\n\n1.\n   - b'],
    ['> - HOME\n>\n>   b', '> -\n>\n>   b'],
    ['| a |\n| - |\n| HOME |', '| a |\n| - |\n| |']
  ])
})

describe('endings that say who worked on it', () => {
  becomes([
    ['* a by @octocat in HOME/pull/1\n* b', '* a\n* b'],
    [`* a by ${OCTOCAT} in [#1](HOME/pull/1)`, '* a'],
    ['* a by @octocat in <HOME/pull/1>', '* a'],
    ['* a by \\@octocat in \\#1', '* a'],
    ['* a by @octocat in acme/theme#1', '* a'],
    ['* a by @A-b, @c[bot] and @d in #1', '* a'],
    ['* a by @b with @c & @d in (#1)', '* a'],
    ['* a By @acme/team in GH-1', '* a'],
    ['* a by **@b** in https://git.example.com/c/d/pull/1#e', '* a'],
    ['* **a by @octocat in #1**', '* **a**'],
    ['a by @b in #1\nc', 'a\nc'],
    // changesets, release-drafter, lerna, changelogithub and git-cliff
    [`- [#1](HOME/pull/1) [\`abc1234\`](HOME/commit/abc1234) Thanks ${OCTOCAT}! - a`, '- a'],
    ['- abc1234: a\n- Dependencies [abc1234]:\n  - b', '- a\n- Dependencies:\n  - b'],
    ['- a [[`abc1234`](HOME/commit/abc1234)]:\n  - @b/c@1.3.0', '- a:\n  - @b/c@1.3.0'],
    ['* a @alice (#12)\n* b @alice @bob (#13)', '* a\n* b'],
    [`* [#1](HOME/pull/1) a (${OCTOCAT})`, '* #1 a'],
    ['- a &nbsp;-&nbsp; by **Jane Doe** in #1 [<samp>(abc12)</samp>](HOME/commit/abc1234)', '- a'],
    [`- a by ${OCTOCAT}\n- b - ([abc1234](HOME/commit/abc1234)) - Jane Doe`, '- a\n- b'],
    ['- b - ([abc1234](HOME/commit/abc1234)) - renovate[bot]', '- b'],
    [`- b - ([abc1234](HOME/commit/abc1234)) - ${OCTOCAT}`, '- b'],
    ['* b (#15) @[renovate[bot]](https://github.com/apps/renovate)', '* b'],
    ['- a. By @dan.\n- b (#15) — @ann\n- c #16 @ann\n- d *by @jane*', '- a.\n- b\n- c #16\n- d'],
    ['### Contributors & Sponsors\n\n- Jane Doe\n\n### A\n\nb', '### A\n\nb'],
    ['[Contributors](HOME/graphs/contributors)\n---\n\n- Jane Doe\n\nA\n---\n\nb', 'A\n---\n\nb'],
    ['- a (acme/plugin#12)\n- Acme/Plugin#12 b\n- c (a/b#1)', '- a\n- #12 b\n- c (a/b#1)'],
    ['Broken since acme/plugin@1234abc for all.', 'Broken since 1234abc for all.'],
    ['- a - Jane Doe <jane@a.example>\n\n### ❤️ Thank You\n\n- Jane Doe @jane', '- a'],
    ['* a by [@b](https://github.com/b)[bot] in HOME/pull/1', '* a'],
    ['- a &nbsp;-&nbsp; by **Jane** [<samp>(abc12)</samp>](HOME/commit/abc1234)', '- a'],
    ['- a, by @b\n- c by Jane Doe <jane@a.example>\n- d (Joe <joe@a.example>)', '- a\n- c\n- d']
  ])

  stays([
    'Found by @octocat in #1, fixed here.',
    'Found by @octocat in Berlin',
    '### Credits system\n\n- Buy Credits\n- Refund Credits',
    '## New contributor role\n\n- Role Editor',
    '## Thanks for 10,000 sales\n\n- Dark Mode\n- Faster Start',
    '## Thanks to your feedback\n\n- Dark Mode\n- Bulk Edit',
    '- New address - Support Team <help@shop.example>',
    '- Updated **@acme/core**\n- Contact - Our Support Team <help@shop.example>',
    'Done by hand in #1',
    '`a by @octocat in #1`',
    'Standby @octocat in #1',
    `Print \`@media\` and @media rules, as ${OCTOCAT} asked. Write to help@example.com.`
  ])
})

describe('sentences and lines that only thank', () => {
  becomes([
    [`- a (thanks ${OCTOCAT}!)\n- b. Thanks to @alice!`, '- a\n- b.'],
    ['* a (#51, thanks @alice-b).\n* b. (#2, thanks @bob).', '* a.\n* b.'],
    ['- a. Thanks @alice (#292)\n- b - thanks @bob #4', '- a.\n- b'],
    ['* Dev - a (props @alice). #761\n* b. Props @bob.', '* Dev - a.\n* b.'],
    [`a\n\nBig thanks to ${OCTOCAT} who prepared this release.`, 'a'],
    ['a. Special thanks @alice for this effort.  \nb', 'a. \nb'],
    ['- a\n- Thank you to @alice, @bob and @carol for testing!', '- a'],
    ['- a! Thanks to @alice for doing\n  the heavy lifting.\n- b', '- a!\n- b'],
    ['## Thanks to @alice! :tada:\n\na', 'a'],
    ['It is faster, thanks to @alice.\nb', 'It is faster.\nb'],
    ['#### a\n\nb\n\nContributed by Jane van Doe (@jane) in #12.', '#### a\n\nb'],
    ['The import is faster (by @bob).', 'The import is faster.'],
    ['a\n\nCo-authored-by: Jane <jane@a.example>\nSigned-off-by: Joe <joe@a.example>', 'a']
  ])

  stays([
    'Thanks to @alice, the import is faster.',
    '- Work thanks to @alice including the\n  import',
    'Thanks for all your mails!',
    'Thanks to @alice and the team, the import is faster.',
    '- Thanks to the new @media rules pages print well.',
    '- Props passed with @update:a are kept. Props @click and @change work.',
    'Superseded by @acme/gallery-pro.'
  ])
})

describe('lists of people', () => {
  becomes([
    ['a\n\n## Contributors\n\n@alice, @bob and @carol', 'a'],
    [`a\n\n#### Committers: 2\n- Jane Doe (${OCTOCAT})\n- ${OCTOCAT}`, 'a'],
    [`a\n\n### ❤️ Contributors\n\n- Jane (${OCTOCAT})\n- Joe <joe@a.example>\n- Jim Beam`, 'a'],
    [
      `a\n\n## Contributors\n- joe (${OCTOCAT})\n- 山田 太郎 <y@a.de>\n- Jo (@jo) <jo@a.example>`,
      'a'
    ],
    ['a\n\n### 🎉 New Contributors! 🎉\n\n* @a made her first contribution', 'a'],
    ['a\n\nNew Contributors\n---\n* @a and @b made their first contribution with #1.', 'a'],
    ['## **New contributors**\n* @a made his first contribution in #1\n\n## More\nc', '## More\nc'],
    ['## New Contributors\n* @a made its first contribution\n* Hi!', '## New Contributors\n* Hi!']
  ])

  stays([
    '## New Contributors\n\n## More\n\na @b',
    '* @a made their first contribution in #1 and more',
    '* Yesterday @a made their first contribution in #1'
  ])
})

describe('the line of the full changelog', () => {
  becomes(
    [
      '**Full Changelog**: HOME/compare/v1...v2',
      '**Full Changelog**: HOME/commits/v1',
      '[Full Changelog](HOME/compare/v1...v2)',
      '**Full Changelog:** [v1...v2](HOME/compare/v1...v2)',
      '__Full changelog__: v1..v2',
      'Full Changelog:\n  HOME/compare/v1...v2 ',
      '* Full Changelog: HOME/compare/v1...v2',
      '**Full Changelog: v1...v2**.',
      '** Full Changelog **: v1...v2',
      'Full Changelog: [v1...v2]\n\n[v1...v2]: HOME/compare/v1...v2',
      '[Full Changelog: from v1 to v2](HOME/compare/v1...v2)'
    ].map(line => [`a\n\n${line}`, 'a'])
  )

  becomes([
    ['Full Changelog: see [v2](HOME/compare/v1...v2)', 'Full Changelog: see v2'],
    ['Full Changelog: below\nHOME/compare/v1...v2\nb', 'Full Changelog: below\nb'],
    ['Full Changelog and [notes](HOME/a) in here', 'Full Changelog and notes in here']
  ])

  stays([
    '## Full Changelog\n\n- a ...',
    'Full Changelog: all from a...b until c',
    'The full changelog:v1...v2',
    'Full Changelog: [notes](https://example.com)',
    'Full Changelog:\nto be done'
  ])
})

test('what was taken out is counted; images that need a login are among it', async () => {
  const image = 'https://github.com/user-attachments/assets/1f2e'
  const images = `![c](${image})\n\n<img alt="d" src="${image}">\n\n${image}`
  const source = withHome(`- a by @octocat in HOME/pull/1\n- [b](HOME/wiki) ${images}`)
  const written = await writeForBuyers({ source, links: 'strip', repository: REPOSITORY })
  expect(written).toEqual({ text: '- a\n- b', stripped: { links: 2, names: 1, images: 3 } })
})
