// Tests of src/files/contents.ts and src/files/wrong-archive.ts: what buyers should not get, the input `contents`, and
// how an archive is described.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { zipOf } from '../support/archives.ts'
import { makeFolder } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'
import { type Files, inspect, inspectAt, KEY, PLUGIN } from './inspecting.ts'
import { rawZip } from './raw-zip.ts'

const FINE = {
  error: '',
  warnings: [],
  contents: '2 files, 59 bytes unpacked: "gallery/"'
}

describe('a healthy archive passes, with a line about what is in it:', () => {
  onPosix('of the program `zip`, which Windows need not have', async () => {
    const path = join(makeFolder(), 'a.vsix.zip')
    execFileSync('zip', ['-rq', path, '.'], { cwd: makeFolder(PLUGIN), stdio: 'ignore' })
    expect(await inspectAt(path)).toMatchObject(FINE)
  })

  test('with names in CP437 and UTF-8', async () => {
    const names = [{ name: Buffer.from('caf\x82.txt', 'latin1'), flags: 0 }, { name: 'プ.txt' }]
    const contents = '2 files, 0 bytes unpacked: "café.txt", "プ.txt"'
    expect(await inspect(rawZip(names))).toMatchObject({ error: '', contents })
  })

  test('a file that is no ZIP file is left alone, unless `contents` is given', async () => {
    for (const name of ['setup.exe', 'gallery.7z', 'gallery.txt']) {
      const left = { error: '', contents: 'not looked into' }
      expect(await inspect('x', { name })).toMatchObject(left)

      const { error } = await inspect('x', { name, rules: ['a'] })
      expect(error).toContain(`"${name}" is not a ZIP file, by its name`)
    }
  })
})

const BELOW = `-----BEGIN EC PARAMETERS-----\nBg==\n-----END EC PARAMETERS-----\n${KEY}`
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const dollar = '$'
const LOGIN = '{"repo.example.com":{"username":"u","password":"p"}}'

