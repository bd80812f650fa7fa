// Tests of src/file/versions.ts: the versions that manifests state, and when that is an error.
import { describe, expect, test } from '@jest/globals'
import { judgeManifests, manifestName } from '../../src/file/versions.ts'

const judge = (path: string, text: string, version = '1.4.2') =>
  judgeManifests([{ path, text }], [version])

const dollar = '$'

describe('a version is read', () => {
  test.each([
    ['plugin.yml', "name: Gallery\nversion: '1.4.1' # the plugin\napi-version: 1.20", 2],
    ['gallery/paper-plugin.yml', 'version: 1.4.1\r\nname: x', 1],
    ['fabric.mod.json', '{\n  "depends": {"minecraft": "1.20.1"},\n  "version": "1.4.1"\n}', 3],
    ['package.json', '\ufeff{ "name": "x",\n"version" : "1.4.1" }', 2],
    ['manifest.json', '{"manifest_version": 3,\n\n"version": "1.4.1"}', 3],
    ['BP/manifest.json', '{"format_version": 2,\n"header": {"version": [1, 4, 1]}}', 2],
    ['composer.json', '{"version":"v1.4.1"}', 1],
    ['fxmanifest.lua', "fx_version 'cerulean'\ngame 'gta5'\n  version '1.4.1'\n", 3],
    ['META-INF/mods.toml', 'loaderVersion="[47,)"\n[[mods]]\nversion = "1.4.1" #x', 3],
    ['gallery.php', '<?php\n/*\n * Plugin Name: Gallery\n * Version:  1.4.1\n */', 4],
    ['theme/style.css', '/*\nTheme Name: Gallery\nVersion: 1.4.1 */', 3]
  ])('from %s, with its line', (path, text, line) => {
    const [message = '', ...others] = judge(path, text)
    expect(others).toEqual([])
    expect(message).toMatch(new RegExp(`line ${line}, says "v?1\\.4\\.1", and .*"1\\.4\\.2"$`))
    expect(judge(path, text, '1.4.1')).toEqual([])
  })

  test.each([
    ['vendor/lib/package.json', undefined],
    ['src/META-INF/mods.toml', 'META-INF/mods.toml'],
    ['gallery/gallery.php', 'gallery.php'],
    ['gallery/inc/a.php', undefined],
    ['readme.txt', undefined]
  ])('from the root and one folder down: %s', (path, name) => {
    expect(manifestName(path)).toBe(name)
  })
})

describe('when in doubt, it is no error', () => {
  test.each([
    ['no version', 'package.json', '{"name": "x"}'],
    ['a version that is no text', 'package.json', '{"version": 1}'],
    ['no JSON', 'package.json', 'version: 1.4.1'],
    ['fewer parts', 'plugin.yml', 'version: 1.4'],
    ['more parts', 'manifest.json', '{"version": "1.4.1.0"}'],
    ['build metadata', 'plugin.yml', 'version: 1.4.2+mc1.20.1'],
    ['two versions', 'plugin.yml', 'version: 1.20.1-1.4.1'],
    ['PHP without a header', 'inc.php', '<?php\n// Version: 1.4.1\n'],
    ['a text in a PHP file', 'gallery.php', '<?php /* Plugin Name: X */ $a = "\n1.4.1";'],
    ['what Forge fills in', 'META-INF/mods.toml', `version="${dollar}{file.jarVersion}"`],
    ['a word', 'plugin.yml', 'version: latest']
  ])('%s', (_, path, text) => {
    expect(judge(path, text)).toEqual([])
  })

  test('the number alone is enough for a pre-release, and not the reverse', () => {
    expect(judge('manifest.json', '{"version": "1.4.2"}', '1.4.2-beta.1')).toEqual([])
    expect(judge('manifest.json', '{"version": "1.4.2-beta.1"}')).toHaveLength(1)
  })

  test('a forgotten package.json counts only where nothing else agrees', () => {
    const old = { path: 'package.json', text: '{"version": "1.0.0"}' }
    const right = { path: 'gallery.php', text: '<?php\n// Plugin Name: X\n// Version: 1.4.2' }
    expect(judgeManifests([old, right], ['1.4.2'])).toEqual([])
    expect(judgeManifests([old], ['1.4.2'])).toHaveLength(1)
    const other = { path: 'plugin.yml', text: 'version: 1.4.1' }
    expect(judgeManifests([other, right], ['1.4.2'])).toHaveLength(1)
  })
})

test.each([
  `${dollar}{version}`,
  `${dollar}{project.version}`,
  '@VERSION@',
  '@plugin.version@',
  '%VERSION%',
  '{{ version }}',
  '__VERSION__',
  'unspecified',
  '0.0.0-dev',
  '0.0.0-semantically-released'
])('the template %s should have been filled in', version => {
  expect(judge('plugin.yml', `version: "${version}"`)).toEqual([
    expect.stringMatching(/^"plugin\.yml", line 1, says .*, which the build should have filled in$/)
  ])
})
