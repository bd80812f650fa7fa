// Tests of src/runner/secrets.ts: what is taken for a credential, and what is left as it is; and proxies' passwords.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { concealing, proxySecrets } from '../../src/runner/secrets.ts'
import { markdown } from '../../src/runner/text.ts'

const SECRET = 'pat|12/ab+cd=ef~$&'

describe('a secret', () => {
  test.each([
    ['stands in a sentence', `the ${SECRET}!`, 'the ***!'],
    ['stands twice', SECRET + SECRET, '******'],
    ['is percent-encoded', `?t=${encodeURIComponent(SECRET)}&x`, '?t=***&x'],
    ['is percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET)), '***'],
    ['is encoded as a form is', String(new URLSearchParams({ t: SECRET })), 't=***'],
    ['stands in Markdown of ours', `${markdown(SECRET)}.`, '***.'],
    ['stands in JSON of PHP’s', SECRET.replaceAll('/', '\\/'), '***'],
    [
      'is spelled in several ways at once',
      `pat&#x7C;12%2fab+cd=${encodeURIComponent('ef~$&')}`,
      '***'
    ]
  ])('is hidden where it %s', (_, text, shown) => {
    expect(concealing([SECRET])(text)).toBe(shown)
  })

  test('in base64 leaves none of its letters, whatever stands around it', () => {
    const around = fc.string({ maxLength: 9 })
    const property = fc.property(around, around, (before, after) => {
      for (const alphabet of ['base64', 'base64url'] as const) {
        const text = Buffer.from(before + SECRET + after).toString(alphabet)
        const left = concealing([SECRET])(text).split('***')
        expect(left).toHaveLength(2)
        const [start = '', end = ''] = left
        expect(
          before.startsWith(
            Buffer.from(start, alphabet)
              .toString()
              .replace(/\ufffd$/, '')
          )
        ).toBe(true)
        expect(end.length).toBeLessThanOrEqual(Math.ceil((Buffer.byteLength(after) * 4) / 3) + 3)
      }
    })
    fc.assert(property)
  })

  test('of any characters is hidden in every spelling, and wherever it stands', () => {
    const secret = fc
      .string({ minLength: 4, unit: 'binary' })
      .filter(text => text.trim().length >= 4)
    const property = fc.property(secret, fc.string(), (word, around) => {
      const conceal = concealing([word])
      const entities = [...word].map(character => `&#${character.codePointAt(0)};`).join('')
      for (const spelled of [word, encodeURIComponent(word), entities]) {
        expect(conceal(`${around} ${spelled} ${around}`)).toContain(' *** ')
      }
    })
    fc.assert(property)
  })

  test('in base64 is hidden whatever letters it begins with there', () => {
    const secret = fc.uint8Array({ minLength: 16, maxLength: 40 })
    const property = fc.property(secret, bytes => {
      const word = Buffer.from(bytes).toString('latin1')
      fc.pre(!/[\r\n]/.test(word))
      for (const alphabet of ['base64', 'base64url'] as const) {
        expect(concealing([word])(Buffer.from(word).toString(alphabet))).toBe('***')
      }
    })
    fc.assert(property)
  })

  test.each(['', 'a', 'ab'])('of eight letters is hidden in base64 behind %j, too', before => {
    const text = Buffer.from(`${before}s3cr3t!9`).toString('base64')
    expect(concealing(['s3cr3t!9'])(text)).toBe('***')
  })

  test('is hidden where Markdown of ours splits what GitHub would link', () => {
    const secret = '#12:www.a@b.c'
    expect(concealing([secret])(`(${markdown(secret)})`)).toBe('(***)')
  })

  test('of several lines is hidden line by line, too', () => {
    expect(concealing(['first-line\nsecond-line'])('a second-line, first-line')).toBe('a ***, ***')
  })

  test('that starts like another is hidden whole', () => {
    expect(concealing(['abcd', 'abcd-efgh'])('abcd-efgh abcd')).toBe('*** ***')
  })
})

describe('everything else stays', () => {
  test.each([
    ['nothing is secret', []],
    ['the secret is empty', ['']],
    ['it is tiny', ['1', 'abc', '   ']],
    ['it is white space, or tiny within it', ['    ', ' abc\n    ']]
  ])('where %s', (_, secrets) => {
    const text = 'version 1, abc,    \u0000\ud800 ***'
    expect(concealing(secrets)(text)).toBe(text)
  })

  test('byte for byte, around a secret', () => {
    expect(concealing(['abcd'])('\r\n\u0000\ud800abcd\ufeff$&')).toBe('\r\n\u0000\ud800***\ufeff$&')
  })

  test('in any text without it', () => {
    const conceal = concealing([SECRET])
    fc.assert(fc.property(fc.string(), text => expect(conceal(text)).toBe(text)))
  })
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
      expect(proxySecrets({ [name]: address }).toSorted()).toEqual(secrets.toSorted())
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
