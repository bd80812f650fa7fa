// Tests of src/file/compare.ts: what differs between two archives, and what of that is worth a warning.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { compareArchives, listZip } from '../../src/file/compare.ts'
import { zipOf } from '../support/archives.ts'
import { pick } from '../support/deep.ts'
import { makeFolder } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'
import { rawZip } from './raw-zip.ts'

type Files = Readonly<Record<string, string>>

const list = (bytes: Buffer, name = 'a.zip') =>
  listZip({
    ...{ name, size: bytes.length },
    readAt: async (position, length) => Buffer.from(bytes.subarray(position, position + length))
  })

/** The paths of each kind in their order, and the warnings. */
async function compare(before: Buffer, after: Buffer) {
  const found = compareArchives(await list(before), await list(after))
  const { added, removed, changed } = found
  const pathsOf = (changes: typeof added) => changes.map(({ path }) => path)
  const paths = { added: pathsOf(added), removed: pathsOf(removed), changed: pathsOf(changed) }
  return { ...paths, warnings: found.warnings }
}

const compareFiles = (before: Files, after: Files) => compare(zipOf(before), zipOf(after))

const PLUGIN = { 'g/a.php': 'a', 'g/b.php': 'b', 'g/lang/de.po': 'c' }
const NONE = { added: [], removed: [], changed: [], warnings: [] }

describe('what differs', () => {
  test('comes by kind, the largest file first, with the sizes of both sides', async () => {
    const before = zipOf({ ...PLUGIN, 'g/old.js': 'x'.repeat(9), 'g/older.js': 'x'.repeat(99) })
    const grown = { 'g/a.php': 'aa', 'g/b.php': 'B', 'g/new.js': 'n', 'g/newer.js': 'nn' }
    const after = zipOf({ ...PLUGIN, ...grown })
    const { warnings, ...found } = compareArchives(await list(before), await list(after))
    const [one, two] = [1, 2]
    expect(found).toEqual({
      added: [
        { path: 'g/newer.js', before: undefined, after: two },
        { path: 'g/new.js', before: undefined, after: one }
      ],
      removed: [
        { path: 'g/older.js', before: 99, after: undefined },
        { path: 'g/old.js', before: 9, after: undefined }
      ],
      changed: [
        { path: 'g/a.php', before: one, after: two },
        { path: 'g/b.php', before: one, after: one }
      ]
    })
    expect(warnings).toEqual([])
  })

  test('is nothing between archives of the same files, however they were packed', async () => {
    const files = { 'g/': new Uint8Array(), 'g/a.php': strToU8('a'.repeat(999)) }
    const stored = Buffer.from(zipSync(files, { level: 0, mtime: new Date('2020-02-02') }))
    const packed = Buffer.from(zipSync(files, { level: 9, mtime: new Date('2026-02-02') }))
    const { warnings, ...found } = await compare(stored, packed)
    expect({ ...found, warnings: [] }).toEqual(NONE)
    expect(warnings).toEqual([
      expect.stringMatching(/^it is at most half as large: 1\.\d+ kB before/)
    ])
  })

  onPosix(
    'is found between archives of `zip`, which Windows need not have, and of fflate',
    async () => {
      const folder = makeFolder({ 'g/a.php': 'a', 'g/b.php': 'other' })
      execFileSync('zip', ['-q', '-r', 'made.zip', 'g'], { cwd: folder })
      const made = readFileSync(join(folder, 'made.zip'))
      const { added, removed, changed } = await compare(zipOf(PLUGIN), made)
      expect([added, removed, changed]).toEqual([[], ['g/lang/de.po'], ['g/b.php']])
    }
  )

  test('is complete and has nothing twice, for any files', async () => {
    const name = fc.constantFrom('a', 'b', 'g/a', 'g/b', 'h/a', 'h-1.2/a', 'h-1.3/a', 'h-1.3/g/b')
    const files = fc.dictionary(name, fc.constantFrom('', 'x', 'y', 'zz'), { minKeys: 1 })
    const check = async (before: Files, after: Files) => {
      const { added, removed, changed } = await compareFiles(before, after)
      const [was, is] = [Object.keys(before), Object.keys(after)]
      expect(was.length - removed.length).toBe(is.length - added.length)
      expect(was).toEqual(expect.arrayContaining(removed))
      expect(is).toEqual(expect.arrayContaining([...added, ...changed]))
      const same = await compareFiles(after, after)
      expect(same).toEqual(NONE)
    }
    await fc.assert(fc.asyncProperty(files, files, check), { numRuns: pick(50, 500) })
  })
})