describe('what no buyer should get:', () => {
  test.each<[what: string, files: Files, name: string, said: string]>([
    ['.env', PLUGIN, 'gallery/.ENV', 'which often contains passwords'],
    ['an .env of a stage', PLUGIN, '.env.production', 'which often contains passwords'],
    ['.git', PLUGIN, 'gallery/.GIT/HEAD', 'the Git history'],
    ['.netrc', PLUGIN, 'gallery/.netrc', 'which contains passwords'],
    ['.git-credentials', PLUGIN, '.git-credentials', 'which contains passwords'],
    ['a token', { '.Npmrc': '//r.example/:_authToken=abc' }, '.Npmrc', 'which holds an npm token'],
    ['a password', { 'a/.npmrc': 'x=1\n_password = abc' }, 'a/.npmrc', 'which holds an npm token'],
    ['a login', { 'a/auth.json': `{"http-basic":${LOGIN}}` }, 'a/auth.json', 'which holds creden'],
    ['a token of Composer', { 'auth.json': '{"github-oauth":{}}' }, 'auth.json', 'which holds cre'],
    ['a key of PuTTY', { 'a.PPK': 'PuTTY-User-Key-File-3: x' }, 'a.PPK', 'which holds a private'],
    ['a key under any name', { 'g/deploy.txt': KEY }, 'g/deploy.txt', 'which holds a private key'],
    ['a key behind its mark', { 'a.pem': `\ufeff${KEY}` }, 'a.pem', 'which holds a private key'],
    ['a key below parameters', { 'a.pem': BELOW }, 'a.pem', 'which holds a private key'],
    ['a key below its certificate', { a: CERTIFICATE + KEY }, 'a', 'which holds a private key']
  ])('%s is an error', async (_, files, name, text) => {
    expect(await inspect(zipOf({ [name]: 'x', ...files }))).toMatchObject({
      reason: 'bad-file',
      error: expect.stringContaining(`contains ${JSON.stringify(name)}, ${text}`),
      advice: 'Leave it out of the file, or name it in `contents` if buyers should have it.'
    })
  })

  test.each([
    ['at the root', ''],
    ['in the folder that holds everything', 'x/']
  ])('another version %s is an error', async (_, folder) => {
    const files = {
      [`${folder}plugin.yml`]: 'version: 1.4.1',
      [`${folder}a.txt`]: 'x',
      '__MACOSX/._a.txt': 'x'
    }
    const expected = {
      reason: 'file-version',
      error: expect.stringContaining(
        `states the version "1.4.1" in "${folder}plugin.yml", and this release is "1.4.2".`
      )
    }
    expect(await inspect(zipOf(files))).toMatchObject(expected)
  })

  test.each<[string, Files]>([
    ['an example of .env', { '.env.example': 'x', 'a/.env.local.dist': 'x' }],
    ['a token from the environment', { '.npmrc': `_authToken=${dollar}{TOKEN}` }],
    ['an .npmrc without a token', { '.npmrc': 'engine-strict=true\n' }],
    ['a language file', { 'lang/en/auth.json': '{"failed":"They do not match."}' }],
    ['certificates', { 'vendor/composer/ca-bundle/res/cacert.pem': CERTIFICATE.repeat(3) }],
    ['a text about keys', { 'a.md': `# Keys\n\n${KEY}` }],
    ['code that writes keys', { 'a.key': `$x = "-----BEGIN PRIVATE KEY-----\\n";` }],
    ['a public key', { 'a.pem': '-----BEGIN PUBLIC KEY-----\nMIIE\n' }],
    ['a manifest of a library', { 'main.js': 'x', 'lib/package.json': '{"version":"9.9.9"}' }]
  ])('%s is none', async (_, files) => {
    expect(await inspect(zipOf(files))).toMatchObject({ error: '', warnings: [] })
  })

  test('all errors are named at once, with ten names each, and none can break out of its line', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `é${index}\n::error::/.env`)
    const files = Object.fromEntries([...names, 'a/.git/x'].map(name => [name, 'x']))
    const { reason, error, advice } = await inspect(zipOf(files))
    expect([reason, ...error.split('\n')]).toEqual([
      'bad-file',
      'The file "gallery.zip" must not be published:',
      expect.stringMatching(/^ {2}It contains "é0\\n::error::\/\.env", .* and 2 more, which often/),
      '  It contains "a/.git/x", the Git history of your source code.'
    ])
    expect(advice).toContain('name it in `contents` if buyers should have it.')

    const manifests = { 'plugin.yml': 'version: 1.4.1', 'package.json': '{"version":"1.4.3"}' }
    const other = await inspect(zipOf(manifests))
    expect(other).toMatchObject({ reason: 'file-version' })
    expect(other.error).toMatch(/"1\.4\.1" in "plugin\.yml".+"1\.4\.3" in "package\.json"/s)
  })

  test.each<[string, Files, readonly string[], boolean]>([
    ['alone', { 'gallery.zip': 'PK' }, [], true],
    ['in a folder', { 'g/gallery.zip': 'PK', '__MACOSX/a': 'x' }, [], true],
    ['alone, and named', { 'gallery.zip': 'PK' }, ['gallery.zip'], false],
    ['with a license', { 'gallery.zip': 'PK', 'LICENSE.txt': 'MIT' }, [], false]
  ])('an archive of one archive: %s', async (_, files, rules, isRefused) => {
    const { error } = await inspect(zipOf(files), { rules })
    const said = /contains only another archive, "[\w/]*gallery\.zip", which buyers cannot install/
    expect(said.test(error)).toBe(isRefused)
  })

  test('files of no use are a warning', async () => {
    const files = {
      ...PLUGIN,
      '__MACOSX/._a': 'x',
      'a/.DS_Store': 'x',
      'a/._b.php': 'x',
      'a/Thumbs.db': 'x',
      'node_modules/left-pad/index.js': 'x',
      'a/.github/workflows/publish.yml': 'x'
    }
    expect(await inspect(zipOf(files))).toMatchObject({
      error: '',
      warnings: [
        expect.stringMatching(
          /"__MACOSX\/\._a", .*"a\/\.DS_Store", "a\/\._b\.php", "a\/Thumbs\.db", left there/
        ),
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

  test.each<[string, string[], Files, boolean]>([
    ['an exclusion from the top', ['!/g/tests'], { 'g/tests/t.php': 'x' }, true],
    ['the same without a slash', ['!g/tests'], { 'g/tests/t.php': 'x' }, true],
    ['the same with one behind it', ['!g/tests/'], { 'g/tests/a/t.php': 'x' }, true],
    ['a folder deeper than the top', ['!/tests'], { 'g/tests/t.php': 'x' }, false],
    ['a name in every folder', ['!tests/'], { 'g/tests/t.php': 'x' }, true],
    ['a name at the top alone', ['!/*.map'], { 'g/a.map': 'x' }, false],
    ['braces', ['!*.{map,ts}'], { 'g/a.map': 'x' }, true],
    ['braces with folders', ['!g/{src,tests}'], { 'g/src/.hidden/a': 'x' }, true],
    ['names with a point', ['!*'], { '.a': 'x' }, true],
    ['folders with a point', ['!**/a'], { 'b/.c/a': 'x' }, true],
    ['signs of extended globs', ['!@(a|b)'], { a: 'x' }, false],
    ['the last line that fits', ['!g/**', 'g/a'], { 'g/a': 'x', 'h/b': 'x' }, false],
    ['a demand at the top', ['plugin.yml'], { 'plugin.yml': 'x' }, false],
    ['a demand with a slash', ['/plugin.yml'], { 'plugin.yml': 'x' }, false],
    ['a demand elsewhere', ['plugin.yml'], { 'vendor/x/plugin.yml': 'x' }, true],
    ['a folder that is demanded', ['lang'], { 'lang/de/a.po': 'x' }, false]
  ])('is the language of minimatch: %s', async (_, rules, files, isRefused) => {
    const { reason } = await inspect(zipOf(files), { rules })
    expect(reason).toBe(isRefused ? 'bad-file' : '')
  })

  test('may have {tag} and {version}, which are put in literally', async () => {
    const rules = ['g-{tag}/{version}.txt']
    for (const version of ['1.4.2', '{1,2}', '@(a)[b]?', '!1']) {
      const files = { [`g-v${version}/${version}.txt`]: 'x' }
      expect(await inspect(zipOf(files), { rules, version })).toMatchObject({ error: '' })
    }
    const other = await inspect(zipOf({ 'g-v1.4.2/1x4.txt': 'x' }), { rules, version: '1?4' })
    expect(other.error).toContain('contains nothing that matches "g-v1?4/1?4.txt" of `contents`')
  })

  test('allows a file by its exact path, and by nothing else', async () => {
    const files = {
      'a/.env': 'x',
      'b/.git/x': 'x',
      'test.key': KEY,
      'c/.npmrc': '_auth=x'
    }
    const named = { rules: ['a/.env', '/b/.git/x', 'test.key', 'c/.npmrc'] }
    expect(await inspect(zipOf(files), named)).toMatchObject({ error: '' })

    const { error } = await inspect(zipOf(files), {
      rules: ['**/*', 'a/*', '*.key', 'a/', 'b/.git', 'c/']
    })
    expect(error.split('\n')).toHaveLength(5)

    // A release can be renamed.
    const renamed = await inspect(zipOf({ 'gallery/.env': 'x' }), { rules: ['{name}/.env'] })
    expect(renamed.error).toContain('contains "gallery/.env", which often contains passwords')

    const template = zipOf({ ...PLUGIN, 'gallery/.github/ci.yml': 'on: push' })
    const wanted = { rules: ['gallery/.github/ci.yml'] }
    expect(await inspect(template, wanted)).toMatchObject({ error: '', warnings: [] })
  })
})

describe('a file of another version is told with its advice:', () => {
  const OLD = zipOf({ 'plugin.yml': 'version: 1.4.1' })
  const STATED = 'states the version "1.4.1" in "plugin.yml", and this release is "1.4.2".'
  const LEFT = 'release the next version; if the tag has it already, build from the tag.'

  test.each([
    [
      'built',
      'workspace',
      false,
      `set the version "1.4.2" there and move the tag to that commit, or ${LEFT}`
    ],
    ['built for an immutable release', 'workspace', true, `Nothing was sent: ${LEFT}`],
    [
      'attached',
      'release',
      false,
      'Replace the attached file, then press *Re-run failed jobs*; or, if the tag'
    ],
    [
      'attached to an immutable release',
      'release',
      true,
      'Make a new release with the right file and'
    ]
  ] as const)('%s', async (_, source, isImmutable, said) => {
    const found = await inspect(OLD, { origin: { source, isImmutable } })
    const shown = source === 'release' ? 'The attached file' : 'The file'
    expect(found).toMatchObject({
      reason: 'file-version',
      error: `${shown} "gallery.zip" ${STATED}`,
      advice: expect.stringContaining(said)
    })
    expect(found.advice.includes('move the tag')).toBe(source === 'workspace' && !isImmutable)
  })

  test('a version that was never filled in, by the build or by replacing the file', async () => {
    const template = zipOf({ 'plugin.yml': 'version: @version@' })
    const built = await inspect(template)
    expect(built.error).toContain('has the version "@version@" in "plugin.yml", which was never')
    expect(built.advice).toContain('Let the build write "1.4.2" there')

    const attached = await inspect(template, { origin: { source: 'release', isImmutable: false } })
    expect(attached.advice).toMatch(/^Replace the attached file, /)
  })
})
