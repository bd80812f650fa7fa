// Tests the file: where it may be, its forms, and that no half of it is ever taken for a whole.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, normalize, sep } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { findDestination } from '../../src/licenses/file.ts'
import { openEncoder } from '../../src/licenses/format.ts'
import { FIELDS, type License } from '../../src/shop/licenses.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { onPosix, PRIVATE } from '../support/platform.ts'
import { openLicenses, openRegister } from './listing.ts'

describe('a place', () => {
  const list = async (output: string) => {
    await using register = await openLicenses(madeUpLicenses(3))
    const { workspace, temp } = register
    const elsewhere = makeFolder({ 'secret.json': 'old' })
    await mkdir(join(workspace, 'folder'))
    putFile(join(workspace, 'file.txt'))
    await symlink(join(workspace, 'folder'), join(workspace, 'link-inside'))
    await symlink(elsewhere, join(workspace, 'link-outside'))
    await symlink(join(elsewhere, 'secret.json'), join(workspace, 'link-to-file'))
    putFile(join(workspace, '.git', 'config'), 'token')
    await symlink(join(workspace, '.git'), join(workspace, 'link-git'))
    await symlink(join(workspace, '.git', 'config'), join(workspace, 'link-config'))
    await mkdir(join(workspace, 'other'))
    await symlink(join(workspace, 'folder'), join(workspace, 'other', '.git'))
    const listed = await register.list({ output })
    const short = listed.outputs.path?.replace(workspace, 'WORK').replace(temp, 'TEMP')
    const path = short?.replaceAll(sep, '/')
    return { ...listed, path, workspace, asked: register.asked() }
  }

  test.each([
    ['in RUNNER_TEMP when none is given', '', 'TEMP/licenses.json'],
    ['in a folder that is made for it', 'new/folder/a.json', 'WORK/new/folder/a.json'],
    ['over a file that is there', 'file.txt', 'WORK/file.txt'],
    ['behind a link that stays inside', 'link-inside/a.json', 'WORK/link-inside/a.json'],
    ['named with dots', '..a.json', 'WORK/..a.json'],
    ['beside Git’s own', '.github/a.json', 'WORK/.github/a.json']
  ])('may be %s', async (_, output, path) => {
    const listed = await list(output)
    expect([listed.outputs.outcome, listed.path]).toEqual(['listed', path])
    expect([JSON.parse(listed.text).length, listed.mode]).toEqual([3, PRIVATE])
    expect(listed.files.filter(name => name.endsWith('.part'))).toEqual([])
  })

  test.each([
    ['outside of both folders', '../a.json', /in neither the workspace nor RUNNER_TEMP/],
    ['an absolute path outside', '/etc/a.json', /in neither the workspace nor/],
    ['behind a link that leads out', 'link-outside/a.json', /in neither the workspace nor/],
    ['a link to a file outside', 'link-to-file', /in neither the workspace nor/],
    ['a folder', 'folder', /output: "folder" exists and is not a file/],
    ['named like a folder', 'folder/new/', /names a folder/],
    ['the workspace itself', '.', /"\." exists and is not a file/],
    ['Git’s settings', '.git/config', /"\.git\/config" is in `\.git`/],
    ['the same in capitals', '.GIT/new', /is in `\.git`/],
    ['as Windows shortens it', 'git~1/new', /is in `\.git`/],
    ['Git’s of a folder', 'folder/.git/new', /is in `\.git`/],
    ['behind a link to Git’s folder', 'link-git/new', /is in `\.git`/],
    ['a link to Git’s settings', 'link-config', /"link-config" is in `\.git`/],
    ['Git’s folder behind a link', 'other/.git/new', /is in `\.git`/]
  ])('may not be %s', async (_, output, message) => {
    const listed = await list(output)
    expect(listed.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input', path: '' })
    expect(listed.log[0]).toMatch(message)
    expect([listed.asked, readFileSync(join(listed.workspace, '.git', 'config'), 'utf8')]).toEqual([
      [],
      'token'
    ])
  })

  onPosix('may not be below a file (Windows tells that only when it writes)', async () => {
    expect((await list('file.txt/a.json')).log[0]).toMatch(/cannot be read: ENOTDIR/)
  })
})

test('a path of the host, in a container, is told as one', () => {
  const folders = { workspace: '/__w/x/x', temp: '/__w/_temp' }
  const find = (path: string) => findDestination(path, 'json', folders)
  for (const path of ['/home/runner/work/x/x/a.json', '/opt/runner/_work/_temp/a.json']) {
    expect(() => find(path)).toThrow(/choose a path there\. This job runs in a container, where/)
  }
  expect(() => find('/etc/a.json')).toThrow(/choose a path there$/)
})

describe('a form', () => {
  const encode = (format: 'json' | 'ndjson' | 'csv', pages: readonly License[][]) => {
    const encoder = openEncoder(format)
    return pages.map(encoder.encode).join('') + encoder.end()
  }
  const ODD = [
    '',
    ...'=1+1 +1 -1 @x \'x ＝1 a,b a"b'.split(' '),
    '\tx',
    '\rx',
    '\nx',
    ' =1',
    'a\nb',
    'a\rb'
  ]
  const cell = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...ODD))
  const license = fc.record({
    id: cell,
    userId: cell,
    creatorId: cell,
    productId: cell,
    expires: cell,
    maxIps: fc.maxSafeInteger()
  })
  const pages = fc.array(fc.array(license, { maxLength: 5 }), { maxLength: 5 })
  const parseLine = (line: string): unknown => JSON.parse(line)

  test.each([
    ['json', parseLine],
    ['ndjson', (text: string) => text.split('\n').slice(0, -1).map(parseLine)]
  ] as const)('%s holds every license with all its fields, one on a line', (format, read) => {
    const property = fc.property(pages, lists => {
      const text = encode(format, lists)
      expect(read(text)).toEqual(lists.flat())
      for (const one of lists.flat()) expect(text).toContain(JSON.stringify(one))
    })
    fc.assert(property, { numRuns: 50 })
    const odd = parseLine('{"__proto__":{"a":[1,{"b":null}]},"id":"lic-one"}') as License
    expect(encode(format, [[odd]])).toContain(JSON.stringify(odd))
  })

  test('csv has the documented fields in their order, all quoted, with an apostrophe before what could run', () => {
    const property = fc.property(pages, lists => {
      const rows = lists.flat().map(one =>
        FIELDS.map(field => {
          const text = String(one[field])
          return field !== 'maxIps' && /^[\t\r\n]|^\s*[=+\-@＝＋－＠]/.test(text)
            ? `'${text}`
            : text
        })
      )
      expect(readCsv(encode('csv', lists))).toEqual([[...FIELDS], ...rows])
    })
    fc.assert(property, { numRuns: 50 })
    const odd = { extra: 1, maxIps: -1, expires: 'e', productId: 'p', creatorId: 'c' }
    expect(encode('csv', [[{ ...odd, userId: 'u', id: 'i' }]])).toBe(
      '"id","userId","creatorId","productId","expires","maxIps"\r\n"i","u","c","p","e","-1"\r\n'
    )
  })
})

