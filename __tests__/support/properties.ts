// Properties: fast-check, which tries the same cases in every run; `PROPERTY_SEED` has it try others.
import { env } from 'node:process'
import fc from 'fast-check'

const { PROPERTY_SEED = '20260131' } = env

fc.configureGlobal({ seed: Number(PROPERTY_SEED) })

/**
 * Any code unit of UTF-16, half a pair of surrogates among them. The library's own `unit: 'binary'` takes a second in
 * every file that uses it, for a table of all characters.
 */
export const ANY_UNIT: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0xffff })
  .map(unit => String.fromCharCode(unit))

export { fc }
