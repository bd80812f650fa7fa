// Tests of src/files/archive.ts: what is refused, warned of and said of archives, hostile ones among them.
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { env as own } from 'node:process'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { packTar } from 'modern-tar'
import { inspectArchive } from '../../src/files/archive.ts'
import { openArtifact } from '../../src/files/artifact.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import { zipOf } from '../support/archives.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'
import { rawZip } from './raw-zip.ts'

type Files = Readonly<Record<string, string>>
interface Given {
  readonly name?: string
  readonly rules?: readonly string[]
}
type TarEntries = Parameters<typeof packTar>[0]

const PLUGIN: Files = {
  'gallery/gallery.php': '<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n',
  'gallery/readme.txt': 'Read me.'
}
const FINE = {
  error: '',
  warnings: [],
  contents: '2 files, 59 bytes unpacked: "gallery/"'
}

async function inspectAt(path: string, { rules = [] }: Given = {}) {
  const artifact = await openArtifact(path, dirname(path), [dirname(path)])
  try {
    const found = await inspectArchive(artifact, { rules, versions: ['1.4.2'] })
    // It is still open.
    expect(await artifact.read().chunks()[Symbol.asyncIterator]().next()).toMatchObject({
      done: false
    })
    return { error: '', reason: '', advice: '', ...found }
  } catch (error) {
    if (!(error instanceof ActionError)) throw error
    const { reason, message, advice } = error
    return {
      error: message,
      reason,
      advice,
      warnings: [],
      contents: ''
    }
  } finally {
    await artifact.close()
  }
}

const inspect = (content: Buffer, { name = 'gallery.zip', ...given }: Given = {}) =>
  inspectAt(join(makeFolder({ [name]: content }), name), given)

const inspectTar = async (entries: TarEntries, given: Given = {}) =>
  inspect(gzipSync(await packTar(entries)), { name: 'gallery.tar.gz', ...given })

const tarEntriesOf = (files: Files): TarEntries =>
  Object.entries(files).map(([name, body]) => {
    return { header: { name, size: Buffer.byteLength(body), type: 'file' }, body }
  })

