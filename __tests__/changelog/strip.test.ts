// Tests of src/changelog/strip.ts: what buyers do not get to read. HOME is the address of the repository.
import { describe, expect, test } from '@jest/globals'
import { writeForBuyers } from '../../src/changelog/notes.ts'
import { strip, write } from './notes.ts'

const withHome = (text: string) => text.replaceAll('HOME', 'https://github.com/acme/plugin')
const JANE = '[@jane](https://github.com/jane)'
const COMMIT = '[abc1234](HOME/commit/abc1234)'

function becomes(rows: readonly (readonly [source: string, text: string])[]): void {
  test.each(rows)('%j', async (source, text) => {
    expect(await strip(withHome(source))).toBe(withHome(text))
  })
}

const stays = (sources: readonly string[]) => becomes(sources.map(source => [source, source]))

describe('what somebody wrote keeps its words', () => {
  stays([
    '- You can now log in with name@example.com',
    '- Sort by @created\n- Group by @size\n- Filter by @name',
    '- Payments are processed by @stripe',
    'Thanks @jane for the report! The crash is gone.',
    '- Fixed it. Thanks @jane! More details are available in the manual.',
    'Thanks to @jane for testing, and to all of you.',
    '- Closes #12.\n\nFixes #12, and @jane knows why.',
    'Found by @jane in #1, fixed here.',
    '- Done by hand in #1\n- Standby @jane in #1',
    '- Contact - Our Support Team <help@shop.example>\n- New address: help@shop.example',
    `Print \`@media\` and @media rules, as ${JANE} asked.`,
    '- Updated **@acme/core** and @acme/gallery-pro',
    '### Credits system\n\n- Buy Credits\n- Refund Credits',
    '## Authors\n\n- Author Pages\n- Author Search',
    '## New Contributors\n\n## More\n\na @b',
    '## New Contributors\n\n* Hi!',
    '* @a made their first contribution in #1 and more',
    '- The fix (thanks @jane!) is in\n- Contributed by Jane Doe (@jane)',
    'Full Changelog: all from a...b until c',
    '## Full Changelog\n\n- a ...',
    'This fixes:\n\n- #1\n- #2',
    '- When idle, closes #3\n- See #2, closes #3\n- What 1234abc closes #3',
    '### Authors\n\n- Author Box @jane\n- Author Grid\n- @joe',
    '## Contributors\n\n- Contributor Box @jane\n- @joe',
    '## Contributors\n\n- Contributor Box\n- @joe',
    '| a |\n| - |\n| by @jane in #1 |',
    // What looks like the id of a commit, a color, a sentence
    '- BCF2000 faders can be mapped\n- Motor faders can be mapped (BCF2000)\n- Face2face calls',
    '- bcf2000 faders can be mapped\n- Motor faders (bcf2000)\n- face2face: calls\n* 1e10000 rows',
    '- Motor faders (bcf2000)\n- Calls (face2face)',
    '- The background is black (#000000)\n- Also (short: #000), (#000)\n- The text is gray (#333333)\n- #112233',
    'It was reported twice: (#12, #13)',
    '- Related: (#3)\n- See also (#12)\n- Reverts (#3)\n- It fixes (#4)\n- Works as number (#1)',
    '- Signed-off-by: lines are now written into commits\n- Co-authored-by: Jane',
    '- Fix the export - (1a2b3c4) - now works on Linux, too',
    '- New engine (1a2b3c4) - Faster\n- Library updated (1a2b3c4) - 2.0.0',
    '- A by @a in #1\n  and by @b',
    '- Thanks to [@a] and [@b].\n\n[@a]: https://a.example\n[@b]: https://b.example',
    'ⓟ made their first contribution in #1'
  ])

  becomes([
    ['- Update to react@18.2.0 (#12)', '- Update to react@18.2.0'],
    [
      '- You can now log in with name@example.com (#13)',
      '- You can now log in with name@example.com'
    ],
    ['- Sort by @created (#14)', '- Sort by @created'],
    ['- a. Thanks @alice (#292)', '- a. Thanks @alice'],
    [
      '- Add `@Input()` and @Input() to @acme/core (#1)',
      '- Add `@Input()` and @Input() to @acme/core'
    ],
    ['Added X as HOME/pull/3', 'Added X as #3'],
    ['Introduced in HOME/pull/3', 'Introduced in #3'],
    [
      'Inspired by HOME/wiki. See HOME/blob/main/INSTALL.md#a!',
      'Inspired by wiki. See INSTALL.md!'
    ],
    ['#446 via HOME and HOME/releases.', '#446 via plugin and releases.'],
    ['Since HOME/commit/0123456789abcdef it works.', 'Since 0123456 it works.'],
    ['Changes: HOME/compare/v1...v2 or so', 'Changes: v1...v2 or so'],
    [
      'See the differences in\nHOME/compare/a...b\nfor all.',
      'See the differences in\na...b\nfor all.'
    ],
    ['See the\n[full changelog](HOME/compare/a...b)\ntoo.', 'See the\nfull changelog\ntoo.'],
    ['The differences are in\nHOME/compare/a...b', 'The differences are in\na...b'],
    ['- A (#1)\n- B in gray (#333333)', '- A\n- B in gray (#333333)'],
    ['- 1a2b3c4 a (face2face)\n- bcf2000 b\n- 0a1b2c3 c', '- a (face2face)\n- b\n- c'],
    [
      '- a by @a in #1\n- b reported by @b\n- c in #3 by @c',
      '- a\n- b reported by @b\n- c in #3 by @c'
    ],
    ['- Fix (#1) and [#2](HOME/pull/2), see (#3)', '- Fix (#1) and #2, see (#3)'],
    ['As reported (HOME/pull/12), it crashed.', 'As reported (#12), it crashed.'],
    ['## Contributors\n\nThanks to @a and @b', '## Contributors\n\nThanks to @a and @b'],
    ['- a ([#1](HOME/pull/1)), ([#2](HOME/pull/2))\n- b. (#3).', '- a\n- b.'],
    ['Broken since acme/plugin@1234abc, see Acme/Plugin#12.', 'Broken since 1234abc, see #12.']
  ])
})

