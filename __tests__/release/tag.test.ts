// Tests of src/release/tag.ts: tags to versions, the templates that both are put into, and which version is higher.
import { describe, expect, test } from '@jest/globals'
import { fill, openRanking, parseTagPattern, parseTitle, readTag } from '../../src/release/tag.ts'

/** The versions among the others that are higher. */
async function higherThan(version: string, others: readonly string[]): Promise<string[]> {
  const rankOf = await openRanking(version)
  return others.filter(other => rankOf(other) === 'higher')
}

describe('the version', () => {
  test.each([
    ['a `v` before a digit goes', 'v1.2.3', '1.2.3'],
    ['a `V` does, too', 'V1.4.2', '1.4.2'],
    ['a pre-release stays whole', 'v1.2.3-rc.1+build.5', '1.2.3-rc.1+build.5'],
    ['a name before an @ goes', 'plugin@1.2.3', '1.2.3'],
    ['a `v` behind an @ goes', 'plugin@v1.2.3', '1.2.3'],
    ['a word before a slash goes', 'release/v1.2.3', '1.2.3'],
    ['a platform before it is no sign of a version', 'mc1.20-v2', 'mc1.20-v2'],
    ['nor is one before a version with dots', 'mc1.18.1-0.4.0', 'mc1.18.1-0.4.0'],
    ['GitHub’s names for drafts stay', 'untagged-8e3b39fce8', 'untagged-8e3b39fce8'],
    ['only one `v` goes', 'vv1', 'vv1'],
    ['a single letter is a name', 'h', 'h'],
    ['the part at a pattern’s {version}', 'plugin-v1.2.3', '1.2.3', 'plugin-v{version}'],
    ['special characters of a pattern are text', 'a.b(1)', '1', 'a.b({version})']
  ])('%s: %j', (_, tag, version, pattern = '') => {
    expect(readTag(tag, pattern)).toEqual({ kind: 'version', version, pattern: '' })
  })

  // Tags of real repositories.
  test.each([
    ['plugin-v1.4.2', 'plugin-v{version}'],
    ['stable-2.10.1', 'stable-{version}'],
    ['gson-parent-2.13.2-rc1', 'gson-parent-{version}'],
    ['jetty-12.0.0.beta2x', 'jetty-{version}'],
    ['ores2.1.2', 'ores{version}'],
    ['curl-7_15_6-prepipeline', 'curl-{version}'],
    ['v1.4.2/gallery', 'v{version}/gallery']
  ])('%s hides it, and %j finds it', (tag, pattern) => {
    expect(readTag(tag, '')).toEqual({ kind: 'hidden', version: tag, pattern })
    expect(readTag(tag, pattern)).toMatchObject({ kind: 'version' })
  })

  test.each(['latest', 'plugin@beta', 'vundefined'])('%s has none', tag => {
    expect(readTag(tag, '')).toEqual({ kind: 'none', version: tag, pattern: '' })
  })

  test.each([
    ['a tag in the middle of which it stands', 'my-v1', 'v{version}'],
    ['an empty version', 'v', 'v{version}'],
    ['a tag in which before and behind overlap', 'aba', 'ab{version}ba'],
    ['a tag with other capitals', 'V1', 'v{version}']
  ])('%s does not fit', (_, tag, pattern) => {
    expect(readTag(tag, pattern)).toEqual({ kind: 'misfit', version: tag, pattern: '' })
  })

  test('a tag that is made to be slow is read quickly', () => {
    for (const part of ['/1', '1.', '1_1-', 'a1.1', '@v1', 'aé']) {
      expect(readTag(part.repeat(50_000), '').kind).not.toBe('misfit')
    }
  })

  test.each(['plugin-v', '{version}-{version}'])('%s is no pattern with one {version}', pattern => {
    expect(() => parseTagPattern(pattern)).toThrow('must contain {version} exactly once')
  })
})

const names = {
  tag: 'v1.2',
  version: '1.2',
  name: 'Spring'
}

describe('templates', () => {
  test.each([
    ['each name is put in', '{tag} {version} {name}', 'v1.2 1.2 Spring'],
    ['other braces are text', '{} {1} { } {"a": 1} }{', '{} {1} { } {"a": 1} }{'],
    ['outer braces stay', '{{version}}', '{1.2}']
  ])('%s', (_, template, text) => {
    expect(fill(template, names)).toBe(text)
  })

  test('a text that is put in is not read again', () => {
    const tricky = {
      tag: '{name}',
      version: '$& $1 $$',
      name: '{tag}'
    }
    expect(fill('{tag}|{version}|{name}', tricky)).toBe('{name}|$& $1 $$|{tag}')
  })

  test.each([
    ['a misspelt name', '{versoin}', '{versoin}'],
    ['a name with spaces around it', '{ version }', '{ version }'],
    ['a name with a hyphen', 'v{version-name}', '{version-name}'],
    ['one among those that are known', '{tag}{date}{name}{x}', '{date}']
  ])('%s is unknown', (_, template, word) => {
    expect(() => parseTitle(template)).toThrow(`contains "${word}"; allowed are {tag}`)
  })

  test('neither known names nor other braces are unknown', () => {
    const template = '{tag}{{version}}{name} a {1} {} {"a": 1}'
    expect(parseTitle(template)).toBe(template)
  })
})

describe('higher versions', () => {
  test('are all that are higher', async () => {
    const others = ['1.9.0', '1.10.0', '1.4.2', 'v2', '1.4.1', '0.9', '1.4.2.1']
    expect(await higherThan('1.4.2', others)).toEqual(['1.9.0', '1.10.0', 'v2', '1.4.2.1'])
  })

  test.each([
    ['a pre-release comes before its release', '1.5.0-rc.1', '1.5.0'],
    ['pre-releases are ordered by number', '1.5.0-rc.2', '1.5.0-rc.10'],
    ['a v is no part of it', 'v1.2', '1.3']
  ])('%s: %s, %s', async (_, lower, higher) => {
    expect(await higherThan(lower, [higher])).toEqual([higher])
    expect(await higherThan(higher, [lower])).toEqual([])
  })

  test.each([
    ['the same', '1.0', '1.0.0'],
    ['the same but for the build', '1.0.0+1', '1.0.0+2'],
    ['one that is no number', '1.0.0', 'Spring 2026'],
    ['one of five numbers', '1.0.0', '2.0.0.0.1'],
    ['a pre-release of two numbers, which is not SemVer', '1.4', '1.5-rc1'],
    ['a date', '1.4', '2024-02-01']
  ])('%s is not compared: %s, %s', async (_, one, other) => {
    expect(await higherThan(one, [other])).toEqual([])
    expect(await higherThan(other, [one])).toEqual([])
  })
})