/** The cells of a CSV text, read as RFC 4180 has it; all of them are quoted. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const cells = text.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/gs)
  for (const [, quoted = '', end] of cells) {
    rows.at(-1)?.push(quoted.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows.slice(0, -1)
}

/** A shop with a page for each of three licenses, which does something before it answers. */
function openThree(before: (page: number) => unknown, temp?: string) {
  const pageOf = pagesOf(madeUpLicenses(3), { size: 1 })
  return openRegister(page => before(page) ?? pageOf(page), temp)
}
const NEW = { output: 'new/licenses.json' }

test('a listing that fails leaves the file as it was', async () => {
  let answer: unknown
  await using register = await openThree(page => (page > 1 ? answer : undefined))
  const before = await register.list(NEW)
  answer = 'no JSON'
  const after = await register.list(NEW)
  expect(after.outputs).toMatchObject({ outcome: 'failed', reason: 'strange-answer', path: '' })
  expect(after.files).toEqual(before.files)
  expect(JSON.parse(await readFile(before.outputs.path ?? '', 'utf8'))).toHaveLength(3)
})

test('a file that cannot be written is told with its path', async () => {
  await using register = await openThree(page => {
    if (page === 2) rmSync(join(register.workspace, 'new'), { recursive: true })
  })
  const { outputs, log, failed, files } = await register.list(NEW)
  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'output', path: '' })
  const path = join(register.workspace, 'new', 'licenses.json')
  expect(log.at(-1)).toContain(`${path} could not be written: `)
  expect([failed, files]).toEqual([true, []])
})

test('nothing is in the workspace before the file is complete, so nothing stays when the run is killed', async () => {
  const seen: string[][] = []
  await using register = await openThree(() => {
    seen.push(readdirSync(join(register.workspace, 'new')), readdirSync(register.temp))
  })
  const { files } = await register.list(NEW)
  const drafts = [expect.stringMatching(/^\.licenses\.json\..*\.part$/)]
  expect(seen).toEqual([[], drafts, [], drafts, [], drafts])
  expect(files).toEqual(['new', 'new/licenses.json'].map(normalize))
})

// Only Linux has a second file system that is there on every machine.
const isApart = existsSync('/dev/shm') && statSync('/dev/shm').dev !== statSync(tmpdir()).dev
;(isApart ? test : test.skip)(
  'it comes from another file system (/dev/shm, on Linux)',
  async () => {
    const temp = mkdtempSync('/dev/shm/temp-')
    await using register = await openThree(() => undefined, temp)
    const { files, text, mode } = await register.list(NEW)
    rmSync(temp, { recursive: true })
    expect(files).toEqual(['new', 'new/licenses.json'])
    expect([JSON.parse(text).length, mode]).toEqual([3, PRIVATE])
  }
)
