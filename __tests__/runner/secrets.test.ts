// Tests of src/runner/secrets.ts: credentials are hidden in texts, also those of a proxy's address.
import { expect, test } from '@jest/globals'
import { openSecrets, proxySecrets } from '../../src/runner/secrets.ts'
import { ANY_UNIT, fc } from '../support/properties.ts'

const SECRET = 'pat|12/ab+cd=ef~$&"\\<_'

/** Takes these secrets out of a text. */
const conceal = (text: string, ...secrets: readonly string[]) => {
  const opened = openSecrets()
  secrets.forEach(opened.add)
  return opened.conceal(text)
}

test.each([
  ['in a sentence', `the ${SECRET}!`, 'the ***!'],
  ['twice', SECRET + SECRET, '******'],
  ['in JSON', JSON.stringify([SECRET]), '["***"]']
])('a secret is hidden %s', (_, text, shown) => {
  expect(conceal(text, SECRET)).toBe(shown)
})

test('a secret of any characters is hidden, and all else stays', () => {
  const secret = fc.string({ minLength: 4, unit: ANY_UNIT }).filter(text => text.trim().length >= 4)
  fc.assert(
    fc.property(secret, word => {
      expect(conceal(`\r\n\0 ${word} \ud800$&`, word)).toBe('\r\n\0 *** \ud800$&')
    })
  )
})

test('a secret that starts like another is hidden whole; too short a text is none', () => {
  expect(conceal('abcd-efgh abcd', 'abcd', 'abcd-efgh')).toBe('*** ***')

  const text = 'version 1, abc,    \u0000\ud800 ***'
  expect(conceal(text, '', '1', 'abc', ' abc\n   ')).toBe(text)
})

test.each([
  ['plain', 'http://me:s3cret@proxy:8080', ['s3cret']],
  ['encoded', 'http://me:p%40ss@proxy', ['p%40ss', 'p@ss']],
  ['with a per cent sign that encodes nothing', 'http://me:5%@p', ['5%']],
  ['with an @ in it', 'http://me:a@b@proxy', ['a@b']],
  ['without a user', 'http://:s3cret@proxy', ['s3cret']],
  ['without a scheme', 'me:s3cret@proxy:8080', ['s3cret']],
  ['not there', 'http://me@proxy:8080', []]
])('a proxy’s password is a secret: %s', (_, address, secrets) => {
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
    expect(new Set(proxySecrets({ [name]: address }))).toEqual(new Set(secrets))
  }
})
