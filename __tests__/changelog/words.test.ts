// Tests of src/release/words.ts: the words by which notes and their rendering are compared.
import { describe, expect, test } from '@jest/globals'
import { splitWords } from '../../src/changelog/words.ts'

const plain = (key: string) => ({ isReference: false, key })

describe('references are words of their own', () => {
  test.each([
    ['an issue', '#12', '#12'],
    ['an issue elsewhere', 'acme/theme#12', '#12'],
    ['an issue of a fork', 'octocat#12', '#12'],
    ['an issue in the old way', 'gh-12', 'gh-12'],
    ['a user', '@Octo-Cat', '@octo-cat'],
    ['a team', '@acme/team.one', '@acme/team.one'],
    ['a commit', '0123456789ABCDEF', '0123456'],
    ['a commit elsewhere', 'acme/theme@ABCDEF0123', 'abcdef0'],
    ['a comparison', 'abcdef0123...0123456', 'abcdef0']
  ])('%s', (_, reference, key) => {
    const start = 'See ('.length
    expect(splitWords(`See (${reference}), Ä!`)).toEqual([
      { start: 0, end: 3, isReference: false, key: 'see' },
      { start, end: start + reference.length, isReference: true, key },
      { start: start + reference.length + 3, end: start + reference.length + 4, ...plain('ä') }
    ])
  })
})

test.each(['.#12', '-GH-12', '#12a', '.0123456', '0123456x', 'a@b', '@'])(
  'nothing is referred to by “%s”',
  text => {
    expect(splitWords(text).filter(({ isReference }) => isReference)).toEqual([])
  }
)

test('shortcodes of emojis are no words', () => {
  expect(splitWords(':tada: a :+1: b: http://c.d:').map(({ key }) => key)).toEqual([
    'a',
    'b',
    'http://c.d'
  ])
})

describe('addresses are compared by what GitHub shows of them', () => {
  test.each([
    ['https://github.com/a/b/pull/12', '#12'],
    ['https://github.com/a/b/issues/12#issuecomment-1', '#12'],
    ['https://github.com/a/b/discussions/345', '#345'],
    ['https://github.com/a/b/pull/12-b', 'https://github.com/a/b/pull/12-b'],
    ['https://github.com/a/b/commit/0123456789abcdef', '0123456'],
    ['https://github.com/a/b/commits/ABCDEF0', 'abcdef0'],
    ['https://github.com/a/b/commits/v1', 'https://github.com/a/b/commits/v1'],
    ['https://github.com/a/b/commit/0123456x', 'https://github.com/a/b/commit/0123456x'],
    ['HTTP://Example.com/A(b)', 'http://example.com/a(b'],
    ['https://example.com/a?!', 'https://example.com/a']
  ])('%s as %s', (url, key) => {
    const words = splitWords(`<${url}>`)
    expect(words).toEqual([{ start: 1, end: 1 + url.length, isReference: false, key }])
  })
})