describe('a healthy archive passes, with a line about what is in it:', () => {
  onPosix.each([
    ['zip', '-rq', 'a.vsix.zip'],
    ['tar', '-czf', 'a.tgz']
  ])('of the program `%s`, which Windows need not have', async (program, options, name) => {
    const path = join(makeFolder(), name)
    // The tar of macOS would add files of its own.
    const env = { ...own, COPYFILE_DISABLE: '1' }
    execFileSync(program, [options, path, '.'], { cwd: makeFolder(PLUGIN), env, stdio: 'ignore' })
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

const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n'
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

  test('all that is wrong is said at once, ten names each, and none can break out of its line', async () => {
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

  test('what is of no use is warned of', async () => {
    const files = {
      ...PLUGIN,
      '__MACOSX/._a': 'x',
      'a/.DS_Store': 'x',
      'a/Thumbs.db': 'x',
      'node_modules/left-pad/index.js': 'x'
    }
    expect(await inspect(zipOf(files))).toMatchObject({
      error: '',
      warnings: [
        expect.stringContaining('"__MACOSX/._a", "a/.DS_Store", "a/Thumbs.db", left there'),
        expect.stringContaining('"node_modules/left-pad/index.js", the packages')
      ]
    })
  })
})

test.each<[string, 'symlink' | 'link', string, boolean]>([
  ['to an absolute path', 'symlink', '/etc/passwd', true],
  ['out of the archive', 'symlink', '../../b', true],
  ['inside it', 'symlink', '../b', false],
  ['out of it, as the same file', 'link', '../b', true],
  ['inside it, as the same file', 'link', 'b/c', false]
])('a link in a tar.gz file that leads %s', async (_, type, linkname, isRefused) => {
  const { error } = await inspectTar([{ header: { name: 'a/link', size: 0, type, linkname } }])
  expect(error.includes('contains "a/link", which leads out')).toBe(isRefused)
  expect(error === '').toBe(!isRefused)
})

test.each([
  ['../../b', true],
  ['../b', false]
])('a link in a ZIP file that leads to %s', async (content, isRefused) => {
  const { error } = await inspect(rawZip([{ name: 'a/link', content, mode: 0o120777 }]))
  expect(error.includes('contains "a/link", which leads out')).toBe(isRefused)
  expect(error === '').toBe(!isRefused)
})

test('bodies of all lengths in a tar.gz file end, whether they are read or not', async () => {
  const lengths = [0, 1, 512, 60_000, 70_000, 140_000, 600_000]
  const names = Array.from({ length: 70 }, (_, at) => `a/${at}${at % 3 === 0 ? '.pem' : '.txt'}`)
  const bodies = names.map((name, at) => [name, 'x'.repeat(lengths[at % lengths.length] ?? 0)])
  const files = Object.fromEntries([...bodies, ['a/package.json', '{}'], ['a/z.key', KEY]])
  const { error } = await inspectTar(tarEntriesOf(files))
  expect(error).toBe('The file "gallery.tar.gz" contains "a/z.key", which holds a private key.')
})

describe('`contents`', () => {
  test('says what must be in it, and what must not', async () => {
    const files = { ...PLUGIN, 'node_modules/a/b.js': 'x' }
    const wanted = ['gallery/*.php', '**/*.css', 'gallery/lang/']
    const rules = [...wanted, '!**/*.txt', '!*.md', '!node_modules/']
    const { error } = await inspect(zipOf(files), { rules })
    expect(error.split('\n').slice(1)).toEqual([
      '  It contains "gallery/readme.txt", "node_modules/a/b.js", which a `!` line of `contents` excludes.',
      '  It contains nothing that matches "**/*.css" of `contents`.',
      '  It contains nothing that matches "gallery/lang/" of `contents`.',
      '  It contains only "gallery/gallery.php", "gallery/readme.txt", "node_modules/a/b.js".'
    ])

    const deep = await inspect(zipOf(files), { rules: ['!b.js', '!*.md'] })
    expect(deep.error).toContain('"node_modules/a/b.js", which a `!` line')

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

    const { error } = await inspect(zipOf(files), {
      rules: ['**/*', 'a/*', '*.key', 'a/', 'b', 'c/']
    })
    expect(error.split('\n')).toHaveLength(5)
  })
})

describe('a hostile archive ends in a clear error, or in none:', () => {
  const damaged = zipOf({ 'a.pem': KEY.repeat(9) })
  damaged.fill(0xff, 38, 50)
  const gzipped = gzipSync(Buffer.alloc(5000, 'x'))
  const locked = {
    name: 'a',
    flags: 1,
    content: 'x'.repeat(12),
    size: 0
  }
  const NO_FILES = 'is an archive without any files'
  const unreadable = 'cannot be read as an archive: '

  test.each<[string, Buffer, string, string?]>([
    ['a web page', Buffer.from('<!DOCTYPE html><html>'), `${unreadable}it is a web page.`],
    ['a web page', Buffer.from('\ufeff<html>'), `${unreadable}it is a web page.`, 'a.tgz'],
    ['a packed web page', gzipSync('<html>'.repeat(900)), unreadable, 'a.tgz'],
    ['cut off', zipOf(PLUGIN).subarray(0, 200), unreadable],
    ['empty', zipOf({}), NO_FILES],
    ['nothing but folders', rawZip([{ name: 'a/' }]), NO_FILES],
    ['encrypted', rawZip([locked]), '"a", which is encrypted: buyers have no'],
    ['LZMA', rawZip([{ name: 'a', method: 14 }]), '"a", packed with method 14, which many'],
    ['backslashes', rawZip([{ name: 'a\\b' }]), '"a\\\\b", whose backslashes separate folders'],
    ['a damaged key', damaged, unreadable],
    ['no tar file', gzipped, unreadable, 'a.tgz'],
    ['a tar file cut off', gzipped.subarray(0, 20), unreadable, 'a.tgz'],
    ['a tar file that is not packed', Buffer.alloc(2048), unreadable, 'a.tgz'],
    ['an empty tar file', gzipSync(Buffer.alloc(1024)), NO_FILES, 'a.tgz']
  ])('%s', async (_, content, text, name = 'a.zip') => {
    const { error } = await inspect(content, { name })
    expect(text === '' ? error : error.includes(text)).toBe(text === '' ? '' : true)
  })

  const many = (count: number, name: (index: number) => string, content = '') =>
    rawZip(Array.from({ length: count }, (_, index) => ({ name: name(index), content })))

  test('of more entries than are looked at, a part is, with a warning, in seconds', async () => {
    const archive = many(200_001, index => `a/${index}`)
    const found = await inspect(archive, { rules: ['a/1'] })
    expect(found).toMatchObject({
      error: '',
      contents: 'at least 200000 files, 0 bytes unpacked: "a/"',
      warnings: [expect.stringContaining('only a part of it was checked')]
    })
    const { error } = await inspect(archive, { rules: ['b'] })
    expect(error).toContain('matches "b" of `contents` in the part that was checked.')
  })

  test('of many keys and large manifests, only so many are read, with a warning', async () => {
    const keys = await inspect(many(4100, index => `a/${index}.pem`, 'x'))
    const warnings = [expect.stringContaining('only a part of it was checked')]
    expect(keys.warnings).toEqual(warnings)

    const manifest = '{"version":"1.4.1"}'.padEnd(1024 * 1024)
    const manifests = await inspect(many(66, index => `${index}/manifest.json`, manifest))
    expect(manifests.warnings).toEqual(warnings)
  })

  test('of a tar.gz file of 3 GiB, 1 GiB is looked at', async () => {
    const header = Buffer.from(await packTar(tarEntriesOf({ a: '12345' }))).subarray(0, 512)
    // 3 GiB in octal digits, and the checksum of the header with them.
    header.write('30000000000\0', 124)
    header.write('        ', 148)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const zeros = gzipSync(Buffer.alloc(32 * 1024 ** 2))
    const bomb = Buffer.concat([gzipSync(header), ...Array.from({ length: 96 }, () => zeros)])
    const found = await inspect(bomb, { name: 'a.tgz' })
    expect(found).toMatchObject({
      error: '',
      contents: 'at least 1 file, 3.22 GB unpacked: "a"',
      warnings: [expect.stringContaining('only a part of it was checked')]
    })
  })
})

const LINK = 0o120777
const LEADS_OUT = 'which leads out of the folder that it is unpacked to'

describe('of links, where they really lead is looked at:', () => {
  const zipOfLinks = (links: Files) =>
    rawZip(Object.entries(links).map(([name, content]) => ({ name, content, mode: LINK })))

  test.each<[string, Files, string]>([
    ['to a link that leads up', { 'g/a': '..', 'g/b': 'a/..' }, 'g/b'],
    ['by a link in another case', { 'g/A': '..', 'g/b': 'a/..' }, 'g/b'],
    ['below a link', { 'x/y': '../', 'x/y/z': '../..' }, 'x/y/z'],
    ['through each other', { a: 'b/c', b: 'a/c' }, 'a", "b']
  ])('%s', async (_, links, name) => {
    const { error } = await inspect(zipOfLinks(links))
    expect(error).toContain(`contains "${name}", ${LEADS_OUT}`)
    const entries: TarEntries = Object.entries(links).map(([path, linkname]) => {
      return { header: { name: path, size: 0, type: 'symlink', linkname } }
    })
    expect((await inspectTar(entries)).error).toBe(error.replace('.zip', '.tar.gz'))
  })

  test('those of a framework of macOS stay inside', async () => {
    const links = {
      'F.framework/Versions/Current': 'A',
      'F.framework/F': 'Versions/Current/F',
      'lib/a.so': 'a.so.1',
      'lib/a.so.1': 'a.so.1.2'
    }
    expect(await inspect(zipOfLinks(links))).toMatchObject({ error: '' })
  })
})

test('a name that is too long for any system is an error', async () => {
  const name = 'n'.repeat(4097)
  const { error } = await inspect(rawZip([{ name }]))
  expect(error).toContain('…", whose name, or where it leads, is longer than programs can unpack')
  const { error: second } = await inspect(rawZip([{ name: 'a', content: name, mode: LINK }]))
  expect(second).toContain('contains "a", whose name, or where it leads, is longer')
})

test('whatever the bytes are, an archive is described in words', async () => {
  const files = { ...PLUGIN, 'a/package.json': '{"version":"1.0.0"}', 'a/b.key': KEY }
  const samples = [zipOf(files), gzipSync(await packTar(tarEntriesOf(files)))]
  const folder = makeFolder()
  const change = fc.record({
    sample: fc.nat(samples.length - 1),
    changes: fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 6 }),
    cut: fc.option(fc.nat(600)),
    added: fc.uint8Array({ maxLength: 40 })
  })
  let count = 0
  const property = fc.asyncProperty(change, async ({ sample, changes, cut, added }) => {
    const content = Buffer.from(samples[sample] ?? '')
    for (const [at, byte] of changes) content[at % content.length] = byte
    const path = join(folder, `${count++}.${sample === 0 ? 'zip' : 'tgz'}`)
    putFile(path, Buffer.concat([content.subarray(0, cut ?? undefined), added, Buffer.from('x')]))
    const { error, warnings } = await inspectAt(path, { rules: ['**/*.php', '!**/*.txt'] })
    for (const text of [error, ...warnings].filter(each => each !== '')) {
      expect(text).toMatch(/^The file "/)
      expect(text.replaceAll('\n  It ', ' ')).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
    }
  })
  await fc.assert(property, { numRuns: 60 })
})
