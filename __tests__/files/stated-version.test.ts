// Tests of src/files/stated-version.ts: which version a name and a manifest state, and when that is an error.
import { describe, expect, test } from '@jest/globals'
import {
  checkNameVersion,
  manifestBytes,
  otherVersionIn,
  otherVersions,
  readManifest
} from '../../src/files/stated-version.ts'

test.each([
  ['', 'the version itself', 'plugin-1.4.2.zip', '1.4.2'],
  ['', 'with a v', 'old-1.4.1/plugin_v1.4.2.zip', '1.4.2'],
  ['', 'a pre-release', 'plugin-1.4.2-beta.1.zip', '1.4.2-beta.1'],
  ['', 'the number alone of a pre-release', 'plugin-1.4.2.zip', '1.4.2-beta.1'],
  ['', 'build metadata', 'plugin-1.4.2+7.zip', '1.4.2+7'],
  ['', 'a tag that is no version', 'plugin-mc1.20-v2.zip', 'mc1.20-v2'],
  ['', 'upper case', 'plugin-1.4.2-RC1.zip', '1.4.2-rc1'],
  ['', 'an ending with a digit', 'plugin-1.4.2.7z', '1.4.2'],
  ['', 'points between all words', 'Gallery.Pro.1.4.2.nupkg', '1.4.2'],
  ['', 'a version with a v of its own', 'plugin-1.4.2.zip', 'v1.4.2'],
  ['', 'no version at all', 'plugin.zip', '1.4.2'],
  ['', 'a lone number', 'plugin2.zip', '1.4.2'],
  ['', 'fewer parts', 'plugin-shopware-6.5.zip', '1.2.3'],
  ['', 'as many parts, of another product', 'plugin-shopware-6.5.1.zip', '1.2.3'],
  ['', 'what it is for', 'plugin-for-8.2.1.zip', '1.4.2'],
  ['', 'what it is for, at the start', 'php-8.2.1.zip', '1.4.2'],
  ['', 'two that may be the one', 'plugin-1.20.4-1.4.1.zip', '1.4.2'],
  ['', 'a date where the version is a number', 'plugin-2026.1.3.zip', '1.4.2'],
  ['', 'an empty version', 'plugin-1.4.2.zip', ''],
  ['1.4.1', 'the one before', 'plugin-1.4.1.zip', '1.4.2'],
  ['1.4.20', 'a longer number', 'plugin-v1.4.20.zip', '1.4.2'],
  ['1.4.2-Beta.1', 'a pre-release of it', 'plugin-1.4.2-Beta.1.zip', '1.4.2'],
  ['1.4.1', 'next to a shorter one', 'plugin-8.2-1.4.1.zip', '1.4.2'],
  ['1.4.1', 'next to the one that it is for', 'plugin-1.4.1-for-8.2.1.zip', '1.4.2'],
  ['2026.1', 'another date', 'plugin-2026.1.zip', '2026.2']
])('the other version in a name is "%s": %s', (expected, _, name, version) => {
  expect(otherVersionIn(name, [version])).toBe(expected)
})

test('a version that a platform stands before is not the product’s', () => {
  const platforms = 'api minecraft wp shopware laravel php unity chrome electron cuda qt'.split(' ')
  for (const platform of platforms) {
    const other = otherVersionIn(`plugin-${platform}-9.9.9.zip`, ['1.4.2'])
    expect([platform, other]).toEqual([platform, ''])
  }
})

test('any of several versions counts', () => {
  expect(otherVersionIn('plugin-1.4.2.zip', ['2026.1', '1.4.2'])).toBe('')
  expect(otherVersionIn('plugin-1.4.2.zip', ['2026.1', '1.4.3'])).toBe('1.4.2')
})

describe('a file of another version', () => {
  const check = (...patterns: string[]) => {
    const versions = ['1.4.2', 'Spring']
    return () => checkNameVersion('plugin-8.2-1.4.1.zip', patterns, versions)
  }

  test.each([
    ['by a wildcard', ['dist/*.zip']],
    ['by one of several patterns', ['dist/plugin-8.2.zip', 'build/plugin-?.*.zip']]
  ])('that was chosen %s is refused', (_, patterns) => {
    expect(check(...patterns)).toThrow(
      expect.objectContaining({
        reason: 'file-version',
        message:
          'The name of the file "plugin-8.2-1.4.1.zip" says version "1.4.1", but this release is "1.4.2".',
        advice: expect.stringMatching(/the file of "1\.4\.2".*set `allow-other-version: true`/)
      })
    )
  })

  test.each([
    ['whole', ['dist/plugin-8.2-1.4.1.zip', '!dist/*-debug.zip']],
    ['next to a wildcard', ['*/plugin-8.2-1.4.1.zip']],
    ['with an escaped character', ['dist/plugin-8.2-1.4.1[.]zip']]
  ])('whose version is spelled out is meant: %s', (_, patterns) => {
    expect(check(...patterns)).not.toThrow()
  })
})

