// Tests of src/runner/secrets.ts: what is taken for a credential, and what is left as it is.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { concealing } from '../../src/runner/secrets.ts'
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
    ['it is tiny', ['1', 'abc', '   ']]
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
