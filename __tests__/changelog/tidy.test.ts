// Tests of src/release/tidy.ts: how text closes up where an address is taken out of it.
import { describe, expect, test } from '@jest/globals'
import { strip } from './notes.ts'

const HOME = 'https://github.com/acme/plugin'

describe('the spaces of one side go along', () => {
  test.each([
    ['between words', `a ${HOME} b`, 'a b'],
    ['of several', `a \t ${HOME} b`, 'a b'],
    ['before what ends a sentence', `a ${HOME}; b ${HOME}! ${HOME}: c`, 'a; b!: c'],
    ['before a closing bracket', `[a ${HOME}] (b ${HOME})`, '[a] (b)'],
    ['but not before what opens', `a ${HOME}“b”`, 'a “b”'],
    ['at the start of a line', `a\n${HOME}  b`, 'a\nb'],
    ['at its end', `a  ${HOME}\nb`, 'a\nb'],
    ['in a quote', `> ${HOME}  b`, '> b'],
    ['in an item', `- ${HOME}  b`, '- b'],
    ['in items with other marks', `+ ${HOME} b\n\n* ${HOME} c`, '+ b\n\n* c'],
    ['in numbered items', `12. ${HOME}  b\n\n3) ${HOME} c`, '12. b\n\n3) c'],
    ['in an item of a quote', `> - ${HOME} b`, '> - b'],
    ['after a dash', `a - ${HOME} b`, 'a - b']
  ])('%s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })
})

describe('brackets and emphasis that hold it alone go along', () => {
  test.each([
    ...['(|)', '[|]', '**|**', '__|__', '~~|~~', '*|*', '_|_', '**(|)**', '([|])', '_**|**_']
  ])('%s', async pair => {
    expect(await strip(`a ${pair.replace('|', `${HOME}/pull/1`)} b`)).toBe('a b')
  })

  test.each([
    ['with words before it', `a (b ${HOME}) **c ${HOME}**. _d ${HOME}_`, 'a (b) **c**. _d_'],
    ['with words after it', `a (${HOME} b) **${HOME} c**, _${HOME} d_`, 'a (b) **c**, _d_'],
    ['with words after it, at the very start', `**${HOME} c** d`, '**c** d'],
    ['in others, with words', `**(${HOME} b)** ([${HOME} c])`, '**(b)** ([c])'],
    ['on one side alone', `a **${HOME}/pull/1) b`, 'a **) b']
  ])('but not those that hold it %s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })

  test('whatever comes after them', async () => {
    expect(await strip(`a **${HOME}/pull/1**: b (${HOME})[c]`)).toBe('a: b [c]')
  })

  test('nor those of a link', async () => {
    const definition = '[b]: https://example.com'
    expect(await strip(`[${HOME}][b]\n\n${definition}`)).toBe(`[][b]\n\n${definition}`)
  })
})

describe('lines that are left empty go', () => {
  test.each([
    ['a line of a paragraph', `a\n${HOME}\nb`, 'a\nb'],
    ['the last line', `a\n\n- ${HOME}`, 'a'],
    ['with two addresses', `a\n${HOME} ${HOME}\nb`, 'a\nb'],
    ['with two links', `- a\n- [](${HOME}) [](${HOME})\n- b`, '- a\n- b'],
    ['two after each other', `- a\n- ${HOME}\n- ${HOME}\n- b`, '- a\n- b'],
    ['an item', `- a\n+ ${HOME}\n\n10) ${HOME}\n\nb`, '- a\n\n\nb'],
    ['a task after two spaces', `a\n\n-  [x] ${HOME}\n\nb`, 'a\n\n\nb'],
    ['with a mark between two', `a\n\n${HOME} * ${HOME}\n\nb`, 'a\n\n\nb'],
    ['with emphasis that never ends', `a\n\n**${HOME}\n\nb`, 'a\n\n\nb'],
    ['before another in an item', `- a\n  - ${HOME}\n  - b`, '- a\n  - b'],
    ['a task', `- [x] ${HOME}\n- [ ] ${HOME}\n- [ ] b`, '- [ ] b'],
    ['a heading', `a\n\n### ${HOME}\n\nb`, 'a\n\n\nb'],
    ['a heading in an item of a quote', `a\n\n> 1. ## ${HOME}\n\nb`, 'a\n\n\nb'],
    ['an item of an item', `- a\n  - ${HOME}\n- b`, '- a\n- b'],
    ['a definition in an item', `- a\n- [x]: ${HOME}\n- b`, '- a\n- b'],
    ['an image over two lines', `a\n\n![](${HOME}/a.png\n"b")\n\nc`, 'a\n\n\nc']
  ])('%s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })

  test.each([
    ['with words', `- ${HOME} b`, '- b'],
    ['with words between two', `a\n\n${HOME} b ${HOME}\n\nc`, 'a\n\nb\n\nc'],
    ['of a table', `| a |\n| - |\n| ${HOME} |`, '| a |\n| - |\n| |'],
    ['with lines that go on', `- ${HOME}\n  a`, '- \n  a'],
    ['with a lazy line that goes on', `- ${HOME}\n b`, '- \n b'],
    ['with a number of two digits, and lines that go on', `12. ${HOME}\n    b`, '12. \n    b'],
    ['with items of its own', `a\n\n1. ${HOME}\n   - b`, 'a\n\n1. \n   - b'],
    ['with lines that go on in a quote', `> - ${HOME}\n>   b`, '> - \n>   b'],
    ['with lines that go on after a blank one', `> - ${HOME}\n>\n>   b`, '> - \n>\n>   b']
  ])('but not those %s', async (_, source, text) => {
    expect(await strip(source)).toBe(text)
  })
})
