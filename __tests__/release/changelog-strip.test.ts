// Tests of src/release/strip.ts, authorship.ts and tidy.ts: what buyers do not get to read.
import { describe, expect, test } from '@jest/globals'
import { writeForBuyers } from '../../src/release/changelog.ts'
import { strip } from './notes.ts'

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
    ['links over several blocks', `<a href="${HOME}">\n\nb\n\n</a>\n\nc`, 'b\n\n\nc'],
    [
      'images',
      `a <img src='${HOME}/b.png' alt="b &amp; c"> <img src="https://example.com/d.png">`,
      'a b &amp; c <img src="https://example.com/d.png">'
    ],
    [
      'other attributes',
      `<p>\n<video controls src="${HOME}/a" poster='b.png'></video></p>`,
      '<p>\n<video controls></video></p>'
    ],
    ['entities', '<a href="https:&#47;/github.com/acme/plugin">b</a>', 'b'],
    ['text in blocks', `<div>\nSee ${HOME}/pull/1!\n</div>`, '<div>\nSee!\n</div>'],
    [
      'text that is code',
      `<pre>\n${HOME}\n</pre>\n\n<code>${HOME}</code>`,
      `<pre>\n${HOME}\n</pre>\n\n<code>${HOME}</code>`
    ],
    ['code that a block leaves open', `<div><code>\n\na ${HOME}`, '<div><code>\n\na'],
    ['tags that never end', `<div\nid="${HOME}"\n\na`, '<div\nid=""\n\na']
  ])('%s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })
})

describe('bare addresses go', () => {
  test.each([
    ['within a sentence', `See ${HOME}/pull/1 for more, or ${HOME}/wiki.`, 'See for more, or.'],
    ['at its start', `${HOME}/pull/1 is in.`, 'is in.'],
    ['in brackets', `a (${HOME}/pull/1) b (see ${HOME}).`, 'a b (see).'],
    ['in angle brackets', `a <${HOME}/pull/1> b`, 'a b'],
    ['in emphasis', `a **${HOME}/pull/1** b`, 'a b'],
    ['as links to themselves', `a [${HOME}](${HOME}) b`, 'a b'],
    [
      'as the text of other links',
      `a [${HOME}](https://example.com) b`,
      'a [](https://example.com) b'
    ],
    ['with brackets in them', `a ${HOME}/wiki/A_(b) c`, 'a c'],
    ['without a scheme', 'a github.com/acme/plugin b www.github.com/acme/plugin/', 'a b'],
    [
      'as a clone address',
      'git clone git@github.com:acme/plugin.git or git+https://github.com/acme/plugin',
      'git clone or'
    ],
    ['written with escapes and entities', 'a https://github\\.com/acme&sol;plugin b', 'a b'],
    [
      'broken up by emphasis',
      'a https://github.com/**acme**/plugin b',
      'a https://github.com/**acme**/plugin b'
    ],
    ['before letters of other scripts', `${HOME}/pull/1。あ ${HOME}/blob/main/ж.md б`, '。あ б'],
    ['alone in an item', `- a\n- ${HOME}/pull/1\n- b`, '- a\n- b'],
    ['alone in a nested item', `- a\n  1. ${HOME}/pull/1\n- b`, '- a\n- b'],
    ['but the item stays when it goes on', `- ${HOME}\n\n  a`, '- \n\n  a'],
    ['alone in a heading or quote', `# ${HOME}\n\n> ${HOME}\n\na`, 'a'],
    [
      'in the titles of links',
      `[a](https://example.com "${HOME}/a")`,
      '[a](https://example.com "")'
    ],
    [
      'in the names of definitions',
      `[a][${HOME}]\n\n[${HOME}]: https://example.com`,
      '[a][]\n\n[]: https://example.com'
    ]
  ])('%s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
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

describe('who worked on it', () => {
  test.each([
    ['a bare address', `* a by @octocat in ${HOME}/pull/1\n* b`, '* a\n* b'],
    ['a number', '* a by @octocat in #1', '* a'],
    ['a link', `* a by [@octocat](https://github.com/octocat) in [#1](${HOME}/pull/1)`, '* a'],
    ['an address in angle brackets', `* a by @octocat in <${HOME}/pull/1>`, '* a'],
    ['another repository', '* a by @octocat in acme/theme#1', '* a'],
    ['several people', '* a by @a-b, @c[bot] and @d in #1', '* a'],
    ['emphasis around all of it', '* **a by @octocat in #1**', '* **a**'],
    ['a line within a paragraph', 'a by @b in #1\nc', 'a\nc']
  ])('an ending with %s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })

  test.each([
    ['within a sentence', 'Found by @octocat in #1, fixed here.'],
    ['without a pull request', 'Found by @octocat in Berlin'],
    ['without a user', 'Done by hand in #1'],
    ['in code', '`a by @octocat in #1`'],
    ['of a name', 'Stand by @octocat']
  ])('no ending: %s', async (_, source) => {
    expect(await strip(source)).toBe(source)
  })

  test.each([
    ['as GitHub writes it', `a\n\n**Full Changelog**: ${HOME}/compare/v1...v2`],
    ['of a first release', `a\n\n**Full Changelog**: ${HOME}/commits/v1`],
    ['as a link', `a\n\n[Full Changelog](${HOME}/compare/v1...v2)`],
    ['with a link', `a\n\n**Full Changelog:** [v1...v2](${HOME}/compare/v1...v2)`],
    ['without a link', 'a\n\n__Full changelog__: v1...v2'],
    ['over two lines', `a\n\n**Full Changelog**:\n${HOME}/compare/v1...v2`],
    ['in a list', `a\n\n* Full Changelog: ${HOME}/compare/v1...v2`]
  ])('the line of the full changelog: %s', async (_, source) => {
    expect(await strip(source)).toBe('a')
  })

  test.each([
    ['a heading', '## Full Changelog\n\n- a ...'],
    ['on another site', '**Full Changelog**: https://example.com/changes'],
    ['within a sentence', 'The Full Changelog: it is there...']
  ])('no such line: %s', async (_, source) => {
    expect(await strip(source)).toBe(source)
  })

  test('a sentence about the full changelog keeps its words', async () => {
    const source = `Full Changelog and [notes](${HOME}/a) in here`
    expect(await strip(source)).toBe('Full Changelog and notes in here')
  })

  test('the list of new contributors goes with its heading, and nothing after it', async () => {
    const contribution = (name: string) =>
      `* @${name} made their first contribution in ${HOME}/pull/1`
    const list = `## New Contributors\n${contribution('a')}\n${contribution('b')}`
    expect(await strip(`a\n\n${list}\n\n## More\nc`)).toBe('a\n\n\n## More\nc')
    expect(await strip(`${list}\n* Welcome!`)).toBe('## New Contributors\n* Welcome!')
  })
})
