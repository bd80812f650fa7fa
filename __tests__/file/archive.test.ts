// Tests of src/file/archive.ts: what is refused, warned of and told of archives, hostile ones among them.
import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env as own } from 'node:process'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { packTar } from 'modern-tar'
import { inspectArchive } from '../../src/file/archive.ts'
import { openArtifact } from '../../src/file/artifact.ts'
import { FileFault } from '../../src/file/fault.ts'
import { zipOf } from '../support/archives.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'
import { rawZip } from './raw-zip.ts'

type Files = Readonly<Record<string, string>>

const PLUGIN = {
  'gallery/gallery.php': '<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n',
  'gallery/readme.txt': 'Read me.'
}
const LONG = JSON.stringify({ version: '1.4.1', text: 'x'.repeat(70_000) })
const FINE = { told: [], warnings: [], contents: '2 files, 59 bytes unpacked: "gallery/"' }

type Given = Readonly<{ name?: string; contents?: readonly string[]; limit?: number }>

async function inspectAt(path: string, { contents = [], limit }: Given = {}) {
  const artifact = await openArtifact(path, dirname(path), [dirname(path)])
  try {
    const found = await inspectArchive(artifact, contents, ['1.4.2'], limit)
    return { ...found, told: found.problems.map(({ message }) => message) }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    return { told: [error.message], problems: [], warnings: [], contents: '' }
  } finally {
    await artifact.close()
  }
}

const inspect = (content: Buffer, { name = 'gallery.zip', ...given }: Given = {}) =>
  inspectAt(join(makeFolder({ [name]: content }), name), given)

const inspectTar = async (entries: Parameters<typeof packTar>[0], given: Given = {}) =>
  inspect(gzipSync(await packTar(entries)), { name: 'gallery.tar.gz', ...given })

const tarEntriesOf = (files: Files) =>
  Object.entries(files).map(([name, body]) => ({
    ...{ header: { name, size: Buffer.byteLength(body), type: 'file' as const }, body }
  }))

const said = (text: string) => [expect.stringContaining(text)]

describe('a healthy archive passes, and tells what is in it:', () => {
  const entries = Object.entries(PLUGIN).map(([name, content]) => ({ name, content }))

  test.each<[string, Buffer, string]>([
    ['of fflate', zipOf(PLUGIN), 'a.jar'],
    ['with data before it', Buffer.concat([Buffer.from('Cr24'), zipOf(PLUGIN)]), 'a.crx'],
    ['with data that moves its offsets', rawZip(entries, { before: '#!/bin/sh\n' }), 'a.zip'],
    ['in ZIP64', rawZip(entries, { zip64: true }), 'a.zip']
  ])('%s', async (_, content, name) => {
    expect(await inspect(content, { name })).toMatchObject(FINE)
  })

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
    expect(await inspect(rawZip(names))).toMatchObject({ told: [], contents })
  })

  test('of 2 GiB', async () => {
    const path = join(makeFolder({ 'large.zip': '' }), 'large.zip')
    truncateSync(path, 2 * 1024 ** 3)
    writeFileSync(path, zipOf(PLUGIN), { flag: 'a' })
    expect(await inspectAt(path)).toMatchObject(FINE)
  })

  test('a file that is no archive is left alone', async () => {
    const name = 'setup.exe'
    expect(await inspect(Buffer.from('x'), { name })).toMatchObject({ told: [], contents: '' })
    const { told } = await inspect(Buffer.from('x'), { name, contents: ['a'] })
    expect(told).toEqual(said('"setup.exe" is not an archive, by its name: leave out `contents`'))
  })
})

const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n'
const dollar = '$'

