// What holds for all notes, whatever is in them.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { renderHtml } from '../../src/changelog/html.ts'
import { normalize, TextError } from '../../src/changelog/text.ts'
import { pick } from '../support/deep.ts'
import { expand, keep, strip } from './notes.ts'

const HOME = 'https://github.com/acme/plugin'

/** Pieces that have a meaning in Markdown, alone or together; a return arrow is a line end. */
const PIECES = [
  'a¦b c¦⏎¦⏎⏎¦ ¦    ¦\t¦\\¦!¦[¦]¦(¦)¦](¦<¦>¦"¦*¦**¦_¦~~¦`¦```⏎¦    code⏎¦- ¦1. ¦> ¦# ¦| a | b |⏎| - | - |⏎',
  '&amp;¦&#47;¦&sol;¦[x]: ¦[x]¦[^1]¦[^1]: ¦<a href="¦">¦</a>¦<br>¦<div>⏎¦</div>⏎¦<pre>¦</pre>¦<img src="¦" alt="',
  '<code>¦</code>¦#1¦@octocat¦ by @octocat in #1¦acme/theme#2¦1234abc¦docs/a.md¦#b¦HOME/pull/1¦HOME',
  'github.com/acme/plugin¦https://¦github.com/¦acme/¦plugin¦https://example.com/¦HOME-pro¦é¦🎉',
  '**Full Changelog**: ¦## New Contributors⏎¦* @a made their first contribution in #1⏎¦Thanks to @a!¦[a](HOME/b)',
  '![a](HOME)¦<a href="HOME">a</a>¦[x]: HOME⏎¦<HOME>¦<img src="HOME/a">'
].flatMap(line => line.replaceAll('⏎', '\n').replaceAll('HOME', HOME).split('¦'))
const COMMENTS = ['<!--', '-->', '<!-- a -->', '<!-- a\n\nb -->']

const textOf = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 25 }).map(parts => parts.join(''))
const notes = textOf(PIECES)

/** Checks some notes in `npm test`, many in the deep suite. */
async function check(one: fc.Arbitrary<string>, holds: (notes: string) => Promise<void>) {
  await fc.assert(fc.asyncProperty(one, holds), { numRuns: pick(150, 1000) })
}

/** Notes that nobody would write may hide an address so well that it is an error. */
async function stripped(notes: string): Promise<string> {
  try {
    return await strip(notes)
  } catch (error) {
    if (error instanceof TextError) return ''
    throw error
  }
}

test('without comments, `keep` changes line ends and the spaces around alone', async () => {
  await check(notes, async source => expect(await keep(source)).toBe(normalize(source)))
})

