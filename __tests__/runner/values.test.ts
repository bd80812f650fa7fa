// Tests of src/runner/values.ts: what the texts of inputs mean. The actions' own tests have the rest.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  describeFault,
  type Fault,
  oneOf,
  parseBaseUrl,
  parseId,
  parseSeconds,
  parseSecret,
  startReading
} from '../../src/runner/values.ts'

describe('the service’s address', () => {
  test.each([
    ['plain', 'https://shop.example.com', 'https://shop.example.com'],
    ['a slash at the end', 'https://shop.example.com/', 'https://shop.example.com'],
    ['slashes at the end', 'https://shop.example.com///', 'https://shop.example.com'],
    ['a path', 'https://example.com/shop/eu', 'https://example.com/shop/eu'],
    ['a path and slashes', 'https://example.com/shop//', 'https://example.com/shop'],
    ['a path with an @', 'https://example.com/@shop', 'https://example.com/@shop'],
    ['a path with spaces', 'https://example.com/my shop', 'https://example.com/my%20shop'],
    ['a path that climbs', 'https://example.com/a/../b', 'https://example.com/b'],
    ['capitals', 'HTTPS://Shop.Example.COM/Path', 'https://shop.example.com/Path'],
    ['the usual port', 'https://shop.example.com:443', 'https://shop.example.com'],
    ['a port', 'https://shop.example.com:8443/', 'https://shop.example.com:8443'],
    ['another script', 'https://bücher.example', 'https://xn--bcher-kva.example'],
    ['IPv6', 'https://[2001:DB8::1]:8443/x', 'https://[2001:db8::1]:8443/x'],
    ['this machine, by http', 'http://localhost:8080', 'http://localhost:8080'],
    ['this machine, by number', 'http://127.0.0.1', 'http://127.0.0.1'],
    ['this machine, by another number', 'http://127.8.9.10:80', 'http://127.8.9.10'],
    ['this machine, in short', 'http://127.1:81', 'http://127.0.0.1:81'],
    ['this machine, by IPv6', 'http://[::1]:8080/shop', 'http://[::1]:8080/shop'],
    ['this machine, by IPv6 in full', 'http://[0:0:0:0:0:0:0:1]', 'http://[::1]']
  ])('%s', (_, value, expected) => {
    expect(parseBaseUrl(value)).toBe(expected)
  })

  const HTTPS = 'is not https (http is accepted only for loopback addresses)'
  test.each([
    [
      'no scheme',
      'shop.example.com',
      '"shop.example.com" is not an address such as https://shop.example.com'
    ],
    ['no scheme, but a port', 'shop.example.com:8443', HTTPS],
    ['no host', 'https://', '"https://" is not an address'],
    ['a space in the host', 'https://sh op.example.com', 'is not an address'],
    ['a port that is none', 'https://shop.example.com:99999', 'is not an address'],
    ['an address in words', 'my shop', '"my shop" is not an address'],
    ['http', 'http://shop.example.com', `"http://shop.example.com" ${HTTPS}`],
    ['http to a private network', 'http://192.168.1.1', HTTPS],
    ['http to all addresses', 'http://0.0.0.0', HTTPS],
    ['http to a name that begins like a number', 'http://127.0.0.1.example.com', HTTPS],
    ['http to a name that ends like this machine', 'http://notlocalhost', HTTPS],
    ['http to a name below this machine', 'http://shop.localhost', HTTPS],
    ['http to IPv6', 'http://[2001:db8::1]:80', `"http://[2001:db8::1]:80" ${HTTPS}`],
    ['http to a port', 'http://shop:8080/eu/1', `"http://shop:8080/eu/1" ${HTTPS}`],
    ['a scheme of two parts', 'git+ssh1://shop:8080', `"git+ssh1://shop:8080" ${HTTPS}`],
    ['a password in the place of a port', 'https://me:pw', 'the address is not an address'],
    ['a name and a password alone', 'me:pw', `the address ${HTTPS}`],
    ['slashes the wrong way', 'ftp:\\\\shop\\eu', `"ftp:\\\\shop\\eu" ${HTTPS}`],
    ['another scheme', 'ftp://shop.example.com', HTTPS],
    ['a file', 'file:///etc/passwd', HTTPS],
    ['a user name', 'https://me@shop.example.com', 'contains a user name, a query or a fragment'],
    [
      'a password alone',
      'https://:pw@shop.example.com',
      'contains a user name, a query or a fragment'
    ],
    ['a query', 'https://shop.example.com?a=1', 'contains a user name, a query or a fragment'],
    ['an empty query', 'https://shop.example.com/?', 'contains a user name, a query or a fragment'],
    ['a fragment', 'https://shop.example.com/#a', 'contains a user name, a query or a fragment'],
    [
      'an empty fragment',
      'https://shop.example.com/#',
      'contains a user name, a query or a fragment'
    ]
  ])('%s is refused', (_, value, text) => {
    expect(() => parseBaseUrl(value)).toThrow(text)
  })

  test('is required', () => {
    expect(() => parseBaseUrl('')).toThrow('is required but not given')
  })
})

test('a reading goes on after a fault, and notes each', () => {
  const faults: Fault[] = [{ place: 'before', message: 'was noted already' }]
  const read = startReading((name: 'a' | 'b') => ` ${name} `, faults)
  expect(read('a', parseId)).toBeUndefined()
  expect(read('b', text => `<${text}>`)).toBe('<b>')
  expect(read('b', parseId)).toBeUndefined()
  expect(faults.map(describeFault)).toEqual([
    'before: was noted already',
    'a: "a" is not a positive integer',
    'b: "b" is not a positive integer'
  ])
})

test('a reading may have places of its own for the inputs', () => {
  const faults: Fault[] = []
  const read = startReading(
    () => 'x',
    faults,
    (name: 'a' | 'b') => `list[2].${name} (line 9)`
  )
  expect(read('b', parseId)).toBeUndefined()
  expect(faults).toEqual([
    { place: 'list[2].b (line 9)', message: '"x" is not a positive integer' }
  ])
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
  expect([parseSeconds('1'), parseSeconds('0.25'), parseSeconds('86400')]).toEqual([
    1000, 250, 86_400_000
  ])
})

test.each(['', '0', '0.0', '-1', '1e3', '.5', '1.', '86401', 'Infinity', '7days'])(
  '%j is no number of seconds',
  text => {
    expect(() => parseSeconds(text)).toThrow(
      `"${text}" is not a number of seconds above 0, and at most 86400`
    )
  }
)

test('a word is one of those that are known, to the letter', () => {
  expect(oneOf('b', ['a', 'b'])).toBe('b')
  for (const text of ['', 'B', 'ab', 'constructor']) {
    expect(() => oneOf(text, ['a', 'b'])).toThrow(`"${text}" is not one of "a", "b"`)
  }
})