describe('in a ZIP file and in a tar.gz file', () => {
  test.each<[what: string, files: Files, name: string, said: string]>([
    ['nothing but an archive', {}, 'x/a.ZIP', 'and nothing else'],
    ['a path upwards', PLUGIN, '../evil.php', 'which leads out'],
    ['an absolute path', PLUGIN, '/etc/x', 'which leads out'],
    ['a path of Windows', PLUGIN, 'a\\..\\..\\x', 'which leads out'],
    ['the same file twice', { 'a/./b': 'x' }, 'a/b', 'more than once'],
    ['.env', PLUGIN, 'gallery/.env', 'which often contains passwords'],
    ['.git', PLUGIN, 'gallery/.git/HEAD', 'the Git history'],
    ['a token', { ...PLUGIN, '.npmrc': '//r.example/:_authToken=abc' }, '.npmrc', 'which holds an'],
    ['a key', { ...PLUGIN, 'b/a.txt': `x\n${KEY}` }, 'b/a.txt', 'which holds a private key'],
    ['another version', { 'plugin.yml': 'version: 1.4.1' }, 'plugin.yml', 'line 1, says "1.4.1"'],
    ['that of a long manifest', { 'manifest.json': LONG }, 'manifest.json', 'line 1, says "1.4.1"']
  ])('%s is an error', async (_, files, name, text) => {
    const [given, words] = [{ [name]: 'x', ...files }, said(`${JSON.stringify(name)}, ${text}`)]
    expect((await inspect(zipOf(given))).told).toEqual(words)
    expect((await inspectTar(tarEntriesOf(given))).told).toEqual(words)
  })

  test.each<[string, Files]>([
    ['an example of .env', { '.env.example': 'x', 'a/.env.local.dist': 'x' }],
    ['a token from the environment', { '.npmrc': `_authToken=${dollar}{TOKEN}` }],
    ['code that writes keys', { 'a.php': `$x = "-----BEGIN PRIVATE KEY-----\\n";` }],
    ['a public key', { 'a.pem': '-----BEGIN PUBLIC KEY-----\nMIIE\n' }],
    ['a key in what is large', { 'a.txt': KEY.padEnd(64 * 1024 + 1) }],
    ['a manifest of a library', { 'main.js': 'x', 'lib/package.json': '{"version":"9.9.9"}' }]
  ])('%s is none', async (_, files) => {
    const passes = { told: [], warnings: [] }
    expect(await inspect(zipOf(files))).toMatchObject(passes)
    expect(await inspectTar(tarEntriesOf(files))).toMatchObject(passes)
  })

  test('a link that leads out is an error', async () => {
    const told = said('"a/link", which leads out')
    const linkTo = (content: string) => rawZip([{ name: 'a/link', mode: 0o120777, content }])
    expect(await inspect(linkTo('../../etc/passwd'))).toMatchObject({ told })
    expect(await inspect(linkTo('../b'))).toMatchObject({ told: [] })
    const header = { name: 'a/link', size: 0, type: 'symlink' as const, linkname: '/etc/passwd' }
    expect(await inspectTar([{ header }])).toMatchObject({ told })
  })

  test('what is of no use is warned of', async () => {
    const more = { '__MACOSX/._a': 'x', 'a/.DS_Store': 'x', 'a/Thumbs.db': 'x' }
    const files = { ...PLUGIN, ...more, 'node_modules/left-pad/index.js': 'x' }
    expect(await inspect(zipOf(files))).toMatchObject({
      told: [],
      warnings: [
        ...said('"__MACOSX/._a", "a/.DS_Store", "a/Thumbs.db", left there'),
        ...said('"node_modules/left-pad/index.js", the packages')
      ]
    })
  })

  test('at most ten entries are named, and none can break out of its line', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `é${index}\n::error::/.env`)
    const { told } = await inspect(zipOf(Object.fromEntries(names.map(name => [name, 'x']))))
    expect(told).toEqual([expect.stringMatching(/"é0\\n::error::\/\.env", .* and 2 more, which/)])
    expect(told.join('')).not.toContain('\n')
  })
})

