// Tests of src/file/archive.ts: what is refused, warned of and told of archives, hostile ones among them.
import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
const FINE = { told: [], warnings: [], contents: '2 files, 59 bytes unpacked: "gallery/"' }

interface Given {
  readonly name?: string
  readonly contents?: readonly string[]
  readonly version?: string
  readonly limit?: number
}

async function inspectAt(path: string, { contents = [], version = '1.4.2', limit }: Given = {}) {
  const folder = join(path, '..')
  const artifact = await openArtifact(path, folder, [folder])
  try {
    const versions = version === '' ? undefined : ([version] as const)
    const found = await inspectArchive(artifact, contents, versions, limit)
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

  test.each<[string, () => Buffer, string]>([
    ['of fflate', () => zipOf(PLUGIN), 'a.jar'],
    ['with data before it', () => Buffer.concat([Buffer.from('Cr24'), zipOf(PLUGIN)]), 'a.crx'],
    ['with data that moves its offsets', () => rawZip(entries, { before: '#!/bin/sh\n' }), 'a.zip'],
    ['in ZIP64', () => rawZip(entries, { zip64: true }), 'a.zip']
  ])('%s', async (_, make, name) => {
    expect(await inspect(make(), { name })).toMatchObject(FINE)
  })

  onPosix.each([
    ['zip -rq', 'a.vsix.zip'],
    ['tar -czf', 'a.tgz']
  ])('of the program `%s`, which Windows need not have', async (command, name) => {
    const [program = '', options = ''] = command.split(' ')
    const path = join(makeFolder(), name)
    const env = { ...own, COPYFILE_DISABLE: 'macOS adds files otherwise' }
    execFileSync(program, [options, path, '.'], { cwd: makeFolder(PLUGIN), env, stdio: 'ignore' })
    expect(await inspectAt(path)).toMatchObject(FINE)
  })

  test('with names in CP437 and UTF-8', async () => {
    const names = [{ name: Buffer.from('caf\x82.txt', 'latin1'), flags: 0 }, { name: 'プ.txt' }]
    expect(await inspect(rawZip(names))).toMatchObject({
      ...{ told: [], contents: '2 files, 0 bytes unpacked: "café.txt", "プ.txt"' }
    })
  })

  test('of 2 GiB', async () => {
    const path = join(makeFolder(), 'large.zip')
    writeFileSync(path, '')
    truncateSync(path, 2 * 1024 ** 3)
    writeFileSync(path, zipOf(PLUGIN), { flag: 'a' })
    expect(await inspectAt(path)).toMatchObject(FINE)
  })

  test('a file that is no archive is left alone', async () => {
    const name = 'setup.exe'
    const nothing = { problems: [], warnings: [], contents: '' }
    expect(await inspect(Buffer.from('x'), { name })).toMatchObject(nothing)
    const { told } = await inspect(Buffer.from('x'), { name, contents: ['a'] })
    expect(told).toEqual(
      said('"setup.exe" cannot be read as an archive: its name is not that of one')
    )
  })
})

const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n'
const dollar = '$'

