// Tests of src/changelog/expand.ts: links where GitHub's rendering has them.
import { describe, expect, test } from '@jest/globals'
import { expand } from './notes.ts'

const GITHUB = 'https://github.com'
const issue = (number: number, text = `#${number}`, repository = 'acme/plugin') =>
  `<a class="issue-link js-issue-link" data-error-text="Failed to load title" data-id="1" data-permission-text="Title is private" data-url="${GITHUB}/${repository}/issues/${number}" data-hovercard-type="pull_request" data-hovercard-url="/${repository}/pull/${number}/hovercard" href="${GITHUB}/${repository}/pull/${number}">${text}</a>`
const user = (name: string) =>
  `<a class="user-mention notranslate" data-hovercard-type="user" href="${GITHUB}/${name}">@${name}</a>`
const commit = (id: string, text = id.slice(0, 7)) =>
  `<a class="commit-link" data-hovercard-type="commit" href="${GITHUB}/acme/plugin/commit/${id}"><tt>${text}</tt></a>`
const pull = (number: number, text = `#${number}`) =>
  `[${text}](${GITHUB}/acme/plugin/pull/${number})`
const ID = '0123456789abcdef0123456789abcdef01234567'

describe('each reference has its own place', () => {
  test.each([
    ['only the one that GitHub links', '#1 #1 #1', `<p>#1 ${issue(1)} #1</p>`, `#1 ${pull(1)} #1`],
    [
      'not the one in code',
      '`#1` #1',
      `<p><code class="notranslate">#1</code> ${issue(1)}</p>`,
      `\`#1\` ${pull(1)}`
    ],
    [
      'nor the one in fenced code',
      '```\n#1\n```\n#1',
      `<pre class="notranslate"><code>#1\n</code></pre>\n<p>${issue(1)}</p>`,
      `\`\`\`\n#1\n\`\`\`\n${pull(1)}`
    ],
    [
      'not the one that is a link already',
      `[#1](${GITHUB}/x/y) #1`,
      `<p><a href="${GITHUB}/x/y">#1</a> ${issue(1)}</p>`,
      `[#1](${GITHUB}/x/y) ${pull(1)}`
    ],
    [
      'nor an address that GitHub shortens',
      `${GITHUB}/acme/plugin/pull/1 #1`,
      `<p>${issue(1)} #1</p>`,
      `${GITHUB}/acme/plugin/pull/1 #1`
    ],
    [
      'when GitHub drops a part',
      'x <script>#1</script> a #1',
      `<p>x  a ${issue(1)}</p>`,
      `x <script>#1</script> a ${pull(1)}`
    ],
    [
      'when the rendering has more',
      'a #1',
      `<p>x ${issue(7)}</p><p>a ${issue(1)}</p>`,
      `a ${pull(1)}`
    ],
    [
      'when emojis are pictures',
      ':tada: #1 :+1:',
      `<p><g-emoji class="g-emoji" alias="tada">🎉</g-emoji> ${issue(1)} 👍</p>`,
      `:tada: ${pull(1)} :+1:`
    ],
    [
      'in footnotes, which GitHub moves to the end',
      '[^b]: y #2\n[^a]: x #1\n\n#3[^a] #4[^b]',
      `<p>#3<sup><a href="#f1">1</a></sup> ${issue(4)}<sup><a href="#f2">2</a></sup></p><section data-footnotes class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2><ol><li><p>x ${issue(1)} <a href="#r1" class="data-footnote-backref">↩</a></p></li><li><p>y #2 <a href="#r2">↩</a></p></li></ol></section>`,
      `[^b]: y #2\n[^a]: x ${pull(1)}\n\n#3[^a] ${pull(4)}[^b]`
    ]
  ])('%s', async (_, source, rendering, text) => {
    expect(await expand(source, rendering)).toBe(text)
  })
})

test('what is no text on GitHub is the counterpart of none', async () => {
  const rendering = `<p>a ${issue(1)} b</p>`
  for (const other of ['`#1`', '![#1](https://example.com/a.png)']) {
    const source = `a ${other} #1 ${other} b`
    expect(await expand(source, rendering)).toBe(`a ${other} ${pull(1)} ${other} b`)
  }
  expect(await expand(':1: #1 :1: :2:', `<p>🥇 #1 🥇 ${issue(2)}</p>`)).toBe(':1: #1 :1: :2:')
})

test('a link that holds more than the reference is not the reference’s', async () => {
  const rendering = `<p><a href="${GITHUB}/acme/plugin/pull/1">see #1</a></p>`
  expect(await expand('see #1', rendering)).toBe('see #1')
  const longer = `<p><a href="${GITHUB}/acme/plugin/pull/1">#1 is in</a></p>`
  expect(await expand('#1 is in', longer)).toBe('#1 is in')
})

