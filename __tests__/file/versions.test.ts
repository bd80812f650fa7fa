// Tests of src/file/versions.ts: which version a file's name and its manifests state, and when that is an error.
import { cpuUsage } from 'node:process'
import { describe, expect, test } from '@jest/globals'
import { isManifest, judgeManifests, readManifest } from '../../src/file/manifests.ts'
import { explainForeignVersion, judgeVersion, type VersionNames } from '../../src/file/versions.ts'

test.each([
  ['agrees', 'the version itself', 'plugin-1.4.2.zip', '1.4.2'],
  ['agrees', 'with a v', 'old-1.4.1/plugin_v1.4.2.zip', '1.4.2'],
  ['agrees', 'a pre-release', 'plugin-1.4.2-beta.1.zip', '1.4.2-beta.1'],
  ['agrees', 'the number alone of a pre-release', 'plugin-1.4.2.zip', '1.4.2-beta.1'],
  ['agrees', 'build metadata', 'plugin-1.4.2+7.zip', '1.4.2+7'],
  ['agrees', 'a tag that is no version', 'plugin-mc1.20-v2.zip', 'mc1.20-v2'],
  ['agrees', 'upper case', 'plugin-1.4.2-RC1.zip', '1.4.2-rc1'],
  ['agrees', 'an ending with a digit', 'plugin-1.4.2.7z', '1.4.2'],
  ['agrees', 'points between all words', 'Gallery.Pro.1.4.2.nupkg', '1.4.2'],
  ['agrees', 'a version with a v of its own', 'plugin-1.4.2.zip', 'v1.4.2'],
  ['unclear', 'no version at all', 'plugin.zip', '1.4.2'],
  ['unclear', 'a lone number', 'plugin2.zip', '1.4.2'],
  ['unclear', 'fewer parts', 'plugin-shopware-6.5.zip', '1.2.3'],
  ['unclear', 'as many parts, of another product', 'plugin-shopware-6.5.1.zip', '1.2.3'],
  ['unclear', 'what it is for', 'plugin-for-8.2.1.zip', '1.4.2'],
  ['unclear', 'two that may be the one', 'plugin-1.20.4-1.4.1.zip', '1.4.2'],
  ['unclear', 'a date beside a number', 'plugin-2026.1.3.zip', '1.4.2'],
  ['unclear', 'an empty version', 'plugin-1.4.2.zip', ''],
  ['1.4.1', 'the one before', 'plugin-1.4.1.zip', '1.4.2'],
  ['1.4.20', 'a longer number', 'plugin-v1.4.20.zip', '1.4.2'],
  ['1.4.2-Beta.1', 'a pre-release of it', 'plugin-1.4.2-Beta.1.zip', '1.4.2'],
  ['1.4.1', 'beside a shorter one', 'plugin-8.2-1.4.1.zip', '1.4.2'],
  ['1.4.1', 'beside what it is for', 'plugin-1.4.1-for-8.2.1.zip', '1.4.2'],
  ['2026.1', 'another date', 'plugin-2026.1.zip', '2026.2']
])('a name is judged as %s: %s', (expected, _, name, version) => {
  const { kind, found } = judgeVersion(name, [version])
  expect(kind === 'other' ? found : kind).toBe(expected)
})

test('a name agrees with any of several versions', () => {
  expect(judgeVersion('plugin-1.4.2.zip', ['2026.1', '1.4.2']).kind).toBe('agrees')
  expect(judgeVersion('plugin-1.4.2.zip', ['2026.1', '1.4.3']).kind).toBe('other')
})

