// Tests of src/file/archive.ts: what is refused, warned of and told of archives, hostile ones among them.
import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env as own } from 'node:process'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { packTar } from 'modern-tar'
import { zipOf } from '../support/archives.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'
import {
  FINE,
  type Files,
  inspect,
  inspectAt,
  inspectTar,
  PLUGIN,
  said,
  tarEntriesOf
} from './inspecting.ts'
import { rawTar } from './raw-tar.ts'
import { rawZip } from './raw-zip.ts'

const LONG = JSON.stringify({ version: '1.4.1', text: 'x'.repeat(70_000) })
describe('a healthy archive passes, and tells what is in it:', () => {
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

  test('of 2 GiB, with a program that starts it', async () => {
    const path = join(makeFolder({ 'large.jar': '' }), 'large.jar')
    truncateSync(path, 2 * 1024 ** 3)
    writeFileSync(path, zipOf(PLUGIN), { flag: 'a' })
    const warnings = said('2147483648 bytes before "gallery/gallery.php" belong to no entry')
    expect(await inspectAt(path)).toMatchObject({ ...FINE, warnings })
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
const ACCOUNT = JSON.stringify({ private_key: KEY.padEnd(80), type: 'service_account' }, null, 1)
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 5\n`

describe('in a ZIP file and in a tar.gz file', () => {
  test.each<[what: string, files: Files, name: string, said: string]>([
    ['nothing but an archive', {}, 'x/a.ZIP', 'and nothing else: buyers would get an archive in'],
    ['a path upwards', PLUGIN, '../evil.php', 'which leads out'],
    ['an absolute path', PLUGIN, '/etc/x', 'which leads out'],
    ['a path of Windows', PLUGIN, 'a\\..\\..\\x', 'which leads out'],
    ['the same file twice', { 'a/./b': 'x' }, 'a/b', 'more than once'],
    ['.env', PLUGIN, 'gallery/.ENV', 'which often contains passwords'],
    ['.git', PLUGIN, 'gallery/.GIT/HEAD', 'the Git history'],
    ['a key of PuTTY', PLUGIN, 'gallery/a.PPK', 'which holds a private key'],
    ['a token', { ...PLUGIN, '.Npmrc': '//r.example/:_authToken=abc' }, '.Npmrc', 'which holds an'],
    ['a key', { ...PLUGIN, 'b/a.txt': `x\n${KEY}` }, 'b/a.txt', 'which holds a private key'],
    ['a key of Windows', { ...PLUGIN, 'a.yml': `\ufeff${KEY}` }, 'a.yml', 'which holds a private'],
    ['an indented key', { ...PLUGIN, 'a.yml': `x: |\n \t${KEY}` }, 'a.yml', 'which holds a'],
    ['an account', { ...PLUGIN, 'a.json': ACCOUNT }, 'a.json', 'which holds the private key of'],
    ['a pointer', { ...PLUGIN, 'a.png': POINTER }, 'a.png', 'which Git LFS should have replaced'],
    ['a file that is a folder', PLUGIN, 'gallery', 'as a file and as a folder'],
    ['a folder that is a file', { 'gallery/a/': '' }, 'gallery/a', 'as a file and as a folder'],
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
    ['an account without a key', { 'a.json': ACCOUNT.replace(/-----.*n/, '…') }],
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
    const linkTo = (content: string, name = 'a/link') => rawZip([{ name, mode: 0o120777, content }])
    expect(await inspect(linkTo('../../etc/passwd'))).toMatchObject({ told })
    expect(await inspect(linkTo('../b'))).toMatchObject({ told: [] })
    expect(await inspect(linkTo('./../b/./c..d/'))).toMatchObject({ told: [] })
    // On Linux, the name has no folder.
    expect(await inspect(linkTo('../b', 'a\\link'))).toMatchObject({ told })
    // Where `b` leads to may be another folder's depth.
    const detour = said('"a/link", a link with ".." behind a name in its target: if that name is')
    expect(await inspect(linkTo('b/../c'))).toMatchObject({ told: detour })
    const tarTo = (type: '1' | '2', linkName: string) =>
      inspect(gzipSync(rawTar([{ name: 'a/link', type, linkName }])), { name: 'a.tgz' })
    expect(await tarTo('2', '/etc/passwd')).toMatchObject({ told })
    expect(await tarTo('2', '../b')).toMatchObject({ told: [] })
    // A hard link leads from the root of the archive.
    expect(await tarTo('1', '../b')).toMatchObject({ told })
    expect(await tarTo('1', 'b/c')).toMatchObject({ told: [] })
    // One to a link is that link, in another folder.
    const link = { name: 'a/b', type: '2', linkName: '../c' }
    const tarOf = (name: string) => gzipSync(rawTar([link, { name, type: '1', linkName: './a/b' }]))
    expect(await inspect(tarOf('d'), { name: 'a.tgz' })).toMatchObject({
      told: said('"d", which leads out')
    })
    expect(await inspect(tarOf('d/e'), { name: 'a.tgz' })).toMatchObject({ told: [] })
  })

  test('what some programs take for a link is looked at as a file, too', async () => {
    const link = { name: 'a/deploy.txt', mode: 0o120777, content: KEY }
    const told = said('"a/deploy.txt", which holds a private key')
    expect((await inspect(rawZip([link]))).told).toEqual(told)
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
      ...said(
        'lang/" of `contents`. It contains "gallery/gallery.php", "gallery/readme.txt", "node_'
      )
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
  const gzipped = gzipSync(Buffer.alloc(5000, 'x'))
  const bombOf = (packed: number) =>
    rawZip([{ name: 'a', size: 1.5e9, method: 8, content: 'x'.repeat(packed) }])
  const lineEnds = Array.from({ length: 20 }, (_, at) => {
    return { name: `${at}/.npmrc`, content: '\r'.repeat(65_536) }
  })
  const unreadable = 'cannot be read as an archive: it is damaged, cut short, or not an archive'

  test.each<[string, Buffer, string | readonly string[], string?]>([
    ['a web page', Buffer.from('<!DOCTYPE html><html>'), 'It is a web page'],
    ['cut off', zipOf(PLUGIN).subarray(0, 200), unreadable],
    ['empty', zipOf({}), 'is an archive that lists no files'],
    ['encrypted', rawZip([{ name: 'a', flags: 1 }]), '"a", which is encrypted: buyers have no'],
    ['damaged data', changed(60, '\xff\xff\xff\xff\xff\xff'), 'is damaged'],
    ['a bomb', bombOf(5e6), 'says that it unpacks from 5.00 MB to 1.50 GB'],
    ['what packs well', bombOf(10e6), []],
    ['line ends alone', rawZip(lineEnds), []],
    ['a wrong checksum', changed(79, 'X'), 'the entry "gallery/gallery.php" is damaged'],
    ['no tar file', gzipped, 'one of its headers holds no proper number', 'a.tgz'],
    ['empty parts', Buffer.concat(Array(150_000).fill(gzipSync(''))), 'empty parts', 'a.tgz'],
    ['a tar file cut off', gzipped.subarray(0, 20), unreadable, 'a.tgz'],
    ['a tar file that is not packed', Buffer.from('<html>'), unreadable, 'a.tgz']
  ])('%s', async (_, content, text, name = 'a.zip') => {
    expect((await inspect(content, { name })).told).toEqual([text].flat().flatMap(said))
  })

  const part = said('is too large to check completely: only part of it was checked')
  const unread = (count: number) =>
    said(`has so many files that ${count} of them were not searched for private keys, other`)
  const names = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `a/${`${index}`.padEnd(length, 'x')}` }))

  test('more entries than 16 bits can count are all looked at', async () => {
    const contents = '66000 files, 0 bytes unpacked: "a/"'
    const zip = await inspect(rawZip(names(66_000, 6), { zip64: true }))
    expect(zip).toMatchObject({ told: [], warnings: [], contents })
  })

  test('too long descriptions are looked at in part', async () => {
    expect(await inspect(rawZip(names(9200, 3700)))).toMatchObject({ told: [], warnings: part })
    const own = names(600, 6).map(({ name }) => ({ name, own: { extra: Buffer.alloc(60_000) } }))
    expect(await inspect(rawZip(own))).toMatchObject({ told: [], warnings: part })
  })

  test('a manifest that is too large to be read is warned of', async () => {
    const large = {
      'a/package.json': JSON.stringify({ version: '1.0.0', x: 'x'.repeat(1_050_000) })
    }
    const why = 'which is too large, or one of too many, to look for its version'
    const warnings = said(`"a/package.json", ${why}`)
    expect(await inspect(zipOf(large))).toMatchObject({ told: [], warnings })
    const content = '{"version":"1.4.1"}'.padEnd(1024 * 1024)
    const many = Array.from({ length: 18 }, (_, at) => ({ name: `${at}/manifest.json`, content }))
    const found = await inspect(rawZip(many))
    expect(found.warnings).toEqual(said(`"16/manifest.json", "17/manifest.json", ${why}`))
    expect(found.told.at(-1)).toContain('the same is true of 6 more manifests.')
  })

  test.each([
    ['manifests', 25_000, '.php', '/* Plugin Name: A\nVersion: 1.0.0 */', 'line 2, says "1.0.0"'],
    ['keys by their names', 25_000, '.pem', KEY, 'which holds a private key'],
    ['links', 25_000, '', '../../x', 'which leads out'],
    ['other small files', 20_000, '.txt', KEY, 'which holds a private key']
  ])('of many %s, only so many are read, and that is told', async (_, most, end, bad, text) => {
    const mode = end === '' ? 0o120777 : 0
    const entries = Array.from({ length: most + 1 }, (_, at) => {
      return { name: `a/${at}${end}`, content: at < most - 1 ? 'x' : bad, mode }
    })
    const pictures = [{ name: 'a/z.png', content: 'x' }]
    const told = said(`"a/${most - 1}${end}", ${text}`)
    const found = await inspect(rawZip([...entries, ...pictures]))
    expect(found).toMatchObject({ told, warnings: unread(1) })
  })

  test('large ones leave room for keys by their names, and a long stylesheet is read', async () => {
    const large = Array.from({ length: 1025 }, (_, at) => {
      return { name: `a/${at}.txt`, content: (at < 1024 ? 'x\n' : KEY).padEnd(65_536, 'x') }
    })
    const found = await inspect(rawZip([...large, { name: 'a/b.pem', content: KEY }]))
    const told = said('"a/b.pem", which holds a private key')
    expect(found).toMatchObject({ told, warnings: unread(1) })
    const style = `/* Theme Name: A\nVersion: 1.0.0 */${' '.repeat(320_000)}`
    const old = said('"a/style.css", line 2, says "1.0.0", but the version of the tag is "1.4.2"')
    expect((await inspect(zipOf({ 'a/style.css': style }))).told).toEqual(old)
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
