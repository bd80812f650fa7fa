// Tests of src/files/contents.ts: errors, warnings and descriptions of the files in an archive, and the input
// `contents`.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { env as own } from 'node:process'
import { describe, expect, test } from '@jest/globals'
import { zipOf } from '../support/archives.ts'
import { makeFolder } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'
import {
  type Files,
  inspect,
  inspectAt,
  inspectTar,
  KEY,
  PLUGIN,
  tarEntriesOf
} from './inspecting.ts'
import { rawZip } from './raw-zip.ts'

const FINE = {
  error: '',
  warnings: [],
  contents: '2 files, 59 bytes unpacked: "gallery/"'
}

describe('a healthy archive passes, with a line about what is in it:', () => {
  onPosix.each([
    ['zip', '-rq', 'a.vsix.zip'],
    ['tar', '-czf', 'a.tgz']
  ])('of the program `%s`, which Windows need not have', async (program, options, name) => {
    const path = join(makeFolder(), name)
    // The tar of macOS would add files of its own.
    const env = { ...own, COPYFILE_DISABLE: '1' }
    execFileSync(program, [options, path, '.'], {
      cwd: makeFolder(PLUGIN),
      env,
      stdio: 'ignore'
    })

    expect(await inspectAt(path)).toMatchObject(FINE)
  })

  test('with names in CP437 and UTF-8', async () => {
    const names = [{ name: Buffer.from('caf\x82.txt', 'latin1'), flags: 0 }, { name: 'プ.txt' }]
    const contents = '2 files, 0 bytes unpacked: "café.txt", "プ.txt"'
    expect(await inspect(rawZip(names))).toMatchObject({ error: '', contents })
  })

  test('a file that is no archive is left alone, unless `contents` is given', async () => {
    const name = 'setup.exe'
    expect(await inspect(Buffer.from('x'), { name })).toMatchObject({ error: '', contents: '' })

    const { error } = await inspect(Buffer.from('x'), { name, rules: ['a'] })
    expect(error).toContain('"setup.exe" is not an archive, by its name')
  })
})

const BELOW = `-----BEGIN EC PARAMETERS-----\nBg==\n${KEY}`
const dollar = '$'
const utf16 = (text: string) => `\ufeff${[...text].join('\0')}\0`

describe('in a ZIP file and in a tar.gz file', () => {
  test.each<[what: string, files: Files, name: string, said: string]>([
    ['a path upwards', PLUGIN, '../evil.php', 'which leads out'],
    ['an absolute path', PLUGIN, '/etc/x', 'which leads out'],
    ['a path of Windows', PLUGIN, 'a\\..\\..\\x', 'which leads out'],
    ['.env', PLUGIN, 'gallery/.ENV', 'which often contains passwords'],
    ['.git', PLUGIN, 'gallery/.GIT/HEAD', 'the Git history'],
    ['a token', { '.Npmrc': '//r.example/:_authToken=abc' }, '.Npmrc', 'which holds an npm token'],
    ['a key of PuTTY', { 'a.PPK': 'PuTTY-User-Key-File-3: x' }, 'a.PPK', 'which holds a private'],
    ['a key', { 'b/id_rsa': KEY }, 'b/id_rsa', 'which holds a private key'],
    ['a key behind its mark', { 'a.pem': `\ufeff${KEY}` }, 'a.pem', 'which holds a private key'],
    ['a key in UTF-16', { 'a.key': utf16(KEY) }, 'a.key', 'which holds a private key'],
    ['a key below parameters', { 'a.pem': BELOW }, 'a.pem', 'which holds a private key']
  ])('%s is an error', async (_, files, name, text) => {
    const given = { [name]: 'x', ...files }
    const expected = {
      reason: 'bad-file',
      error: expect.stringContaining(`contains ${JSON.stringify(name)}, ${text}`)
    }
    expect(await inspect(zipOf(given))).toMatchObject(expected)
    expect(await inspectTar(tarEntriesOf(given))).toMatchObject(expected)
  })

  test.each([
    ['at the root', ''],
    ['in the folder that holds everything', 'x/']
  ])('another version %s is an error', async (_, folder) => {
    const files = { [`${folder}plugin.yml`]: 'version: 1.4.1', [`${folder}a.txt`]: 'x' }
    const expected = {
      reason: 'file-version',
      error: expect.stringContaining(
        `states the version "1.4.1" in "${folder}plugin.yml", and this release is "1.4.2".`
      )
    }
    expect(await inspect(zipOf(files))).toMatchObject(expected)
    expect(await inspectTar(tarEntriesOf(files))).toMatchObject(expected)
  })

  test.each<[string, Files]>([
    ['an example of .env', { '.env.example': 'x', 'a/.env.local.dist': 'x' }],
    ['a token from the environment', { '.npmrc': `_authToken=${dollar}{TOKEN}` }],
    ['a key in what is not called one', { 'a.txt': KEY }],
    ['code that writes keys', { 'a.key': `$x = "-----BEGIN PRIVATE KEY-----\\n";` }],
    ['a public key', { 'a.pem': '-----BEGIN PUBLIC KEY-----\nMIIE\n' }],
    ['a manifest of a library', { 'main.js': 'x', 'lib/package.json': '{"version":"9.9.9"}' }]
  ])('%s is none', async (_, files) => {
    const passes = { error: '', warnings: [] }

    expect(await inspect(zipOf(files))).toMatchObject(passes)
    expect(await inspectTar(tarEntriesOf(files))).toMatchObject(passes)
  })

  test('the same name twice is an error', async () => {
    const files = { 'a/./b': 'x', 'a/b': 'x' }
    const error = expect.stringContaining('contains "a/b", more than once')
    expect(await inspect(zipOf(files))).toMatchObject({ error })
    expect(await inspectTar(tarEntriesOf(files))).toMatchObject({ error })
  })

  test('all errors are named at once, with ten names each, and none can break out of its line', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `é${index}\n::error::/.env`)
    const files = Object.fromEntries([...names, 'a/.git/x', '../b'].map(name => [name, 'x']))
    const { reason, error, advice } = await inspect(zipOf(files))
    expect([reason, ...error.split('\n')]).toEqual([
      'bad-file',
      'The file "gallery.zip" must not be published:',
      '  It contains "../b", which leads out of the folder that it is unpacked to.',
      expect.stringMatching(/^ {2}It contains "é0\\n::error::\/\.env", .* and 2 more, which often/),
      '  It contains "a/.git/x", the Git history of your source code.'
    ])
    expect(advice).toContain('name it in `contents` if buyers should have it.')

    const manifests = { 'plugin.yml': 'version: 1.4.1', 'package.json': '{"version":"1.4.3"}' }
    const other = await inspect(zipOf(manifests))
    expect(other).toMatchObject({ reason: 'file-version' })
    expect(other.error).toMatch(/"1\.4\.1" in "plugin\.yml".+"1\.4\.3" in "package\.json"/s)
  })

  test('files of no use are a warning', async () => {
    const files = {
      ...PLUGIN,
      '__MACOSX/._a': 'x',
      'a/.DS_Store': 'x',
      'a/Thumbs.db': 'x',
      'node_modules/left-pad/index.js': 'x',
      'a/.github/workflows/publish.yml': 'x'
    }
    expect(await inspect(zipOf(files))).toMatchObject({
      error: '',
      warnings: [
        expect.stringContaining('"__MACOSX/._a", "a/.DS_Store", "a/Thumbs.db", left there'),
        expect.stringContaining('"node_modules/left-pad/index.js", the packages'),
        expect.stringContaining('"a/.github/workflows/publish.yml", the workflows')
      ]
    })
  })
})

