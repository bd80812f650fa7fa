// Tests of src/notes: whatever is in notes, no word is lost, no code changes, no address is left.
import { expect, test } from '@jest/globals'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { normalize } from '../../src/notes/text.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import { pick } from '../support/deep.ts'
import { fc } from '../support/properties.ts'
import { HOME, keep, strip } from './notes.ts'

/** Notes that nobody would write may hide an address so well that it is an error. */
async function stripped(notes: string): Promise<string> {
  try {
    return await strip(notes)
  } catch (error) {
    if (error instanceof ActionError) return ''
    throw error
  }
}

/** The HTML of Markdown, by another way than the one that is tested. */
const render = (markdown: string): string =>
  micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()]
  })

/** Pieces that have a meaning in Markdown, alone or together; a return arrow is a line end. */
const PIECES = [
  'a¦b c¦⏎¦⏎⏎¦ ¦    ¦\t¦\\¦!¦[¦]¦(¦)¦](¦<¦>¦"¦*¦**¦_¦~~¦`¦```⏎¦    code⏎¦- ¦1. ¦> ¦# ¦| a | b |⏎| - | - |⏎',
  '&amp;¦&#47;¦&sol;¦[x]: ¦[x]¦[^1]¦[^1]: ¦<a href="¦">¦</a>¦<br>¦<div>⏎¦</div>⏎¦<pre>¦</pre>¦<img src="¦" alt="',
  '<code>¦</code>¦#1¦@octocat¦ by @octocat in #1¦acme/theme#2¦1a2b3c4¦docs/a.md¦#b¦HOME/pull/1¦HOME',
  'github.com/acme/plugin¦https://¦github.com/¦acme/¦plugin¦https://example.com/¦HOME-pro¦é¦🎉',
  '**Full Changelog**: ¦## New Contributors⏎¦* @a made their first contribution in #1⏎¦Thanks to @a!¦[a](HOME/b)',
  '![a](HOME)¦<a href="HOME">a</a>¦[x]: HOME⏎¦<HOME>¦<img src="HOME/a">'
].flatMap(line => line.replaceAll('⏎', '\n').replaceAll('HOME', HOME).split('¦'))

const COMMENTS = ['<!--', '-->', '<!-- a -->', '<!-- a\n\nb -->']

const textOf = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 25 }).map(parts => parts.join(''))

const numRuns = pick(100, 3000)

/** Checks some notes in `npm test`, many in the deep suite. */
async function check<T>(one: fc.Arbitrary<T>, holds: (notes: T) => Promise<void>) {
  await fc.assert(fc.asyncProperty(one, holds), { numRuns })
}

test('without comments, `keep` changes line ends and the spaces around alone', async () => {
  await check(textOf(PIECES), async source => expect(await keep(source)).toBe(normalize(source)))
})

