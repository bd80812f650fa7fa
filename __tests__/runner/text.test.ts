// Tests of src/runner/text.ts: other people's text in the log, in titles and in the summary.
import { describe, expect, test } from '@jest/globals'
import { fenced, harmless, markdown, oneLine, quoted, sizeText } from '../../src/runner/text.ts'

describe('text for the log', () => {
  test.each([
    ['a plain line stays', 'Released 1.2.3 – ünï 🎉', 'Released 1.2.3 – ünï 🎉'],
    ['tabs stay', 'a\tb', 'a\tb'],
    ['empty lines stay', 'a\n\nb\n', 'a\n\nb\n'],
    ['CRLF and a lone CR become LF', 'a\r\nb\rc', 'a\nb\nc'],
    ['a command gets a margin', '::error::x', '| ::error::x'],
    ['so does one behind white space', ' \t::set-output name=a::b', '| ::set-output name=a::b'],
    ['so does one behind a lone CR', 'a\r::error::x', 'a\n| ::error::x'],
    ['two colons within a line are harmless', 'std::vector<int>', 'std::vector<int>'],
    ['the other notation is broken', 'a ##[error]x', 'a ## [error]x'],
    ['also behind more signs', '####[error]x', '#### [error]x'],
    ['a heading stays', '## [1.2.3] - ##', '## [1.2.3] - ##'],
    ['colours lose their power', '\x1b[31mred', '\ufffd[31mred'],
    ['other controls are replaced', 'a\0b\x07c\x7fd\x85e', 'a\ufffdb\ufffdc\ufffdd\ufffde'],
    ['separators are replaced', 'a\u2028b\u2029c', 'a\ufffdb\ufffdc'],
    ['a mark before a command is replaced', '\ufeff::error::x', '\ufffd::error::x'],
    ['half a character is replaced', 'a\ud800b', 'a\ufffdb']
  ])('%s', (_, text, expected) => {
    expect(harmless(text)).toBe(expected)
  })

  test('a block has a visible margin on every line', () => {
    expect(quoted('a\r\n\n::error::b\n##[x]')).toBe('  | a\n  |\n  | ::error::b\n  | ## [x]')
  })

  test.each([
    ['lines are joined', ' a\nb\r\nc\rd ', 'a b c d'],
    ['joining makes no command', '##\n[error]x', '## [error]x'],
    ['a command gets a margin', '\n ::error::x', '| ::error::x'],
    ['the other notation is broken', '##[error]x', '## [error]x']
  ])('on one line, %s', (_, text, expected) => {
    expect(oneLine(text)).toBe(expected)
  })
})

describe('text for the summary', () => {
  test.each([
    ['letters stay', 'Released 1.2.3 – ünï 🎉', 'Released 1.2.3 – ünï 🎉'],
    ['markup is shown', '**a** <b>', '&#42;&#42;a&#42;&#42; &#60;b&#62;'],
    ['an entity is shown', '&amp;', '&#38;amp&#58;'.replace('&#58;', ';')],
    ['a table cell keeps its bounds', 'a|b', 'a&#124;b'],
    ['lines are joined', '# a\n- b', '&#35;<!-- --> a - b'],
    ['a list is none', '- a', '&#45; a'],
    ['a numbered list is none', '1. a', '1&#46; a'],
    ['nor is one that goes on', '10) a', '10&#41; a'],
    ['a version is left alone', '1.2.3', '1.2.3'],
    ['a numbered list without text is none', '1)', '1&#41;'],
    ['an underline is none', '---', '&#45;--'],
    ['a name is no mention', '@user', '&#64;<!-- -->user'],
    ['a number is no issue', '#12', '&#35;<!-- -->12'],
    ['nor is its long form', 'GH-12', 'GH<!-- -->-12'],
    ['an address is no link', 'https://a.b', 'https&#58;<!-- -->//a.b'],
    ['nor is one without a scheme', 'www.a.b', 'www<!-- -->.a.b'],
    [
      'a command is text there',
      '::error::x',
      '&#58;<!-- -->&#58;<!-- -->error&#58;<!-- -->&#58;<!-- -->x'
    ]
  ])('%s', (_, text, expected) => {
    expect(markdown(text)).toBe(expected)
  })

  test.each([
    ['plain text', 'a\r\nb', '```text\na\nb\n```'],
    ['a fence in it', '```js\nx\n```', '````text\n```js\nx\n```\n````'],
    ['a run within a line', 'a `````` b', '```````text\na `````` b\n```````'],
    ['nothing', '', '```text\n\n```']
  ])('a block of %s', (_, text, expected) => {
    expect(fenced(text)).toBe(expected)
  })

  test('a block with very many runs', () => {
    const text = '` '.repeat(500_000)
    expect(fenced(text).startsWith('```text\n` `')).toBe(true)
  })
})

describe('sizes', () => {
  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1.00 kB'],
    [1536, '1.54 kB'],
    [9994, '9.99 kB'],
    [99_999, '100 kB'],
    [999_499, '999 kB'],
    [999_500, '1.00 MB'],
    [999_999, '1.00 MB'],
    [1_500_000, '1.50 MB'],
    [999_999_999, '1.00 GB'],
    [2_000_000_000, '2.00 GB'],
    [1e12, '1.00 TB'],
    [999_499_999_999_999, '999 TB'],
    [999_500_000_000_000, '1000 TB'],
    [1e15, '1000 TB']
  ])('%d bytes are %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text)
  })

  test('none is written with an exponent', () => {
    for (let bytes = 1; bytes < 1e16; bytes = Math.ceil(bytes * 1.01)) {
      expect(sizeText(bytes)).toMatch(/^(\d\.\d\d|\d\d\.\d|\d{1,4}) (bytes?|[kMGT]B)$/)
    }
  })
})