describe('`contents`', () => {
  test('says what must be in it, and what must not', async () => {
    const files = { ...PLUGIN, 'node_modules/a/b.js': 'x' }
    const wanted = ['gallery/*.php', '**/*.css', 'gallery/lang/']
    const contents = [...wanted, '!**/*.txt', '!*.md', '!node_modules/']
    expect((await inspect(zipOf(files), { contents })).told).toEqual([
      ...said('"gallery/readme.txt", "node_modules/a/b.js", which a line with "!"'),
      ...said('nothing that matches "**/*.css"'),
      ...said('nothing that matches "gallery/lang/"')
    ])
    const deep = await inspect(zipOf(files), { contents: ['!b.js', '!*.md'] })
    expect(deep.told).toEqual(said('"node_modules/a/b.js", which a line with "!"'))
    const again = { contents: ['!**/*.txt', 'gallery/readme.txt'] }
    expect((await inspect(zipOf(PLUGIN), again)).told).toEqual([])
  })

  test.each([
    ['gallery\\*.php', 'Write "/" between folders.'],
    ['!gallery\\readme.txt', 'Write "/" between folders.'],
    ['!**/*.map, !**/*.txt', 'write one pattern per line.'],
    ['!**/*.map; !**/*.txt', 'Write one pattern per line'],
    ['!**/*.txt # texts', 'Write one pattern per line'],
    ['!**/*.{map,txt}', 'write one pattern per line.'],
    ['!/gallery/readme.txt', 'without "/" at the start.'],
    ['!"**/*.txt"', 'Quotes are taken literally']
  ])('a mistake in %s is told', async (line, hint) => {
    const [told = '', ...others] = (await inspect(zipOf(PLUGIN), { contents: [line] })).told
    expect(told).toContain(`contains nothing that matches ${JSON.stringify(line)} of`)
    expect([told, others]).toEqual([expect.stringContaining(hint), []])
  })

  test('says nothing of an exclusion that matches nothing', async () => {
    const contents = ['!**/*$Test.class', '!**/{id}.js', '!**/\\[x\\].js', '!**/a #2.txt']
    expect((await inspect(zipOf(PLUGIN), { contents })).told).toEqual([])
  })

  test('allows what it names outright, and by no wildcard', async () => {
    const files = { 'a/.env': 'x', 'b/.git/x': 'x', 'test.key': KEY, 'c/.npmrc': '_auth=x' }
    const named = { contents: ['a/.env', 'b/.git/', '**/test.key', 'c/.npmrc'] }
    expect((await inspect(zipOf(files), named)).told).toEqual([])
    const wild = { contents: ['**/*', 'a/*', '*.key', 'a/', 'b', 'c/'] }
    expect((await inspect(zipOf(files), wild)).told).toHaveLength(4)
    expect((await inspect(zipOf({ 'a.jar': 'x' }), { contents: ['a.jar'] })).told).toEqual([])
  })
})

