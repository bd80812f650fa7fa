// Tests the wire shape of a page: its licenses, the page that follows, and what is no page.
import { expect, test } from '@jest/globals'
import { parsePage, withoutIds } from '../../src/shop/licenses.ts'

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

test('licenses have every field that was sent, whatever stands around them', () => {
  const license = { note: ['é\ud83d\ude00', null], ...LICENSE }
  const licenses = [license, LICENSE]
  const body = `\ufeff ${JSON.stringify({ meta: {}, licenses }, undefined, 2)}\r\n`
  expect(parsePage(Buffer.from(body))).toEqual({ licenses, next: undefined })
})

test('a number that JavaScript would change is refused, and no other', () => {
  const kept =
    '9007199254740991 -0 -1.23456789012340 2.0 1e3 12.50E-1 0.30000000000000004 1e21 "12345678901234567890"'
  for (const value of [...kept.split(' '), '{"text":"a:1e3,12345678901234567890"}']) {
    expect([value, problemOf(extended(`"balance":${value}`))]).toEqual([value, 'none'])
  }
  const lost = 'contains a number with too many digits to be kept exactly: `balance`'
  const changed =
    '9007199254740993 -12345678901234567890 0.1234567890123456789 1.00000000000000000001 1e400 1e-400'
  for (const value of changed.split(' ')) {
    expect([value, problemOf(extended(`"deep":[{"balance": ${value}}]`))]).toEqual([value, lost])
  }
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

const shape = 'is not of the documented shape:'
const having = (over: object) => page([{ ...LICENSE, ...over }])
const latin = Buffer.from(having({ userId: 'usr-é' }), 'latin1')
test.each([
  ['an empty answer', ' ', 'is empty'],
  ['HTML', '<!doctype html>', 'is HTML or XML, not JSON (15 characters)'],
  ['JSON that is cut short', '{"licenses":[', 'is not JSON (13 characters)'],
  ['something after the page', '{"licenses":[]} lic-one', 'is not JSON (23 characters)'],
  ['a list', '[]', `${shape} the page is an array, not an object`],
  ['no licenses', '{"nextPage":2}', 'has no `licenses`'],
  ['licenses of null', '{"licenses":null}', `${shape} \`licenses\` is null, not an array`],
  ['a text', page([LICENSE, 'x']), `${shape} \`licenses[1]\` is a string, not an object`],
  ['an id of 7', having({ id: 7 }), `${shape} \`licenses[0].id\` is a number, not a string`],
  ['half', having({ maxIps: 1.5 }), `${shape} \`licenses[0].maxIps\` is a number, not an integer`],
  ['no userId', having({ userId: undefined }), 'has no `licenses[0].userId`'],
  ['a nextPage of x', page([LICENSE], 'x'), `${shape} \`nextPage\` is a string, not an integer`],
  ['text in Latin-1', latin, 'is not UTF-8']
])('%s is refused with its place, without a value', (_, body, message) => {
  expect(problemOf(body)).toBe(message)
})

test.each([
  // What identifies a license or a user.
  ['No license lic_00000001 for usr-one.', 'No license … for ….'],
  ['User 17 (id: 42) has license #3', 'User … (id: …) has license #…'],
  ['6f1c2d3e-0000-4000-8000-000000000000 is gone', '… is gone'],
  ['Buyer ada.lovelace@example.com, cus_NffrFeUfNV2Hib', 'Buyer …, …'],
  ['key abcdefghijklmnopqrstuvwxyz, ABCD-1234-EF', 'key …, …'],
  ['"u_1": account ٤٢', '"…": account …'],
  // What does not.
  ...[
    'The page field must be an integer of at least 1.',
    'Unauthenticated. Use the API key, not a Bearer token (HTTP 401).',
    'Too many requests: 60 per minute from 203.0.113.7',
    'Licenses of v1.4.2 are not supported by 2.0',
    'Ungültiger Schlüssel — 無効なキー'
  ].map(text => [text, text])
])('of %j, this is shown: %j', (text, shown) => {
  expect(withoutIds(text)).toBe(shown)
})

test('a hostile message ends at once', () => {
  for (const part of ['a.', '@', 'lic_', '-', 'x', '1 ']) withoutIds(part.repeat(200_000))
}, 5000)