describe('the folder of a WordPress plugin or theme', () => {
  const header = '<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n'
  const theme = '/*\nTheme Name: Gallery\nVersion: 1.4.2 */'

  test.each<[string, string, string]>([
    ['is missing', 'gallery.php', 'without a folder: WordPress takes it for another'],
    ['has a version', 'gallery-1.4.2/gallery.php', 'in the folder "gallery-1.4.2/": WordPress'],
    ['has a pre-release', 'gallery_v1.4-rc.1/gallery.php', 'in the folder "gallery_v1.4-rc.1/"'],
    ['has a branch', 'gallery-main/style.css', 'in the folder "gallery-main/"']
  ])('%s: a warning', async (_, path, said) => {
    const files = { [path]: path.endsWith('.css') ? theme : header }
    const warnings = [expect.stringContaining(`has the WordPress plugin or theme ${said}`)]
    expect(await inspect(zipOf(files))).toMatchObject({ error: '', warnings })
  })

  test.each(['gallery/gallery.php', 'gallery-2/gallery.php', 'remain/gallery.php'])(
    'is right: %s',
    async path => {
      expect(await inspect(zipOf({ [path]: header }))).toMatchObject({ error: '', warnings: [] })
    }
  )
})

describe('`contents`', () => {
  test('says what must be in it, and what must not', async () => {
    const files = { ...PLUGIN, 'node_modules/a/b.js': 'x' }
    const wanted = ['gallery/*.php', '**/*.css', 'gallery/lang/']
    const unwanted = ['!**/*.txt', '!*.md', '!node_modules/']
    const { error } = await inspect(zipOf(files), { rules: [...wanted, ...unwanted] })
    expect(error.split('\n').slice(1)).toEqual([
      '  It contains "gallery/readme.txt", "node_modules/a/b.js", which a `!` line of `contents` excludes.',
      '  It contains nothing that matches "**/*.css" of `contents`.',
      '  It contains nothing that matches "gallery/lang/" of `contents`.',
      '  It contains only "gallery/gallery.php", "gallery/readme.txt", "node_modules/a/b.js".'
    ])

    const deep = await inspect(zipOf(files), { rules: ['!b.js', '!*.md'] })
    expect(deep.error).toContain('"node_modules/a/b.js", which a `!` line')

    // All that it has is listed only where something is missing.
    const packed = await inspect(zipOf(files), { rules: ['!**/*.txt'] })
    expect(packed.error).not.toContain('contains only')
    expect(packed.advice).toMatch(/^Change what the build packs: /)

    const again = { rules: ['!**/*.txt', 'gallery/readme.txt'] }
    expect(await inspect(zipOf(PLUGIN), again)).toMatchObject({ error: '' })
  })

  test('allows what it names outright, and by no wildcard', async () => {
    const files = {
      'a/.env': 'x',
      'b/.git/x': 'x',
      'test.key': KEY,
      'c/.npmrc': '_auth=x'
    }
    const named = { rules: ['a/.env', 'b/.git/', '**/test.key', 'c/.npmrc'] }
    expect(await inspect(zipOf(files), named)).toMatchObject({ error: '' })

    const template = zipOf({ ...PLUGIN, 'gallery/.github/workflows/ci.yml': 'on: push' })
    const wanted = { rules: ['gallery/.github/'] }
    expect(await inspect(template, wanted)).toMatchObject({ error: '', warnings: [] })

    const { error } = await inspect(zipOf(files), {
      rules: ['**/*', 'a/*', '*.key', 'a/', 'b', 'c/']
    })
    expect(error.split('\n')).toHaveLength(5)
  })
})
