// Tests that the scanner takes exactly what JSON.parse takes.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { JsonFault, skipSpace, skipValue } from '../../src/shop/scan.ts'

/** Whether the scanner takes all of a text for one value. */
function isValue(text: string): boolean {
  const json = Buffer.from(text)
  try {
    return skipSpace(json, skipValue(json, skipSpace(json, 0))) === json.length
  } catch (error) {
    if (error instanceof JsonFault) return false
    throw error
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A text of JSON with something put in the place of a few of its characters. */
const damaged = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom(
      '',
      ' ',
      '"',
      '\\',
      '\\u12',
      '\\x',
      '0',
      '-',
      '.',
      'e',
      ',',
      ':',
      '[',
      '}',
      'tru',
      '\n'
    )
  )
  .map(([text, at, count, other]) => {
    const start = at % (text.length + 1)
    return text.slice(0, start) + other + text.slice(start + count)
  })

describe('what the scanner takes for a value', () => {
  test('is what JSON.parse takes, in any writing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t', '\r\n'), (value, indent) => {
        expect(isValue(` ${JSON.stringify(value, undefined, indent)} `)).toBe(true)
      })
    )
  })

  test('is nothing that JSON.parse refuses', () => {
    fc.assert(
      fc.property(damaged, text => {
        expect([text, isValue(text)]).toEqual([text, parses(text)])
      }),
      { numRuns: 3000 }
    )
  })

  test.each([
    ['an empty text', ''],
    ['white space alone', ' '],
    ['a number with a leading zero', '01'],
    ['a minus alone', '-'],
    ['a point without digits after it', '1.'],
    ['an exponent without digits', '1e+'],
    ['a comma at the end of a list', '[1,]'],
    ['a comma at the end of an object', '{"a":1,}'],
    ['a name without quotes', '{a:1}'],
    ['a member without a colon', '{"a" 1}'],
    ['a line break in a string', '"a\nb"'],
    ['half an escape', '"\\u12g4"'],
    ['a string without its end', '"a'],
    ['the wrong bracket', '[1}'],
    ['a word that is none', 'nul'],
    ['a byte order mark', '\ufeff1'],
    ['white space that JSON does not know', '\u00a01']
  ])('is not %s', (_, text) => {
    expect(isValue(text)).toBe(false)
    expect(parses(text)).toBe(false)
  })

  test('may be nested deeper than a stack', () => {
    expect(isValue('['.repeat(200_000) + ']'.repeat(200_000))).toBe(true)
  })
})
