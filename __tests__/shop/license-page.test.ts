// Tests the wire shape of a page: where the values lie, where the list goes on, and what is no page.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { endOf, LICENSE_FIELDS, PageFault, startOf } from '../../src/shop/license.ts'
import { parsePage } from '../../src/shop/license-page.ts'

const LICENSE = {
  id: 'lic-one',
  userId: 'usr-one',
  creatorId: 'crt',
  productId: '12',
  expires: '2027-01-01',
  maxIps: 3
}

/** The documented fields of every license, read back from where the page says that they lie. */
function read(text: string, room?: Uint32Array) {
  const { json, count, spans } = parsePage(Buffer.from(text), 1, room)
  return Array.from({ length: count }, (_, index) =>
    Object.fromEntries(
      LICENSE_FIELDS.map((name, field) => {
        const raw = json.toString('utf8', startOf(spans, index, field), endOf(spans, index, field))
        return [name, JSON.parse(raw)]
      })
    )
  )
}

function faultOf(text: string | Buffer): string {
  try {
    parsePage(Buffer.from(text), 1)
  } catch (error) {
    if (error instanceof PageFault) return error.message
    throw error
  }
  return 'no fault'
}

const page = (licenses: readonly unknown[], next?: unknown) =>
  JSON.stringify({ licenses: licenses, nextPage: next })

const licenses = fc.array(
  fc
    .record({
      id: fc.string({ unit: 'binary' }),
      userId: fc.string(),
      creatorId: fc.string({ unit: 'grapheme' }),
      productId: fc.string(),
      expires: fc.string(),
      maxIps: fc.oneof(fc.integer(), fc.constantFrom(1e21, -0, 2 ** 53))
    })
    .map(license => ({ ...license, id: license.id.toWellFormed() }))
)

describe('the values of a page', () => {
  test('lie where the page says, in any order, writing and company', () => {
    const shape = fc.record({
      indent: fc.constantFrom(undefined, 1, '\t'),
      order: fc.shuffledSubarray([...LICENSE_FIELDS, 'x', 'y'], { minLength: 8 }),
      bare: fc.boolean(),
      extra: fc.jsonValue()
    })
    fc.assert(
      fc.property(licenses, shape, (list, { indent, order, bare, extra }) => {
        const written = list.map(license => {
          const all = { ...license, x: extra, y: 0 }
          const names = bare ? LICENSE_FIELDS : order
          return Object.fromEntries(names.map(name => [name, Reflect.get(all, name)]))
        })
        const text = JSON.stringify({ meta: extra, licenses: written }, undefined, indent)
        expect(read(text)).toEqual(JSON.parse(JSON.stringify(list)))
      })
    )
  })

  test('are those of the last of two members with one name, as everywhere', () => {
    const text = `{"licenses":[{"id":"first",${JSON.stringify(LICENSE).slice(1)}]}`
    expect(read(text)).toEqual([LICENSE])
  })

  test('are found under a name that is written with escapes', () => {
    expect(read(page([LICENSE]).replace('"id"', '"\\u0069d"'))).toEqual([LICENSE])
  })

  test('do not depend on the room that another page has left', () => {
    const room = new Uint32Array(4096).fill(7)
    expect(read(page([LICENSE, { ...LICENSE, id: 'lic-two' }]), room)).toEqual([
      LICENSE,
      { ...LICENSE, id: 'lic-two' }
    ])
    expect(read(page([]), room)).toEqual([])
  })
})