test('code stays as it is, whatever is asked for', async () => {
  const texts = [`${HOME}/pull/1`, '#1 by @b in #2', '<!-- a -->', '**Full Changelog**: a...b']
  await check(notes, async before => {
    const text = texts[before.length % texts.length]
    const code = `\`\`\`\n${text}\n\`\`\`\n\nThe \`${text}\` end`
    const source = `${before.replace(/[`<~]/g, '')}\n\n${code}`
    expect(await keep(source)).toContain(code)
    expect((await stripped(source)) || code).toContain(code)
  })
})

test('after stripping, no address under the repository is left outside of code', async () => {
  await check(textOf([...PIECES, ...COMMENTS]), async notes => {
    const html = await renderHtml(await stripped(notes))
    const seen = html
      .replace(/<(code|pre)\b[\s\S]*?(<\/\1>|$)/g, '')
      .replace(/&#47;|&sol;/g, '/')
      .replace(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    expect(seen).not.toMatch(/(?<![a-z\d-])github\.com\/acme\/plugin(?![\w-])/i)
  })
})

test('what is expanded is the source with links around some of its words', async () => {
  const links = new Map([
    ['#1', `${HOME}/discussions/1`],
    ['@octocat', 'https://github.com/octocat'],
    ['acme/theme#2', 'https://github.com/acme/theme/pull/2'],
    ['1234abc', `${HOME}/commit/1234abc`]
  ])
  const plain = /(<(code|pre|a)\b[\s\S]*?<\/\2>|<[^>]*>)|(#1|@octocat|acme\/theme#2|1234abc)/g
  const address = [...links.values()].join('|').replace(/[.]/g, '\\.')
  const inHtml = new RegExp(`<a href="(?:${address})">(.*?)</a>`, 'g')
  const inText = new RegExp(`\\\\?(!?)\\[([\\\\#@/\\w]+)\\]\\((?:${address})\\)`, 'g')
  const without = (text: string) => text.replace(inHtml, '$1').replace(inText, '$1$2')
  await check(notes, async notes => {
    // An address of the same issue would confirm the reference, too.
    const source = normalize(notes.replaceAll('/pull/1', '/wiki'))
    const rendering = renderHtml(source)
      // On GitHub an address that begins with a slash is a whole one, and would take its place.
      .replaceAll(' href="/', ' href="')
      .replace(plain, (whole, tag) => tag ?? `<a href="${links.get(whole)}">${whole}</a>`)
    expect(without(await expand(source, rendering))).toBe(without(source))
  })
})

/** Lines as generators write them, with the words that must stay. */
const CHANGE = fc
  .array(
    fc.constantFrom(
      'Faster',
      'import',
      'of',
      'pictures',
      '`@media`',
      'by',
      'react@18',
      'in',
      'PHP',
      'v2',
      '@acme/core',
      'bcf2000',
      '#333333',
      '“new”'
    ),
    {
      minLength: 2,
      maxLength: 8
    }
  )
  .map(words => `Add ${words.join(' ')} now`)
const ENDING = fc.constantFrom(
  ...['', ` by @jane in ${HOME}/pull/1`, ' @jane (#12)', ' (#12)', ` ([#1](${HOME}/pull/1))`],
  ...[
    ` ([1234abc](${HOME}/commit/1234abc)), closes #2`,
    ` - ([1234abc](${HOME}/commit/1234abc)) - Jane Doe`
  ]
)
const LEAD = fc.constantFrom(
  '',
  '',
  `[#1](${HOME}/pull/1) [\`1234abc\`](${HOME}/commit/1234abc) Thanks @jane! - `,
  '1a2b3c4: '
)
const END = fc.constantFrom(
  '',
  `\n\n**Full Changelog**: ${HOME}/compare/a...b`,
  '\n\n## New Contributors\n\n* @a made their first contribution in #1'
)

test('of generated notes, only what generators add goes: no word of a change is lost', async () => {
  const list = fc.array(fc.tuple(LEAD, CHANGE, ENDING), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(list, END, async (items, end) => {
      const source = items.map(([lead, change, ending]) => `* ${lead}${change}${ending}`).join('\n')
      const expected = items.map(([, change]) => `* ${change}`).join('\n')
      expect(await strip(`## Changed\n\n${source}${end}`)).toBe(`## Changed\n\n${expected}`)
    }),
    { numRuns: pick(200, 2000) }
  )
})

const PROSE = fc.array(
  fc.constantFrom(
    ...[
      'Thanks',
      'to',
      '@jane',
      'for',
      '#12',
      'by',
      'in',
      'see',
      `${HOME}/wiki`,
      'the',
      'crash',
      'is',
      'gone.'
    ],
    ...[
      'closes',
      'Face2face',
      'bcf2000',
      '#000000',
      '@created',
      'mail',
      'a@b.example',
      '`by @x in #1`',
      `[guide](${HOME}/docs/a.md)`,
      'and',
      'first'
    ]
  ),
  { minLength: 1, maxLength: 20 }
)

test('of prose, no word is lost, and all stay in order', async () => {
  await fc.assert(
    fc.asyncProperty(PROSE, async words => {
      const source = `Well, ${words.join(' ')} so`
      const read = source
        .replaceAll(`${HOME}/wiki`, 'wiki')
        .replaceAll(`[guide](${HOME}/docs/a.md)`, 'guide')
      expect(await strip(source)).toBe(read)
    }),
    { numRuns: pick(200, 2000) }
  )
})