describe('links into the repository become their text', () => {
  becomes([
    ['a [b *c*](HOME/pull/1 "d") e', 'a b *c* e'],
    ['[b](<HOME/a b>) [c](HTTPS://GITHUB.COM/Acme/PLUGIN/)', 'b c'],
    ['[a](ssh://git@github.com:22/acme/plugin.git) [b](git@github.com:acme/plugin.git)', 'a b'],
    ['[a](https://api.github.com/repos/acme/plugin/pulls)', 'a'],
    ['[b](https://raw.githubusercontent.com/acme/plugin/main/a)', 'b'],
    ['[a](https&#58;//github&period;com/acme\\/plugin) b', 'a b'],
    ['[a](https://example.com/?to=https%3A%2F%2Fgithub.com%2F%61cme%2Fplugin)', 'a'],
    ['[a](docs/a.md) [b](/acme/plugin/wiki) [c](../c) [d](?tab=d)', 'a b c d'],
    ["[a][b] [c][] [c]\n\n[b]: HOME/pull/1\n[C]:\n  <HOME>\n  'title'\n", 'a c c'],
    ['[a [b](HOME) c](https://example.com)', '[a b c](https://example.com)'],
    ['![a](HOME/a.png) ![b](https://a.b/b.png)', 'a ![b](https://a.b/b.png)'],
    ['[![a](HOME/a.svg)](HOME) b [ ](HOME) c ![](HOME/a.png)', 'a b c'],
    ['[#12](HOME/issues/12): a [`abc1234`](HOME/commit/abc1234)', '#12: a `abc1234`'],
    ['a[^1]\n\n[^1]: [b](HOME).', 'a[^1]\n\n[^1]: b.'],
    ['## [1.2.3](HOME/compare/v1.2.2...v1.2.3) (2026-01-02)\n\na', '## 1.2.3 (2026-01-02)\n\na'],
    ['| a |\n| - |\n| [b](HOME) HOME/pull/1 |', '| a |\n| - |\n| b #1 |']
  ])

  stays([
    '[a](https://github.com/acme/plugin-pro) https://github.com/acme/plugin.js',
    `[a](https://github.com/acme) https://github.com/jane ${JANE}`,
    '[a](https://notgithub.com/acme/plugin) [c]() [d](mailto:b@example.com) [a][b] [c](#c)'
  ])

  test('of the server that is given', async () => {
    const source = '[a](https://git.example.com:8443/x/y/pull/1) [b](https://github.com/x/y)'
    const repository = { serverUrl: 'https://git.example.com:8443', repository: 'x/y' }
    const { text } = await writeForBuyers({ source, links: 'strip', repository, bodyHtml: '' })
    expect(text).toBe('a [b](https://github.com/x/y)')
  })
})