test('code stays as it is', async () => {
  const texts = [`${HOME}/pull/1`, '#1 by @b in #2', '<!-- a -->', '**Full Changelog**: a...b']
  await check(textOf(PIECES), async before => {
    const text = texts[before.length % texts.length]
    const code = `\`\`\`\n${text}\n\`\`\`\n\nThe \`${text}\` end`
    const source = `${before.replace(/[`<~]/g, '')}\n\n${code}`

    expect(await keep(source)).toContain(code)
    expect((await stripped(source)) || code).toContain(code)
  })
})

test('no address under the repository is left outside of code', async () => {
  await check(textOf([...PIECES, ...COMMENTS]), async notes => {
    const seen = render(await stripped(notes))
      .replace(/<(code|pre)\b[\s\S]*?(<\/\1>|$)/g, '')
      .replace(/&#47;|&sol;/g, '/')
      .replace(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

    // Without a scheme, it may be a module.
    expect(seen).not.toMatch(/\/\/github\.com\/acme\/plugin(?![\w-])/i)
  })
})

const arrayOf = (most: number, ...words: readonly string[]) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: most })

/** A change as somebody describes it, with words that look like a generator's. */
const CHANGE = arrayOf(
  8,
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
  '(new)',
  '@acme/core',
  'bcf2000',
  '#333333',
  '“new”',
  'by @date',
  '[guide](https://a.example)',
  'closes'
).map(words => `Add ${words.join(' ')} now`)

/** The words that a generator puts after a change. */
const ENDING = fc.constantFrom(
  '',
  ` by @jane in ${HOME}/pull/1`,
  ' by @jane in #1',
  ' (#12 by @jane)',
  ' (#12)',
  ' (#1, #2)',
  ` ([#1](${HOME}/pull/1))`,
  ' (1a2b3c4)',
  ` ([1234abc](${HOME}/commit/1234abc)), closes #2`,
  ` ([#1](${HOME}/pull/1), thanks @jane)`,
  ' ([@jane](https://github.com/jane))'
)

/** The words that a generator puts before a change. */
const LEAD = fc.constantFrom(
  '',
  '',
  '',
  '1a2b3c4: ',
  '1a2b3c4 ',
  `[1234abc](${HOME}/commit/1234abc) - `,
  `[#1](${HOME}/pull/1) [\`1234abc\`](${HOME}/commit/1234abc) Thanks @jane! - `
)

/** The lines that a generator puts after the list. */
const END = fc.constantFrom(
  '',
  `\n\n**Full Changelog**: ${HOME}/compare/a...b`,
  '\n\n## New Contributors\n\n* @a made their first contribution in #1'
)

test('of generated notes, only the words of generators go', async () => {
  const list = fc.array(fc.tuple(LEAD, CHANGE, ENDING), { minLength: 1, maxLength: 6 })
  await check(fc.tuple(list, END), async ([items, end]) => {
    const source = items.map(([lead, change, ending]) => `* ${lead}${change}${ending}`).join('\n')
    const expected = items.map(([, change]) => `* ${change}`).join('\n')

    // Of plain numbers in brackets, one alone would stay.
    const numbered = '* Add maps (#8)\n* Add albums (#9)\n'
    expect(await strip(`## Changed\n\n${numbered}${source}${end}`)).toBe(
      `## Changed\n\n* Add maps\n* Add albums\n${expected}`
    )
  })
})

test('of prose, no word is lost, and all stay in order', async () => {
  const prose = arrayOf(
    20,
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
    'gone.',
    'closes',
    'Face2face',
    'bcf2000',
    '#000000',
    '@created',
    'a@b.example',
    'and',
    '-',
    '`by @x in #1`',
    `[guide](${HOME}/docs/a.md)`,
    '(#12)',
    '(1a2b3c4)',
    '**by @x**',
    'first'
  )

  await check(prose, async words => {
    const source = `Well, ${words.join(' ')} so`
    const read = source
      .replaceAll(`${HOME}/wiki`, 'wiki')
      .replaceAll(`[guide](${HOME}/docs/a.md)`, 'guide')

    expect(await strip(source)).toBe(read)
  })
})

/** Notes as repositories have them; HOME is the address. */
const REAL = [
  "## What's Changed\n* Add a dark mode by @jane in HOME/pull/12\n* Fix crash when exporting by @bot[bot] in HOME/pull/13",
  '* @joe made their first contribution in HOME/pull/12\n\n**Full Changelog**: HOME/compare/v1.0.0...v1.1.0',
  '### Bug Fixes\n\n* **api:** read the last page ([#12](HOME/issues/12)) ([1a2b3c4](HOME/commit/1a2b3c4)), closes [#3](HOME/issues/3)',
  '### Patch Changes\n\n- [#12](HOME/pull/12) [`1a2b3c4`](HOME/commit/1a2b3c4) Thanks [@jane](https://github.com/jane)! - Sort albums by date',
  '## Fixed\n- Export to PDF (#12)\n- Albums: sort by @date (thanks, all!)\n\n> See the guide before you upgrade from 1.x.',
  '* 1a2b3c4 Keep the order of pages\n* 2b3c4d5 Print in color'
].map(text => text.replaceAll('HOME', HOME))
const INSERTED = [
  'by ',
  'in ',
  ' (#3) ',
  ' @x ',
  '- ',
  '\n',
  ' see ',
  '*',
  '`',
  '(',
  ')',
  '.',
  ' closes '
]

/** The words of the table, and the names, numbers and paths of references. */
const TABLE =
  /^(?:https|github|com|acme|plugin|pull|issues|compare|commit|v1|by|in|and|thanks|closes|x|jane|joe|bot|full|changelog|new|contributors|made|their|first|contribution|\d+|1a2b3c4|2b3c4d5)$/

test('notes like real ones, with words put in and left out, lose no word but the table’s own', async () => {
  const edit = fc.tuple(fc.nat(), fc.nat(1), fc.constantFrom(...INSERTED))
  const parts = fc.array(fc.constantFrom(...REAL), { minLength: 1, maxLength: 3 })
  await check(fc.tuple(parts, fc.array(edit, { maxLength: 6 })), async ([texts, edits]) => {
    const words = texts.join('\n\n').split(/(?<=\s)(?=\S)/)
    for (const [at, count, inserted] of edits) {
      words.splice(at % words.length, count, inserted)
    }

    const source = words.join('')
    const text = await stripped(source)
    if (text === '') return

    const wordsOf = (from: string): string[] => from.match(/[\p{L}\d]+/gu) ?? []
    const left = wordsOf(text)
    const lost = wordsOf(source).filter(word => {
      const index = left.indexOf(word)
      if (index >= 0) left.splice(index, 1)
      return index < 0 && !TABLE.test(word.toLowerCase())
    })

    expect(lost).toEqual([])
  })
})
