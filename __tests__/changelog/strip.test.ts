// Tests of src/changelog/strip.ts: what buyers do not get to read.
import { describe, expect, test } from '@jest/globals'
import { writeForBuyers } from '../../src/changelog/notes.ts'
import { REPOSITORY, strip } from './notes.ts'

const HOME = 'https://github.com/acme/plugin'

describe('links into the repository become their text', () => {
  test.each([
    ['inline', `a [b *c*](${HOME}/pull/1 "d") e`, 'a b *c* e'],
    ['in angle brackets', `[b](<${HOME}/a b>)`, 'b'],
    ['whatever the case', '[b](HTTPS://GITHUB.COM/Acme/PLUGIN/)', 'b'],
    [
      'with a user, a port, another scheme',
      '[a](ssh://git@github.com:22/acme/plugin.git) b',
      'a b'
    ],
    ['by SSH', '[a](git@github.com:acme/plugin.git) b', 'a b'],
    [
      'to the API and raw files',
      `[a](https://api.github.com/repos/acme/plugin/pulls) [b](https://raw.githubusercontent.com/acme/plugin/main/a)`,
      'a b'
    ],
    ['with entities and escapes', '[a](https&#58;//github&period;com/acme\\/plugin) b', 'a b'],
    ['percent-encoded', '[a](https://github.com/%61cme%2Fplugin) b', 'a b'],
    [
      'through another service',
      `[a](https://example.com/?to=https%3A%2F%2Fgithub.com%2Facme%2Fplugin)`,
      'a'
    ],
    ['relative', '[a](docs/a.md) [b](/acme/plugin/wiki) [c](../c) [d](?tab=d)', 'a b c d'],
    ['full references', `[a][b]\n\n[b]: ${HOME}/pull/1\n`, 'a'],
    ['collapsed and short references', `[a][] [a] b\n\n[A]:\n  <${HOME}>\n  'title'\n`, 'a a b'],
    [
      'in other links’ text',
      `[a [b](${HOME}) c](https://example.com)`,
      '[a b c](https://example.com)'
    ],
    ['with code', `[\`a\`](${HOME})`, '`a`'],
    [
      'images',
      `![a](${HOME}/a.png) ![b](https://example.com/b.png)`,
      'a ![b](https://example.com/b.png)'
    ],
    ['badges', `[![a](${HOME}/a.svg)](${HOME}) b`, 'a b'],
    ['links without a text', `a [ ](${HOME}) b`, 'a b'],
    ['images without a text', `a ![](${HOME}/a.png) b`, 'a b'],
    ['in tables', `| a |\n| - |\n| [b](${HOME}) |`, '| a |\n| - |\n| b |'],
    ['in footnotes', `a[^1]\n\n[^1]: [b](${HOME}).`, 'a[^1]\n\n[^1]: b.']
  ])('%s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })

  test.each([
    [
      'other repositories',
      '[a](https://github.com/acme/plugin-pro) https://github.com/acme/plugin.js'
    ],
    ['their owners', '[a](https://github.com/acme) https://github.com/octocat'],
    ['hosts that end the same', '[a](https://notgithub.com/acme/plugin)'],
    ['addresses within the text', '[a](#b) [c]()'],
    ['mail', '[a](mailto:b@example.com)'],
    ['references nobody defined', '[a][b] [c]']
  ])('but not %s', async (_, source) => {
    expect(await strip(source)).toBe(source)
  })

  test('of the server that is given', async () => {
    const source = '[a](https://git.example.com:8443/x/y/pull/1) [b](https://github.com/x/y)'
    const repository = { serverUrl: 'https://git.example.com:8443', repository: 'x/y' }
    const { text } = await writeForBuyers({ source, links: 'strip', repository })
    expect(text).toBe('a [b](https://github.com/x/y)')
  })
})

describe('raw HTML', () => {
  test.each([
    [
      'links',
      `<a href="${HOME}">b</a> <a href='https://example.com'>c</a>`,
      "b <a href='https://example.com'>c</a>"
    ],
    ['links over several blocks', `<a href="${HOME}">\n\nb\n\n</a>\n\nc`, 'b\n\n\n\nc'],
    [
      'images',
      `a <img src='${HOME}/b.png' alt="b &amp; c"> <img src="https://example.com/d.png">`,
      'a b &amp; c <img src="https://example.com/d.png">'
    ],
    [
      'other attributes',
      `<p>\n<video controls src="${HOME}/a" poster='b.png'></video></p>`,
      '<p>\n</p>'
    ],
    ['entities', '<a href="https:&#47;/github.com/acme/plugin">b</a>', 'b'],
    ['text in blocks', `<div>\nSee ${HOME}/pull/1!\n</div>`, '<div>\nSee #1!\n</div>'],
    [
      'text in blocks of a list',
      `- <details>\n  See ${HOME}/pull/1 for &lt;b&gt;\n\ta by @octocat in #1\n  c\n  </details>`,
      '- <details>\n  See #1 for &lt;b&gt;\n\ta\n  c\n  </details>'
    ],
    ['text in blocks of a quote', `> <div>\n> ${HOME}\n> b\n> </div>`, '> <div>\n> b\n> </div>'],
    [
      'text that is code',
      `<pre>\n${HOME}\n</pre>\n\n<code>${HOME}</code>`,
      `<pre>\n${HOME}\n</pre>\n\n<code>${HOME}</code>`
    ],
    [
      'code by any of its tags',
      ['tt', 'samp', 'pre', 'code'].map(name => `<${name}>${HOME}</${name}>`).join(' a '),
      ['tt', 'samp', 'pre', 'code'].map(name => `<${name}>${HOME}</${name}>`).join(' a ')
    ],
    [
      'code that GitHub does not show',
      ['script', 'style', 'textarea'].map(name => `a <${name}>${HOME}</${name}>`).join(' '),
      ['script', 'style', 'textarea'].map(name => `a <${name}>${HOME}</${name}>`).join(' ')
    ],
    [
      'code after an end too many',
      `a</code> <code>${HOME}</code> ${HOME}`,
      `a</code> <code>${HOME}</code>`
    ],
    [
      'code within code',
      `<pre>a <tt>b</tt> ${HOME}</pre> ${HOME}`,
      `<pre>a <tt>b</tt> ${HOME}</pre>`
    ],
    ['code that a block leaves open', `<div><code>\n\na ${HOME}`, '<div><code>\n\na'],
    ['links by relative addresses', '<a href=" docs/a.md ">b</a> <a HREF=c.md>d</a>', 'b d'],
    [
      'links within anchors that are none',
      `<a name="x">a</a> <a href="${HOME}">b</a> <a id="y"></a>`,
      '<a name="x">a</a> b <a id="y"></a>'
    ],
    [
      'anchors that are none, around links',
      `<a name="x">a <a href="${HOME}">b</a> c</a>`,
      '<a name="x">a b c</a>'
    ],
    ['an end without a start', `a</a> <a href="${HOME}">b</a></a>`, 'a</a> b</a>'],
    ['images by relative addresses', `<img alt='b c' src=a.png>`, 'b c'],
    ['images with a bare text', `a <img alt=b src="${HOME}/a.png"> c`, 'a b c'],
    ['images without a text', `a <img src="${HOME}/a.png" /> b <img alt src="c.png">`, 'a b'],
    ['images with an empty text', `a <img alt=" " src="${HOME}/a.png"> b`, 'a b'],
    [
      'pictures',
      `<picture>\n  <source srcset="${HOME}/raw/main/a.png 2x">\n  <img src="${HOME}/raw/main/b.png" alt="c">\n</picture>`,
      '<picture>\n  c\n</picture>'
    ],
    [
      'other tags that have addresses',
      '<i href="a">b</i> <br cite=c> <form action="d"><button formaction=e> <object data="f">',
      'b'
    ],
    ['tags within links', `<a href="${HOME}"><b>x</b></a>`, '<b>x</b>'],
    [
      'no address with a space before it',
      '<a href=" https://a.b">c</a>',
      '<a href=" https://a.b">c</a>'
    ],
    [
      'nothing that is not an address',
      '<i id="a/b" class="c">d</i>',
      '<i id="a/b" class="c">d</i>'
    ],
    ['tags that never end', `<div\nid="${HOME}"\n\na`, '<div\nid=""\n\na']
  ])('%s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })
})

describe('bare addresses', () => {
  test.each([
    ['of issues become numbers', `See ${HOME}/pull/1 for more.`, 'See #1 for more.'],
    ['in angle brackets, too', `a <${HOME}/pull/1> b`, 'a #1 b'],
    ['at the start of a line', `${HOME}/pull/1 is in.`, '#1 is in.'],
    ['alone in brackets go', `a (${HOME}/pull/1) b (see ${HOME}).`, 'a b.'],
    ['to other pages go', `a ${HOME} b`, 'a b'],
    ['before what ends a sentence', `a ${HOME}; b ${HOME}! ${HOME}: c`, 'a; b!: c'],
    ['before what opens', `a ${HOME}“b”`, 'a “b”'],
    ['in a quote', `> ${HOME}  b`, '> b'],
    ['in an item', `- ${HOME}  b`, '- b'],
    ['in a numbered item', `12. ${HOME}  b\n\n3) ${HOME} c`, '12. b\n\n3) c'],
    ['in emphasis, with words', `a **c ${HOME}**. _${HOME} d_`, 'a **c**. _d_'],
    [
      'that a word leads to show a name',
      `Moved to ${HOME}/wiki/Setup for all.`,
      'Moved to Setup for all.'
    ],
    ['within other addresses', `a <https://example.com/?to=${HOME}> b`, 'a b'],
    ['as links to themselves', `a [${HOME}](${HOME}) b`, 'a b'],
    ['as the text of images', `a ![${HOME}](${HOME}/a.png) b`, 'a b'],
    [
      'as the text of other links',
      `a [${HOME}](https://example.com) b`,
      'a [](https://example.com) b'
    ],
    ['with brackets in them', `a ${HOME}/wiki/A_(b) c`, 'a c'],
    ['without a scheme', 'a github.com/acme/plugin b www.github.com/acme/plugin/', 'a b'],
    ['for cloning', 'a git@github.com:acme/plugin.git b', 'a b'],
    ['before other letters', `${HOME}/pull/1。あ ${HOME}/blob/main/ж.md б`, '#1。あ б'],
    ['in the titles of links', `[a](https://example.com "${HOME}/a")`, 'a'],
    ['in the names of definitions', `[a][${HOME}]\n\n[${HOME}]: https://example.com`, 'a']
  ])('%s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })

  test('that hide behind entities and escapes are an error', async () => {
    const source = 'a github&period;com/acme/plugin b'
    await expect(strip(source)).rejects.toThrow('an address under acme/plugin would remain')
  })

  test.each([
    ['inline', `\`${HOME}\` \`\`a [b](${HOME})\`\``],
    ['fenced', `\`\`\`md ${HOME}\n[b](${HOME}) by @octocat in #1\n\`\`\``],
    ['indented', `a\n\n    **Full Changelog**: ${HOME}/compare/a...b`],
    ['in a list', `- a\n\n      [b](${HOME})`]
  ])('not in code: %s', async (_, source) => {
    expect(await strip(source)).toBe(source)
  })
})

describe('nothing is left in pieces', () => {
  test.each([
    [
      'links at the start of lines',
      `Faster, see\n  [4](${HOME}/pull/4),\n  [5](${HOME}/pull/5).`,
      'Faster, see\n  #4,\n  #5.'
    ],
    ['a commit behind a sentence', `Fixed. ${HOME}/commit/abc1234.`, 'Fixed.'],
    ['a sentence of addresses', `Faster. See ${HOME}/wiki and ${HOME}/releases.`, 'Faster.'],
    ['a list of links in brackets', `- a ([[#1](${HOME}/pull/1), [#2](${HOME}/pull/2)])`, '- a'],
    [
      'conventional-changelog',
      `* **b:** a ([abc1234](${HOME}/commit/abc1234)), closes [#1](${HOME}/issues/1) [#2](${HOME}/issues/2)`,
      '* **b:** a'
    ],
    ['a commit in place of a pull request', `* a by @b in ${HOME}/commit/abc1234`, '* a'],
    ['a label', `a\n\n**Changelog**: ${HOME}/compare/a...b`, 'a'],
    ['a label above what goes', `a\n\n**Links:**\n\n- ${HOME}/releases`, 'a'],
    ['a heading', `a\n\n## Links\n\n- [Compare](${HOME}/compare/a...b)\n- ${HOME}/releases`, 'a'],
    [
      'headings in headings',
      `a\n\n## More\n\n### Links\n\n- ${HOME}/releases\n\n---\n\n# b`,
      'a\n\n---\n\n# b'
    ],
    ['an alert', `> [!NOTE]\n> ${HOME}/pull/1\n\na`, 'a'],
    ['references alone', 'a\n\nCloses #1, fixes #2.\n\n- #3', 'a']
  ])('%s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })

  test.each([
    [
      'a number in a sentence',
      `The crash of [#12](${HOME}/issues/12) is gone.`,
      'The crash of #12 is gone.'
    ],
    ['a number that begins an item', `- [#12](${HOME}/pull/12): a`, '- #12: a'],
    ['words of links', `Read [how to set it up](${HOME}/wiki).`, 'Read how to set it up.'],
    [
      'versions in headings',
      `## [1.2.3](${HOME}/compare/v1.2.2...v1.2.3) (2026-01-02)\n\na`,
      '## 1.2.3 (2026-01-02)\n\na'
    ]
  ])('%s stay', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })
})

describe('names in the formats of other tools', () => {
  const octocat = '[@octocat](https://github.com/octocat)'
  test.each([
    [
      'changesets',
      `- [#1](${HOME}/pull/1) [\`abc1234\`](${HOME}/commit/abc1234) Thanks ${octocat}! - a`,
      '- a'
    ],
    [
      'changesets without a name',
      '- abc1234: a\n- Updated dependencies [abc1234]:\n  - b@1.0.0',
      '- a\n- Updated dependencies:\n  - b@1.0.0'
    ],
    ['release-drafter', '* a @alice (#12)\n* b @alice @bob (#13)', '* a\n* b'],
    ['its contributors', 'a\n\n## Contributors\n\n@alice, @bob and @carol', 'a'],
    ['lerna', `* [#1](${HOME}/pull/1) a (${octocat})`, '* #1 a'],
    ['its committers', `a\n\n#### Committers: 2\n- Jane Doe (${octocat})\n- ${octocat}`, 'a'],
    [
      'changelogen',
      `a\n\n[compare changes](${HOME}/compare/a...b)\n\n### ❤️ Contributors\n\n- Jane (${octocat})\n- Joe <joe@example.com>\n- Jim Beam`,
      'a'
    ],
    [
      'changelogithub',
      `- a &nbsp;-&nbsp; by **Jane Doe** in ${HOME}/issues/1 [<samp>(abc12)</samp>](${HOME}/commit/abc1234)`,
      '- a'
    ],
    [
      'git-cliff',
      `- a by ${octocat}\n- b - ([abc1234](${HOME}/commit/abc1234)) - Jane Doe`,
      '- a\n- b'
    ],
    ['bots', `* a by [@dependabot](https://github.com/dependabot)[bot] in ${HOME}/pull/1`, '* a'],
    [
      'trailers of commits',
      'a\n\nCo-authored-by: Jane Doe <jane@example.com>\nSigned-off-by: Joe <joe@example.com>',
      'a'
    ],
    ['thanks', `- a (thanks ${octocat}!)\n- b. Thanks to @alice!`, '- a\n- b.'],
    ['thanks in brackets, with a number', '* a (#51, thanks @alice-b).', '* a.'],
    ['thanks in brackets, and a point on both sides', '* a. (#2, thanks @alice).', '* a.'],
    ['thanks before a number', '- a. Thanks @alice (#292)\n- b - thanks @bob #4', '- a.\n- b #4'],
    ['props', '* Dev - a (props @alice). #761\n* b. Props @bob.', '* Dev - a.\n* b.'],
    ['a line of thanks', `a\n\nBig thanks to ${octocat} who prepared this release.`, 'a'],
    ['thanks for something', 'a. Special thanks @alice for this effort.  \nb', 'a. \nb'],
    ['an item of thanks', '- a\n- Thank you to @alice, @bob and @carol for testing!', '- a'],
    [
      'thanks over two lines',
      '- a! Thanks to @alice for doing\n  the heavy lifting.\n- b',
      '- a!\n- b'
    ],
    ['thanks in a heading', '## Thanks to @alice! :tada:\n\na', 'a'],
    ['thanks at the end of a sentence', 'It is faster, thanks to @alice.\nb', 'It is faster.\nb'],
    [
      'who contributed',
      '#### a\n\nb\n\nContributed by Jane van Doe (@jane) in #12.',
      '#### a\n\nb'
    ],
    ['who found it', 'The import is faster (by @bob).', 'The import is faster.']
  ])('%s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })

  test('names in sentences stay', async () => {
    const source = `Print \`@media\` and @media rules, as ${octocat} asked. Write to help@example.com.`
    expect(await strip(source)).toBe(source)
    for (const thanks of [
      'Thanks to @alice, the import is faster.',
      '- Work thanks to @alice including the\n  import',
      'Thanks for all your mails!'
    ]) {
      expect(await strip(thanks)).toBe(thanks)
    }
  })
})

test('what was taken out is counted; images that need a login are among it', async () => {
  const image = 'https://github.com/user-attachments/assets/1f2e'
  const source = [
    `- a by @octocat in ${HOME}/pull/1`,
    `- [b](${HOME}/wiki) ![c](${image})`,
    '',
    `<img alt="d" src="${image}">`,
    '',
    `${image}`
  ].join('\n')
  const { text, stripped } = await writeForBuyers({
    source,
    links: 'strip',
    repository: REPOSITORY
  })
  expect(text).toBe('- a\n- b')
  expect(stripped).toEqual({ links: 2, names: 1, images: 3 })
})

describe('lines that are left empty go', () => {
  test.each([
    ['a line of a paragraph', `a\n${HOME}\nb`, 'a\nb'],
    ['the last line', `a\n\n- ${HOME}`, 'a'],
    ['with two addresses', `a\n${HOME} ${HOME}\nb`, 'a\nb'],
    ['with two links', `- a\n- [](${HOME}) [](${HOME})\n- b`, '- a\n- b'],
    ['two after each other', `- a\n- ${HOME}\n- ${HOME}\n- b`, '- a\n- b'],
    ['an item', `- a\n+ ${HOME}\n\n10) ${HOME}\n\nb`, '- a\n\nb'],
    ['a task after two spaces', `a\n\n-  [x] ${HOME}\n\nb`, 'a\n\nb'],
    ['with a mark between two', `a\n\n${HOME} * ${HOME}\n\nb`, 'a\n\nb'],
    ['with emphasis that never ends', `a\n\n**${HOME}\n\nb`, 'a\n\nb'],
    ['before another in an item', `- a\n  - ${HOME}\n  - b`, '- a\n  - b'],
    ['a task', `- [x] ${HOME}\n- [ ] ${HOME}\n- [ ] b`, '- [ ] b'],
    ['a heading', `a\n\n### ${HOME}\n\nb`, 'a\n\nb'],
    ['a heading in an item of a quote', `a\n\n> 1. ## ${HOME}\n\nb`, 'a\n\nb'],
    ['an item of an item', `- a\n  - ${HOME}\n- b`, '- a\n- b'],
    ['a definition in an item', `- a\n- [x]: ${HOME}\n- b`, '- a\n- b'],
    ['an image over two lines', `a\n\n![](${HOME}/a.png\n"b")\n\nc`, 'a\n\nc']
  ])('%s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })

  test.each([
    ['with words', `- ${HOME} b`, '- b'],
    ['with words between two', `a\n\n${HOME} b ${HOME}\n\nc`, 'a\n\nb\n\nc'],
    ['of a table', `| a |\n| - |\n| ${HOME} |`, '| a |\n| - |\n| |'],
    ['with lines that go on', `- ${HOME}\n  a`, '-\n  a'],
    ['with a lazy line that goes on', `- ${HOME}\n b`, '-\n b'],
    ['with a number of two digits, and lines that go on', `12. ${HOME}\n    b`, '12.\n    b'],
    ['with items of its own', `a\n\n1. ${HOME}\n   - b`, 'a\n\n1.\n   - b'],
    ['with lines that go on in a quote', `> - ${HOME}\n>   b`, '> -\n>   b'],
    ['with lines that go on after a blank one', `> - ${HOME}\n>\n>   b`, '> -\n>\n>   b']
  ])('but not those %s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })
})