describe('raw HTML', () => {
  becomes([
    ['<a href="HOME">b</a> <a href=\'https://a.b\'>c</a>', "b <a href='https://a.b'>c</a>"],
    ['<a href="HOME">\n\nb\n\n</a>\n\nc', 'b\n\n\n\nc'],
    ['<a href="https:&#47;/github&#46;com/acme/plugin">b</a>', 'b'],
    ['<a name="x">a <a HREF=c.md>b</a> c</a>', '<a name="x">a b c</a>'],
    ['a <img src=\'HOME/b.png\' alt="b &amp; c"> d', 'a b &amp; c d'],
    ['<a href=HOME/issues/1>b</a> <a title="a>b" href=HOME>c</a>', 'b c'],
    ['a <img src=HOME/a.png alt=b> <i>c</i> <b id=a/b>d</b>', 'a b <i>c</i> <b id=a/b>d</b>'],
    ['<p>\n<video src="HOME/a" poster="b.png"></video></p>', '<p>\n</p>'],
    ['<div>\nSee HOME/pull/1!\n</div>', '<div>\nSee #1!\n</div>'],
    ['a</code> <code>HOME</code> HOME', 'a</code> <code>HOME</code> plugin'],
    ['<pre>a <tt>b</tt> HOME</pre> HOME/wiki', '<pre>a <tt>b</tt> HOME</pre> wiki']
  ])

  stays(['<pre>\nHOME\n</pre>\n\n<samp>HOME</samp> a <script>HOME</script>'])
})

describe('bare addresses', () => {
  becomes([
    ['a <HOME/pull/1> b HOME/discussions/2, HOME/issues/3?a=b#c.', 'a #1 b #2, #3.'],
    ['> HOME  b', '> plugin  b'],
    ['a <https://example.com/?to=HOME/wiki> b [HOME](HOME) c', 'a wiki b plugin c'],
    ['a github.com/acme/plugin b www.github.com/acme/plugin/', 'a plugin b plugin'],
    ['a git@github.com:acme/plugin.git b HOME/wiki/A_(b)) c', 'a plugin b A_(b)) c'],
    ['git clone HOME.wiki.git, HOME.wiki', 'git clone plugin, plugin'],
    ['HOME/pull/1。あ HOME/blob/main/ж.md б', '#1。あ ж.md б']
  ])

  stays([
    '`HOME` ``a [b](HOME)``',
    '```md HOME\n[b](HOME) by @jane in #1\n```',
    'a\n\n    **Full Changelog**: HOME/compare/a...b',
    '- a\n\n      [b](HOME)'
  ])

  test.each([
    'a github&period;com/acme/plugin b',
    '<p>github&#46;com/acme/plugin</p>',
    '<p title="github&#x2e;com/acme/plugin" id=a>b</p>',
    'a github\\.com/acme/plugin b',
    '<code>a <b title="</code>"> github&period;com/acme/plugin',
    '<code>a <b title="</code>"> https://github.com/acme/plugin'
  ])('that hide behind entities, tags and escapes are an error: %j', async source => {
    const result = strip(source).then(text => text.includes('plugin'))
    await expect(result.catch(String)).resolves.not.toBe(true)
  })
})