describe('the page that follows', () => {
  const nextOf = (next: string, list: readonly unknown[] = [LICENSE], asked = 4) =>
    parsePage(Buffer.from(page(list).replace(/\}$/, `${next}}`)), asked).next

  test.each([
    ['a larger number', ',"nextPage":5', 5],
    ['a number after a gap', ',"nextPage":90', 90],
    ['a string of digits', ',"nextPage":"5"', 5],
    ['a number in another writing', ',"nextPage":5e0', 5]
  ])('is told by %s', (_, text, next) => {
    expect(nextOf(text)).toBe(next)
  })

  test.each([
    ['is no nextPage', ''],
    ['is null', ',"nextPage":null'],
    ['is 0', ',"nextPage":0'],
    ['is 0 as a string', ',"nextPage":"0"'],
    ['is the page itself', ',"nextPage":4'],
    ['is an earlier page', ',"nextPage":1'],
    ['is negative', ',"nextPage":-5']
  ])('is none when there %s', (_, text) => {
    expect(nextOf(text)).toBeUndefined()
  })

  test('is none after an empty page', () => {
    expect(nextOf(',"nextPage":5', [])).toBeUndefined()
  })
})

describe('what is no page', () => {
  test.each([
    ['an empty answer', '', 'is empty'],
    ['HTML', '<!doctype html>', 'is HTML or XML, not JSON (wrong from byte 1 of 15 on)'],
    ['JSON that is cut short', '{"licenses":[', 'is not JSON (cut short)'],
    ['something after the page', '{"licenses":[]} x', 'is not JSON (wrong from byte 17 of 17 on)'],
    ['a list', '[]', 'is not of the documented shape: its whole is an array, not an object'],
    ['no licenses', '{"nextPage":2}', 'has no `licenses`'],
    ['licenses twice', '{"licenses":[],"licenses":[]}', 'holds `licenses` twice'],
    [
      'licenses that are null',
      '{"licenses":null}',
      'is not of the documented shape: `licenses` is null, not an array'
    ],
    [
      'a license that is a string',
      page([LICENSE, 'lic-two']),
      'is not of the documented shape: `licenses[1]` is a string, not an object'
    ],
    [
      'an id that is a number',
      page([LICENSE, { ...LICENSE, id: 7 }]),
      'is not of the documented shape: `licenses[1].id` is a number, not a string'
    ],
    [
      'an expires that is null',
      page([{ ...LICENSE, expires: null }]),
      'is not of the documented shape: `licenses[0].expires` is null, not a string'
    ],
    [
      'a maxIps that is a string',
      page([{ ...LICENSE, maxIps: '3' }]),
      'is not of the documented shape: `licenses[0].maxIps` is a string, not an integer'
    ],
    [
      'a maxIps with a fraction',
      page([{ ...LICENSE, maxIps: 3.5 }]),
      'is not of the documented shape: `licenses[0].maxIps` is a number that is none, not an integer'
    ],
    [
      'a license without userId',
      page([LICENSE, LICENSE, { ...LICENSE, userId: undefined }]),
      'has no `licenses[2].userId`'
    ],
    [
      'a nextPage that is an object',
      page([LICENSE], {}),
      'is not of the documented shape: `nextPage` is an object, not an integer'
    ],
    [
      'a nextPage that is a word',
      page([LICENSE], 'lic-one'),
      'is not of the documented shape: `nextPage` is a string, not an integer'
    ],
    [
      'a nextPage with a fraction',
      page([LICENSE], 2.5),
      'is not of the documented shape: `nextPage` is a number that is none, not an integer'
    ],
    [
      'a nextPage that no number holds',
      '{"licenses":[],"nextPage":9007199254740993}',
      'has a `nextPage` with too many digits'
    ]
  ])('%s is refused with its place', (_, text, message) => {
    expect(faultOf(text)).toBe(message)
  })

  test('is bytes that are not UTF-8', () => {
    const text = Buffer.from(page([{ ...LICENSE, userId: 'usr-\u00e9' }]), 'latin1')
    expect(faultOf(text)).toBe('is not UTF-8')
  })

  test('is a page that is cut anywhere, and no message quotes a value', () => {
    const whole = page([LICENSE, { ...LICENSE, more: [{ a: 'usr-two' }] }], 2)
    for (let length = 0; length < whole.length; length++) {
      const fault = faultOf(whole.slice(0, length))
      expect(fault).toMatch(/^is (empty|not JSON \((cut short|wrong from byte \d+ of \d+ on)\))$/)
    }
  })
})
