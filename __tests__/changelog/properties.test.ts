// What holds for all notes, whatever is in them.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { renderHtml } from '../../src/changelog/html.ts'
import { normalize, TextError } from '../../src/changelog/markdown.ts'
import { expand, keep, strip } from './notes.ts'

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

test('without comments, `keep` changes line ends and the spaces around alone', async () => {
  await fc.assert(
    fc.asyncProperty(notes, async source => {
      expect(await keep(source)).toBe(normalize(source))
    }),
    RUNS
  )
})

/** Notes that nobody would write may hide an address so well that it is an error. */
async function stripped(notes: string): Promise<string> {
  try {
    return await strip(notes)
  } catch (error) {
    if (error instanceof TextError) return ''
    throw error
  }
}

const code = fc.constantFrom(
  `${HOME}/pull/1`,
  '#1 by @octocat in #2',
  '<!-- a -->',
  '**Full Changelog**: a...b'
)

test('code stays as it is, whatever is asked for', async () => {
  await fc.assert(
    fc.asyncProperty(notes, code, fc.constantFrom(keep, stripped), async (before, text, treat) => {
      const source = `${before.replace(/[`<~]/g, '')}\n\n\`\`\`\n${text}\n\`\`\`\n\nThe \`${text}\` end`
      const treated = await treat(source)
      if (treated !== '')
        expect(treated).toContain(`\`\`\`\n${text}\n\`\`\`\n\nThe \`${text}\` end`)
    }),
    RUNS
  )
})

test('after stripping, no address under the repository is left outside of code', async () => {
  await fc.assert(
    fc.asyncProperty(commented, async notes => {
      const text = await stripped(notes)
      const html = await renderHtml(text)
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
      const source = normalize(notes)
      const rendering = linked(await renderHtml(source))
      const text = await expand(source, rendering)
      const without = (text: string) =>
        text
          .replace(/<a href="https:\/\/github\.com\/x">(.*?)<\/a>/g, '$1')
          .replace(
            /\\?(!?)\[(#1|@octocat|acme\/theme#2|1234abc)\]\(https:\/\/github\.com\/x\)/g,
            '$1$2'
          )
      expect(without(text)).toBe(without(source))
    }),
    RUNS
  )
})