describe('in a ZIP file and in a tar.gz file', () => {
  test.each<[string, Files, string]>([
    ['nothing but an archive', { 'x/a.ZIP': 'x' }, '"x/a.ZIP", and nothing else'],
    ['a path upwards', { ...PLUGIN, '../evil.php': 'x' }, '"../evil.php", which leads out'],
    ['an absolute path', { ...PLUGIN, '/etc/x': 'x' }, '"/etc/x", which leads out'],
    ['a path of Windows', { ...PLUGIN, 'a\\..\\..\\x': 'x' }, 'x", which leads out'],
    ['the same file twice', { 'a/./b': '1', 'a//b': '2' }, '"a/b", more than once'],
    ['.env', { ...PLUGIN, 'gallery/.env': 'x' }, '"gallery/.env", which often contains passwords'],
    ['.git', { ...PLUGIN, 'gallery/.git/HEAD': 'x' }, '"gallery/.git/HEAD", the Git history'],
    [
      'a token',
      { ...PLUGIN, '.npmrc': '//r.example/:_authToken=abc' },
      '".npmrc", which holds an npm token'
    ],
    [
      'a key',
      { ...PLUGIN, 'certs/a.txt': `x\n${KEY}` },
      '"certs/a.txt", which holds a private key'
    ],
    [
      'another version',
      { 'a/plugin.yml': 'version: 1.4.1' },
      '"a/plugin.yml", line 1, says "1.4.1"'
    ]
  ])('%s is an error', async (_, files, text) => {
    expect((await inspect(zipOf(files))).told).toEqual(said(text))
    expect((await inspectTar(tarEntriesOf(files))).told).toEqual(said(text))
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
    const link = { name: 'a/link', mode: 0o120777 }
    const wrong = await inspect(rawZip([{ ...link, content: '../../etc/passwd' }]))
    expect(wrong.told).toEqual(said('"a/link", which leads out'))
    expect((await inspect(rawZip([{ ...link, content: '../b' }]))).told).toEqual([])
    const header = { name: 'a/link', size: 0, type: 'symlink' as const, linkname: '/etc/passwd' }
    expect((await inspectTar([{ header }])).told).toEqual(said('"a/link", which leads out'))
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
    const again = { contents: ['!**/*.txt', 'gallery/readme.txt'] }
    expect((await inspect(zipOf(PLUGIN), again)).told).toEqual([])
  })

  test('allows what it names outright, and by no wildcard', async () => {
    const files = { 'a/.env': 'x', 'b/.git/x': 'x', 'test.key': KEY, 'c/.npmrc': '_auth=x' }
    const named = { contents: ['a/.env', 'b/.git/', '**/test.key', 'c/.npmrc'] }
    expect((await inspect(zipOf(files), named)).told).toEqual([])
    const wild = { contents: ['**/*', 'a/*', '*.key'] }
    expect((await inspect(zipOf(files), wild)).told).toHaveLength(4)
    expect((await inspect(zipOf({ 'a.jar': 'x' }), { contents: ['a.jar'] })).told).toEqual([])
  })
})

test('a version is compared only where there is one to compare with', async () => {
  const { problems } = await inspect(zipOf(PLUGIN), { version: '1.5.0' })
  expect(problems).toEqual([
    {
      reason: 'file-version',
      message:
        'in the file "gallery.zip", "gallery/gallery.php", line 3, says "1.4.2", but the version to ' +
        'publish is "1.5.0". Build it from the tag that is published; `file-version: any` turns this check off.'
    }
  ])
  expect((await inspect(zipOf(PLUGIN), { version: '' })).told).toEqual([])
})