describe('kinds of references', () => {
  test.each([
    [
      'another repository’s issue',
      'acme/theme#2',
      issue(2, 'acme/theme#2', 'acme/theme'),
      `[acme/theme#2](${GITHUB}/acme/theme/pull/2)`
    ],
    ['this one’s, which GitHub shortens', 'acme/plugin#2', issue(2), pull(2, 'acme/plugin#2')],
    [
      'a fork’s',
      'octocat#2',
      issue(2, 'octocat#2', 'octocat/plugin'),
      `[octocat#2](${GITHUB}/octocat/plugin/pull/2)`
    ],
    ['the old way', 'GH-2', issue(2, 'GH-2'), pull(2, 'GH-2')],
    ['a user', '@octo-cat', user('octo-cat'), `[@octo-cat](${GITHUB}/octo-cat)`],
    [
      'a team',
      '@acme/team.one',
      `<a class="team-mention js-team-mention notranslate" href="${GITHUB}/orgs/acme/teams/team-one">@acme/team.one</a>`,
      `[@acme/team.one](${GITHUB}/orgs/acme/teams/team-one)`
    ],
    [
      'a bot',
      '@renovate[bot]',
      `<a class="user-mention notranslate" href="${GITHUB}/apps/renovate">@renovate</a>[bot]`,
      `[@renovate](${GITHUB}/apps/renovate)[bot]`
    ],
    ['a commit', ID, commit(ID), `[${ID}](${GITHUB}/acme/plugin/commit/${ID})`],
    ['a short commit', '0123456', commit(ID), `[0123456](${GITHUB}/acme/plugin/commit/${ID})`],
    [
      'another repository’s commit',
      `acme/theme@${ID}`,
      commit(ID, 'acme/theme@0123456'),
      `[acme/theme@${ID}](${GITHUB}/acme/plugin/commit/${ID})`
    ]
  ])('%s', async (_, source, link, text) => {
    const around = (it: string) => `Since ${it}, all is well.`
    expect(await expand(around(source), `<p>${around(link)}</p>`)).toBe(around(text))
    expect(await expand(around(source), `<p>${around(source)}</p>`)).toBe(around(source))
  })
})

describe('where a reference stands', () => {
  test.each([
    ['in brackets', '(#1)', `(${issue(1)})`, `(${pull(1)})`],
    ['in square brackets', '[#1]', `[${issue(1)}]`, `[${pull(1)}]`],
    [
      'in emphasis',
      '_#1_ **@a** ~~@b~~',
      `<em>${issue(1)}</em> <strong>${user('a')}</strong> <del>${user('b')}</del>`,
      `_${pull(1)}_ **[@a](${GITHUB}/a)** ~~[@b](${GITHUB}/b)~~`
    ],
    [
      'after an exclamation mark',
      'Hey!#1 \\!#1',
      `Hey!${issue(1)} !${issue(1)}`,
      `Hey\\!${pull(1)} \\!${pull(1)}`
    ],
    ['at the very start, after one', '!#1', `!${issue(1)}`, `\\!${pull(1)}`],
    ['after an exclamation mark and a space', 'Hey! #1', `Hey! ${issue(1)}`, `Hey! ${pull(1)}`],
    ['escaped: not at all', '\\#1', issue(1), '\\#1'],
    ['right after code', '`a`#1', `<code>a</code>${issue(1)}`, `\`a\`${pull(1)}`],
    [
      'right after a link',
      '[(a)](https://b.c)#1',
      `<a href="https://b.c">(a)</a>${issue(1)}`,
      `[(a)](https://b.c)${pull(1)}`
    ],
    ['broken up by a tag: not at all', '@octo<b>cat</b>', user('octocat'), '@octo<b>cat</b>'],
    [
      'in an anchor that leads nowhere',
      '<a name="x">#1</a>',
      `<a name="x">${issue(1)}</a>`,
      `<a name="x">${pull(1)}</a>`
    ],
    ['between tags', '<b>#1</b>', `<b>${issue(1)}</b>`, `<b>${pull(1)}</b>`],
    [
      'in the text of an image: not at all',
      '![#1](https://example.com/a.png)',
      '<img src="https://camo.githubusercontent.com/a" alt="#1">',
      '![#1](https://example.com/a.png)'
    ]
  ])('%s', async (_, source, rendering, text) => {
    expect(await expand(source, `<p>${rendering}</p>`)).toBe(text)
  })

  test('in a block of HTML in a quote, the reference alone becomes a link', async () => {
    const source = '> <div>\n> a\n> See #1 for &amp;\n> b\n> </div>'
    const rendering = `<blockquote><div>\na\nSee ${issue(1)} for &amp;\nb\n</div></blockquote>`
    const link = `<a href="${GITHUB}/acme/plugin/pull/1">#1</a>`
    expect(await expand(source, rendering)).toBe(source.replace('#1', link))
  })

  test('in a block of HTML, the link is HTML, too', async () => {
    const source = '<details>\n<summary>@a &amp; <code>#1</code> #1</summary>\n</details>'
    const link = `<a class="issue-link" href="${GITHUB}/x?a=1&amp;b=&quot;">#1</a>`
    const rendering = `<details>\n<summary>${user('a')} &amp; <code>#1</code> ${link}</summary>\n</details>`
    expect(await expand(source, rendering)).toBe(
      `<details>\n<summary><a href="${GITHUB}/a">@a</a> &amp; <code>#1</code> ` +
        `<a href="${GITHUB}/x?a=1&amp;b=&quot;">#1</a></summary>\n</details>`
    )
  })
})

