// Tests of src/files/archive.ts and its adapters: hostile and broken archives, their links, and how much of them is read.
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { packTar } from 'modern-tar'
import { zipOf } from '../support/archives.ts'
import { DEEP, pick } from '../support/deep.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { inspect, inspectAt, inspectTar, KEY, PLUGIN, tarEntriesOf } from './inspecting.ts'
import { rawZip } from './raw-zip.ts'

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
  ['C:\\b', true],
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
    expect(error).toContain(text)
  })

  const many = (count: number, name: (index: number) => string, content = '') =>
    rawZip(Array.from({ length: count }, (_, index) => ({ name: name(index), content })))

  test('of too many long names, a part is checked, with a warning', async () => {
    const archive = many(17_000, index => `a/${index}/`.padEnd(1000, 'b'))
    const found = await inspect(archive, { rules: ['a/1/*'] })
    expect(found).toMatchObject({
      error: '',
      contents: expect.stringMatching(/^at least 16\d+ files, 0 bytes unpacked: "a\/"$/),
      warnings: [expect.stringContaining('only a part of it was checked')]
    })
  })

  test('of too many keys and large manifests, a part is read, with a warning', async () => {
    const keys = many(2100, index => `a/${index}.pem`, 'x')
    const { error } = await inspect(keys, { rules: ['b'] })
    expect(error).toContain('matches "b" of `contents` in the part that was checked.')

    const manifest = '{"version":"1.4.1"}'.padEnd(1024 * 1024)
    const manifests = await inspect(many(33, index => `${index}/manifest.json`, manifest))
    expect(manifests.warnings).toEqual([expect.stringContaining('only a part of it was checked')])
  })

  /** The header of one entry, packed; `mebibytes`: its size. */
  const packedHeader = async (type: string, mebibytes: number) => {
    const header = Buffer.from(await packTar(tarEntriesOf({ a: '12345' }))).subarray(0, 512)

    // The size in octal digits, the type, and the checksum of the header with them.
    header.write(`${(mebibytes * 1024 ** 2).toString(8).padStart(11, '0')}\0`, 124)
    header.write(`        ${type}`, 148)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return gzipSync(header)
  }

  const zeros = gzipSync(Buffer.alloc(1024 ** 2))
  const expectPart = async (bomb: readonly Buffer[], said: string) =>
    expect(await inspect(Buffer.concat(bomb), { name: 'a.tgz' })).toMatchObject({
      error: '',
      contents: expect.stringContaining(said),
      warnings: [expect.stringContaining('only a part of it was checked')]
    })

  test('of extended headers in a tar.gz file, 32 MiB are read', async () => {
    const header = await packedHeader('x', 1)
    const bomb = Array.from({ length: 40 }, () => [header, zeros])
    await expectPart(bomb.flat(), 'at least 0 files, 0 bytes')
  })

  // In the deep suite, it is larger than what is read of it at most.
  const mebibytes = pick(16, 3072)
  test('of a tar.gz file, 1 GiB is read', async () => {
    const bomb = Array.from({ length: mebibytes }, () => zeros)
    const file = [await packedHeader('0', mebibytes), ...bomb]
    if (DEEP) return expectPart(file, 'at least 1 file, 3.22 GB')

    const { error } = await inspect(Buffer.concat([...file, zeros]), { name: 'a.tgz' })
    return expect(error).toBe('')
  })
})

const LINK = 0o120777

test('the links of a macOS framework stay inside', async () => {
  const links = {
    'F.framework/Versions/Current': 'A',
    'F.framework/F': 'Versions/Current/F',
    'lib/a.so': 'a.so.1',
    'lib/a.so.1': 'a.so.1.2'
  }
  const entries = Object.entries(links).map(([name, content]) => ({ name, content, mode: LINK }))
  expect(await inspect(rawZip(entries))).toMatchObject({ error: '' })
})