describe('a hostile archive ends in a clear error, or in none:', () => {
  const changed = (at: number, bytes: string): Buffer => {
    const content = zipOf(PLUGIN)
    content.write(bytes, at, 'latin1')
    return content
  }
  const huge = { name: 'a', packed: 0x7fffffff, size: 0x7fffffff }
  const gzipped = gzipSync(Buffer.alloc(5000, 'x'))
  const fakeEnd = rawZip([{ name: 'a', content: 'x' }], { comment: rawZip([]).toString('latin1') })

  test.each<[string, Buffer, ...string[]]>([
    ['a web page', Buffer.from('<!DOCTYPE html><html>'), 'It is a web page'],
    ['cut off', zipOf(PLUGIN).subarray(0, 200), 'cannot be read as an archive'],
    ['empty', zipOf({}), 'is an archive that lists no files'],
    [
      'encrypted',
      rawZip([{ name: 'a', flags: 1 }]),
      '"a", which is encrypted: buyers have no password'
    ],
    ['another name in the local header', changed(30, 'GALLERY'), 'in the directory, and'],
    ['damaged data', changed(60, '\xff\xff\xff\xff\xff\xff'), 'is damaged'],
    ['an end record in its comment', fakeEnd, 'is an archive that lists no files'],
    ['a bomb', rawZip([huge]), 'unpacks from 100 bytes to 2.15 GB'],
    ['a lie about a size', sizedDown(zipOf({ 'a.txt': '\0'.repeat(4_000_000) })), 'is damaged']
  ])('%s', async (_, content, ...texts) => {
    expect((await inspect(content)).told).toEqual(texts.flatMap(said))
  })

  test.each([
    ['no tar file', gzipped],
    ['cut off', gzipped.subarray(0, 20)],
    ['not packed', Buffer.from('<html>')]
  ])('a tar.gz file that is %s', async (_, content) => {
    expect((await inspect(content, { name: 'a.tgz' })).told).toEqual(
      said('cannot be read as an archive')
    )
  })

  test('more entries than 16 bits can count are all looked at, and too many names in part', async () => {
    const names = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `a/${`${index}`.padEnd(length, 'x')}` }))
    const zip = await inspect(rawZip(names(66_000, 6), { zip64: true }))
    expect(zip).toMatchObject({ told: [], contents: '66000 files, 0 bytes unpacked: "a/"' })
    const long = await inspect(rawZip(names(250, 60_000)))
    expect(long.warnings).toEqual(
      said('is too large to check completely: only part of it was checked')
    )
  })

  test('of many manifests, keys by their names, and links, only so many are read', async () => {
    const named = (count: number, end: string, last: string) =>
      Array.from({ length: count }, (_, at) => {
        const mode = end === '' ? 0o120777 : 0
        return { name: `a/${at}${end}`, content: at < count - 1 ? 'x' : last, mode }
      })
    const part = said('only part of it was checked')
    for (const [end, last] of [
      ['.php', '/* Plugin Name: A\nVersion: 1.0.0 */'],
      ['.pem', '-----BEGIN PRIVATE KEY-----'],
      ['', '../../x']
    ] as const) {
      const told = { told: [], warnings: part }
      expect(await inspect(rawZip(named(1501, end, last)))).toMatchObject(told)
    }
  })

  test('a tar.gz file beyond the limit is looked at in part, and that is told', async () => {
    const entries = tarEntriesOf({ 'a.txt': 'x', 'b.bin': '\0'.repeat(2_000_000), 'c/.env': 'x' })
    const part = await inspectTar(entries, { contents: ['d'], limit: 1_000_000 })
    expect(part.told).toEqual(said('"d" of `contents` in the part that was checked'))
    expect(part.warnings).toEqual(said('only part of it was checked'))
    expect(part.contents).toMatch(/^at least 2 files/)
    expect((await inspectTar(entries, { contents: ['d'] })).told).toHaveLength(2)
  })

  test('so is one of too many entries', async () => {
    const folder = await packTar([{ header: { name: 'a/', type: 'directory', size: 0 } }])
    const header = Buffer.from(folder.subarray(0, 512))
    const content = gzipSync(Buffer.concat(Array.from({ length: 20_001 }, () => header)))
    const part = await inspect(content, { name: 'a.tgz' })
    expect(part).toMatchObject({ told: [], warnings: said('only part of it was checked') })
  })
})

/** The archive with a smaller size of its only entry in the directory. */
function sizedDown(content: Buffer): Buffer {
  content.writeUInt32LE(100, content.lastIndexOf('PK\x01\x02') + 24)
  return content
}

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
  await fc.assert(
    fc.asyncProperty(change, async ({ sample, changes, cut, added }) => {
      const content = Buffer.from(samples[sample] ?? '')
      for (const [at, byte] of changes) content[at % content.length] = byte
      const path = join(folder, `${count++}.${sample === 0 ? 'zip' : 'tgz'}`)
      const kept = cut === null ? content : content.subarray(0, cut)
      putFile(path, Buffer.concat([kept, added, Buffer.from('x')]))
      const { told, warnings } = await inspectAt(path, { contents: ['**/*.php', '!**/*.txt'] })
      for (const text of [...told, ...warnings]) {
        expect(text).toMatch(/^(?:in )?the file "/)
        expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      }
    }),
    { numRuns: 60 }
  )
})