describe('the one folder that holds everything', () => {
  const inside = (root: string, files: Files = PLUGIN) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${root}${path}`, text]))
  const all = Object.keys(PLUGIN)

  test.each<[string, Files, Files, object]>([
    ['may carry the version', inside('g-1.4.1/'), inside('g-1.10.0/'), NONE],
    [
      'is in the paths of what differs',
      inside('g-1.4.1/', { ...PLUGIN, old: 'o' }),
      inside('g-1.4.2/', { ...PLUGIN, 'g/a.php': 'other', new: 'n' }),
      { added: ['g-1.4.2/new'], removed: ['g-1.4.1/old'], changed: ['g-1.4.2/g/a.php'] }
    ],
    [
      'may have what macOS leaves beside it',
      inside('g-1.4.1/'),
      { ...inside('g-1.4.2/'), '__MACOSX/._g': '' },
      { added: ['__MACOSX/._g'], removed: [], warnings: [expect.stringContaining('"__MACOSX/"')] }
    ],
    [
      'is warned of when it has another name: programs know a plugin by that',
      inside('gallery/'),
      inside('galery/'),
      { ...NONE, warnings: ['its files are in "galery/", and were in "gallery/"'] }
    ],
    [
      'counts when something lies beside it',
      inside('g-1/'),
      { ...inside('g-2/'), 'a.txt': '' },
      {
        removed: all.map(path => `g-1/${path}`),
        warnings: [
          'its files are not all in one folder, and were in "g-1/"',
          'more than half of the files are gone: 3 of 3'
        ]
      }
    ]
  ])('%s', async (_, before, after, expected) => {
    expect(await compareFiles(before, after)).toMatchObject(expected)
  })
})

describe('a warning', () => {
  const many = (count: number, size = 1) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`g/${at}`, 'x'.repeat(size)]))
  /** As large as the files that are gone, also when it is packed. */
  const NOISE = ['a', 'b', 'c', 'd']
    .map(seed => createHash('sha512').update(seed).digest('base64'))
    .join('')
  const stored = (bytes: number) =>
    Buffer.from(zipSync({ 'g/a': new Uint8Array(bytes) }, { level: 0 }))

  test.each<[string, Buffer, Buffer, readonly string[]]>([
    ['comes not at half of the files', zipOf(many(8)), zipOf(many(4, 90)), []],
    [
      'comes when more than half of the files are gone',
      zipOf(many(8)),
      zipOf({ ...many(2), 'g/2': NOISE }),
      ['more than half of the files are gone: 5 of 8']
    ],
    ['comes not below twice the size', stored(2000), stored(4000), []],
    [
      'comes at twice the size',
      stored(2000),
      stored(5000),
      ['it is at least twice as large: 2.10 kB before, 5.10 kB now']
    ],
    [
      'comes at half the size',
      stored(5000),
      stored(2000),
      ['it is at most half as large: 5.10 kB before, 2.10 kB now']
    ]
  ])('%s', async (_, before, after, expected) => {
    expect((await compare(before, after)).warnings).toEqual(expected)
  })

  test.each<[string, readonly string[], readonly string[], string]>([
    ['at the top', ['a.php'], ['tests/a.php'], '"tests/"'],
    ['in any case', ['g/a.php'], ['g/Tests/a.php'], '"g/Tests/"'],
    [
      'hidden',
      ['g/a.php'],
      ['g/.github/workflows/a.yml', 'g/.vscode/b'],
      '"g/.github/", "g/.vscode/"'
    ],
    [
      'with packages',
      ['g/a.php'],
      ['g/node_modules/a/a.js', 'g/node_modules/b.js'],
      '"g/node_modules/"'
    ],
    ['beside an old one', ['g/a', 'g/tests/a'], ['g/tests/b', 'g/coverage/c'], '"g/coverage/"'],
    ['of a new root', ['g-1/a'], ['g-2/a', 'g-2/spec/a'], '"g-2/spec/"'],
    ['that was there', ['g-1/a', 'g-1/tests/a'], ['g-2/a', 'g-2/tests/b'], ''],
    ['two folders down', ['g/a'], ['g/a', 'g/lib/tests/a'], ''],
    ['of another kind', ['g/a'], ['g/contest/a', 'g/testing/a', 'g/docs/b', 'g/.htaccess'], '']
  ])(
    'tells of a new folder that buyers seldom need: one %s',
    async (_, before, after, expected) => {
      const filesOf = (paths: readonly string[]) =>
        Object.fromEntries(paths.map(path => [path, '']))
      const { warnings } = await compareFiles(filesOf(before), filesOf(after))
      const told = warnings.filter(text => text.includes('new folder'))
      const count = expected.split(', ').length
      const text = `it has ${count} new folder${count > 1 ? 's' : ''} of a kind that buyers seldom need: ${expected}`
      expect(told).toEqual(expected === '' ? [] : [text])
    }
  )
})

test('many files are compared; what has more than 150,000, or is no archive, is not', async () => {
  const count = pick(20_000, 100_000)
  const entries = Array.from({ length: 150_001 }, (_, at) => ({ name: `g/${at}` }))
  await expect(list(rawZip(entries, { zip64: true }))).rejects.toThrow('it holds too many files')
  const many = await list(rawZip(entries.slice(0, count), { zip64: true }))
  const { added, removed, changed } = compareArchives(await list(zipOf(PLUGIN)), many)
  expect([added.length, removed.length, changed.length]).toEqual([count, 3, 0])
  expect(compareArchives(many, many)).toEqual(NONE)
  await expect(list(Buffer.from('no archive'))).rejects.toThrow(/no end record/)
}, 60_000)
