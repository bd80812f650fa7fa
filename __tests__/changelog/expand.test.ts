// Tests of src/changelog/expand.ts: links where GitHub's rendering has them, and nowhere else.
import { describe, expect, test } from '@jest/globals'
import { expand, write } from './notes.ts'

const GITHUB = 'https://github.com'
const ISSUE = `${GITHUB}/acme/plugin/pull/1`
const ID = '0123456789abcdef0123456789abcdef01234567'
const anchor = (kind: string, href: string, text: string) =>
  `<a class="${kind} notranslate" data-url="${GITHUB}/x" data-id="1" href="${href}">${text}</a>`
const issue = (text = '#1', href = ISSUE) => anchor('issue-link js-issue-link', href, text)
const user = (name: string) => anchor('user-mention', `${GITHUB}/${name}`, `@${name}`)
const commit = (text: string) =>
  anchor('commit-link', `${GITHUB}/acme/plugin/commit/${ID}`, `<tt>${text}</tt>`)
const LINK = `[#1](${ISSUE})`
const THEME = `${GITHUB}/acme/theme/pull/2`
const TEAM = `${GITHUB}/orgs/acme/teams/team-one`
const FORK = `${GITHUB}/octocat/plugin/issues/1`
const OTHER = `${GITHUB}/acme/theme/commit/${ID}`

/** A reference as it is written, GitHub's rendering of it, and where the link leads. */
const REFERENCES: readonly (readonly [string, string, string])[] = [
  ['#1', issue(), ISSUE],
  ['acme/theme#2', issue('acme/theme#2', THEME), THEME],
  ['acme/plugin#1', issue(), ISSUE],
  ['octocat#1', issue('octocat#1', FORK), FORK],
  ['GH-1', issue('GH-1'), ISSUE],
  ['@octo-cat', user('octo-cat'), `${GITHUB}/octo-cat`],
  ['@acme/team-one', anchor('team-mention', TEAM, '@acme/team-one'), TEAM],
  [ID, commit('0123456'), `${GITHUB}/acme/plugin/commit/${ID}`],
  ['0123456', commit('0123456'), `${GITHUB}/acme/plugin/commit/${ID}`],
  [`acme/theme@${ID}`, anchor('commit-link', OTHER, 'acme/theme@<tt>0123456</tt>'), OTHER]
]

test.each(REFERENCES)('%s becomes a link, if it is one on GitHub', async (it, link, address) => {
  const around = (reference: string) => `Since ${reference}, all is well.`
  const text = around(`[${it}](${address})`)
  expect(await expand(around(it), `<p>${around(link)}</p>`)).toBe(text)
  expect(await expand(around(it), `<p>${around(it)}</p>`)).toBe(around(it))
})

test.each([
  ['#1 #2 #1', `${issue()} #2 ${issue()}`, `${LINK} #2 ${LINK}`],
  ['`#1` #1', `<code>#1</code> ${issue()}`, `\`#1\` ${LINK}`],
  ['```\n#1\n```\n#1', `<pre>#1\n</pre>${issue()}`, `\`\`\`\n#1\n\`\`\`\n${LINK}`],
  ['[#1](https://a.b) #1', `<a href="https://a.b">#1</a> ${issue()}`, `[#1](https://a.b) ${LINK}`],
  [`${ISSUE} #1`, `${issue()} ${issue()}`, `${ISSUE} ${LINK}`],
  ['a #1', `x ${issue('#7')}</p><p>a ${issue()}`, `a ${LINK}`],
  [
    `[a](${GITHUB}/acme/plugin/commit/${ID}#r5) 0123456`,
    `<a href="${GITHUB}/acme/plugin/commit/${ID}#r5">a</a> ${commit('0123456')}`,
    `[a](${GITHUB}/acme/plugin/commit/${ID}#r5) [0123456](${GITHUB}/acme/plugin/commit/${ID})`
  ],
  ['\\#1 \\@b', `${issue()} ${user('b')}`, `[\\#1](${ISSUE}) [\\@b](${GITHUB}/b)`],
  ['@octo<b>cat</b>', user('octocat'), '@octo<b>cat</b>'],
  ['![#1](https://a.b/c)', '<img alt="#1">', '![#1](https://a.b/c)'],
  ['(#1) [#1]', `(${issue()}) [${issue()}]`, `(${LINK}) [${LINK}]`],
  ['_#1_ ~~@b~~', `<em>${issue()}</em> <del>${user('b')}</del>`, `_${LINK}_ ~~[@b](${GITHUB}/b)~~`],
  ['@a[bot]', `${user('a')}[bot]`, `[@a](${GITHUB}/a)[bot]`],
  // It would be none, or an image.
  ['\\0123456', `\\${commit('0123456')}`, `\\\\[0123456](${GITHUB}/acme/plugin/commit/${ID})`],
  ['\\\\!#1', `\\!${issue()}`, `\\\\\\!${LINK}`],
  ['!#1 \\!#1 ! #1', `!${issue()} !${issue()} ! ${issue()}`, `\\!${LINK} \\!${LINK} ! ${LINK}`],
  ['`a`#1 [b](#c)#1', `<code>a</code>${issue()} b${issue()}`, `\`a\`${LINK} [b](#c)${LINK}`],
  ['<b>#1</b><a id=x>#1</a>', `<b>${issue()}</b>${issue()}`, `<b>${LINK}</b><a id=x>${LINK}</a>`],
  [
    '> <div>\n> See @a &amp; <code>#1</code> #1\n> </div>',
    `<div>See ${user('a')} &amp; <code>#1</code> ${issue()}</div>`,
    `> <div>\n> See <a href="${GITHUB}/a">@a</a> &amp; <code>#1</code> <a href="${ISSUE}">#1</a>\n> </div>`
  ]
])('%j', async (source, rendering, text) => {
  expect(await expand(source, `<p>${rendering}</p>`)).toBe(text)
})

