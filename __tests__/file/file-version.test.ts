// Tests of the versions that a file's name speaks of.
import { describe, expect, test } from '@jest/globals'
import {
  explainForeignVersion,
  findForeignVersions,
  hasWildcard
} from '../../src/file/file-version.ts'

test.each([
  ['the version itself', 'plugin-1.4.2.zip', '1.4.2'],
  ['with a v', 'plugin_v1.4.2.zip', '1.4.2'],
  ['beside another number', 'plugin-php8.2-1.4.2.zip', '1.4.2'],
  ['beside another version', 'plugin-8.2-1.4.2.zip', '1.4.2'],
  ['no version at all', 'plugin.zip', '1.4.2'],
  ['a lone number', 'plugin2.zip', '1.4.2'],
  ['the end of a word', 'plugin-php8.2.zip', '1.4.2'],
  ['a pre-release', 'plugin-1.4.2-beta.1.zip', '1.4.2-beta.1'],
  ['a pre-release of another form', 'plugin-1.4.2-hotfix.zip', '1.4.2-hotfix'],
  ['build metadata', 'plugin-1.4.2+7.zip', '1.4.2+7'],
  ['a platform behind it', 'plugin-1.4.2-linux-x64.zip', '1.4.2'],
  ['a tag that is no version', 'plugin-mc1.20-v2.zip', 'mc1.20-v2'],
  ['a tag that is no version, beside a version', 'plugin-1.20-mc-v2.zip', 'mc-v2'],
  ['a tag that ends like a version, beside another', 'plugin-8.2-mc1.20.zip', 'mc1.20'],
  ['a version of another form at the very start', '1.4.2-hotfix.zip', '1.4.2-hotfix'],
  ['a version of another form before a platform', 'plugin-1.4.2-hotfix-x64.zip', '1.4.2-hotfix'],
  ['upper case', 'plugin-1.4.2-RC1.zip', '1.4.2-rc1'],
  ['lower case before an ending with a digit', 'plugin-1.4.2-rc1.7z', '1.4.2-RC1'],
  ['an ending with a digit', 'plugin-1.4.2.7z', '1.4.2'],
  ['two endings', 'plugin-1.4.2.tar.gz', '1.4.2'],
  ['points between all words', 'Gallery.Pro.1.4.2.nupkg', '1.4.2'],
  ['a version with a v of its own', 'plugin-1.4.2.zip', 'v1.4.2'],
  ['no version to compare with', 'plugin.zip', '']
])('agrees: %s', (_, name, version) => {
  expect(findForeignVersions(name, [version])).toBeUndefined()
})

test.each([
  ['the one before', 'plugin-1.4.1.zip', '1.4.2', ['1.4.1']],
  ['a longer one', 'plugin-1.4.20.zip', '1.4.2', ['1.4.20']],
  ['a shorter one', 'plugin-1.4.zip', '1.4.2', ['1.4']],
  ['one more part', 'plugin-1.4.2.1.zip', '1.4.2', ['1.4.2.1']],
  ['a pre-release of it', 'plugin-1.4.2-beta.1.zip', '1.4.2', ['1.4.2-beta.1']],
  ['the release of a pre-release', 'plugin-1.4.2.zip', '1.4.2-beta.1', ['1.4.2']],
  ['two others', 'plugin-8.2-1.4.1.zip', '1.4.2', ['8.2', '1.4.1']],
  ['one that ends like it', 'plugin-1.1.4.2+7.zip', '4.2+7', ['1.1.4.2']],
  ['one that begins like it', 'plugin-1.4.2+70.zip', '1.4.2+7', ['1.4.2']],
  ['one after a point', 'Gallery.1.4.1.nupkg', '1.4.2', ['1.4.1']],
  ['one beside an empty version', 'plugin-1.4.2.zip', '', ['1.4.2']],
  ['one beside a word that is not in it', 'plugin-1.4.2.zip', 'nightly', ['1.4.2']],
  ['one beside the end of a word', 'plugin-php10.21-1.4.1.zip', '10.21', ['1.4.1']]
])('speaks of another: %s', (_, name, version, found) => {
  expect(findForeignVersions(name, [version])).toEqual(found)
})

test('a name that is spelt out has no wildcard, also with escaped characters in it', () => {
  expect(hasWildcard('dist/plugin-1.4.1.zip')).toBe(false)
  expect(hasWildcard('dist/plugin-[[]a].zip')).toBe(false)
  expect(hasWildcard('dist/*.zip')).toBe(true)
  expect(hasWildcard('dist/plugin-?.zip')).toBe(true)
  expect(hasWildcard('dist/plugin-[12].zip')).toBe(true)
})

test('any of several versions may be the one', () => {
  expect(findForeignVersions('plugin-1.4.2.zip', ['2026.1', '1.4.2'])).toBeUndefined()
  expect(findForeignVersions('plugin-1.4.2.zip', ['2026.1', '1.4.3'])).toEqual(['1.4.2'])
})

describe('a file of another version', () => {
  const explain = (...patterns: string[]) =>
    explainForeignVersion('plugin-8.2-1.4.1.zip', patterns, '1.4.2', 'Spring')

  test.each([
    ['by a wildcard', ['dist/*.zip']],
    ['by one of several patterns', ['dist/plugin-8.2-1.4.1.zip', 'build/*.zip']]
  ])('that was chosen %s is explained, with the versions and the ways out', (_, patterns) => {
    const message = explain(...patterns)
    expect(message).toContain('"plugin-8.2-1.4.1.zip" speaks of "8.2", "1.4.1"')
    expect(message).toContain('to be published is "1.4.2"')
    expect(message).toContain('without a wildcard; `file-version: any`')
  })

  test('that is spelt out is meant, whatever is excluded beside it', () => {
    expect(explain('dist/plugin-8.2-1.4.1.zip', '!dist/*-debug.zip')).toBeUndefined()
  })

  test.each([
    ['version', '1.4.2', 'Spring'],
    ['version name', '2026.1', '1.4.2']
  ])('is none when its name holds the %s', (_, version, versionName) => {
    const patterns = ['dist/*.zip']
    expect(
      explainForeignVersion('plugin-1.4.2.zip', patterns, version, versionName)
    ).toBeUndefined()
  })
})