describe('a hostile archive ends in a clear error, or in none:', () => {
  const changed = (at: number, bytes: string): Buffer => {
    const content = zipOf(PLUGIN)
    content.write(bytes, at, 'latin1')
    return content
  }
  /** With a smaller size of its only entry in the directory. */
  const sizedDown = (content: Buffer): Buffer => {
    content.writeUInt32LE(100, content.lastIndexOf('PK\x01\x02') + 24)
    return content
  }
  const hidden = rawZip(['a', 'b', 'c/.env'].map(name => ({ name })))
  hidden.writeUInt16LE(2, hidden.length - 14)
  hidden.writeUInt16LE(2, hidden.length - 12)
  const gzipped = gzipSync(Buffer.alloc(5000, 'x'))
  const fakeEnd = rawZip([{ name: 'a', content: 'x' }], { comment: rawZip([]).toString('latin1') })
  const bomb = rawZip([{ name: 'a', packed: 0x7fffffff, size: 0x7fffffff }])
  const shrunk = sizedDown(zipOf({ 'a.txt': '\0'.repeat(4_000_000) }))
  const unreadable = 'cannot be read as an archive: it is damaged, cut short, or not an archive'

  test.each<[string, Buffer, string | readonly string[], string?]>([
    ['a web page', Buffer.from('<!DOCTYPE html><html>'), 'It is a web page'],
    ['cut off', zipOf(PLUGIN).subarray(0, 200), unreadable],
    ['empty', zipOf({}), 'is an archive that lists no files'],
    ['encrypted', rawZip([{ name: 'a', flags: 1 }]), '"a", which is encrypted: buyers have no'],
    ['another name in the local header', changed(30, 'GALLERY'), 'in the directory, and'],
    ['more files than it counts', hidden, 'its directory holds more files than it counts'],
    ['damaged data', changed(60, '\xff\xff\xff\xff\xff\xff'), 'is damaged'],
    ['an end record in its comment', fakeEnd, 'is an archive that lists no files'],
    ['a bomb', bomb, ['its entries overlap', 'unpacks from 100 bytes to 2.15 GB']],
    ['a lie about a size', shrunk, 'is damaged'],
    ['no tar file', gzipped, unreadable, 'a.tgz'],
    ['a tar file cut off', gzipped.subarray(0, 20), unreadable, 'a.tgz'],
    ['a tar file that is not packed', Buffer.from('<html>'), unreadable, 'a.tgz']
  ])('%s', async (_, content, text, name = 'a.zip') => {
    expect((await inspect(content, { name })).told).toEqual([text].flat().flatMap(said))
  })

  const part = said('is too large to check completely: only part of it was checked')
  const names = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `a/${`${index}`.padEnd(length, 'x')}` }))

  test('more entries than 16 bits can count are all looked at', async () => {
    const contents = '66000 files, 0 bytes unpacked: "a/"'
    const zip = await inspect(rawZip(names(66_000, 6), { zip64: true }))
    expect(zip).toMatchObject({ told: [], warnings: [], contents })
  })

  test('too many names, and too many entries of a tar.gz file, are looked at in part', async () => {
    expect(await inspect(rawZip(names(250, 60_000)))).toMatchObject({ warnings: part })
    const folder = await packTar([{ header: { name: 'a/', type: 'directory', size: 0 } }])
    const header = Buffer.from(folder.subarray(0, 512))
    const content = gzipSync(Buffer.concat(Array.from({ length: 20_001 }, () => header)))
    expect(await inspect(content, { name: 'a.tgz' })).toMatchObject({ told: [], warnings: part })
  })

  test.each([
    ['manifests', '.php', '/* Plugin Name: A\nVersion: 1.0.0 */'],
    ['keys by their names', '.pem', '-----BEGIN PRIVATE KEY-----'],
    ['links', '', '../../x']
  ])('of many %s, only so many are read', async (_, end, last) => {
    const mode = end === '' ? 0o120777 : 0
    const entries = (count: number) =>
      Array.from({ length: count }, (_, at) => {
        return { name: `a/${at}${end}`, content: at < count - 1 ? 'x' : last, mode }
      })
    expect((await inspect(rawZip(entries(1500)))).told).toHaveLength(1)
    expect(await inspect(rawZip(entries(1501)))).toMatchObject({ told: [], warnings: part })
  })

  test('pictures leave room to look for keys, and a long stylesheet is read', async () => {
    const pictures = Array.from({ length: 1100 }, (_, at) => [`a/${at}.png`, 'x'])
    const files = { ...Object.fromEntries(pictures), 'a/z.txt': '-----BEGIN PRIVATE KEY-----' }
    expect((await inspect(zipOf(files))).told).toEqual(said('"a/z.txt", which holds a private key'))
    const style = `/* Theme Name: A\nVersion: 1.0.0 */${' '.repeat(320_000)}`
    const told = said('"a/style.css", line 2, says "1.0.0", but the version to publish is "1.4.2"')
    expect((await inspect(zipOf({ 'a/style.css': style }))).told).toEqual(told)
  })

  test('long and short files of a tar.gz file in turn are all looked at', async () => {
    const files = Array.from({ length: 60 }, (_, at) => {
      return [`a/${at}.txt`, 'x'.repeat(at % 2 === 0 ? 70_000 : 60_000)]
    })
    const key = ['a/z.txt', '-----BEGIN PRIVATE KEY-----']
    const { told } = await inspectTar(tarEntriesOf(Object.fromEntries([...files, key])))
    expect(told).toEqual(said('"a/z.txt", which holds a private key'))
  })

  test('a tar.gz file beyond the limit is looked at in part, and that is told', async () => {
    const entries = tarEntriesOf({ 'a.txt': 'x', 'b.bin': '\0'.repeat(2_000_000), 'c/.env': 'x' })
    const cut = await inspectTar(entries, { contents: ['d'], limit: 1_000_000 })
    expect(cut.told).toEqual(said('"d" of `contents` in the part that was checked'))
    expect([cut.warnings, cut.contents]).toEqual([part, expect.stringMatching(/^at least 2 files/)])
    expect((await inspectTar(entries, { contents: ['d'] })).told).toHaveLength(2)
  })
})

test('whatever the bytes are, an archive is told of in words', async () => {
  const files = { ...PLUGIN, 'a/package.json': '{"version":"1.0.0"}' }
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
    const { told, warnings } = await inspectAt(path, { contents: ['**/*.php', '!**/*.txt'] })
    for (const text of [...told, ...warnings]) {
      expect(text).toMatch(/^(?:in )?the file "/)
      expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
    }
  })
  await fc.assert(property, { numRuns: 60 })
})
