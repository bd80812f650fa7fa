// Tests of how printed lines are read: commands, masks, annotations, and lines cut out of chunks.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseCommand } from './commands.ts'
import { createLineSplitter, splitLines } from './lines.ts'
import { parseLog } from './log.ts'

describe('a command in a line', () => {
  test.each([
    ['at the start', '::error::no', 'no'],
    ['after blanks', ' \t::error::no', 'no'],
    ['after U+0085', '\u0085::error::no', 'no'],
    ['in upper case', '::ERROR::no', 'no'],
    ['with escapes', '::error::a%0Ab%0Dc%25d%3A', 'a\nb\rc%d%3A'],
    ['with an escaped escape', '::error::%250A', '%0A'],
    ['in brackets', '##[error]no', 'no'],
    ['in brackets amid text', 'see ##[error]no', 'no'],
    ['in brackets after an unknown colon command', '::nothing::##[error]no', 'no'],
    ['in brackets with escapes', '##[error]a%3Bb%5Dc%0A', 'a;b]c\n']
  ])('%s is found', (_, line, data) => {
    expect(parseCommand(line)).toEqual({ name: 'error', properties: {}, data })
  })

  test.each([
    ['after text', 'a ::error::no'],
    ['after U+FEFF', '\uFEFF::error::no'],
    ['without its end', '::error:no'],
    ['of an unknown name', '::nothing::no'],
    ['of an unknown name in brackets', '##[section]no'],
    ['behind an unknown one in brackets', '##[section] ##[error]no'],
    ['with broken brackets', '# #[error]no']
  ])('%s is text', (_, line) => {
    expect(parseCommand(line)).toBeUndefined()
  })

  test('has properties', () => {
    const line = '::error file=a%2Cb%3Ac.ts,line=3,empty=,=title==x=y::no'
    expect(parseCommand(line)?.properties).toEqual({ file: 'a,b:c.ts', line: '3', title: 'x=y' })
    expect(parseCommand('##[error file=a%3Bb;line=3]no')?.properties).toEqual({
      file: 'a;b',
      line: '3'
    })
  })
})

describe('the log', () => {
  test('shows what a user sees', () => {
    const text = '::group::Files\na\n::endgroup::\n::warning title=T::b%0Ac\n::debug::d\n'
    expect(parseLog(text).log).toBe('▸ Files\na\nWarning: b\nc\n')
    expect(parseLog(text, { debug: true }).log).toContain('##[debug]d\n')
    expect(parseLog(text).annotations).toEqual([{ kind: 'warning', message: 'b\nc', title: 'T' }])
  })

  test('ends lines at LF, CRLF and a lone CR', () => {
    expect(parseLog('a\r::notice::b\r\n::notice::c\n').commands).toHaveLength(2)
  })

  test('masks a text, each line of it, and its encodings, from then on', () => {
    const { log, masks } = parseLog(
      ['tiger', '::add-mask::tiger%0Alion 7', 'a tiger, a lion 7, dGlnZXI=, lion%207'].join('\n')
    )
    expect(log).toBe('tiger\na ***, a ***, ***, ***\n')
    expect(masks).toEqual(['tiger\nlion 7'])
  })

  test('masks what was secret before', () => {
    expect(parseLog('a tiger', { secrets: ['tiger'] }).log).toBe('a ***\n')
  })

  test('keeps ten annotations of a kind, each of 4,096 characters', () => {
    const run = parseLog(`${'::error::e\n'.repeat(11)}::notice::${'n'.repeat(5000)}`)
    expect(run.annotations.map(({ kind }) => kind)).toEqual([...Array(10).fill('error'), 'notice'])
    expect(run.annotations.at(-1)?.message).toHaveLength(4096)
    expect(run.droppedAnnotations).toBe(1)
    expect(run.log.match(/Error: e/g)).toHaveLength(11)
  })

  test.each(['::set-env name=A::b', '::add-path::/a', '##[set-env name=A]b', '::stop-commands::'])(
    '%s makes the step fail',
    line => {
      expect(parseLog(line).faults).toHaveLength(1)
    }
  )

  test('takes outputs and state from commands', () => {
    const run = parseLog('::set-output name=a::1\n::save-state name=b::2\n::set-output::3\n')
    expect(run).toMatchObject({ outputs: { a: '1' }, state: { b: '2' } })
    expect(run.faults).toHaveLength(1)
  })

  test('reads no command between stop-commands and its token', () => {
    const run = parseLog('::stop-commands::t1\n::error::a\n##[t1]\n::error::b\n')
    expect(run.annotations).toEqual([{ kind: 'error', message: 'b' }])
    expect(run.log).toBe('::stop-commands::t1\n::error::a\n##[t1]\nError: b\n')
  })

  test('echoes commands when asked', () => {
    expect(parseLog('::echo::on\n::group::a\n::notice::b\n').log).toBe(
      '::group::a\n▸ a\nNotice: b\n'
    )
  })
})

test('lines do not depend on how the bytes arrive', () => {
  const text = fc
    .array(fc.constantFrom('a', 'é', '\r', '\n', '\r\n', '::error::'))
    .map(a => a.join(''))
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 4 }), (whole, size) => {
      const lines: string[] = []
      const splitter = createLineSplitter(line => lines.push(line))
      const bytes = Buffer.from(whole)
      for (let at = 0; at < bytes.length; at += size) splitter.write(bytes.subarray(at, at + size))
      splitter.end()
      expect(lines).toEqual(splitLines(whole))
    })
  )
})
