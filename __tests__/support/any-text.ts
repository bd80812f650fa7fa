// Texts of any characters, for properties.
import fc from 'fast-check'

/**
 * Any code unit of UTF-16, half a pair of surrogates among them. The library's own `unit: 'binary'` takes a second in
 * every file that uses it, for a table of all characters.
 */
export const ANY_UNIT: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0xffff })
  .map(unit => String.fromCharCode(unit))
