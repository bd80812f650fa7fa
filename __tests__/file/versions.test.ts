// Tests of src/file/versions.ts: which version a name holds, and when it is that of another release.
import { describe, expect, test } from '@jest/globals'
import { explainForeignVersion, judgeVersion } from '../../src/file/versions.ts'

test.each([
  ['the version itself', 'plugin-1.4.2.zip', '1.4.2'],
  ['with a v', 'plugin_v1.4.2.zip', '1.4.2'],
  ['beside another version', 'plugin-8.2.0-1.4.2.zip', '1.4.2'],
  ['a pre-release', 'plugin-1.4.2-beta.1.zip', '1.4.2-beta.1'],
  ['the number alone of a pre-release', 'plugin-1.4.2.zip', '1.4.2-beta.1'],
  ['a pre-release of another form', 'plugin-1.4.2-hotfix.zip', '1.4.2-hotfix'],
  ['build metadata', 'plugin-1.4.2+7.zip', '1.4.2+7'],
  ['a platform behind it', 'plugin-1.4.2-linux-x64.zip', '1.4.2'],
  ['a tag that is no version', 'plugin-mc1.20-v2.zip', 'mc1.20-v2'],
  ['upper case', 'plugin-1.4.2-RC1.zip', '1.4.2-rc1'],
  ['an ending with a digit', 'plugin-1.4.2.7z', '1.4.2'],
  ['points between all words', 'Gallery.Pro.1.4.2.nupkg', '1.4.2'],
  ['a version with a v of its own', 'plugin-1.4.2.zip', 'v1.4.2']
])('agrees: %s', (_, name, version) => {
  expect(judgeVersion(name, [version])).toEqual({ kind: 'agrees' })
})

test.each([
  ['no version at all', 'plugin.zip', '1.4.2'],
  ['a lone number', 'plugin2.zip', '1.4.2'],
  ['the end of a word', 'plugin-php8.2.1.zip', '1.4.2'],
  ['fewer parts', 'plugin-shopware-6.5.zip', '1.2.3'],
  ['more parts', 'plugin-1.4.2.1.zip', '1.4.2'],
  ['as many parts, of another product', 'plugin-shopware-6.5.1.zip', '1.2.3'],
  ['what it is for', 'plugin-for-8.2.1.zip', '1.4.2'],
  ['two that may be the one', 'plugin-1.20.4-1.4.1.zip', '1.4.2'],
  ['a date beside a number', 'plugin-2026.1.3.zip', '1.4.2'],
  ['a release that is no number', 'plugin-1.4.2.zip', 'nightly'],
  ['an empty version', 'plugin-1.4.2.zip', '']
])('is unclear: %s', (_, name, version) => {
  expect(judgeVersion(name, [version])).toEqual({ kind: 'unclear' })
})

test.each([
  ['the one before', 'plugin-1.4.1.zip', '1.4.2', '1.4.1'],
  ['a longer number', 'plugin-v1.4.20.zip', '1.4.2', '1.4.20'],
  ['a pre-release of it', 'plugin-1.4.2-beta.1.zip', '1.4.2', '1.4.2-beta.1'],
  ['another pre-release of it', 'plugin-1.4.2-beta.1.zip', '1.4.2-beta.2', '1.4.2-beta.1'],
  ['beside a shorter one', 'plugin-8.2-1.4.1.zip', '1.4.2', '1.4.1'],
  ['beside what it is for', 'plugin-1.4.1-for-8.2.1.zip', '1.4.2', '1.4.1'],
  ['one after a point', 'Gallery.1.4.1.nupkg', '1.4.2', '1.4.1'],
  ['another date', 'plugin-2026.1.zip', '2026.2', '2026.1']
])('is another: %s', (_, name, version, found) => {
  expect(judgeVersion(name, [version])).toEqual({ kind: 'other', found })
})

test('any of several versions may be the one', () => {
  expect(judgeVersion('plugin-1.4.2.zip', ['2026.1', '1.4.2']).kind).toBe('agrees')
  expect(judgeVersion('plugin-1.4.2.zip', ['2026.1', '1.4.3']).kind).toBe('other')
})

describe('a file of another version', () => {
  const explain = (...patterns: string[]) =>
    explainForeignVersion('plugin-8.2-1.4.1.zip', patterns, ['1.4.2', 'Spring'])

  test.each([
    ['by a wildcard', ['dist/*.zip']],
    ['by a class', ['dist/plugin-8.2-[0-9].4.1.zip']],
    ['by one of several patterns', ['dist/plugin-8.2.zip', 'build/plugin-?.*.zip']]
  ])('that was chosen %s is explained, and nothing leads to it', (_, patterns) => {
    const message = explain(...patterns)
    expect(message).toContain('"plugin-8.2-1.4.1.zip" is version "1.4.1"')
    expect(message).toContain('to be published is "1.4.2"')
    expect(message).toContain('such as "plugin-8.2-{version}.zip"')
    expect(message).not.toMatch(/name it|without a wildcard/)
  })

  test.each([
    ['whole', ['dist/plugin-8.2-1.4.1.zip', '!dist/*-debug.zip']],
    ['beside a wildcard', ['*/plugin-8.2-1.4.1.zip']],
    ['with an escaped character', ['dist/plugin-8.2-1.4.1[.]zip']]
  ])('whose version is spelled out is meant: %s', (_, patterns) => {
    expect(explain(...patterns)).toBeUndefined()
  })
})