describe('what generators write about people and references goes', () => {
  becomes([
    // GitHub
    ['* a by @jane in HOME/pull/1\n* b', '* a\n* b'],
    [`* a by ${JANE} in [#1](HOME/pull/1)\n* b By \\@joe in \\#2.`, '* a\n* b'],
    ['* a by @A-b, @c[bot] and @d in <HOME/pull/1>\n* b by @e with @f & @g in (#1)', '* a\n* b'],
    ['* a by [@b](https://github.com/b)[bot] in HOME/commit/abc1234\n- by @c in #3', '* a'],
    ['* **b** by @c in https://git.example.com/c/d/pull/1', '* **b**'],
    ['* **a by @jane in #1**', '* **a**'],
    ['a\n\n**Full Changelog**: HOME/compare/v1...v2', 'a'],
    ['a\n\n**Full Changelog**: HOME/commits/v1', 'a'],
    ['a\n\n[Full Changelog](HOME/compare/v1...v2)', 'a'],
    ['a\n\n__Full changelog__: v1..v2', 'a'],
    ['a\n\n** Full Changelog **: [v1...v2]\n\n[v1...v2]: HOME/compare/v1...v2', 'a'],
    ['* a\n**Full Changelog**:\n  HOME/compare/v1...v2', '* a'],
    ['a\nHOME/compare/v1...v2\n\n[compare changes](HOME/compare/v1...v2)', 'a'],
    ['- a by @e in #1\nfixes #2, #3', '- a'],
    [
      'a\n\n## New Contributors\n* @b and @c made their first contribution in #1\n\n## D\ne',
      'a\n\n## D\ne'
    ],
    ['a\n\n### 🎉 New Contributors! 🎉\n\n* @b made her first contribution', 'a'],
    // release-drafter
    ['* a @alice (#12)\n* b @alice @bob (#13)', '* a\n* b'],
    ['* b @[renovate[bot]](https://github.com/apps/renovate) (#15)', '* b'],
    ['- a by @x (#1)\n- b by @y (#2)\n- c by @z (#3)', '- a\n- b\n- c'],
    ['- a by @x (#1)\n- b by @y (#2)\n- c', '- a by @x\n- b by @y\n- c'],
    ['- a #16 @ann\n- b (#2, @bob)\n- c (by @eve) (#3)', '- a #16\n- b\n- c'],
    ['- a (#1) by @a\n- b ([#2](HOME/pull/2)) @b\n- c @c in #3\n- d - @d #4', '- a\n- b\n- c\n- d'],
    [
      '- a (so, @a, #1)\n- b (@b, #2)\n- c (@c, #3)\n- d (@d, #3)\n- e (@e, #3)',
      '- a (so, @a, #1)\n- b\n- c\n- d\n- e'
    ],
    ['- a @jane (#123456)', '- a'],
    // conventional-changelog, release-please
    [`* **b:** a ([#1](HOME/pull/1)) (${COMMIT}), closes [#1](HOME/issues/1) #2`, '* **b:** a'],
    [`* a (${COMMIT}), closes acme/theme#1\n* b (#1), closes #2`, '* a\n* b'],
    // changesets, GoReleaser
    [`- [#1](HOME/pull/1) [\`abc1234\`](HOME/commit/abc1234) Thanks ${JANE}! - a`, '- a'],
    ['- 1a2b3c4: a\n- Dependencies [1a2b3c4]:\n  - b', '- a\n- Dependencies:\n  - b'],
    [
      '### Patch Changes\n\n- abc1234: a\n- Dependencies [abc1234]:\n  - b',
      '### Patch Changes\n\n- a\n- Dependencies:\n  - b'
    ],
    ['- abc1234 Thanks @jane! - a', '- a'],
    [
      `- a [[\`abc1234\`](HOME/commit/abc1234), ${COMMIT}]:\n  - @b/c@1.3.0`,
      '- a:\n  - @b/c@1.3.0'
    ],
    ['* 1a2b3c4d5e feat: a (@jane)\n* abc1234567 b', '* feat: a\n* b'],
    ['* abc1234: a (Jane Doe <jane@laptop>)', '* abc1234: a'],
    ['* 1a2b3c4: a (dependabot[bot] <1+dependabot[bot]@users.noreply.github.com>)', '* a'],
    ['* 1a2b3c4: a (mail jane@x.example)', '* a (mail jane@x.example)'],
    // git-cliff and Cocogitto, changelogithub
    [`- a - (${COMMIT}) - Jane Doe\n- b - (${COMMIT})`, '- a\n- b'],
    [
      `- a - (${COMMIT}) - jane\n- b - (${COMMIT}) - ${JANE}\n- c - (${COMMIT}) - Jan van der Doe`,
      '- a\n- b\n- c'
    ],
    [`- a (${COMMIT})  - (Tonye Jack)`, '- a'],
    ['* a by @a in #1\n* b by @joe\n* c by @c in #3', '* a\n* b\n* c'],
    ['- a (1a2b3c4)\n- b (#1)\n- c (abc1234)', '- a\n- b\n- c'],
    ['- a ([1234567](https://github.com/acme/old/commit/12345678))', '- a'],
    ['- a &nbsp;-&nbsp; by **Jane Doe** in #1 [<samp>(abc12)</samp>](HOME/commit/abc1234)', '- a'],
    // lerna-changelog, auto, changelogen, nx
    [`* [#1](HOME/pull/1) a (${JANE})`, '* #1 a'],
    [`- a (${JANE})\n\n#### Authors: 1\n\n- Jane Doe (${JANE})`, '- a'],
    ['- a [#1](HOME/pull/1) (a@x.example)\n\n#### Authors: 1\n\n- a@x.example', '- a #1'],
    [`a\n\n#### Committers: 2\n- Jane (${JANE})\n- ${JANE}`, 'a'],
    [
      `a\n\n### ❤️ Contributors\n\n- Joe <joe@a.example>\n- 山 太 <y@a.de>\n- Jo (@jo) <a@b.de>`,
      'a'
    ],
    ['a\n\n### ❤️ Thank You\n\n- Jane Doe @jane\n- Jim Beam', 'a'],
    ['a\n\n[compare changes](HOME/compare/v1...v2)\n\n### ❤️ Contributors\n\n@a, @b and @c', 'a'],
    ['a\n\n## Contributors\n\n@jane, @joe and Jim Doe', 'a'],
    ['a\n\n## Contributors\n\nJane, @joe and @jim', 'a'],
    // all-contributors
    [
      'a\n\n<table>\n<tr><td><a href="https://github.com/b"><img src="https://avatars.githubusercontent.com/u/1"><sub><b>B</b></sub></a></td></tr>\n</table>',
      'a'
    ],
    // git
    [
      'a\n\nCo-authored-by: Jane <jane@a.example>\nSigned-off-by: Joe <joe@laptop>\nCo-authored-by: Jane Doe',
      'a'
    ],
    ['a\n\nSigned-off-by: Jane <jane@a.example>  \nCo-authored-by: Joe (joe@a.example)', 'a']
  ])
})

