// Tests of src/licenses/file.ts: where the file may be, its forms, and that no half of it is ever taken for a whole.
import { rmSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { openEncoder } from '../../src/licenses/file.ts'
import { FIELDS, type License } from '../../src/shop/licenses.ts'
import { putFile } from '../support/folders.ts'
import { PRIVATE } from '../support/platform.ts'
import { fc } from '../support/properties.ts'
import { openLicenses, openRegister } from './listing.ts'

describe('a place', () => {
  const list = async (output: string) => {
    await using register = await openLicenses(madeUpLicenses(3))
    const { workspace, temp } = register
    await mkdir(join(workspace, 'folder'))
    putFile(join(workspace, 'file.txt'))

    const listed = await register.list({ output })
    const short = listed.outputs.path?.replace(workspace, 'WORK').replace(temp, 'TEMP')
    return { ...listed, path: short?.replaceAll(sep, '/'), asked: register.asked() }
  }

  test.each([
    ['in RUNNER_TEMP when none is given', '', 'TEMP/licenses.json'],
    ['in a folder that is made for it', 'new/folder/a.json', 'WORK/new/folder/a.json'],
    ['over a file that is there', 'file.txt', 'WORK/file.txt'],
    ['named with dots', '..a.json', 'WORK/..a.json']
  ])('may be %s', async (_, output, path) => {
    const listed = await list(output)
    expect([listed.outputs.outcome, listed.path]).toEqual(['listed', path])
    expect([JSON.parse(listed.text).length, listed.mode]).toEqual([3, PRIVATE])
    expect(listed.files.filter(name => name.endsWith('.part'))).toEqual([])
  })

  test.each([
    ['a folder', 'folder', /folder could not be written: it exists and is not a file/],
    ['the workspace itself', '.', /could not be written: it exists and is not a file/],
    ['below a file', 'file.txt/a.json', /a\.json could not be written: /]
  ])('may not be %s, which fails before a page is asked for', async (_, output, message) => {
    const listed = await list(output)
    expect(listed.outputs).toMatchObject({ outcome: 'failed', reason: 'output', path: '' })
    expect(listed.log.at(-1)).toMatch(message)
    expect(listed.asked).toEqual([])
  })
})

describe('a form', () => {
  const encode = (format: 'json' | 'csv', pages: readonly License[][]) => {
    const encoder = openEncoder(format)
    return pages.map(page => encoder.encode(page)).join('') + encoder.end()
  }
  const ODD =
    '|=1+1|+1|-1|@x|\'x|＝1|a,b|a"b|\tx|\rx|\nx| =1|a\nb|a\rb|a;=1+1|a\t @x|x;"=1|"=1'.split('|')
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

  test('json holds every license with all its fields, one on a line', () => {
    const property = fc.property(pages, lists => {
      const text = encode('json', lists)
      expect(JSON.parse(text)).toEqual(lists.flat())
      const lines = lists.flat().map(one => JSON.stringify(one))
      expect(text.replaceAll('},\n', '}\n').split('\n').slice(1, -2)).toEqual(lines)
    })
    fc.assert(property, { numRuns: 50 })

    const odd: License = JSON.parse('{"__proto__":{"a":[1,{"b":null}]},"id":"lic-one"}')
    expect(encode('json', [[odd]])).toContain(JSON.stringify(odd))
  })

  test('csv has the documented fields in their order, all quoted, with an apostrophe before what could run', () => {
    const property = fc.property(pages, lists => {
      const rows = lists.flat().map(one =>
        FIELDS.map(field => {
          const text = String(one[field])
          if (field === 'maxIps') return text

          // Each piece between two separators, by itself.
          const pieces = text.split(/([,;:|\t\r\n])/).map(piece => {
            return /^["\s\p{C}]*[=+\-@＝＋－＠]/u.test(piece) ? `'${piece}` : piece
          })
          return `${/^[\t\r\n]/.test(text) ? "'" : ''}${pieces.join('')}`
        })
      )
      expect(readCsv(encode('csv', lists))).toEqual([[...FIELDS], ...rows])
    })
    fc.assert(property, { numRuns: 50 })

    const split = {
      id: 'a;=1',
      userId: 'a\t@x',
      creatorId: '-1;=1',
      productId: 'a: +1',
      expires: 'a|=1',
      maxIps: 1
    }
    expect(encode('csv', [[split]]).split('\r\n')[1]).toBe(
      `"a;'=1","a\t'@x","'-1;'=1","a:' +1","a|'=1","1"`
    )

    const [, quoted = ''] = encode('csv', [[{ ...split, id: 'x;"=1+1', userId: '"=1' }]]).split(
      '\r\n'
    )
    expect(splitAtSemicolons('"x;""=1+1"')).toContain('=1+1')
    expect(splitAtSemicolons(quoted).filter(text => /^[=+\-@]/.test(text))).toEqual([])
    expect(readCsv(`${quoted}\r\n`)[0]?.slice(0, 2)).toEqual([`x;'"=1+1`, `'"=1`])

    const reversed = {
      extra: 1,
      maxIps: -1,
      expires: 'e',
      productId: 'p',
      creatorId: 'c',
      userId: 'u',
      id: 'i'
    }
    expect(encode('csv', [[reversed]])).toBe(
      '"id","userId","creatorId","productId","expires","maxIps"\r\n"i","u","c","p","e","-1"\r\n'
    )
  })
})

/** The cells of a row for a reader that splits at every semicolon, and takes the quotes for its own. */
function splitAtSemicolons(row: string): string[] {
  return row.split(';').map(piece => piece.replaceAll('"', ''))
}

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
function openThree(before: (page: number) => unknown) {
  const pageOf = pagesOf(madeUpLicenses(3), { size: 1 })
  return openRegister(page => before(page) ?? pageOf(page))
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

test('a file that cannot be written fails with its path', async () => {
  await using register = await openThree(page => {
    if (page === 2) rmSync(join(register.workspace, 'new'), { recursive: true })
  })

  const { outputs, log, failed, files } = await register.list(NEW)
  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'output', path: '' })

  const path = join(register.workspace, 'new', 'licenses.json')
  expect(log.at(-1)).toContain(`${path} could not be written: `)
  expect([failed, files]).toEqual([true, []])
})
