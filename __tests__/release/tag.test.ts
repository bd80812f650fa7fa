// Tests of src/release/tag.ts: tags to versions, the templates that both are put into, and which version is higher.
import { describe, expect, test } from '@jest/globals'
import {
  fill,
  higherThan,
  parseTagPattern,
  parseTemplateText,
  versionOf
} from '../../src/release/tag.ts'

describe('the version', () => {
  test.each([
    ['a `v` before a digit goes', 'v1.2.3', '1.2.3'],
    ['a pre-release stays whole', 'v1.2.3-rc.1+build.5', '1.2.3-rc.1+build.5'],
    ['what stands before an @ goes', 'plugin@1.2.3', '1.2.3'],
    ['a `v` behind an @ goes', 'plugin@v1.2.3', '1.2.3'],
    ['what stands before a slash goes', 'release/v1.2.3', '1.2.3'],
    ['a `v` in the middle is no sign of a version', 'mc1.20-v2', 'mc1.20-v2'],
    ['a word behind a hyphen stays', 'plugin-v1.2.3', 'plugin-v1.2.3'],
    ['without a digit behind the @, the tag stays whole', 'plugin@beta', 'plugin@beta'],
    ['only one `v` goes', 'vv1', 'vv1'],
    ['a digit of another script is none', 'v١', 'v١'],
    ['what stands in the place of a pattern', 'plugin-v1.2.3', '1.2.3', 'plugin-v{version}'],
    ['special characters of a pattern are text', 'a.b(1)', '1', 'a.b({version})'],
    ['a tag in the middle of which it stands does not fit', 'my-v1', undefined, 'v{version}'],
    ['an empty version does not fit', 'v', undefined, 'v{version}'],
    ['before and behind must not overlap', 'aba', undefined, 'ab{version}ba'],
    ['upper and lower case differ', 'V1', undefined, 'v{version}']
  ])('%s: %j', (_, tag, version, pattern = '') => {
    expect(versionOf(tag, pattern)).toBe(version)
  })

  test.each(['plugin-v', '{version}-{version}'])('%s is no pattern with one {version}', pattern => {
    expect(() => parseTagPattern(pattern)).toThrow('must contain {version} exactly once')
  })
})

const names = { tag: 'v1.2', version: '1.2', name: 'Spring' }

describe('templates', () => {
  test.each([
    ['each name is put in', '{tag} {version} {name}', 'v1.2 1.2 Spring'],
    ['other braces are text', '{} {1} { } {"a": 1} }{', '{} {1} { } {"a": 1} }{'],
    ['outer braces stay', '{{version}}', '{1.2}'],
    ['the words of an object are none', '{constructor}', '{constructor}']
  ])('%s', (_, template, text) => {
    expect(fill(template, names)).toBe(text)
  })

  test('what is put in is not read again', () => {
    const tricky = { tag: '{name}', version: '$& $1 $$', name: '{tag}' }
    expect(fill('{tag}|{version}|{name}', tricky)).toBe('{name}|$& $1 $$|{tag}')
  })

  test.each([
    ['a misspelt name', '{versoin}', '{versoin}'],
    ['a name with spaces around it', '{ version }', '{ version }'],
    ['a path of names', '{release.name}', '{release.name}'],
    ['a name with a hyphen', 'v{version-name}', '{version-name}'],
    ['a word of another script', '{größe}', '{größe}'],
    ['one among those that are known', '{tag}{date}{name}{x}', '{date}']
  ])('%s is unknown', (_, template, word) => {
    expect(() => parseTemplateText(template)).toThrow(`contains "${word}"; allowed are {tag}`)
  })

  test('no names, and no other braces, are unknown', () => {
    const template = '{tag}{{version}}{name} a {1} {} {"a": 1}'
    expect(parseTemplateText(template)).toBe(template)
  })
})

describe('higher versions', () => {
  test('come the highest first', async () => {
    const others = ['1.9.0', '1.10.0', '1.4.2', 'v2', '1.4.1', '0.9', '1.4.2.1']
    expect(await higherThan('1.4.2', others)).toEqual(['v2', '1.10.0', '1.9.0', '1.4.2.1'])
  })

  test.each([
    ['a pre-release comes before its release', '1.5.0-rc.1', '1.5.0'],
    ['pre-releases are ordered by number', '1.5.0-rc.2', '1.5.0-rc.10'],
    ['fewer numbers are filled up with zeros', '2', '2.0.1'],
    ['a v is no part of it', 'v1.2', '1.3']
  ])('%s: %s, %s', async (_, lower, higher) => {
    expect(await higherThan(lower, [higher])).toEqual([higher])
    expect(await higherThan(higher, [lower])).toEqual([])
  })

  test.each([
    ['the same', '1.0', '1.0.0'],
    ['the same but for the build', '1.0.0+1', '1.0.0+2'],
    ['one that is no number', '1.0.0', 'Spring 2026'],
    ['one of five numbers', '1.0.0', '2.0.0.0.1']
  ])('%s is not compared: %s, %s', async (_, one, other) => {
    expect(await higherThan(one, [other])).toEqual([])
    expect(await higherThan(other, [one])).toEqual([])
  })
})
