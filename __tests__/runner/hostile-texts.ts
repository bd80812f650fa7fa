// Owns the texts that the properties of printing are tried with, and how many of them.
import fc from 'fast-check'
import { pick } from '../support/deep.ts'

export const RUNS = pick(200, 2000)

/** What means something to the runner, among others and among line ends of all kinds. */
const PIECES = [
  ...['::', '##', '#', '[', ']', ' ', '\t', '\n', '\r', '\r\n', '\ufeff', '\x85', '\v', '\f', '\0'],
  ...['\x1b', '\u2028', '\u2029', '\u00a0', '\u3000', '\ud800', '\x1b[31m', '\x1b]8;;https://a.b'],
  ...['%0A', '%0D', '%25', 'x'.repeat(5000), '##[error]', '::error::', '::add-mask::x'],
  ...['##[add-path]', '::stop-commands::t', '::error file=a,line=1::', '::set-output name=a::b']
]
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 6 })), {
    maxLength: 14
  })
  .map(parts => parts.join(''))
