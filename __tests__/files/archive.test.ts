// Tests of src/files/archive.ts and src/files/inspect.ts: a file that buyers cannot unpack, or that is none, is an error.
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { packed, zipOf } from '../support/archives.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { fc } from '../support/properties.ts'
import { inspect, inspectAt, KEY, PLUGIN, POINTER } from './inspecting.ts'
import { type RawEntry, rawZip } from './raw-zip.ts'

/** A ZIP file with one byte changed. */
function spoiled(archive: Buffer, position: number): Buffer {
  const changed = Buffer.from(archive)
  changed[position] = (changed[position] ?? 0) ^ 1
  return changed
}

/** Texts that Deflate makes shorter, of another letter for each file. */
const texts = (letter: string) =>
  Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`gallery/${at}.txt`, `${letter}${at}`.repeat(400)])
  )

describe('a file that buyers cannot unpack is an error that names it:', () => {
  test.each([
    ['stored', packed('b'.repeat(3000))],
    ['compressed', zipOf({ 'gallery/content': 'b12'.repeat(3000) })],
    ['large', zipOf({ 'gallery/content': 'b12'.repeat(500_000) })]
  ])('one wrong byte in what is %s', async (_, archive) => {
    expect(await inspect(archive)).toMatchObject({ error: '' })

    const data = archive.indexOf('gallery/content') + 'gallery/content'.length
    const { reason, error, advice } = await inspect(spoiled(archive, data + 8))
    expect(reason).toBe('bad-file')
    expect(error).toContain('contains "gallery/content", which cannot be unpacked (')
    expect(advice).toBe('Check the step that builds or downloads it.')
  })

  test('two archives that were written over each other', async () => {
    const both = zipOf(texts('a'))
    const other = zipOf(texts('b'))
    const start = Math.floor(both.indexOf('PK\x01\x02') / 3)
    other.copy(both, start, start, both.indexOf('PK\x01\x02'))

    const { error } = await inspect(both)
    expect(error).toMatch(/"gallery\/19\.txt" and 10 more, which cannot be unpacked \(/)
    expect(error).not.toContain('"gallery/0.txt"')
  })

  test('a header that is gone, a size that is not right, and a file that is encrypted', async () => {
    const archive = zipOf(PLUGIN)
    const header = archive.indexOf('PK\x03\x04', 1)
    const { error } = await inspect(spoiled(archive, header))
    expect(error).toContain('"gallery/readme.txt", which cannot be unpacked ("invalid local file')

    const short = {
      name: 'a.txt',
      packed: deflateRawSync('x'),
      method: 8,
      size: 5
    }
    const { error: second } = await inspect(rawZip([{ name: 'b.txt' }, short]))
    expect(second).toContain('contains "a.txt", which cannot be unpacked (its checksum is wrong)')

    const locked = {
      name: 'a',
      flags: 1,
      content: 'x'.repeat(12),
      size: 0
    }
    const { error: third } = await inspect(rawZip([locked]))
    expect(third).toContain('contains "a", which is encrypted: buyers have no password')
  })

  test('ten names at most', async () => {
    const entries = Array.from({ length: 12 }, (_, at) => {
      return {
        name: `a/${at}`,
        content: 'x',
        crc: 1
      }
    })
    const { error } = await inspect(rawZip(entries))
    expect(error).toContain('"a/9" and 2 more, which cannot be unpacked (its checksum is wrong).')
  })
})

describe('a file that is no ZIP file, or that unpackers do not agree on:', () => {
  const unreadable = 'cannot be read as an archive: it is damaged, or not what its name says ("'
  test.each<[string, Buffer, string]>([
    ['cut off', zipOf(PLUGIN).subarray(0, 200), `${unreadable}End of central directory`],
    ['a text', Buffer.from('Not found'), `${unreadable}End of central directory`],
    ['a directory elsewhere', zipOf(PLUGIN).subarray(9), `${unreadable}invalid central directory`],
    [
      'backslashes',
      rawZip([{ name: 'a\\b' }]),
      `${unreadable}invalid characters in fileName: a\\b`
    ],
    ['a path upwards', zipOf({ '../b': 'x' }), `${unreadable}invalid relative path: ../b`],
    ['an absolute path', zipOf({ '/etc/x': 'x' }), `${unreadable}absolute path: /etc/x`],
    ['a path of Windows', zipOf({ 'C:/x': 'x' }), `${unreadable}absolute path: C:/x`],
    ['no files', zipOf({}), 'is an archive without any files'],
    ['nothing but folders', rawZip([{ name: 'a/' }]), 'is an archive without any files'],
    ['a path twice', zipOf({ 'a/./b': 'x', 'a/b': 'y' }), 'contains "a/b", more than once'],
    ['a pointer of Git LFS', zipOf({ ...PLUGIN, 'm.bin': POINTER }), '"m.bin", a Git LFS pointer']
  ])('%s', async (_, content, text) => {
    const { reason, error } = await inspect(content)
    expect([reason, error]).toEqual(['bad-file', expect.stringContaining(text)])
  })
})

test('a method that the library does not know is a warning: that file was not read', async () => {
  const entries: RawEntry[] = [{ name: 'a', method: 14 }, { name: 'b.txt' }]
  expect(await inspect(rawZip(entries))).toMatchObject({
    error: '',
    warnings: [expect.stringContaining('contains "a", whose compression method is unknown here')]
  })
})

describe('a gzipped file is unzipped to its end:', () => {
  const tar = gzipSync(Buffer.from('a tar file, which nobody looks into'.repeat(9000)))

  test.each(['gallery.tar.gz', 'gallery.tgz', 'gallery.sql.gz'])('%s', async name => {
    expect(await inspect(tar, { name })).toMatchObject({
      error: '',
      contents: 'unzips without an error; not looked into'
    })

    const cut = await inspect(tar.subarray(0, -6), { name })
    expect(cut).toMatchObject({
      reason: 'bad-file',
      error: expect.stringContaining(`"${name}" cannot be read as an archive: it is damaged`)
    })
    expect(cut.error).toContain('("unexpected end of file")')
    expect((await inspect(spoiled(tar, 300), { name })).reason).toBe('bad-file')
    expect((await inspect(Buffer.from('no gzip'), { name })).reason).toBe('bad-file')
  })
})

describe('a web page is none of these,', () => {
  const PAGE = '<!DOCTYPE html><html><body>Not found</body></html>'

  test.each(['setup.exe', 'gallery.7z', 'gallery.dmg', 'gallery.zip', 'gallery.tgz', 'gallery'])(
    'whatever its name: %s',
    async name => {
      for (const page of [PAGE, '\ufeff\n <HTML lang="en">']) {
        const { reason, error, advice } = await inspect(page, { name })
        expect([reason, error]).toEqual(['bad-file', `The file "${name}" is a web page.`])
        expect(advice).toBe('Check the step that downloads it, and what that address answers.')
      }
    }
  )

  test.each(['manual.html', 'index.HTM', 'manual.xhtml'])('but one by its name: %s', async name => {
    expect(await inspect(PAGE, { name })).toMatchObject({ error: '', contents: 'not looked into' })
  })

  test('nor is what only has one in it', async () => {
    expect(await inspect(`MZ ${PAGE}`, { name: 'setup.exe' })).toMatchObject({ error: '' })
  })
})

describe('an attached file is told as attached:', () => {
  const attached = { source: 'release', isImmutable: false } as const
  const locked = { source: 'release', isImmutable: true } as const

  test.each([
    ['a web page', '<!doctype html>', 'is a web page.'],
    ['damaged', zipOf(PLUGIN).subarray(0, 200), 'cannot be read as an archive'],
    ['empty', '', 'is empty.'],
    ['a pointer of Git LFS', POINTER, 'is a Git LFS pointer, not the file itself.'],
    ['a pointer of Git LFS in it', zipOf({ 'm.bin': POINTER }), 'contains "m.bin", a Git LFS']
  ])('%s', async (_, content, said) => {
    const { error, advice } = await inspect(content, { origin: attached })
    expect(error).toContain(`The attached file "gallery.zip" ${said}`)
    expect(advice).toBe('Replace the attached file, then press *Re-run failed jobs*.')

    const again = await inspect(content, { origin: locked })
    expect(again.advice).toBe(
      'Make a new release with the right file: nothing can be attached to this one anymore.'
    )
  })
})

test('whatever the bytes are, an archive is described in words', async () => {
  const sample = zipOf({
    ...PLUGIN,
    'a/package.json': '{"version":"1.0.0"}',
    'a/b.key': KEY
  })
  const folder = makeFolder()
  const change = fc.record({
    changes: fc.array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 6 }),
    cut: fc.option(fc.nat(600)),
    added: fc.uint8Array({ maxLength: 40 })
  })
  let count = 0
  const property = fc.asyncProperty(change, async ({ changes, cut, added }) => {
    const content = Buffer.from(sample)
    for (const [at, byte] of changes) content[at % content.length] = byte

    const path = join(folder, `${count++}.zip`)
    putFile(path, Buffer.concat([content.subarray(0, cut ?? undefined), added, Buffer.from('x')]))

    const { error, warnings } = await inspectAt(path, { rules: ['**/*.php', '!**/*.txt'] })
    for (const text of [error, ...warnings].filter(each => each !== '')) {
      expect(text).toMatch(/^The file "/)
      expect(text.replaceAll('\n  It ', ' ')).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
    }
  })
  await fc.assert(property, { numRuns: 60 })
})
