// Tests of src/changelog/strip.ts: what is said of who worked on the code goes.
import { describe, expect, test } from '@jest/globals'
import { strip } from './notes.ts'

const HOME = 'https://github.com/acme/plugin'

describe('who worked on it', () => {
  test.each([
    ['a bare address', `* a by @octocat in ${HOME}/pull/1\n* b`, '* a\n* b'],
    ['a number', '* a by @octocat in #1', '* a'],
    ['a link', `* a by [@octocat](https://github.com/octocat) in [#1](${HOME}/pull/1)`, '* a'],
    ['an address in angle brackets', `* a by @octocat in <${HOME}/pull/1>`, '* a'],
    ['another repository', '* a by @octocat in acme/theme#1', '* a'],
    ['several people', '* a by @A-b, @c[bot] and @d in #1', '* a'],
    ['others besides', '* a by @b with @c & @d in (#1)', '* a'],
    ['a team, in the old way', '* a By @acme/team in GH-1', '* a'],
    [
      'a pull request on another server',
      '* a by **@b** in https://git.example.com/c/d/pull/1#e',
      '* a'
    ],
    ['a mark after it', '* a by @b in #1!', '* a!'],
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
    ['of a name', 'Stand by @octocat'],
    ['of a word', 'Standby @octocat in #1']
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
    ['in a list', `a\n\n* Full Changelog: ${HOME}/compare/v1...v2`],
    ['with a mark at its end', `a\n\n**Full Changelog: v1...v2**.`],
    ['with an address and a mark', `a\n\nFull Changelog ${HOME}/commits/v1.`],
    ['with two dots', 'a\n\nfull changelog : v1..v2'],
    ['in emphasis that is none', 'a\n\n** Full Changelog **: v1...v2'],
    ['by a definition', `a\n\nFull Changelog: [v1...v2]\n\n[v1...v2]: ${HOME}/compare/v1...v2`],
    ['with all of it as a link', `a\n\n[Full Changelog: from v1 to v2](${HOME}/compare/v1...v2)`],
    [
      'with a link to a part of it',
      `a\n\nFull Changelog: [from v1 to v2](${HOME}/compare/v1...v2)`
    ],
    ['over two lines, indented', `a\n\nFull Changelog:\n  ${HOME}/compare/v1...v2 `]
  ])('the line of the full changelog: %s', async (_, source) => {
    expect(await strip(source)).toBe('a')
  })

  test.each([
    ['a heading', '## Full Changelog\n\n- a ...'],
    ['without anything after it', 'Full Changelog'],
    ['with words', 'Full Changelog: all from a...b until c'],
    ['with a word before it', 'Full Changelog: see a...b'],
    ['with a word before its name', 'The full changelog:v1...v2'],
    ['with a link after it', 'Full Changelog: [notes](https://example.com)'],
    ['with another line after it', 'Full Changelog:\nto be done'],
    ['on another site', '**Full Changelog**: https://example.com/changes'],
    ['within a sentence', 'The Full Changelog: it is there...']
  ])('no such line: %s', async (_, source) => {
    expect(await strip(source)).toBe(source)
  })

  test('a sentence about the full changelog keeps its words', async () => {
    const source = `Full Changelog and [notes](${HOME}/a) in here`
    expect(await strip(source)).toBe('Full Changelog and notes in here')
  })

  test('a link elsewhere makes no such line', async () => {
    const source = `[notes](${HOME}/a) b\n\nFull Changelog: notes\n\n[notes](${HOME}/a) c`
    expect(await strip(source)).toBe('notes b\n\nFull Changelog: notes\n\nnotes c')
  })

  test('a link to words keeps the words around it', async () => {
    const source = `Full Changelog: see [v2](${HOME}/compare/v1...v2)`
    expect(await strip(source)).toBe('Full Changelog: see v2')
    const below = `Full Changelog: below\n${HOME}/compare/v1...v2\nb`
    expect(await strip(below)).toBe('Full Changelog: below\nb')
  })

  test.each([
    ['with pictures', '### 🎉 New Contributors! 🎉'],
    ['in emphasis', '## **New contributors**'],
    ['with a line below', 'New Contributors\n---']
  ])('a heading of new contributors %s', async (_, heading) => {
    const contribution = '* [@a](https://github.com/a) made her first contribution'
    expect(await strip(`a\n\n${heading}\n\n${contribution}`)).toBe('a')
  })

  test.each([
    ['with a text', '## New Contributors\n\nThank you!'],
    ['with code', '## New Contributors\n\n`a`']
  ])('but not a heading %s', async (_, heading) => {
    const contribution = '* @a made their first contribution in #1'
    expect(await strip(`${heading}\n\n${contribution}\n\n## More\n\nb`)).toBe(
      `${heading}\n\n## More\n\nb`
    )
  })

  test('a heading of new contributors stays when nothing was taken from under any', async () => {
    const source = '## New Contributors\n\n## More\n\na @b'
    expect(await strip(source)).toBe(source)
  })

  test.each([
    '@Octocat made its first contribution with #1',
    '@a and @b made their first contribution.'
  ])('a first contribution: %s', async line => {
    expect(await strip(`* ${line}\n* b`)).toBe('* b')
  })

  test.each([
    '@a made their first contribution in #1 and more',
    'Yesterday @a made their first contribution in #1'
  ])('no first contribution: %s', async line => {
    expect(await strip(`* ${line}\n* b`)).toBe(`* ${line}\n* b`)
  })

  test('the list of new contributors goes with its heading, and nothing after it', async () => {
    const contribution = (name: string) =>
      `* @${name} made their first contribution in ${HOME}/pull/1`
    const list = `## New Contributors\n${contribution('a')}\n${contribution('b')}`
    expect(await strip(`a\n\n${list}\n\n## More\nc`)).toBe('a\n\n## More\nc')
    expect(await strip(`${list}\n* Welcome!`)).toBe('## New Contributors\n* Welcome!')
  })
})
