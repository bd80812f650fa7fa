// Tests of src/release/bounds.ts: text made to be slow to read is read, and nothing of it is lost.
import { describe, expect, test } from '@jest/globals'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { renderHtml } from '../../src/changelog/markdown.ts'
import { takeSection } from '../../src/changelog/section.ts'
import { expand, fixture, keep, NOTES, strip } from './notes.ts'

const SIZE = 20_000
const fill = (text: string) => text.repeat(Math.ceil(SIZE / text.length))
const HOME = 'https://github.com/acme/plugin'

/** What costs the square of its length, or more, without bounds. */
const HOSTILE = {
  'brackets that open': fill('['),
  'brackets that close': fill(']'),
  'brackets in brackets': '['.repeat(SIZE / 2) + ']'.repeat(SIZE / 2),
  'links that never end': fill('[a]('),
  'links without a definition': fill('[a][b]'),
  'footnotes without a note': fill('[^1]'),
  'images in images': fill('![['),
  'emphasis that never ends': fill('a**b_c '),
  'emphasis of thousands': '*'.repeat(SIZE / 2) + 'a'.repeat(9) + '*'.repeat(SIZE / 2),
  'quotes in quotes': fill('>'),
  'lists in lists': fill('1. '),
  'lists line by line': fill('- a\n  - b\n'),
  'lazy lines': fill('> a\nb\n'),
  'headings by lines': fill('a\n=\n'),
  'a table of many rows': `|a|b|\n|-|-|\n${fill('|c|d|\n')}`,
  'a table of many columns': `${fill('|a')}\n${fill('|-')}`,
  'tags that never end': fill('<a '),
  'names without a reference': fill('a.b/c_'),
  'users by the thousand': `x by ${fill('@a, ')}in`
}

describe('text made to be slow', () => {
  test.each(Object.entries(HOSTILE))(
    '%s',
    async (_, hostile) => {
      const source = `${hostile}\n\n<i>#1</i> <!-- b --> ${HOME}`
      const kept = `${hostile}\n\n<i>#1</i>  ${HOME}`.trim()
      expect(await strip(source)).toBe(kept.slice(0, -HOME.length).trim())
      expect(await expand(source, '')).toBe(kept)
      expect(await renderHtml(source)).toContain('#1')
      expect(await takeSection(`# 1.0.0\n\n${source}`, '1.0.0', 'v1.0.0')).toMatchObject({
        kind: 'section'
      })
    },
    120_000
  )

  test('comments within comments by the thousand are refused', async () => {
    const source = `a ${'<!'.repeat(999)}-- ${'-- -->'.repeat(999)}`
    await expect(keep(source)).rejects.toThrow('nested in each other')
  })

  test('comments that never end take the rest along', async () => {
    expect(await keep(`a\n\n${fill('<!-- b ')}`)).toBe('a')
  })
})

describe('the bounds', () => {
  test.each(NOTES)('%s: rendered as without them', async name => {
    const notes = fixture(name, 'notes.md').replace(/\[!\w+\]/g, '')
    const options = { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }
    expect(await renderHtml(notes)).toBe(micromark(notes, options))
  })

  test('an address in a link beyond them goes all the same', async () => {
    const source = `${'[a] '.repeat(5000)}[b](${HOME}/pull/1)`
    expect(await strip(source)).not.toContain(HOME)
  })
})
