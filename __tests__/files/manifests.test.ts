// Tests of src/files/manifests.ts: which version a manifest states, and which it should not.
import { describe, expect, test } from '@jest/globals'
import {
  type Manifest,
  manifestBytes,
  otherVersions,
  readManifest,
  unfilledVersions
} from '../../src/files/manifests.ts'

type Files = Readonly<Record<string, string>>

/** The manifests that count, in an archive with all in the folder `root`. */
function read(files: Files, root = ''): Manifest[] {
  const found = Object.entries(files).flatMap(([path, text]) => {
    return readManifest(path, Buffer.from(text.slice(0, manifestBytes(path))))
  })
  return found.filter(({ folder }) => ['', root].includes(folder))
}

describe('a manifest', () => {
  /** The paths that state another version. */
  const judge = (files: Files, version: string, root = '') =>
    otherVersions(read(files, root), [version]).map(({ path }) => path)

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
    ['fewer parts, for developers', 'package.json', '{"version": "1.4"}'],
    ['more parts, for developers', 'composer.json', '{"version": "1.4.1.0"}'],
    ['what npm has before the first release', 'package.json', '{"version": "0.0.0"}'],
    ['zeros at the end', 'plugin.yml', 'version: 1.4.2.0'],
    ['another product before it', 'plugin.yml', 'version: 1.20.1-1.4.2'],
    ['build metadata', 'plugin.yml', 'version: 1.4.2+mc1.20.1'],
    ['the number of a pre-release', 'plugin.yml', 'version: 1.4.2'],
    ['PHP without a header', 'inc.php', '<?php\n// Version: 1.4.1\n'],
    ['a text in a PHP file', 'gallery.php', '<?php /* Plugin Name: X */ $a = "\n1.4.1";'],
    ['a word', 'plugin.yml', 'version: latest'],
    ['a number that no build filled in', 'plugin.yml', 'version: 1.0-@BUILD@'],
    ['an empty list', 'manifest.json', '{"header": {"version": []}}'],
    ['another name', 'plugin.yaml', 'version: 1.4.1']
  ])('in doubt is no error: %s', (_, path, text) => {
    const version = text.endsWith(' 1.4.2') ? '1.4.2-beta.1' : '1.4.2'
    expect(judge({ [path]: text }, version)).toEqual([])
  })

  test.each([
    ['fewer parts', '1.4', '1.4.2'],
    ['more parts', '1.4.2.1', '1.4.2'],
    ['other numbers, with a dot less', '1.4.2', '1.42'],
    ['a snapshot', '1.4.2-SNAPSHOT', '1.4.2'],
    ['a snapshot, where the version is a word', '2-SNAPSHOT', 'Spring'],
    ['a pre-release of it', '1.4.2-beta.1', '1.4.2'],
    ['another pre-release', '1.4.2-beta.2', '1.4.2-beta.1']
  ])('of %s states another version', (_, stated, version) => {
    expect(judge({ 'plugin.yml': `version: ${stated}` }, version)).toEqual(['plugin.yml'])
  })

  test.each([
    ['a tag that names the game', 'fabric.mod.json', '{"version":"0.11.2"}', 'mc1.20.1-0.11.2'],
    ['a game in front of it', 'fabric.mod.json', '{"version":"0.11.2"}', '1.20.1-0.11.2'],
    ['a date without zeros', 'package.json', '{"version":"2026.6.4"}', '2026.06.04'],
    ['a zero less', 'gallery.php', '/* Plugin Name: G\n * Version: 1.4 */', '1.4.0'],
    ['another shape', 'package.json', '{"version":"1.0.0"}', '2'],
    ['a word', 'plugin.yml', 'version: 9.9.9', 'Spring'],
    ['a snapshot', 'plugin.yml', 'version: 1.4.2-SNAPSHOT', '1.4.2-SNAPSHOT']
  ])('is right where the version is %s', (_, path, text, version) => {
    expect(judge({ [path]: text }, version)).toEqual([])
  })

  test('for developers counts only where no other one agrees', () => {
    const old = { 'package.json': '{"version": "1.0.0"}' }
    const right = { 'gallery.php': '<?php\n// Plugin Name: X\n// Version: 1.4.2' }
    expect(judge({ ...old, ...right }, '1.4.2')).toEqual([])
    expect(judge(old, '1.4.2')).toEqual(['package.json'])
    expect(judge({ 'plugin.yml': 'version: 1.4.1', ...right }, '1.4.2')).toEqual(['plugin.yml'])

    const template = { 'package.json': '{"version": "__VERSION__"}' }
    expect(unfilledVersions(read({ ...template, ...right }), ['1.4.2'])).toEqual([])
  })

  test.each([
    ['many lines', 'plugin.yml', 'version   \n'.repeat(100_000)],
    ['many empty lines', 'plugin.yml', '\r\n'.repeat(500_000)],
    ['a long version', 'plugin.yml', `version: 1.4.2-${'1.'.repeat(500_000)}1x`],
    ['a long header', 'a.php', `${'*\t'.repeat(4000)}Plugin Name`],
    ['deep JSON', 'package.json', '['.repeat(1_000_000)],
    ['a deep list', 'package.json', `{"version":${'['.repeat(400_000)}${']'.repeat(400_000)}}`]
  ])('is read in time, whatever is in it: %s', (_, path, text) => {
    expect(judge({ [path]: text }, '1.4.2')).toEqual([])
  })
})

