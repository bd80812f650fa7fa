// Tests of src/file/archive.ts: what is refused, warned of and told of archives that real tools made, and hostile ones.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { inspectArchive, type Rules } from '../../src/file/archive.ts'
import { openArtifact } from '../../src/file/artifact.ts'
import { makeFolder, putFile } from '../support/folders.ts'

const PLUGIN = {
  'gallery/gallery.php': '<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n',
  'gallery/readme.txt': 'Read me.'
}

type Files = Readonly<Record<string, string>>

const zipOf = (files: Files): Buffer => {
  const entries: Zippable = {}
  for (const [name, text] of Object.entries(files)) entries[name] = strToU8(text)
  return Buffer.from(zipSync(entries))
}

async function inspect(content: Buffer, rules: Partial<Rules> = {}, name = 'gallery.zip') {
  const folder = makeFolder({ [name]: content })
  const artifact = await openArtifact(join(folder, name), folder, [folder])
  try {
    const found = await inspectArchive(artifact, { contents: [], versions: ['1.4.2'], ...rules })
    return { ...found, told: found.problems.map(({ message }) => message) }
  } finally {
    await artifact.close()
  }
}

/** Packs files with a program of the system. */
function pack(files: Files, name: string, command: string, ...words: string[]): Buffer {
  const folder = makeFolder(files)
  const out = join(makeFolder(), name)
  execFileSync(command, [...words, out, '.'], { cwd: folder, stdio: 'ignore' })
  return readFileSync(out)
}

const has = (command: string) => spawnSync(command, ['--help']).error === undefined
const [zip, tar, python] = ['zip', 'tar', 'python3'].map(command =>
  has(command) ? test : test.skip
) as [typeof test, typeof test, typeof test]

/** Writes an archive as Python does, entry by entry. */
function byPython(lines: string): Buffer {
  const out = join(makeFolder(), 'x.zip')
  const script = `import zipfile, sys\nz = zipfile.ZipFile(sys.argv[1], 'w')\n${lines}\nz.close()`
  execFileSync('python3', ['-W', 'ignore', '-c', script, out])
  return readFileSync(out)
}

const FINE = {
  problems: [],
  warnings: [],
  contents: '2 files, 59 bytes unpacked: "gallery/"'
}

describe('a healthy archive passes', () => {
  test('and tells what is in it', async () => {
    expect(await inspect(zipOf(PLUGIN))).toMatchObject(FINE)
  })

  zip('of zip', async () => {
    expect(await inspect(pack(PLUGIN, 'x.zip', 'zip', '-rq'))).toMatchObject(FINE)
  })

  python('of Python, in ZIP64 and with names in CP437 and UTF-8', async () => {
    const lines = `for n in ['gallery/caf\\u00e9.txt', 'gallery/\\u30d7.txt', 'a.txt']:
  with z.open(zipfile.ZipInfo(n), 'w', force_zip64=True) as f: f.write(b'x')`
    const { told, contents } = await inspect(byPython(lines))
    expect([told, contents]).toEqual([[], '3 files, 3 bytes unpacked: "gallery/", "a.txt"'])
  })

  tar('of tar', async () => {
    const content = pack(PLUGIN, 'x.tgz', 'tar', '-czf')
    expect(await inspect(content, {}, 'x.tar.gz')).toMatchObject(FINE)
  })

  test('with data before it, as in a .crx file', async () => {
    const content = Buffer.concat([Buffer.from('Cr24 and a signature'), zipOf(PLUGIN)])
    expect(await inspect(content, {}, 'x.crx')).toMatchObject(FINE)
  })

  test('and a file that is no archive is left alone', async () => {
    const file = await inspect(Buffer.from('x'), {}, 'setup.exe')
    expect(file).toMatchObject({ problems: [], contents: '' })
    const asked = await inspect(Buffer.from('x'), { contents: ['a'] }, 'setup.exe')
    expect(asked.told).toEqual([expect.stringContaining('"setup.exe" cannot be opened')])
  })
})

const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n'

