// What holds for all notes, whatever is in them: src/release/rewrite.ts round by round.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { normalise } from '../../src/changelog/changelog.ts'
import { applyEdits } from '../../src/changelog/edits.ts'
import { renderHtml } from '../../src/changelog/markdown.ts'
import { type Rewriting, rewrite } from '../../src/changelog/rewrite.ts'
import { keep, REPOSITORY, strip } from './notes.ts'

const HOME = 'https://github.com/acme/plugin'

/** Pieces that have a meaning in Markdown, alone or together. */
const PIECES = [
  ...[
    'a',
    'b c',
    '\n',
    '\n\n',
    ' ',
    '    ',
    '\t',
    '\\',
    '!',
    '[',
    ']',
    '(',
    ')',
    '](',
    '<',
    '>',
    '"'
  ],
  ...[
    '*',
    '**',
    '_',
    '~~',
    '`',
    '```\n',
    '    code\n',
    '- ',
    '1. ',
    '> ',
    '# ',
    '| a | b |\n| - | - |\n'
  ],
  ...[
    '&amp;',
    '&#47;',
    '&sol;',
    '[x]: ',
    '[x]',
    '[^1]',
    '[^1]: ',
    '<a href="',
    '">',
    '</a>',
    '<br>'
  ],
  ...['<div>\n', '</div>\n', '<pre>', '</pre>', '<img src="', '" alt="', '<code>', '</code>'],
  ...['#1', '@octocat', ' by @octocat in #1', 'acme/theme#2', '1234abc', 'docs/a.md', '#b'],
  ...[
    `${HOME}/pull/1`,
    HOME,
    'github.com/acme/plugin',
    'https://',
    'github.com/',
    'acme/',
    'plugin'
  ],
  ...[
    'https://example.com/',
    'https://github.com/acme/plugin-pro',
    '**Full Changelog**: ',
    'é',
    '🎉'
  ],
  ...[
    '## New Contributors\n',
    '* @a made their first contribution in #1\n',
    `[a](${HOME}/b)`,
    `![a](${HOME})`
  ],
  ...[`<a href="${HOME}">a</a>`, `[x]: ${HOME}\n`, `<${HOME}>`, `<img src="${HOME}/a">`]
] as const
const COMMENTS = ['<!--', '-->', '<!-- a -->', '<!-- a\n\nb -->'] as const

const notes = fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map(parts => parts.join(''))
const commented = fc
  .array(fc.constantFrom(...PIECES, ...COMMENTS), { maxLength: 25 })
  .map(parts => parts.join(''))
const RUNS = { numRuns: 400 }

/** Every round's text is the last one's, but for its edits; none is out of order or out of place. */
function expectEditsAlone({ rounds, text }: Rewriting, source: string): void {
  let expected = source
  for (const { before, edits } of rounds) {
    expect(before).toBe(expected)
    let done = 0
    for (const { start, end } of edits) {
      expect(start).toBeGreaterThanOrEqual(done)
      expect(end).toBeGreaterThanOrEqual(start)
      done = end
    }
    expect(done).toBeLessThanOrEqual(before.length)
    expected = normalise(applyEdits(before, edits))
  }
  expect(normalise(text)).toBe(expected)
}

test('without comments, `keep` changes line ends and the spaces around alone', async () => {
  await fc.assert(
    fc.asyncProperty(notes, async source => {
      expect(await keep(source)).toBe(normalise(source))
    }),
    RUNS
  )
})

test('what is stripped is stripped for good, by edits alone', async () => {
  await fc.assert(
    fc.asyncProperty(commented, async notes => {
      const source = normalise(notes)
      const links = 'strip'
      const rewriting = await rewrite({ source, links, repository: REPOSITORY })
      expectEditsAlone(rewriting, source)
      expect(await strip(rewriting.text)).toBe(normalise(rewriting.text))
    }),
    RUNS
  )
})

test('after stripping, no address under the repository is left outside of code', async () => {
  await fc.assert(
    fc.asyncProperty(commented, async notes => {
      const html = await renderHtml(await strip(notes))
      const seen = html
        .replace(/<(code|pre)\b[\s\S]*?(<\/\1>|$)/g, '')
        .replace(/&#47;|&sol;/g, '/')
        .replace(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
      expect(seen).not.toMatch(/(?<![a-z\d-])github\.com\/acme\/plugin(?![\w-])/i)
    }),
    RUNS
  )
})

test('what is expanded is the source with links around some of its words', async () => {
  const linked = (html: string) =>
    html.replace(
      /(<(code|pre|a)\b[\s\S]*?<\/\2>|<[^>]*>)|(#1|@octocat|acme\/theme#2|1234abc)/g,
      (whole, tag) => tag ?? `<a href="https://github.com/x">${whole}</a>`
    )
  await fc.assert(
    fc.asyncProperty(notes, async notes => {
      const source = normalise(notes)
      const rendering = linked(await renderHtml(source))
      const links = 'expand'
      const rewriting = await rewrite({ source, links, repository: REPOSITORY, rendering })
      expectEditsAlone(rewriting, source)
      for (const { before, edits } of rewriting.rounds) {
        for (const { start, end, text } of edits) {
          const word = before.slice(start, end).replace(/^!/, '')
          expect(text.replace(/^\\!/, '')).toMatch(/^(?:\[|<a |href=|https:)/)
          if (!/^(?:href=|https:)/.test(text)) expect(text).toContain(word)
        }
      }
    }),
    RUNS
  )
})