describe('what is left empty goes', () => {
  becomes([
    ['- a\n- [](HOME) [](HOME)\n- b', '- a\n- b'],
    ['- a\n+ HOME/pull/1\n\n10) #2\n\nb', '- a\n\nb'],
    ['- a\n  - HOME/pull/1, #2\n  - b', '- a\n  - b'],
    ['> - #1\n> - b', '> - b'],
    ['- #1\n  - b', '- #1\n  - b'],
    ['a\n\n![](HOME/a.png\n"b")\n\nc', 'a\n\nc'],
    [
      '[@koic] did it.\n\n[@koic]: https://github.com/koic\n[x]: https://a.b',
      '[@koic] did it.\n\n[@koic]: https://github.com/koic'
    ],
    ['- a by [@koic] in #1\n\n[@koic]: https://github.com/koic', '- a']
  ])
})

test('what was taken out is told, piece by piece', async () => {
  const image = 'https://github.com/user-attachments/assets/1f2e'
  const source = withHome(
    `- a by @octocat in HOME/pull/1\n- [b](HOME/wiki) ![c](${image})\n\n${image}\n\n## New Contributors\n\n* @octocat`
  )
  expect(await write('strip', source)).toEqual({
    text: '- a\n- b',
    notice: '',
    removed: [
      ...['by @octocat in https://github.com/acme/plugin/pull/1', `![c](${image})`, image],
      ...['## New Contributors', '* @octocat']
    ]
  })
})

describe('no sentence is left in pieces, and no tag without its other half', () => {
  test.each([
    ['- Contact us: @acme (#3)', '- Contact us: @acme'],
    ['- Renamed @old → @new (#3)', '- Renamed @old → @new'],
    [
      '- X, thanks @jane (#1)\n- Y, thanks to @joe (#2)\n- Z @jim (#3)\n- Like @jim (#4)',
      '- X, thanks @jane\n- Y, thanks to @joe\n- Z\n- Like @jim'
    ],
    ['- 1a2b3c4 - Fix a\n- [1234abc] - Fix b', '- Fix a\n- Fix b'],
    ['- Fix <sub>(#3)</sub>', '- Fix'],
    [
      '<details><summary>Parts (#3)</summary>\n\n- A\n\n</details>',
      '<details><summary>Parts</summary>\n\n- A\n\n</details>'
    ]
  ])('%j', async (source, text) => {
    expect(await strip(source)).toBe(text)
  })
})
