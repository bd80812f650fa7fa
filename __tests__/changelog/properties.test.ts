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
  const word = '(#1|@octocat|acme/theme#2|1234abc)'
  const plain = new RegExp(`(<(code|pre|a)\\b[\\s\\S]*?</\\2>|<[^>]*>)|${word}`, 'g')
  const inHtml = /<a href="https:\/\/github\.com\/x">(.*?)<\/a>/g
  const inText = /\\?(!?)\[([\\#@/\w]+)\]\(https:\/\/github\.com\/x\)/g
  const without = (text: string) => text.replace(inHtml, '$1').replace(inText, '$1$2')
  await check(notes, async notes => {
    const source = normalize(notes)
    const rendering = (await renderHtml(source))
      // On GitHub an address that begins with a slash is a whole one, and would take its place.
      .replaceAll(' href="/', ' href="')
      .replace(
        plain,
        (whole, tag) => tag ?? `<a class="issue-link" href="https://github.com/x">${whole}</a>`
      )
    expect(without(await expand(source, rendering))).toBe(without(source))
  })
})
