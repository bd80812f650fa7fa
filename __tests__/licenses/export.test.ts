// Tests the forms of the file: values as they came, fields in their order, cells that no spreadsheet runs.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Format, openEncoder } from '../../src/licenses/export.ts'
import { LICENSE_FIELDS, type License } from '../../src/shop/license-page.ts'

const HEADER = 'id,userId,creatorId,productId,expires,maxIps\r\n'
const ODD = ['', '=1+1', '+1', '-1', '@x', '\tx', '\rx', 'a,b', 'a"b', 'a\nb', 'a\rb', "'x", '＝1']

/** What pages of licenses become. */
async function encode(format: Exclude<Format, 'none'>, pages: readonly (readonly License[])[]) {
  const { head, encode, foot } = await openEncoder(format)
  return [head, ...pages.map(encode), foot].join('')
}

/** The cells of a CSV text, read as RFC 4180 has it. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gs
  )) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end !== ',') rows.push([])
  }
  return rows.slice(0, -1)
}

const cell = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constantFrom(...ODD))
const license = fc.record({
  id: cell,
  userId: cell,
  creatorId: cell,
  productId: cell,
  expires: cell,
  maxIps: fc.maxSafeInteger()
})
const pages = fc.array(fc.array(license, { maxLength: 5 }), { maxLength: 5 })

test.each([
  ['json', (text: string): unknown => JSON.parse(text)],
  ['ndjson', (text: string) => text.split('\n').slice(0, -1).map(parseLine)]
] as const)('%s holds every license with all its fields, one on a line', async (format, parse) => {
  await fc.assert(
    fc.asyncProperty(pages, async lists => {
      const text = await encode(format, lists)
      expect(parse(text)).toEqual(lists.flat())
      for (const one of lists.flat()) expect(text).toContain(JSON.stringify(one))
    })
  )
  const odd = parseLine('{"__proto__":{"a":[1,{"b":null}]},"id":"lic-one"}') as License
  expect(await encode(format, [[odd]])).toContain(JSON.stringify(odd))
})

function parseLine(line: string): unknown {
  return JSON.parse(line)
}

describe('csv', () => {
  test('has a header, also without licenses', async () => {
    expect(await encode('csv', [])).toBe(HEADER)
    expect(await encode('csv', [[]])).toBe(HEADER)
  })

  test('has the values of the documented fields, with an apostrophe before what could run', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async lists => {
        const rows = lists.flat().map(({ maxIps, ...texts }) => [
          ...Object.values(texts).map(text => {
            return /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text
          }),
          String(maxIps)
        ])
        expect(readCsv(await encode('csv', lists))).toEqual([[...LICENSE_FIELDS], ...rows])
      })
    )
  })

  test('has the fields in the documented order, and no others', async () => {
    const odd = { extra: 1, maxIps: -1, expires: 'e', productId: 'p', creatorId: 'c' }
    expect(await encode('csv', [[{ ...odd, userId: 'u', id: 'i' }]])).toBe(
      `${HEADER}i,u,c,p,e,-1\r\n`
    )
  })
})