describe('relative links', () => {
  const to = (path: string) => `<a href="${GITHUB}/acme/plugin/blob/v1/${path}">a</a>`
  const whole = `${GITHUB}/acme/plugin/blob/v1/docs/a.md`
  test.each([
    ['[a](docs/a.md "t")', to('docs/a.md'), `[a](${whole} "t")`],
    ['[`a`](../docs/a.md) [b](./docs/a.md)', to('docs/a.md'), `[\`a\`](${whole}) [b](${whole})`],
    ['[a](/acme/plugin/w)', '<a href="/acme/plugin/w">a</a>', `[a](${GITHUB}/acme/plugin/w)`],
    ['[a](<b (c>)', `<a href="${GITHUB}/\`/b (c">a</a>`, `[a](<${GITHUB}/%60/b%20%28c>)`],
    ['[a][b] [b]\n\n[b]: <docs/a.md>', to('docs/a.md'), `[a][b] [b]\n\n[b]: <${whole}>`],
    ["<a id href='docs/a.md'><i>a</i></a>", to('docs/a.md'), `<a id href='${whole}'><i>a</i></a>`],
    [
      '[a](a.md) [b](docs/a.md) www.e.x/a.md',
      `${to('a.md')} ${to('docs/a.md')} <a href="http://www.e.x/a.md">c</a>`,
      `[a](${GITHUB}/acme/plugin/blob/v1/a.md) [b](${whole}) www.e.x/a.md`
    ],
    [
      `[a](docs/a.md) [b](#b) [c](d) [e](f) [g](${GITHUB}/b)`,
      `<a href="docs/a.md">a</a> <a href="#b">b</a> <a href="//d">c</a> <a href="x:https://a/f">e</a> <a href="${GITHUB}/c">g</a>`,
      `[a](docs/a.md) [b](#b) [c](d) [e](f) [g](${GITHUB}/b)`
    ]
  ])('%j', async (source, rendering, text) => {
    expect(await expand(source, `<p>${rendering}</p>`)).toBe(text)
  })
})

describe('without a rendering', () => {
  const notice = async (source: string, rendering = '') => {
    const { text, notice } = await write('expand', source, rendering)
    expect(text).toBe(source)
    return notice
  }

  test.each([
    ['See acme/theme#12.', 'acme/theme#12'],
    ['By @octocat.', '@octocat'],
    ['In 12ab34cd.', '12ab34cd'],
    ['See [the guide](docs/guide.md).', 'docs/guide.md'],
    ['See [the guide].\n\n[the guide]: docs/guide.md', 'docs/guide.md'],
    ['<b>See</b> <a id="a" href="docs/guide.md">the guide</a>.', 'docs/guide.md'],
    ['<p>See #12.</p>', '#12'],
    ['`#1` [#2](https://example.com) #3 @octocat', '#3']
  ])('%j stays, and a notice says so', async (source, named) => {
    const said = `References such as “${named}” stay as they are in the changelog: GitHub’s own rendering`
    expect(await notice(source)).toBe(`${said} of the release is not known.`)
    expect(await notice(source, '<p>Hi</p>')).toBe(`${said} is not of these notes.`)
  })

  test.each([
    '`#12` and\n\n    @octocat',
    '[#12](https://example.com) and https://example.com/#12',
    'Since 20260102, a@example.com & #news',
    '[below](#news) and <a name="docs/a.md">there</a>',
    '![#12](https://example.com/a.png)',
    '0.5 s'
  ])('nothing is said of %j', async source => {
    expect(await notice(source)).toBe('')
  })

  test('nor of references that GitHub does not link', async () => {
    expect(await notice('See #12.', '<p>See #12.</p>')).toBe('')
  })
})