describe('a file of another version', () => {
  const explain = (...patterns: string[]) =>
    explainForeignVersion('plugin-8.2-1.4.1.zip', { patterns, versions: ['1.4.2', 'Spring'] })

  test.each([
    ['by a wildcard', ['dist/*.zip']],
    ['by one of several patterns', ['dist/plugin-8.2.zip', 'build/plugin-?.*.zip']]
  ])('that was chosen %s is explained, and nothing leads to it', (_, patterns) => {
    expect(explain(...patterns)).toBe(
      'by its name, the file "plugin-8.2-1.4.1.zip" is version "1.4.1", but the version of the tag is "1.4.2". ' +
        'Build or attach the file of "1.4.2"; with {version} in the pattern, such as ' +
        '"plugin-8.2-{version}.zip", no other can be taken. ' +
        'If "1.4.1" is not this product\'s version, set `file-version: any`.'
    )
  })

  test.each([
    ['whole', ['dist/plugin-8.2-1.4.1.zip', '!dist/*-debug.zip']],
    ['beside a wildcard', ['*/plugin-8.2-1.4.1.zip']],
    ['with an escaped character', ['dist/plugin-8.2-1.4.1[.]zip']]
  ])('whose version is spelled out is meant: %s', (_, patterns) => {
    expect(explain(...patterns)).toBeUndefined()
  })
})

