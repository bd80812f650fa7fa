// Tests the forms of the file: values as they came, fields in their order, cells that no spreadsheet runs.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { drain, startBatch } from '../../src/licenses/batch.ts'
import { type Format, openEncoder } from '../../src/licenses/export.ts'
import { LICENSE_FIELDS } from '../../src/shop/license.ts'
import { parsePage } from '../../src/shop/license-page.ts'

const LICENSE = {
  id: 'lic-one',
  userId: 'usr-one',
  creatorId: 'crt',
  productId: '12',
  expires: '2027-01-01',
  maxIps: 3
}
const HEADER = 'id,userId,creatorId,productId,expires,maxIps'

/** What pages with these texts as their licenses become. */
async function encode(format: Exclude<Format, 'none'>, ...pages: readonly string[][]) {
  const encoder = await openEncoder(format)
  const batch = startBatch()
  const parts: string[] = []
  encoder.begin(batch)
  for (const [index, texts] of pages.entries()) {
    const page = parsePage(Buffer.from(`{"licenses":[${texts.join(',')}]}`), index + 1)
    encoder.append(batch, page, [...texts.keys()])
    parts.push(drain(batch).toString())
  }
  encoder.end(batch)
  return parts.join('') + drain(batch).toString()
}

/** The cells of a CSV text, read as RFC 4180 has it. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gs
  )) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

const cell = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\tx',
    '\rx',
    'a,b',
    'a"b',
    'a\nb',
    'a\rb',
    '\\',
    "'x",
    ' =x',
    '＝1'
  )
)
const license = fc.record({
  id: cell,
  userId: cell,
  creatorId: cell,
  productId: cell,
  expires: cell,
  maxIps: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
})

/** As a service could write it. */
function write({ maxIps, ...texts }: { readonly maxIps: bigint }): string {
  return `${JSON.stringify(texts).slice(0, -1)},"maxIps":${maxIps}}`
}

describe.each(['json', 'ndjson'] as const)('%s', format => {
  const parse = (text: string): unknown[] =>
    format === 'json'
      ? JSON.parse(text)
      : text
          .split('\n')
          .slice(0, -1)
          .map(line => JSON.parse(line))

  test('holds what the service wrote, byte for byte, one license a line', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(license, { minLength: 1 }), { minLength: 1 }),
        async pages => {
          const texts = pages.map(list => list.map(write))
          const file = await encode(format, ...texts)
          const lines = texts.flat()
          const expected =
            format === 'json' ? `[\n${lines.join(',\n')}\n]\n` : `${lines.join('\n')}\n`
          expect(file).toBe(expected)
          expect(parse(file)).toEqual(lines.map(line => JSON.parse(line)))
        }
      )
    )
  })

  test('of no licenses is whole', async () => {
    expect(await encode(format)).toBe(format === 'json' ? '[]\n' : '')
    expect(await encode(format, [], [])).toBe(format === 'json' ? '[]\n' : '')
  })

  test('has the documented fields first, in their order, and keeps the others, on one line', async () => {
    const values = { note: { 'a b': [1, ' x\\" ', { c: null }] }, ...LICENSE, more: true }
    const reversed = Object.fromEntries(Object.entries(values).reverse())
    const text = JSON.stringify(reversed, undefined, '\t').replace(
      '"maxIps": 3',
      '"maxIps": 12345678901234567890'
    )
    const file = await encode(format, [text])
    const line =
      '{"id":"lic-one","userId":"usr-one","creatorId":"crt","productId":"12","expires":"2027-01-01",' +
      '"maxIps":12345678901234567890,"more":true,"note":{"a b":[1," x\\\\\\" ",{"c":null}]}}'
    expect(file).toBe(format === 'json' ? `[\n${line}\n]\n` : `${line}\n`)
  })

  test('keeps a field that is called __proto__', async () => {
    const text = `${JSON.stringify(LICENSE).slice(0, -1)},"__proto__":{"a":1}}`
    expect(await encode('ndjson', [text])).toBe(`${text}\n`)
  })
})

describe('csv', () => {
  test('has a header, also without licenses', async () => {
    expect(await encode('csv')).toBe(`${HEADER}\r\n`)
  })

  test('has the values of the documented fields, with an apostrophe before what could run', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(license, { maxLength: 20 }), async list => {
        const [head, ...rows] = readCsv(await encode('csv', list.map(write)))
        expect(head).toEqual([...LICENSE_FIELDS])
        expect(rows).toEqual(
          list.map(({ maxIps, ...texts }) => [
            ...Object.values(texts).map(text =>
              /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text
            ),
            String(maxIps)
          ])
        )
      }),
      { numRuns: 300 }
    )
  })

  test('is the same for a license in any writing', async () => {
    const odd = { extra: [1], ...Object.fromEntries(Object.entries(LICENSE).reverse()) }
    const texts = [JSON.stringify(LICENSE), JSON.stringify(odd, undefined, 2)]
    expect(await encode('csv', texts)).toBe(
      `${HEADER}\r\n${'lic-one,usr-one,crt,12,2027-01-01,3\r\n'.repeat(2)}`
    )
  })

  test.each([
    ['-1', '-1'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['1e3', '1000'],
    ['2.0', '2']
  ])('has %s as a number', async (written, shown) => {
    const text = JSON.stringify(LICENSE).replace('"maxIps":3', `"maxIps":${written}`)
    expect(await encode('csv', [text])).toBe(
      `${HEADER}\r\nlic-one,usr-one,crt,12,2027-01-01,${shown}\r\n`
    )
  })
})

test('a batch grows for a license that is larger than all others, and shrinks again', async () => {
  const long = JSON.stringify({ ...LICENSE, expires: 'x'.repeat(3_000_000) })
  for (const format of ['json', 'ndjson', 'csv'] as const) {
    const file = await encode(format, [JSON.stringify(LICENSE)], [long], [JSON.stringify(LICENSE)])
    expect(file.length).toBeGreaterThan(3_000_000)
    expect(file.match(/lic-one/g)).toHaveLength(3)
  }
})
