// Tests of src/runner/secrets.ts: what is taken for a credential, and what is left as it is; and proxies' passwords.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { openSecrets, proxySecrets } from '../../src/runner/secrets.ts'

const SECRET = 'pat|12/ab+cd=ef~$&'

/** Takes these secrets out of a text. */
function conceal(text: string, ...secrets: readonly string[]): string {
  const opened = openSecrets()
  secrets.forEach(opened.add)
  return opened.conceal(text)
}

test.each([
  ['in a sentence', `the ${SECRET}!`, 'the ***!'],
  ['twice', SECRET + SECRET, '******'],
  ['percent-encoded', `?t=${encodeURIComponent(SECRET)}&x`, '?t=***&x'],
  ['in base64', `Basic ${Buffer.from(SECRET).toString('base64')}.`, 'Basic ***.']
])('a secret is hidden %s', (_, text, shown) => {
  expect(conceal(text, SECRET)).toBe(shown)
})

test('a secret of any characters is hidden, and all else stays', () => {
  const secret = fc.string({ minLength: 4, unit: 'binary' }).filter(text => text.trim().length >= 4)
  fc.assert(
    fc.property(secret, word => {
      expect(conceal(`\r\n\0 ${word} \ud800$&`, word)).toBe('\r\n\0 *** \ud800$&')
    })
  )
})

test('a secret that starts like another is hidden whole', () => {
  expect(conceal('abcd-efgh abcd', 'abcd', 'abcd-efgh')).toBe('*** ***')
})

test.each([[[]], [['']], [['1', 'abc', '   ', ' abc\n   ']]])('%j is no credential', secrets => {
  const text = 'version 1, abc,    \u0000\ud800 ***'
  expect(conceal(text, ...secrets)).toBe(text)
})

describe('a proxy’s password', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  test.each([
    ['plain', 'http://me:s3cret@proxy:8080', ['s3cret', base64('me:s3cret')]],
    ['encoded', 'http://me:p%40ss@proxy', ['p%40ss', 'p@ss', base64('me:p@ss')]],
    ['not encoded as it should be', 'http://me:a b@proxy', ['a%20b', 'a b', base64('me:a b')]],
    ['with a per cent sign that encodes nothing', 'http://me:5%@p', ['5%', base64('me:5%')]],
    ['with an @ in it', 'http://me:a@b@proxy', ['a%40b', 'a@b', base64('me:a@b')]],
    ['without a user', 'http://:s3cret@proxy', ['s3cret', base64(':s3cret')]],
    ['without a scheme', 'me:s3cret@proxy:8080', ['s3cret', base64('me:s3cret')]]
  ])('is masked when it is %s', (_, address, secrets) => {
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
      expect(new Set(proxySecrets({ [name]: address }))).toEqual(new Set(secrets))
    }
  })

  test.each([
    ['no proxy', {}],
    ['an empty one', { HTTPS_PROXY: '' }],
    ['one without a password', { HTTPS_PROXY: 'http://me@proxy:8080' }],
    ['one without credentials', { HTTPS_PROXY: 'http://proxy:8080', NO_PROXY: 'a:b@c' }],
    ['a text that is not an address', { HTTPS_PROXY: 'http://[:x@' }]
  ])('%s has none', (_, env) => {
    expect(proxySecrets(env)).toEqual([])
  })

  test('each proxy has its own', () => {
    const env = { HTTPS_PROXY: 'http://a:one@p', http_proxy: 'http://a:two@p' }
    expect(proxySecrets(env)).toEqual(expect.arrayContaining(['one', 'two']))
  })
})
