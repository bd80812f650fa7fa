// Tests of src/report/markdown.ts: other people's text in the summary.
import { expect, test } from '@jest/globals'
import { fenced, markdown, prose } from '../../src/report/markdown.ts'
import { oneLine } from '../../src/runner/printing.ts'
import { RUNS } from '../runner/step.ts'
import { fc } from '../support/properties.ts'
import { show } from './shown.ts'

test.each([
  ['a name is no mention', '@user', '&#64;<!-- -->user'],
  ['an address is no link', 'www.a.b', 'www<!-- -->.a.b']
])('in the summary, %s', (_, text, expected) => {
  expect(markdown(text)).toBe(expected)
})

test.each([
  ['a name', 'Set `tag`.', 'Set <code>tag</code>.'],
  ['a button', 'Use *Re-run failed jobs*.', 'Use <i>Re-run failed jobs</i>.'],
  ['a glob', 'No file matches "dist/*Plugin*".', 'No file matches "dist/&#42;Plugin&#42;".']
])('in a sentence of our own, %s', (_, text, expected) => {
  expect(prose(text)).toBe(expected)
})

/** Pieces that mean something in Markdown. */
const MARKS = [
  ...'\\`*_{}[]<>#|~@&:$!-+=.()^"\' \t\n\r\u2028',
  '    ',
  '\n\n',
  '1. ',
  '12) ',
  '- ',
  '---',
  '> ',
  '```',
  '~~~',
  '[a](b)',
  '![a](b)',
  '[^1]',
  'https://a.b',
  'www.a.b',
  'WWW.A.B',
  'mailto:a@b.co',
  '<b>',
  '</details>',
  '<!--',
  '-->',
  '&lt;',
  '&#42;',
  ':tada:',
  '| - |',
  'GH-12'
]

const marked = fc
  .array(fc.oneof(fc.constantFrom(...MARKS), fc.string({ unit: 'grapheme', maxLength: 5 })), {
    maxLength: 12
  })
  .map(parts => parts.join(''))

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"'
}

function decode(html: string): string {
  return html.replace(/&(\w+);/g, (entity, name) => ENTITIES[name] ?? entity)
}

/** GitHub makes links or pictures of these: mentions, issues, addresses, emoji. */
const LINKED = /@\w|#\d|\bGH-\d|:\/\/|\bwww\.|:\w+:/i

/** A text as a reader sees it: spaces in a row do not show, and no control. */
function seen(text: string): string {
  return oneLine(`x${text}`).slice(1).replace(/\s+/g, ' ').trim()
}

test.each([
  ['a paragraph', 'x CELL', '<p>x CELL</p>'],
  ['a paragraph of its own', 'CELLx', '<p>CELLx</p>'],
  ['a heading', '## A: CELL', '<h2>A: CELL</h2>'],
  ['a list item', '- **T**: CELL', '<ul> <li><strong>T</strong>: CELL</li> </ul>'],
  ['a table cell', '| A |\n|---|\n| xCELL |', '<td>xCELL</td>']
])('markdown is text alone in %s', (_, place, html) => {
  const [before = '', after = ''] = html.split('CELL')
  fc.assert(
    fc.property(marked, text => {
      const cell = markdown(text)
      expect(cell).not.toMatch(/[\r\n]/)

      const shown = show(place.replace('CELL', () => cell))
      const inner = shown.slice(shown.indexOf(before) + before.length, shown.lastIndexOf(after))

      const isMarked = (part: string) => /</.test(part) || LINKED.test(decode(part))
      expect(inner.split('<!-- -->').some(isMarked)).toBe(false)
      expect(seen(decode(inner.replaceAll('<!-- -->', '')))).toBe(seen(text))
    }),
    { numRuns: Math.ceil(RUNS / 3) }
  )
})

test('nothing breaks out of a fenced text', () => {
  fc.assert(
    fc.property(marked, text => {
      const html = show(`<details>\n\n${fenced(text)}\n\n</details>\n\nend`)
      const around =
        /^<details> <pre><code class="language-text">|<\/code><\/pre> <\/details> <p>end<\/p>$/
      const [before, code = '(broken out)', after] = html.split(around)
      expect([before, seen(decode(code)), after]).toEqual(['', seen(text), ''])
    }),
    { numRuns: Math.ceil(RUNS / 2) }
  )
})
