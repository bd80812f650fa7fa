// Tests of src/runner/parsers.ts: the values of inputs. The tests of the actions have the rest.
import { expect, test } from '@jest/globals'
import { parseBaseUrl, parseId, parseSeconds, parseSecret } from '../../src/runner/parsers.ts'
import { fc } from '../support/properties.ts'

test.each([
  ['slashes at the end', 'https://shop.example.com///', 'https://shop.example.com'],
  ['a path with slashes', 'https://example.com/shop/eu//', 'https://example.com/shop/eu'],
  ['a path that climbs', 'https://example.com/a/../b c', 'https://example.com/b%20c'],
  ['capitals and the usual port', 'HTTPS://Shop.Example.COM:443', 'https://shop.example.com'],
  ['a dot at the end of the host', 'https://shop.example.com./eu', 'https://shop.example.com/eu'],
  ['another script and a port', 'https://bücher.example:84', 'https://xn--bcher-kva.example:84'],
  ['this machine, by http', 'http://localhost:8080', 'http://localhost:8080'],
  ['this machine, by IPv6', 'http://[0:0:0:0:0:0:0:1]/shop', 'http://[::1]/shop']
])('the service’s address: %s', (_, value, expected) => {
  expect(parseBaseUrl(value)).toBe(expected)
})

const HTTPS = 'is not https (http is accepted only for loopback addresses)'
const ADDRESS = 'is not an address such as https://shop.example.com'
const PARTS = 'contains a user name, a query or a fragment: give only the address'

test.each([
  ['nothing', '', 'is required but not given'],
  ['no scheme', 'shop.example.com', `"shop.example.com" ${ADDRESS}`],
  ['a port that is none', 'https://shop:99999', `"https://shop:99999" ${ADDRESS}`],
  ['http', 'http://shop:8080/eu/1', `"http://shop:8080/eu/1" ${HTTPS}`],
  ['http to all addresses', 'http://0.0.0.0', `"http://0.0.0.0" ${HTTPS}`],
  ['http to a name like a number', 'http://127.0.0.1.a', `"http://127.0.0.1.a" ${HTTPS}`],
  ['http to a name below this machine', 'http://a.localhost', `"http://a.localhost" ${HTTPS}`],
  ['another scheme', 'ftp://shop.example.com', `"ftp://shop.example.com" ${HTTPS}`],
  ['a password in the place of a port', 'https://me:pw', `the value ${ADDRESS}`],
  ['a user name', 'https://me@shop.example.com', PARTS],
  ['a password alone', 'https://:pw@shop.example.com', PARTS],
  ['an empty query', 'https://shop.example.com/?', PARTS],
  ['a fragment', 'https://shop.example.com/#a', PARTS]
])('the service’s address, %s, is refused', (_, value, message) => {
  expect(() => parseBaseUrl(value)).toThrow(new Error(message))
})

test('a credential is never quoted, whatever is wrong with it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), text => {
      const isFine = /^[!-~]*$/.test(text)
      if (isFine) expect(parseSecret(text)).toBe(text)
      else expect(() => parseSecret(text)).toThrow(/^contains a space, .* save the secret again$/)
    }),
    { numRuns: 300 }
  )
})

test('every id that a number holds is read, and nothing else', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.string(), (id, text) => {
      expect(parseId(String(id))).toBe(id)
      if (!/^[1-9]\d*$/.test(text)) expect(() => parseId(text)).toThrow('positive integer')
    }),
    { numRuns: 500 }
  )
})

test('seconds become milliseconds', () => {
  const texts = ['1', '0.25', '86400']
  expect(texts.map(text => parseSeconds(text))).toEqual([1000, 250, 86_400_000])
  for (const text of ['', '0', '-1', '1e3', '.5', '86401', '7days']) {
    const message = `"${text}" is not a number of seconds (above 0, up to 86400)`
    expect(() => parseSeconds(text)).toThrow(new Error(message))
  }
})
