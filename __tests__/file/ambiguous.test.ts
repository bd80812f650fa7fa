// Tests of src/file/zip*.ts and tar.ts: what programs read differently is refused. Each case was given to unzip, 7-Zip,
// bsdtar, Python and Java, or to GNU tar, bsdtar, busybox and Python, and their results were compared.
import { gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { zipOf } from '../support/archives.ts'
import { FINE, inspect, PLUGIN, said } from './inspecting.ts'
import { paxHeader, type RawFile, rawTar } from './raw-tar.ts'
import { descriptorOf, type RawEntry, rawZip, unicodePath } from './raw-zip.ts'

const [PHP = '', README = ''] = Object.values(PLUGIN)
const FIRST: RawEntry = { name: 'gallery/gallery.php', content: PHP }
const SECOND: RawEntry = { name: 'gallery/readme.txt', content: README }
const BOTH = [FIRST, SECOND]
/** The second entry with its sizes behind its content. */
const described = (after: Buffer, own: RawEntry['own'] = { packed: 0, size: 0 }) =>
  rawZip([FIRST, { ...SECOND, flags: 0x808, own: { ...own, flags: 0x808 }, after }])
const [SHORT, LONG] = [descriptorOf(README), descriptorOf(README, 8)]
const HEAD = Buffer.from('Cr24\x03\0\0\0\x04\0\0\0head')
const OLD_HEAD = Buffer.from('Cr24\x02\0\0\0\x02\0\0\0\x02\0\0\0head')
const tgz = (...files: readonly RawFile[]) => gzipSync(rawTar(files))
const gnu = (type: 'L' | 'K', content: string) => ({ name: '././@LongLink', type, content })
const LINKED = { name: 'l', type: '2', linkName: 'x' }

test.each<[string, Buffer, string?]>([
  ['the head of an extension', Buffer.concat([HEAD, zipOf(PLUGIN)]), 'a.crx'],
  ['an older head', Buffer.concat([OLD_HEAD, zipOf(PLUGIN)]), 'a.crx'],
  ['Android’s signatures', rawZip(BOTH, { gap: 'abcAPK Sig Block 42' }), 'a.apk'],
  ['the records of ZIP64', rawZip(BOTH, { zip64: true })],
  ['sizes behind a content', described(SHORT)],
  ['sizes without a mark', described(SHORT.subarray(4))],
  ['sizes of ZIP64', described(LONG)],
  ['sizes here and there', described(SHORT, {})],
  [
    'all that tar knows',
    tgz(
      paxHeader({ comment: 'of a commit' }, 'g'),
      { name: 'gallery/', type: '5' },
      gnu('L', 'gallery/gallery.php\0'),
      { name: 'x', content: PHP, type: '\0', magic: 'ustar  ' },
      paxHeader({ mtime: '1.5', path: 'gallery/readme.txt' }),
      { name: 'y', folder: 'z', content: README }
    ),
    'a.tgz'
  ]
])('%s may be there', async (_, content, name = 'a.zip') => {
  expect(await inspect(content, { name })).toMatchObject(FINE)
})

const ACCENT = Buffer.from('caf\x82', 'latin1')
const one = (entry: Partial<RawEntry>) => rawZip([{ name: 'a', content: 'x', ...entry }])
const UNPACKED = 'which many programs cannot unpack (Java and browsers among them), so what is in'
const OTHERWISE = 'the directory describes "a" differently from its own header'
const fakeEnd = { comment: rawZip([]).toString('latin1') }

test.each<[string, Buffer, string]>([
  ['a NUL in a name', one({ name: 'a.txt\0.png' }), 'whose name has a NUL character'],
  ['another name', one({ extra: unicodePath('a', 'b') }), '"a" has a second name, "b"'],
  ['one in the header', one({ own: { extra: unicodePath('a', 'b') } }), 'a second name, "b"'],
  ['one beside UTF-8', one({ name: 'é', extra: unicodePath('é', 'b') }), 'a second name, "b"'],
  ['another header', one({ own: { name: 'b' } }), '"a" in the directory, and "b" in its own'],
  ['a longer name', one({ own: { name: 'ab' } }), '"a" in the directory, and "ab" in its own'],
  ['another method', one({ own: { method: 8 } }), OTHERWISE],
  ['a method of 7-Zip', one({ method: 9 }), `"a", packed by Deflate64, ${UNPACKED}`],
  ['a link so', one({ method: 12, mode: 0o120777 }), `"a", packed by bzip2, ${UNPACKED}`],
  ['an unknown method', one({ method: 77 }), `"a", packed by method 77, ${UNPACKED}`],
  ['a password and a method', one({ method: 99, flags: 0x801 }), '"a", which is encrypted'],
  ['another size', one({ own: { size: 2 } }), OTHERWISE],
  ['another length', one({ own: { packed: 0 } }), OTHERWISE],
  ['a password', one({ own: { flags: 0x801 } }), OTHERWISE],
  [
    'an encoding',
    one({ name: ACCENT, flags: 0, own: { flags: 0x800 } }),
    'differently from its own'
  ],
  ['no sizes behind', described(Buffer.alloc(0)), 'differently from its own header'],
  ['other sizes behind', described(descriptorOf('x')), 'differently from its own header'],
  ['a program before', rawZip(BOTH, { before: '#!/bin/sh\n' }), '10 bytes before'],
  ['an archive before', Buffer.concat([one({}), zipOf(PLUGIN)]), 'bytes before'],
  ['hidden bytes', rawZip([FIRST, { ...SECOND, gap: 'PK' }]), '2 bytes before'],
  ['hidden bytes at the end', rawZip(BOTH, { gap: 'PK' }), '2 bytes before its directory belong'],
  ['what only Android signs', rawZip(BOTH, { gap: 'APK Sig Block 42' }), '16 bytes before its'],
  ['an end in its comment', rawZip(BOTH, fakeEnd), 'bytes before its directory belong to no entry'],
  ['shared bytes', rawZip([{ name: 'a.png', packed: 99, size: 99 }, SECOND]), 'its entries'],
  ['more bytes than it has', one({ packed: 1e9, size: 1e9 }), 'its entries overlap'],
  ['fewer counted', rawZip(BOTH, { count: 1 }), 'its directory holds more files than it counts'],
  ['two counts', rawZip(BOTH, { zip64: true, count64: 1 }), 'its end records disagree'],
  ['a longer directory', rawZip(BOTH, { directory: 1e6 }), 'its end records disagree']
])('a ZIP file with %s is refused', async (_, content, text) => {
  expect((await inspect(content)).told).toEqual(said(text))
})

test('a jar file with hidden bytes is only warned of, and an extension with another head is refused', async () => {
  const jar = rawZip([FIRST, { ...SECOND, gap: 'PK' }], { before: '#!/bin/sh\n', gap: 'signed' })
  const warnings = said('10 bytes before "gallery/gallery.php" belong to no entry')
  expect(await inspect(jar, { name: 'a.jar' })).toMatchObject({ ...FINE, warnings })
  const other = Buffer.concat([HEAD, Buffer.from('er'), zipOf(PLUGIN)])
  const told = said('2 bytes before "gallery/gallery.php" belong to no entry')
  expect(await inspect(other, { name: 'a.crx' })).toMatchObject({ told })
})

const FILE = { name: 'a', content: 'x' }
const PLAIN = rawTar([FILE])
const SPECIAL = 'or of another special kind'
test.each<[string, Buffer, string]>([
  ['a path for all', tgz(paxHeader({ path: 'b' }, 'g'), FILE), 'a header for all entries gives'],
  ['a size for all', tgz(paxHeader({ size: '9' }, 'g'), FILE), 'a header for all entries gives'],
  ['a sparse file', tgz({ ...FILE, type: 'S', magic: 'ustar  ' }), SPECIAL],
  ['one of pax', tgz(paxHeader({ 'GNU.sparse.name': 'b' }), FILE), SPECIAL],
  ['one of star', tgz(paxHeader({ 'SCHILY.realsize': '9' }), FILE), SPECIAL],
  ['an empty name', tgz(paxHeader({ path: '' }), FILE), '"" has an empty name'],
  ['an empty target', tgz(paxHeader({ linkpath: '' }), LINKED), '"l" has an empty name'],
  ['an empty target of GNU', tgz(gnu('K', '\0'), LINKED), '"l" has an empty name'],
  ['a device', tgz({ name: 'a', type: '3' }), SPECIAL],
  ['two names', tgz(gnu('L', 'b\0'), paxHeader({ path: 'c' }), FILE), '"b" has two long names'],
  ['one of two empty', tgz(gnu('L', 'b'), paxHeader({ path: '' }), FILE), '"b" has two long names'],
  ['two targets', tgz(paxHeader({ linkpath: 'c' }), gnu('K', 'b'), LINKED), '"l" has two long'],
  [
    'two pax headers',
    tgz(paxHeader({ path: 'b' }), paxHeader({ uid: '1' }), FILE),
    'two headers of'
  ],
  ['two paths', tgz({ ...paxHeader({}), content: '9 path=b\n9 path=c\n' }, FILE), 'one of its pax'],
  ['a long record', tgz({ ...paxHeader({}), content: '99 path=b\n' }, FILE), 'one of its pax'],
  ['two sizes', tgz(paxHeader({ size: '0' }), FILE), '"a" has two sizes'],
  ['a link with a size', tgz({ ...LINKED, size: 512 }, FILE), '"l" is a folder or a link, and yet'],
  ['a folder with a size', tgz({ name: 'a/', content: 'x' }), '"a/" is a folder or a link, and'],
  ['a negative size', gzipSync(negative()), 'one of its headers holds no proper number'],
  ['a folder of GNU', tgz({ ...FILE, folder: 'b', magic: 'ustar  ' }), 'the folder of "a" is'],
  ['a NUL in a name', tgz(paxHeader({ path: 'b\0c' }), FILE), 'whose name has a NUL character'],
  ['a second end', gzipSync(Buffer.concat([PLAIN, PLAIN])), 'more data follows its end'],
  ['half an end', gzipSync(Buffer.concat([PLAIN.subarray(0, -512), PLAIN])), 'more data follows'],
  ['no end', gzipSync(PLAIN.subarray(0, -512)), 'it is cut short'],
  ['a header for nothing', tgz(paxHeader({ path: 'b' })), 'it is cut short']
])('a tar.gz file with %s is refused', async (_, content, text) => {
  expect((await inspect(content, { name: 'a.tgz' })).told).toEqual(said(text))
})

/** Has a size of -1, in binary. */
function negative(): Buffer {
  const tar = rawTar([FILE])
  tar.fill(0xff, 124, 136)
  const sum =
    8 * 0x20 +
    tar.subarray(0, 512).reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0 : byte), 0)
  tar.write(sum.toString(8).padStart(6, '0'), 148)
  return tar
}
