// Properties of src/runner/text.ts: no text becomes a command, a mark-up or the end of its block.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { fenced, harmless, markdown, oneLine, quoted } from '../../src/runner/text.ts'
import { parseLog } from '../support/log.ts'
import { hostileText, RUNS, SEED } from './hostile-texts.ts'

describe.each([
  ['harmless', harmless],
  ['quoted', quoted],
  ['oneLine', oneLine]
] as const)('%s', (_, make) => {
  test('leaves no command, whatever stands around', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (text, other) => {
        for (const printed of [make(text), `${make(text)}\n${make(other)}\n`]) {
          expect(parseLog(printed)).toMatchObject({ commands: [], masks: [] })
          expect(printed).not.toContain('##[')
          expect(printed).not.toMatch(/[^\P{Cc}\t\n]|\p{Cs}|[\u2028\u2029\ufeff]/u)
        }
      }),
      { numRuns: RUNS, seed: SEED }
    )
  })

  test('changes nothing in a plain line', () => {
    const plain = fc
      .string({ unit: fc.constantFrom(...'ab é🎉1.-*`"()/'), minLength: 1 })
      .filter(text => text.trim() === text)
    fc.assert(
      fc.property(plain, text => {
        expect(make(text).replace(/^ {2}\| /, '')).toBe(text)
      }),
      { numRuns: 500 }
    )
  })
})

test('oneLine gives one line, quoted one margin a line', () => {
  fc.assert(
    fc.property(hostileText, text => {
      expect(oneLine(text)).not.toMatch(/[\r\n]/)
      const lines = quoted(text).split('\n')
      expect(lines).toHaveLength(text.split(/\r\n|\r|\n/).length)
      for (const line of lines) expect(line).toMatch(/^ {2}\|( |$)/)
    }),
    { numRuns: Math.ceil(RUNS / 2), seed: SEED }
  )
})

/** Pieces that mean something in Markdown. */
const marks = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'\\`*_{}[]<>#|~@&:$!-+=.()^"\''),
      fc.constantFrom(' ', '    ', '\t', '\n', '\n\n', '\r', '  \n', '\u2028'),
      fc.constantFrom('1. ', '12) ', '- ', '---', '===', '> ', '```', '~~~', '[a](b)', '![a](b)'),
      fc.constantFrom(
        'https://a.b',
        'www.a.b',
        'WWW.A.B',
        'a@b.co',
        'mailto:a@b.co',
        'xmpp:a@b.co'
      ),
      fc.constantFrom(
        '<b>',
        '</details>',
        '<!--',
        '-->',
        '&lt;',
        '&#42;',
        ':tada:',
        '[^1]',
        '| - |'
      ),
      fc.string({ unit: 'grapheme', maxLength: 5 })
    ),
    { maxLength: 12 }
  )
  .map(parts => parts.join(''))

function render(source: string): string {
  return micromark(source, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true
  })
}

const ENTITIES = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"']
])

function decode(html: string): string {
  return html.replace(/&\w+;/g, entity => ENTITIES.get(entity) ?? entity)
}

/** What GitHub looks for in the finished text: mentions, issues, commits' addresses, e-mail addresses, emoji. */
const LINKED = /@\w|#\d|\bGH-\d|:\/\/|\bwww\.|:\w+:/i

describe('markdown', () => {
  test.each([
    ['a paragraph', (cell: string) => `x ${cell}`, /^<p>x(.*)<\/p>$/],
    ['a paragraph of its own', (cell: string) => `${cell}x`, /^<p>(.*)x<\/p>$/],
    ['a heading', (cell: string) => `## A: ${cell}`, /^<h2>A:(.*)<\/h2>$/],
    [
      'a list item',
      (cell: string) => `- **T**: ${cell}`,
      /^<ul>\n<li><strong>T<\/strong>:(.*)<\/li>\n<\/ul>$/
    ],
    [
      'a table cell',
      (cell: string) => `| | |\n|---|---|\n| A | x${cell} |`,
      /^<table>\n<thead>(?:.|\n)*<\/thead>\n<tbody>\n<tr>\n<td>A<\/td>\n<td>x(.*)<\/td>\n<\/tr>\n<\/tbody>\n<\/table>$/
    ]
  ])('is text alone in %s', (_, place, shape) => {
    fc.assert(
      fc.property(marks, text => {
        const cell = markdown(text)
        expect(cell).not.toMatch(/[\r\n]/)
        expect(cell.replaceAll('<!-- -->', '').replace(/&#\d+;/g, '')).not.toMatch(
          /[\\`*_{}[\]<>#|~@&:$]/
        )
        const inner = shape.exec(render(place(cell)))?.[1]
        const chunks = inner?.split('<!-- -->').map(decode)
        expect(inner?.replaceAll('<!-- -->', '') ?? '<').not.toContain('<')
        expect(chunks?.some(chunk => LINKED.test(chunk))).toBe(false)
        const shown = decode(inner?.replaceAll('<!-- -->', '') ?? '')
        expect(seen(shown)).toBe(seen(lineOf(text)))
      }),
      { numRuns: Math.ceil(RUNS / 3), seed: SEED }
    )
  })
})

/** What a reader sees: spaces in a row do not show. */
function seen(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The text on one line, with nothing at its start to guard. */
function lineOf(text: string): string {
  return oneLine(`x${text}`).slice(1)
}

test('fenced holds its text, and nothing breaks out', () => {
  fc.assert(
    fc.property(marks, text => {
      const html = render(`<details>\n\n${fenced(text)}\n\n</details>\n\nend`)
      const [, code] =
        /^<details>\n<pre><code class="language-text">([^<]*)<\/code><\/pre>\n<\/details>\n<p>end<\/p>$/.exec(
          html
        ) ?? []
      expect(decode(code ?? '(broken out)')).toBe(`${blockOf(text)}\n`)
    }),
    { numRuns: Math.ceil(RUNS / 2), seed: SEED }
  )
})

/** The same text with line ends and controls as the log has them, but without guards. */
function blockOf(text: string): string {
  const lines = text.split(/\r\n|\r|\n/).map(line => harmless(`x${line}`).slice(1))
  return lines.join('\n')
}