describe('a manifest', () => {
  const judge = (files: Readonly<Record<string, string>>, ...versions: VersionNames) =>
    judgeManifests(
      Object.entries(files)
        .map(([path, text]) => readManifest(path, text, versions))
        .filter(manifest => manifest !== undefined)
    )
  const dollar = '$'

  const JSON_LINE = '"version": "1.4.2"'
  test.each([
    [
      'plugin.yml',
      "name: X\nversion: '1.4.1' # the plugin\napi-version: 1.20",
      2,
      'version: 1.4.2'
    ],
    ['gallery/paper-plugin.yml', 'version: 1.4.1\r\nname: x', 1, 'version: 1.4.2'],
    ['fabric.mod.json', '{\n "depends": {"java": "1.20.1"},\n "version": "1.4.1"\n}', 3, JSON_LINE],
    ['package.json', '\ufeff{ "name": "x",\n"version" : "1.4.1" }', 2, JSON_LINE],
    ['manifest.json', '{"manifest_version": 3,\n\n"version": "1.4.1"}', 3, JSON_LINE],
    ['BP/manifest.json', '{"x": 2,\n"header": {"version": [1, 4, 1]}}', 2, JSON_LINE],
    ['composer.json', `{"a":"${'x'.repeat(2000)}","version":"v1.4.1"}`, 1, JSON_LINE],
    ['fxmanifest.lua', "fx_version 'x'\ngame 'gta5'\n  version '1.4.1'\n", 3, "version '1.4.2'"],
    ['x/fxmanifest.lua', 'version ( "1.4.1")', 1, "version '1.4.2'"],
    ['META-INF/mods.toml', 'a="[47,)"\n[[mods]]\nversion = "1.4.1" #x', 3, 'version="1.4.2"'],
    ['src/META-INF/neoforge.mods.toml', 'version = "1.4.1"', 1, 'version="1.4.2"'],
    ['gallery.php', '<?php\n/*\n * Plugin Name: G\n * Version:  1.4.1\n */', 4, 'Version: 1.4.2'],
    ['theme/style.css', '/*\nTheme Name: Gallery\nVersion: 1.4.1 */', 3, 'Version: 1.4.2']
  ])('is read, with the line of its version: %s', (path, text, line, written) => {
    const [told, ...others] = judge({ [path]: text }, '1.4.2')
    expect(told).toMatch(
      new RegExp(`^"${path}", line ${line}, says "v?1\\.4\\.1", but .*"1\\.4\\.2"`)
    )
    expect(told).toContain(`. Set \`${written}\` in "${path}" and release a new tag`)
    expect(others).toEqual([])
    expect(judge({ [path]: text }, '1.4.1')).toEqual([])
    const isAtRoot = /^(?:META-INF\/)?[^/]*$/.test(path)
    expect(readManifest(path, text, ['1.4.2'])?.inFolder).toBe(!isAtRoot)
  })

  const others = ['vendor/lib/package.json', 'gallery/inc/a.php', 'plugin.yaml']
  test.each(others)('lies at the root or one folder down, unlike %s', path => {
    expect(isManifest(path)).toBe(false)
    expect(judge({ [path]: '{"version": "1.4.1"}' }, '1.4.2')).toEqual([])
  })

  test.each([
    ['no version', 'package.json', '{"name": "x"}'],
    ['no JSON', 'package.json', 'version: 1.4.1'],
    ['an object', 'package.json', '{"version": {"toString": 1}}'],
    ['a list of objects', 'package.json', '{"version": [{"toString": 1}]}'],
    ['a number', 'manifest.json', '{"version": 1.41}'],
    ['fewer parts', 'plugin.yml', 'version: 1.4'],
    ['build metadata', 'plugin.yml', 'version: 1.4.2+mc1.20.1'],
    ['PHP without a header', 'inc.php', '<?php\n// Version: 1.4.1\n'],
    ['a text in a PHP file', 'gallery.php', '<?php /* Plugin Name: X */ $a = "\n1.4.1";'],
    ['what Forge fills in', 'META-INF/mods.toml', `version="${dollar}{file.jarVersion}"`],
    ['a word', 'plugin.yml', 'version: latest'],
    ['an empty list', 'manifest.json', '{"header": {"version": []}}']
  ])('in doubt is no error: %s', (_, path, text) => {
    expect(judge({ [path]: text }, '1.4.2')).toEqual([])
  })

  test.each([
    ['a long line', 'fxmanifest.lua', `version${' '.repeat(1_000_000)}x`],
    ['many lines', 'fxmanifest.lua', 'version   \n'.repeat(100_000)],
    ['many empty lines', 'plugin.yml', '\r\n'.repeat(500_000)],
    ['many lines of JSON', 'package.json', `{"version":\n"1.4.2"${'\n'.repeat(1_000_000)}}`],
    ['a long version', 'plugin.yml', `version: ${'1.'.repeat(500_000)}1x`],
    ['a long header', 'a.php', `${'*\t'.repeat(4000)}Plugin Name`],
    ['deep JSON', 'package.json', '['.repeat(1_000_000)],
    ['a deep list', 'package.json', `{"version":${'['.repeat(400_000)}${']'.repeat(400_000)}}`]
  ])('is read in time, whatever is in it: %s', (_, path, text) => {
    const start = cpuUsage()
    expect(judge({ [path]: text }, '1.4.2')).toEqual([])
    expect(cpuUsage(start).user / 1000).toBeLessThan(5000)
  })

  test('has a message of its own, unless there are many', () => {
    const paths = Array.from({ length: 12 }, (_, at) => [`${at}/plugin.yml`, 'version: 1.4.1'])
    const told = judge(Object.fromEntries(paths), '1.4.2')
    expect(told).toHaveLength(11)
    expect(told.at(-1)).toBe('the same is true of 2 more manifests.')
  })

  test('may have the number alone of a pre-release, and not the reverse', () => {
    expect(judge({ 'manifest.json': '{"version": "1.4.2"}' }, '1.4.2-beta.1')).toEqual([])
    expect(judge({ 'manifest.json': '{"version": "1.4.2-beta.1"}' }, '1.4.2')).toHaveLength(1)
  })

  test('of developers counts only where no other agrees', () => {
    const old = { 'package.json': '{"version": "1.0.0"}' }
    const right = { 'gallery.php': '<?php\n// Plugin Name: X\n// Version: 1.4.2' }
    expect(judge({ ...old, ...right }, '1.4.2')).toEqual([])
    expect(judge(old, '1.4.2')).toHaveLength(1)
    expect(judge({ 'plugin.yml': 'version: 1.4.1', ...right }, '1.4.2')).toHaveLength(1)
  })

  test.each([
    ...[`${dollar}{version}`, `${dollar}{project.version}`, '@VERSION@', '@plugin.version@'],
    ...['%VERSION%', '{{ version }}', '__VERSION__', 'unspecified', '0.0.0-dev']
  ])('whose template %s is not filled in is an error', version => {
    const said = /^"plugin\.yml", line 1, says .*, which the build should have filled in\. Correct/
    const told = judge({ 'plugin.yml': `version: "${version}"` }, '1.4.2')
    expect(told).toEqual([expect.stringMatching(said)])
  })
})
