// Tests of src/runner/printing.ts: other people's text in the log and in titles.
import { expect, test } from '@jest/globals'
import { harmless, oneLine, quoteLines } from '../../src/runner/printing.ts'
import { parseLog } from '../support/log.ts'
import { fc } from '../support/properties.ts'
import { hostileText, RUNS } from './step.ts'

const PLAIN = 'Released 1.2.3 – ünï 🎉\n\n## [1.2.3]\n'

test.each<[string, (text: string) => string, string, string]>([
  ['in the log, a plain text stays', harmless, PLAIN, PLAIN],
  ['in the log, a command gets a margin', harmless, ' \t::a name=b::c', '| ::a name=b::c'],
  ['in the log, the other notation is broken', harmless, 'a ##[error]x', 'a ## [error]x'],
  ['in the log, controls are replaced', harmless, '\ufeff\x1b[31mx', '\ufffd\ufffd[31mx'],
  ['a block has a margin on every line', quoteLines, 'a\r\n\n##[x]', '  | a\n  |\n  | ## [x]']
])('%s', (_, make, text, expected) => {
  expect(make(text)).toBe(expected)
})

/** A control but for tab and LF, half of a surrogate pair, another line's end, or a byte order mark. */
const UNSAFE = /[^\P{Cc}\t\n]|\p{Cs}|[\u2028\u2029\ufeff]/u

test.each([harmless, quoteLines, oneLine])('%p leaves no command, whatever stands around', make => {
  fc.assert(
    fc.property(hostileText, hostileText, (text, other) => {
      for (const printed of [make(text), `${make(text)}\n${make(other)}\n`]) {
        expect(parseLog(printed)).toMatchObject({ commands: [], masks: [] })
        expect(printed).not.toContain('##[')
        expect(printed).not.toMatch(UNSAFE)
      }

      expect(oneLine(text)).not.toMatch(/[\r\n]/)
      for (const line of quoteLines(text).split('\n')) expect(line).toMatch(/^ {2}\|( |$)/)
    }),
    { numRuns: RUNS }
  )
})