/** Manifests of real projects, shortened. */
const REAL: Files = {
  // https://github.com/22858/Alloyed, src/main/resources/META-INF/neoforge.mods.toml
  'META-INF/neoforge.mods.toml': [
    'modLoader="javafml"',
    'loaderVersion="[4,)"',
    'license="MIT"',
    '[[mods]]',
    'modId="alloyed"',
    'version = "VERSION"',
    'displayName="Create: Alloyed"',
    '#updateJSONURL="http://myurl.me/"',
    '',
    '[[dependencies.alloyed]]',
    'modId="neoforge"',
    'versionRange="[21,)"',
    ''
  ].join('\n'),
  // https://github.com/AlexStock3D/Blender-Addon-Nifty-FBX-Exporter
  'blender_manifest.toml': [
    'schema_version = "1.0.0"',
    '',
    'id = "nifty_fbx_exporter"',
    'version = "VERSION"',
    'name = "Nifty FBX Exporter"',
    'blender_version_min = "4.0.0"',
    '',
    'license = [',
    '    "SPDX:MIT",',
    ']',
    ''
  ].join('\n'),
  // https://github.com/bitwes/Gut
  'addons/gut/plugin.cfg': [
    '[plugin]',
    '',
    'name="Gut"',
    'description="Unit Testing tool for Godot."',
    'author="Butch Wesley"',
    'version="VERSION"',
    'script="gut_plugin.gd"',
    ''
  ].join('\n')
}

describe('a manifest by its lines:', () => {
  const of = (path: string, version: string): Files => ({
    [path]: (REAL[path] ?? '').replace('VERSION', version)
  })

  test.each(Object.keys(REAL))('%s', path => {
    const versions = (version: string, root = '') =>
      read(of(path, version), root).map(it => it.version)
    expect(versions('1.4.1')).toEqual(['1.4.1'])
    expect(read({ [`x/${path}`]: of(path, '1.4.1')[path] ?? '' }, 'x/')).toMatchObject([
      { version: '1.4.1', folder: 'x/' }
    ])
    expect(otherVersions(read(of(path, '1.4.1')), ['1.4.2'])).toHaveLength(1)
    expect(unfilledVersions(read(of(path, `$${'{version}'}`)), ['1.4.2'])).toHaveLength(1)
  })

  test('the version that the loader of a mod fills in is none', () => {
    expect(read(of('META-INF/neoforge.mods.toml', `$${'{file.jarVersion}'}`))).toEqual([])
  })

  test('of several addons, one may be of this version', () => {
    const other = { 'addons/lib/plugin.cfg': '[plugin]\nversion="9.9.9"' }
    const own = of('addons/gut/plugin.cfg', '1.4.2')
    expect(otherVersions(read({ ...other, ...own }), ['1.4.2'])).toEqual([])
    expect(otherVersions(read(other), ['1.4.2'])).toHaveLength(1)
  })
})

test.each([
  [true, 'plugin.yml', `version: $${'{project.version}'}`],
  [true, 'plugin.yml', 'version: @version@'],
  [true, 'plugin.yml', 'version: 1.0-@BUILD@'],
  [true, 'plugin.yml', 'version: unspecified'],
  [true, 'plugin.yml', 'version: x.x.x'],
  [true, 'plugin.yml', 'version: X.Y.Z'],
  [true, 'manifest.json', '{"version": "{{version}}"}'],
  [true, 'a.php', '/* Plugin Name: G\n * Version: %%VERSION%% */'],
  [true, 'a.php', '/* Plugin Name: G\n * Version: @@VERSION@@ */'],
  [true, 'a.php', '/* Plugin Name: G\n * Version: @@pkg.version */'],
  [true, 'a.php', '/* Plugin Name: G\n * Version: {VERSION} */'],
  [true, 'a.php', '/* Plugin Name: G\n * Version: $VERSION */'],
  [true, 'package.json', '{"version": "%VERSION%"}'],
  [true, 'composer.json', '{"version": "__VERSION__"}'],
  [true, 'gallery.php', '/* Plugin Name: G\n * Version: <%= version %> */'],
  [false, 'composer.json', '{"version": "dev-main"}'],
  [false, 'package.json', '{"version": "latest"}'],
  [false, 'plugin.yml', 'version: 1.4.2'],
  [false, 'plugin.yml', 'version: ١.٤.٢']
])('whether no build filled it in is %s: %s with %s', (expected, path, text) => {
  expect(unfilledVersions(read({ [path]: text }), ['1.4.2']).length > 0).toBe(expected)
})
