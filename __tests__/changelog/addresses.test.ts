// Tests of src/release/addresses.ts: which addresses lead into a repository, and where they begin and end.
import { describe, expect, test } from '@jest/globals'
import { addressesOf, isRelative } from '../../src/changelog/addresses.ts'

const HOME = 'https://github.com/acme/plugin'
const REPOSITORY = { serverUrl: 'https://github.com', repository: 'acme/plugin' }

function found(text: string, place = REPOSITORY): string[] {
  return addressesOf(place)
    .find(text)
    .map(({ start, end }) => text.slice(start, end))
}

describe('where an address begins', () => {
  test.each([
    ['with its scheme', HOME],
    ['with a scheme of two parts', 'git+ssh://github.com/acme/plugin'],
    ['without a scheme', '//github.com/acme/plugin'],
    ['with a user', 'ssh://git@github.com/acme/plugin'],
    ['with a user and a password', 'https://octo.cat+1:s3cr%t@github.com/acme/plugin'],
    ['with a user and an empty password', 'https://octocat:@github.com/acme/plugin'],
    ['with subdomains', 'https://a.b-1.c.d.github.com/acme/plugin'],
    ['percent-encoded', 'HTTPS%3A%2f%2Fgithub.com%2Facme%2Fplugin']
  ])('%s', (_, address) => {
    expect(found(`See ${address} now`)).toEqual([address])
    expect(found(`„${address}“`)).toEqual([address])
    expect(found(`(see:${address})`).join()).toContain(address)
  })

  test('each of several is one of its own', () => {
    expect(found(`${HOME},${HOME}/a ${HOME}`)).toEqual([HOME, `${HOME}/a`, HOME])
  })
})

describe('where an address ends', () => {
  test.each([
    ['after the name', '', ' b'],
    ['after a path', '/pull/1', ' b'],
    ['after a query', '?tab=a&b=%20', '\nb'],
    ['after a fragment', '#a-b', ' b'],
    ['after a version', '@v1.2.3', ' b'],
    ['before what ends a sentence', '/pull/1', '. B'],
    ['before several marks', '/pull/1', '?!… b'],
    ['before a quotation mark', '/pull/1', '"'],
    ['before emphasis', '/pull/1', '**'],
    ['before a bracket that it does not open', '/pull/1', '), b'],
    ['before two brackets, of which it opens one', '/wiki/A_(b)', ') c'],
    ['after a bracket that it opens', '/wiki/A_(b)', '. C'],
    ['before letters of other scripts', '/pull/1', 'を見て'],
    ['after them in the name of a file', '/blob/main/ж/あ.md', ' b'],
    ['before what ends the name of a file', '/tree/main/ж', '> b'],
    ['after `.git`', '.git', ' b'],
    ['after a slash', '/', ' b']
  ])('%s', (_, after, rest) => {
    expect(found(`a ${HOME}${after}${rest}`)).toEqual([`${HOME}${after}`])
  })
})

describe('what is the repository', () => {
  test.each([
    'https://api.github.com/repos/acme/plugin/pulls',
    'https://raw.githubusercontent.com/acme/plugin/main/a',
    'https://codeload.github.com/acme/plugin/zip/main',
    'https://github.com//acme\\plugin',
    'https://github.com:443/acme/plugin',
    'git@github.com:acme/plugin.git',
    'https://GitHub.com/%41cme/%70lugin',
    'https://example.com/?to=https%3A%2F%2Fgithub.com%2Facme%2Fplugin'
  ])('%s leads into it', address => {
    expect(addressesOf(REPOSITORY).leadsInto(address)).toBe(true)
  })

  test.each([
    'https://github.com/acme/plugin-pro',
    'https://github.com/acme/plugin_pro',
    'https://github.com/acme/plugin.js',
    'https://github.com/acme',
    'https://github.com/acme-plugin',
    'https://notgithub.com/acme/plugin',
    'https://github.com.example.com/acme/plugin',
    'mailto:b@example.com',
    '#b',
    ''
  ])('%s does not', address => {
    expect(addressesOf(REPOSITORY).leadsInto(address)).toBe(false)
    expect(found(`a ${address} b`)).toEqual([])
  })

  test('on a server of its own', () => {
    const place = { serverUrl: 'https://git.example.com:8443', repository: 'x/y' }
    const addresses = [
      'https://git.example.com:8443/x/y/pull/1',
      'https://git.example.com:8443/api/v3/repos/x/y',
      'https://git.example.com:8443/raw/x/y/a',
      'https://git.example.com:8443/_codeload/x/y'
    ]
    expect(found(addresses.join(' '), place)).toEqual(addresses)
    expect(found('https://githubusercontent.com/x/y', place)).toEqual([])
  })
})

test.each([
  ['docs/a.md', true],
  ['/acme/plugin', true],
  ['?tab=a', true],
  ['a:b', false],
  ['x-1+2.3:b', false],
  ['//example.com', false],
  ['./a:b', true],
  ['a#b', true],
  ['#b', false],
  ['', false]
])('whether “%s” is relative', (destination, is) => {
  expect(isRelative(destination)).toBe(is)
})
