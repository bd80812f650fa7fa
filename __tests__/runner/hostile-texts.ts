// Owns the texts that the properties of printing are tried with, and how many of them.
import { env, stderr } from 'node:process'
import fc from 'fast-check'
import { pick } from '../support/deep.ts'

/**
 * `PROPERTY_RUNS=350000 npm test -- text-properties` tries over a million texts; `PROPERTY_SEED` tries the
 * same ones again.
 */
const { PROPERTY_RUNS, PROPERTY_SEED } = env
export const RUNS = Number(PROPERTY_RUNS ?? pick(200, 2000))
export const SEED = Number(PROPERTY_SEED ?? Date.now() % 2 ** 31)
if (PROPERTY_RUNS !== undefined) stderr.write(`${RUNS} texts a property, by the seed ${SEED}\n`)

/** Pieces that mean something to the runner, among others and among line ends of all kinds. */
export const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom('::', '##', '#', '[', ']', ' ', '\t', '\n', '\r', '\r\n', '\ufeff', '\x85'),
      fc.constantFrom('\v', '\f', '\0', '\x1b', '\u2028', '\u2029', '\u00a0', '\u3000', '\ud800'),
      fc.constantFrom('\x1b[31m', '\x1b]8;;https://a.b\x07', '%0A', '%0D', '%25', 'x'.repeat(5000)),
      fc.constantFrom(
        '##[error]',
        '::error::',
        '::add-mask::x',
        '##[add-path]',
        '::stop-commands::t'
      ),
      fc.constantFrom('::error file=a,line=1::', '##[set-env name=A]', '::set-output name=a::b'),
      fc.string({ unit: 'binary', maxLength: 6 })
    ),
    { maxLength: 14 }
  )
  .map(parts => parts.join(''))