describe('it is an error', () => {
  test.each<[string, Buffer, string]>([
    ['a web page', Buffer.from('<!DOCTYPE html><html>'), 'It is a web page'],
    ['JSON', Buffer.from('{"message": "Not Found"}'), 'It looks like JSON'],
    ['an archive that is cut off', zipOf(PLUGIN).subarray(0, 200), 'cannot be read as an archive'],
    ['an empty archive', zipOf({}), 'is an archive without a file in it'],
    ['nothing but an archive', zipOf({ 'x/a.ZIP': 'x' }), '"x/a.ZIP", and nothing else'],
    ['a path upwards', zipOf({ ...PLUGIN, '../evil.php': 'x' }), '"../evil.php", which leads out'],
    ['an absolute path', zipOf({ ...PLUGIN, '/etc/x': 'x' }), '"/etc/x", which leads out'],
    ['a path of Windows', zipOf({ ...PLUGIN, 'a\\..\\..\\x': 'x' }), 'x", which leads out'],
    ['the same file twice', zipOf({ 'a/./b': '1', 'a//b': '2' }), '"a/b", more than once'],
    ['.env', zipOf({ ...PLUGIN, 'gallery/.env': 'x' }), '"gallery/.env", which often contains'],
    ['.env of a kind', zipOf({ ...PLUGIN, '.env.production': 'x' }), '".env.production", which'],
    ['.git', zipOf({ ...PLUGIN, 'gallery/.git/HEAD': 'x' }), '"gallery/.git/HEAD", the history'],
    [
      'a token',
      zipOf({ ...PLUGIN, '.npmrc': '//r.example/:_authToken=abc' }),
      '".npmrc", with a token'
    ],
    ['a key', zipOf({ ...PLUGIN, 'certs/a.txt': `x\n${KEY}` }), '"certs/a.txt", with a private key']
  ])('%s', async (_, content, text) => {
    const { problems } = await inspect(content)
    expect(problems).toEqual([{ reason: 'bad-file', message: expect.stringContaining(text) }])
  })

  zip('to be encrypted', async () => {
    const { told } = await inspect(pack(PLUGIN, 'x.zip', 'zip', '-rq', '-P', 'secret'))
    expect(told).toEqual([expect.stringMatching(/"gallery\/.*, encrypted, and buyers have no/)])
  })

  python('to have an entry twice', async () => {
    const { told } = await inspect(byPython("z.writestr('a', '1')\nz.writestr('a', '2')"))
    expect(told).toEqual([expect.stringContaining('"a", more than once')])
  })

  tar('to have a link that leads out, in a tar file and in a ZIP file', async () => {
    const folder = makeFolder(PLUGIN)
    symlinkSync('../../etc/passwd', join(folder, 'gallery/link'))
    symlinkSync('gallery.php', join(folder, 'gallery/fine'))
    const commands = [
      ['tar', '-czf', 'x.tgz'],
      ['zip', '-ryq', 'x.zip']
    ] as const
    for (const [command, words, name] of commands.filter(([command]) => has(command))) {
      const out = join(makeFolder(), name)
      execFileSync(command, [words, out, '.'], { cwd: folder })
      const { told } = await inspect(readFileSync(out), {}, name)
      expect(told).toEqual([expect.stringContaining('"gallery/link", which leads out')])
    }
  })

  test('to state another version', async () => {
    const { problems } = await inspect(zipOf(PLUGIN), { versions: ['1.5.0'] })
    expect(problems).toEqual([
      {
        reason: 'file-version',
        message:
          'in the file "gallery.zip", "gallery/gallery.php", line 3, says "1.4.2", and the version to be ' +
          'published is "1.5.0". Build it from the tag that is published; `file-version: any` turns this check off.'
      }
    ])
    expect((await inspect(zipOf(PLUGIN), { versions: undefined })).told).toEqual([])
  })

  test('at most ten entries are named, and none can break out of its line', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `é${index}\n::error::/.env`)
    const { told } = await inspect(zipOf(Object.fromEntries(names.map(name => [name, 'x']))))
    expect(told).toEqual([expect.stringMatching(/"é0\\n::error::\/\.env", .* and 2 more, which/)])
    expect(told.join('')).not.toContain('\n')
  })
})

describe('it is no error', () => {
  test.each<[string, Files]>([
    ['an example of .env', { '.env.example': 'x', 'a/.env.local.dist': 'x' }],
    ['a token from the environment', { '.npmrc': ['_authToken=$', '{TOKEN}'].join('') }],
    ['code that writes keys', { 'a.php': `$x = "-----BEGIN PRIVATE KEY-----\\n";` }],
    ['a public key', { 'a.pem': '-----BEGIN PUBLIC KEY-----\nMIIE\n' }],
    ['two archives', { 'a.zip': 'x', 'b.zip': 'x' }],
    ['a manifest of a library', { 'main.js': 'x', 'lib/package.json': '{"version":"9.9.9"}' }]
  ])('%s', async (_, files) => {
    expect(await inspect(zipOf(files))).toMatchObject({ told: [], warnings: [] })
  })

  test('what `contents` names outright', async () => {
    const files = { 'a/.env': 'x', 'b/.git/x': 'x', 'test.key': KEY, 'c/.npmrc': '_auth=x' }
    const named = ['a/.env', 'b/.git/', '**/test.key', 'c/.npmrc']
    expect((await inspect(zipOf(files), { contents: named })).told).toEqual([])
    const wild = await inspect(zipOf(files), { contents: ['**/*', 'a/*', '*.key'] })
    expect(wild.told).toHaveLength(4)
    expect((await inspect(zipOf({ 'a.jar': 'x' }), { contents: ['a.jar'] })).told).toEqual([])
  })
})

test('what is of no use is warned of', async () => {
  const files = {
    ...PLUGIN,
    '__MACOSX/._a': 'x',
    'a/.DS_Store': 'x',
    'node_modules/left-pad/index.js': 'x'
  }
  const { told, warnings } = await inspect(zipOf(files))
  expect(told).toEqual([])
  expect(warnings).toEqual([
    expect.stringContaining('"__MACOSX/._a", "a/.DS_Store", left there'),
    expect.stringContaining('"node_modules/left-pad/index.js", packages')
  ])
})

test('`contents` says what must be in it, and what must not', async () => {
  const contents = [
    'gallery/*.php',
    '**/*.css',
    '!**/*.txt',
    'gallery/lang/',
    '!*.md',
    '!node_modules/'
  ]
  const { told } = await inspect(zipOf({ ...PLUGIN, 'node_modules/a/b.js': 'x' }), { contents })
  expect(told).toEqual([
    expect.stringContaining(
      '"gallery/readme.txt", "node_modules/a/b.js", which a line of `contents`'
    ),
    expect.stringContaining('nothing that matches "**/*.css"'),
    expect.stringContaining('nothing that matches "gallery/lang/"')
  ])
  const again = ['!**/*.txt', 'gallery/readme.txt']
  expect((await inspect(zipOf(PLUGIN), { contents: again })).told).toEqual([])
})

describe('a hostile archive ends in a clear error, or in none', () => {
  /** The archive with some bytes of the first local header changed. */
  const changed = (at: number, bytes: string): Buffer => {
    const content = zipOf(PLUGIN)
    content.write(bytes, at, 'latin1')
    return content
  }

  test.each<[string, Buffer, string]>([
    ['another name in the local header', changed(30, 'GALLERY'), 'in the directory, and'],
    ['data that is damaged', changed(60, '\xff\xff\xff\xff\xff\xff'), 'is damaged'],
    [
      'an end record in the comment',
      Buffer.concat([
        zipOf(PLUGIN).subarray(0, -2),
        Buffer.from('\x16\x00PK\x05\x06', 'latin1'),
        Buffer.alloc(18)
      ]),
      'without a file in it'
    ]
  ])('%s', async (_, content, text) => {
    expect((await inspect(content)).told.join()).toContain(text)
  })

  test('entries that overlap, and more than a person packs', async () => {
    const content = zipOf({ a: 'x'.repeat(5000) })
    const directory = content.lastIndexOf('PK\x01\x02')
    content.writeUInt32LE(0x7fffffff, directory + 20)
    content.writeUInt32LE(0x7fffffff, directory + 24)
    const { told } = await inspect(content)
    expect(told).toEqual([
      expect.stringContaining('its entries overlap'),
      expect.stringContaining('from 121 bytes to 2.15 GB')
    ])
  })

  test('a small entry that unpacks to far more than it says', async () => {
    const content = zipOf({ 'a.txt': '\0'.repeat(4 * 1024 * 1024) })
    content.writeUInt32LE(100, content.lastIndexOf('PK\x01\x02') + 24)
    expect((await inspect(content)).told).toEqual([expect.stringContaining('is damaged')])
  })

  test('a tar file that is cut off, or no tar file', async () => {
    const cut = gzipSync(Buffer.alloc(5000, 'x'))
    for (const content of [cut, cut.subarray(0, 20), Buffer.from('<html>')]) {
      const { told } = await inspect(content, {}, 'a.tgz')
      expect(told).toEqual([expect.stringContaining('cannot be read as an archive')])
    }
  })

  tar('a tar file beyond the limit is looked at in part, and that is told', async () => {
    const folder = makeFolder({ 'a.txt': 'first', 'b.bin': Buffer.alloc(2_000_000), 'c/.env': 'x' })
    execFileSync('tar', ['-czf', 'x.tgz', 'a.txt', 'b.bin', 'c'], { cwd: folder })
    const artifact = await openArtifact(join(folder, 'x.tgz'), folder, [folder])
    const rules = { contents: ['d'], versions: undefined }
    const { problems, warnings, contents } = await inspectArchive(artifact, rules, 1_000_000)
    expect(problems).toMatchObject([
      { message: expect.stringContaining('"d" of `contents` in the') }
    ])
    expect(warnings).toEqual([expect.stringContaining('only a part of it was')])
    expect(contents).toMatch(/^at least 2 files/)
    expect((await inspectArchive(artifact, rules)).problems).toHaveLength(2)
    await artifact.close()
  })
})

test('whatever the bytes are, an archive is told of in words', async () => {
  const tarred = has('tar') ? pack(PLUGIN, 'x.tgz', 'tar', '-czf') : gzipSync(Buffer.alloc(512))
  const samples = [zipOf({ ...PLUGIN, 'a/package.json': '{"version":"1.0.0"}' }), tarred]
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
      const name = `${count++}.${sample === 0 ? 'zip' : 'tgz'}`
      const kept = cut === null ? content : content.subarray(0, cut)
      putFile(join(folder, name), Buffer.concat([kept, added, Buffer.from('x')]))
      const artifact = await openArtifact(join(folder, name), folder, [folder])
      const { problems, warnings } = await inspectArchive(artifact, {
        contents: ['**/*.php', '!**/*.txt'],
        versions: ['1.4.2']
      })
      for (const text of [...problems.map(({ message }) => message), ...warnings]) {
        expect(text).toMatch(/^(?:in )?the file "/)
        expect(text).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      }
      await artifact.close()
    }),
    { numRuns: 150 }
  )
})
