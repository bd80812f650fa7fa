// Tests of src/files/archive.ts: hostile and broken archives, their links, and how much of them is read.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { packTar } from 'modern-tar'
import { zipOf } from '../support/archives.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import {
  type Files,
  inspect,
  inspectAt,
  inspectTar,
  KEY,
  PLUGIN,
  type TarEntries,
  tarEntriesOf
} from './inspecting.ts'
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

  test('of too many entries, a part is checked in seconds, with a warning', async () => {
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

  test('of too many keys and large manifests, a part is read, with a warning', async () => {
    const keys = await inspect(many(4100, index => `a/${index}.pem`, 'x'))
    const warnings = [expect.stringContaining('only a part of it was checked')]
    expect(keys.warnings).toEqual(warnings)

    const manifest = '{"version":"1.4.1"}'.padEnd(1024 * 1024)
    const manifests = await inspect(many(66, index => `${index}/manifest.json`, manifest))
    expect(manifests.warnings).toEqual(warnings)
  })

  test('of a tar.gz file of 3 GiB, 1 GiB is read', async () => {
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

describe('a link is refused by where it really leads:', () => {
  const zipOfLinks = (links: Files) =>
    rawZip(
      Object.entries(links).map(([name, content]) => ({
        name,
        content,
        mode: LINK
      }))
    )

  test.each<[string, Files, string]>([
    ['to a link that leads up', { 'g/a': '..', 'g/b': 'a/..' }, 'g/b'],
    ['by a link in another case', { 'g/A': '..', 'g/b': 'a/..' }, 'g/b'],
    ['below a link', { 'x/y': '../', 'x/y/z': '../..' }, 'x/y/z'],
    ['through each other', { a: 'b/c', b: 'a/c' }, 'a", "b']
  ])('%s', async (_, links, name) => {
    const { error } = await inspect(zipOfLinks(links))

    expect(error).toContain(`contains "${name}", ${LEADS_OUT}`)

    const entries: TarEntries = Object.entries(links).map(([path, linkname]) => {
      const header = {
        name: path,
        size: 0,
        type: 'symlink' as const,
        linkname
      }
      return { header }
    })
    expect((await inspectTar(entries)).error).toBe(error.replace('.zip', '.tar.gz'))
  })

  test('the links of a macOS framework stay inside', async () => {
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
  expect(error).toContain('…", whose name or link target is too long to unpack')

  const { error: second } = await inspect(rawZip([{ name: 'a', content: name, mode: LINK }]))
  expect(second).toContain('contains "a", whose name or link target is too long')

  // 2,100 characters are 4,200 bytes.
  const { error: third } = await inspect(rawZip([{ name: 'é'.repeat(2100) }]))
  expect(third).toContain('…", whose name or link target is too long to unpack')
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