describe('what unpackers find is what is looked at:', () => {
  const page = { name: 'g/a.txt', content: 'x' }
  const hidden = { name: 'g/.env', content: 'PASSWORD=x' }

  test('entries that the end record does not count', async () => {
    const { error } = await inspect(rawZip([page, hidden], 1))
    expect(error).toContain('cannot be read as an archive: it is damaged, or not what its name')
    expect(error).toContain('"it has 2 entries, and counts 1"')
  })

  test('a count that starts again at 65,536, as old packers write it, is honest', async () => {
    const entries = Array.from({ length: 65_536 }, (_, at) => ({ name: `g/${at}` }))
    const { error } = await inspect(rawZip([...entries, hidden], 1))
    expect(error).toBe('The file "gallery.zip" contains "g/.env", which often contains passwords.')
  })

  test('a second directory in front of the end record', async () => {
    const outer = rawZip([page])
    const start = outer.indexOf('PK\x01\x02')
    const inner = rawZip([{ ...hidden, name: 'g/evil1' }])
    const directory = inner.subarray(inner.indexOf('PK\x01\x02'), inner.indexOf('PK\x06\x06'))

    const both = [
      outer.subarray(0, start),
      outer.subarray(start, -98),
      directory,
      outer.subarray(-98)
    ]
    const { error } = await inspect(Buffer.concat(both))
    expect(error).toContain('its directory is not where its end record says')
  })

  test('a name with a NUL, at which many programs end it', async () => {
    const what = 'whose name or link target has a NUL character'
    const zipped = await inspect(rawZip([{ ...hidden, name: 'g/.env\0.txt' }]))
    expect(zipped.error).toContain(`contains "g/.env\\u0000.txt", ${what}`)

    const pax = { path: 'g/.env\0.txt' }
    const header = { name: 'g/a', size: 1, type: 'file' as const, pax }
    const packed = await inspectTar([{ header, body: 'x' }])
    expect(packed.error).toContain(`contains "g/.env\\u0000.txt", ${what}`)

    const linked = await inspect(rawZip([{ name: 'g/a', content: 'b\0c', mode: LINK }]))
    expect(linked.error).toContain(what)
  })

  test('a file that is said to be empty', async () => {
    const manifest = 'version: 1.4.1'
    const packed = deflateRawSync(manifest)
    const lie = { name: 'plugin.yml', content: manifest, packed, method: 8, size: 0 }
    const { error } = await inspect(rawZip([lie]))
    expect(error).toContain('contains "plugin.yml", which has content, and is said to have none')

    const { error: second } = await inspect(rawZip([{ ...lie, crc: 0 }]))
    expect(second).toContain('too many bytes in the stream')

    // Only the header in front of the content tells of it.
    const stored = rawZip([{ name: 'a.key', content: KEY }])
    stored.fill(0, stored.indexOf('PK\x01\x02') + 16, stored.indexOf('PK\x01\x02') + 28)
    expect((await inspect(stored)).error).toContain(`${KEY.length} bytes are said to be none`)

    const empty = { name: 'g/__init__.py', packed: deflateRawSync(''), method: 8 }
    expect(await inspect(rawZip([empty]))).toMatchObject({ error: '' })
  })

  test('a script in front of a jar, and of nothing else', async () => {
    const jar = zipOf({ 'plugin.yml': 'version: 1.4.1', 'a.key': KEY })
    const script = Buffer.concat([Buffer.from('#!/bin/bash\nexec java -jar "$0"\n'), jar])
    const { error } = await inspect(script, { name: 'a.jar' })
    expect(error).toContain('contains "a.key", which holds a private key')

    const { error: second } = await inspect(script)
    expect(second).toContain('its directory is not where its end record says')
  })
})

test('a name that is too long for any system is an error', async () => {
  const name = 'n'.repeat(1025)

  const { error } = await inspect(rawZip([{ name }]))
  expect(error).toContain('…", whose name or link target is too long to unpack')

  const { error: second } = await inspect(rawZip([{ name: 'a', content: name, mode: LINK }]))
  expect(second).toContain('contains "a", whose name or link target is too long')

  // 600 characters are 1,200 bytes.
  const { error: third } = await inspect(rawZip([{ name: 'é'.repeat(600) }]))
  expect(third).toContain('…", whose name or link target is too long to unpack')

  const { error: fourth } = await inspect(rawZip([{ name: `${'a/'.repeat(100)}b` }]))
  expect(fourth).toContain('whose name or link target is too long to unpack')
})

test('whatever the bytes are, an archive is described in words', async () => {
  const files = {
    ...PLUGIN,
    'a/package.json': '{"version":"1.0.0"}',
    'a/b.key': KEY
  }
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