describe('a manifest', () => {
  /** The paths that state another version. */
  const judge = (files: Readonly<Record<string, string>>, version: string, root = '') => {
    const manifests = Object.entries(files).flatMap(([path, text]) => {
      return readManifest(path, text.slice(0, manifestBytes(path))) ?? []
    })
    return otherVersions(manifests, root, [version]).map(({ path }) => path)
  }

  test.each([
    ['plugin.yml', "name: X\nversion: '1.4.1' # the plugin\napi-version: 1.20"],
    ['paper-plugin.yml', 'version: 1.4.1\r\nname: x'],
    ['fabric.mod.json', '{\n "depends": {"java": "1.20.1"},\n "version": "1.4.1"\n}'],
    ['package.json', '\ufeff{ "name": "x",\n"version" : "1.4.1" }'],
    ['manifest.json', '{"manifest_version": 3,\n\n"version": "1.4.1"}'],
    ['manifest.json', '{"x": 2,\n"header": {"version": [1, 4, 1]}}'],
    ['composer.json', `{"a":"${'x'.repeat(2000)}","version":"v1.4.1"}`],
    ['gallery.php', '<?php\n/*\n * Plugin Name: G\n * Version:  1.4.1\n */'],
    ['style.css', '/*\nTheme Name: Gallery\nVersion: 1.4.1 */']
  ])('is read at the root, and in the folder that holds everything: %s', (path, text) => {
    expect(judge({ [path]: text }, '1.4.2')).toEqual([path])
    expect(judge({ [path]: text }, '1.4.1')).toEqual([])

    const inside = `gallery/${path}`
    expect(judge({ [inside]: text }, '1.4.2', 'gallery/')).toEqual([inside])
    expect(judge({ [inside]: text }, '1.4.2')).toEqual([])
    expect(manifestBytes(`a/${inside}`)).toBe(0)
  })

  test.each([
    ['no version', 'package.json', '{"name": "x"}'],
    ['no JSON', 'package.json', 'version: 1.4.1'],
    ['an object', 'package.json', '{"version": {"toString": 1}}'],
    ['a list of objects', 'package.json', '{"version": [{"toString": 1}]}'],
    ['a number', 'manifest.json', '{"version": 1.41}'],
    ['fewer parts', 'plugin.yml', 'version: 1.4'],
    ['build metadata', 'plugin.yml', 'version: 1.4.2+mc1.20.1'],
    ['the number of a pre-release', 'plugin.yml', 'version: 1.4.2'],
    ['PHP without a header', 'inc.php', '<?php\n// Version: 1.4.1\n'],
    ['a text in a PHP file', 'gallery.php', '<?php /* Plugin Name: X */ $a = "\n1.4.1";'],
    ['a word', 'plugin.yml', 'version: latest'],
    ['an empty list', 'manifest.json', '{"header": {"version": []}}'],
    ['another name', 'plugin.yaml', 'version: 1.4.1']
  ])('in doubt is no error: %s', (_, path, text) => {
    const version = text.endsWith(' 1.4.2') ? '1.4.2-beta.1' : '1.4.2'
    expect(judge({ [path]: text }, version)).toEqual([])
  })

  test('for developers counts only where no other one agrees', () => {
    const old = { 'package.json': '{"version": "1.0.0"}' }
    const right = { 'gallery.php': '<?php\n// Plugin Name: X\n// Version: 1.4.2' }
    expect(judge({ ...old, ...right }, '1.4.2')).toEqual([])
    expect(judge(old, '1.4.2')).toEqual(['package.json'])
    expect(judge({ 'plugin.yml': 'version: 1.4.1', ...right }, '1.4.2')).toEqual(['plugin.yml'])
  })

  test.each([
    ['many lines', 'plugin.yml', 'version   \n'.repeat(100_000)],
    ['many empty lines', 'plugin.yml', '\r\n'.repeat(500_000)],
    ['a long version', 'plugin.yml', `version: ${'1.'.repeat(500_000)}1x`],
    ['a long header', 'a.php', `${'*\t'.repeat(4000)}Plugin Name`],
    ['deep JSON', 'package.json', '['.repeat(1_000_000)],
    ['a deep list', 'package.json', `{"version":${'['.repeat(400_000)}${']'.repeat(400_000)}}`]
  ])('is read in time, whatever is in it: %s', (_, path, text) => {
    expect(judge({ [path]: text }, '1.4.2')).toEqual([])
  })
})