describe('relative links', () => {
  const absolute = `${GITHUB}/acme/plugin/blob/v1/docs/a.md`
  test.each([
    [
      'become absolute',
      '[a](docs/a.md "t")',
      `<a href="${absolute}">a</a>`,
      `[a](${absolute} "t")`
    ],
    [
      'by their path on GitHub',
      '[a](/acme/plugin/wiki)',
      '<a href="/acme/plugin/wiki">a</a>',
      `[a](${GITHUB}/acme/plugin/wiki)`
    ],
    [
      'with what would end the address',
      '[a](<b (c>)',
      `<a href="${GITHUB}/b (c">a</a>`,
      `[a](<${GITHUB}/b%20%28c>)`
    ],
    [
      'with more that would',
      '[a](b)',
      `<a href="${GITHUB}/\\|&lt;\`/b">a</a>`,
      `[a](${GITHUB}/%5C%7C&lt;%60/b)`
    ],
    [
      'in HTML, with what would end its address',
      '<a href=b>a</a>',
      `<a href='${GITHUB}/"</b'>a</a>`,
      `<a href=${GITHUB}/%22%3C/b>a</a>`
    ],
    [
      'in HTML, among other attributes',
      '<a id="x" href="docs/a.md" title="c">a</a> d',
      `<a href="${absolute}">a</a> <a href="${GITHUB}">d</a>`,
      `<a id="x" href="${absolute}" title="c">a</a> d`
    ],
    [
      'not by the address of the next link',
      '[a](b) [c](d), [e](f)[(g)](h)',
      `a <a href="${GITHUB}/d">c</a>, e<a href="${GITHUB}/h">(g)</a>`,
      `[a](b) [c](${GITHUB}/d), [e](f)[(g)](${GITHUB}/h)`
    ],
    ['without encryption', '[a](b)', '<a href="http://git.test/b">a</a>', '[a](http://git.test/b)'],
    [
      'in HTML, with other tags within',
      '<a href="docs/a.md"><i>a</i></a>',
      `<a href="${absolute}"><i>a</i></a>`,
      `<a href="${absolute}"><i>a</i></a>`
    ],
    [
      'of several words',
      '[a b](./a.md) c',
      `<a href="${absolute}">a b</a> c`,
      `[a b](${absolute}) c`
    ],
    [
      'each its own',
      '[a](b) [c](d) [e](f)',
      `<a href="${GITHUB}/b">a</a> <a href="${GITHUB}/d">c</a> <a href="${GITHUB}/f">e</a>`,
      `[a](${GITHUB}/b) [c](${GITHUB}/d) [e](${GITHUB}/f)`
    ],
    [
      'in code',
      '[`a`](docs/a.md)',
      `<a href="${absolute}"><code>a</code></a>`,
      `[\`a\`](${absolute})`
    ],
    [
      'as definitions',
      '[a][b] [b]\n\n[b]: <docs/a.md>',
      `<a href="${absolute}">a</a> <a href="${absolute}">b</a>`,
      `[a][b] [b]\n\n[b]: <${absolute}>`
    ],
    [
      'in HTML',
      "<a href='docs/a.md'>a</a>",
      `<a href="${absolute}">a</a>`,
      `<a href='${absolute}'>a</a>`
    ],
    [
      'the nearest of two files of a name',
      '[a](a.md) [b](docs/a.md) https://example.com/a.md',
      `<a href="${GITHUB}/blob/v1/a.md">a</a> <a href="${GITHUB}/blob/v1/docs/a.md">b</a> <a href="https://example.com/a.md">c</a>`,
      `[a](${GITHUB}/blob/v1/a.md) [b](${GITHUB}/blob/v1/docs/a.md) https://example.com/a.md`
    ],
    [
      'but not where GitHub has no address',
      '[a](docs/a.md) [b](#b) [c](d) [e](f)',
      '<a href="docs/a.md">a</a> <a href="#b">b</a> <a href="//c">c</a> <a href="x:https://e">e</a>',
      '[a](docs/a.md) [b](#b) [c](d) [e](f)'
    ],
    ['and no absolute ones', `[a](${GITHUB}/b)`, `<a href="${GITHUB}/c">a</a>`, `[a](${GITHUB}/b)`]
  ])('%s', async (_, source, rendering, text) => {
    expect(await expand(source, `<p>${rendering}</p>`)).toBe(text)
  })
})
