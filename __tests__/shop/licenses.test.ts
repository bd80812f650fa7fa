// Tests of src/shop/licenses.ts: the shape of a page: its licenses, the page that follows, and what is no page.
import { expect, test } from '@jest/globals'
import { parsePage } from '../../src/shop/licenses.ts'

const LICENSE = {
  id: 'lic-one',
  userId: 'usr-one',
  creatorId: 'crt',
  productId: '12',
  expires: '2027-01-01',
  maxIps: 3
}

const page = (licenses: readonly unknown[], nextPage?: unknown) =>
  JSON.stringify({ licenses, nextPage })
const extended = (field: string) => page([LICENSE]).replace('"maxIps"', `${field},"maxIps"`)

function problemOf(body: string | Buffer): string {
  try {
    parsePage(Buffer.from(body))
    return 'none'
  } catch (error) {
    return Object(error).message
  }
}

test('licenses keep every field that was sent, whatever is around them', () => {
  const license = { note: ['é\ud83d\ude00', null], ...LICENSE }
  const licenses = [license, LICENSE]

  const body = `\ufeff ${JSON.stringify({ meta: {}, licenses }, undefined, 2)}\r\n`
  expect(parsePage(Buffer.from(body))).toEqual({ licenses, next: undefined })
})

test('an integer that a number cannot hold keeps its digits', () => {
  const { licenses } = parsePage(Buffer.from(extended('"balance":[9007199254740993]')))
  expect(JSON.stringify(licenses)).toContain('"balance":[9007199254740993]')
})

test.each([
  ['a number', 5, 5],
  ['a string of digits', '5', 5],
  ['no nextPage', undefined, undefined],
  ['null', null, undefined],
  ['0', 0, undefined],
  ['0 as a string', '0', undefined],
  ['an earlier page', 1, 1],
  ['a negative number', -5, -5]
])('the page that follows after %s', (_, nextPage, next) => {
  expect(parsePage(Buffer.from(page([LICENSE], nextPage))).next).toBe(next)
})

test('every field but the id may be null', () => {
  const nulls = Object.keys(LICENSE).map(field => [field, null])
  const license = { ...Object.fromEntries(nulls), id: 'lic-one' }
  expect(parsePage(Buffer.from(page([license]))).licenses).toEqual([license])
})

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
test('a field of any shape is read, as long as it can be written again', () => {
  const { licenses } = parsePage(Buffer.from(extended(`"more":${nested(60)}`)))
  expect(JSON.stringify(licenses)).toContain(nested(60))
  const long = { ...LICENSE, id: 'x'.repeat(1000) }
  expect(parsePage(Buffer.from(page([long]))).licenses).toEqual([long])
})

const shape = 'is not of the documented shape:'
const having = (over: object) => page([{ ...LICENSE, ...over }])

const latin = Buffer.from(having({ userId: 'usr-é' }), 'latin1')
test.each([
  ['an empty answer', ' ', 'is not JSON (1 byte)'],
  ['something after the page', '{"licenses":[]} lic-one', 'is not JSON (23 bytes)'],
  ['a list', '[]', `${shape} the page is an array, not an object`],
  ['no licenses', '{"nextPage":2}', 'has no `licenses`'],
  ['licenses of null', '{"licenses":null}', `${shape} \`licenses\` is null, not an array`],
  ['a text', page([LICENSE, 'x']), `${shape} \`licenses[1]\` is a string, not an object`],
  ['an id of 7', having({ id: 7 }), `${shape} \`licenses[0].id\` is a number, not a string`],
  ['a null id', having({ id: null }), `${shape} \`licenses[0].id\` is null, not a string`],
  ['half', having({ maxIps: 1.5 }), `${shape} \`licenses[0].maxIps\` is a number, not an integer`],
  ['no userId', having({ userId: undefined }), 'has no `licenses[0].userId`'],
  ['a nextPage of x', page([LICENSE], 'x'), `${shape} \`nextPage\` is a string, not an integer`],
  ['a deep field', extended(`"a":${nested(10_000)}`), 'has `licenses[0]` nested too deeply'],
  [
    'an id of a kilobyte',
    having({ id: 'x'.repeat(1001) }),
    'has a `licenses[0].id` of 1001 characters'
  ],
  ['text in Latin-1', latin, 'is not UTF-8']
])('%s is refused with its place, without a value', (_, body, message) => {
  expect(problemOf(body)).toBe(message)
})
