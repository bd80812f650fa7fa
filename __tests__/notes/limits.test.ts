// Tests of src/notes: whatever a text is full of, everything but the parser takes time that grows with its length alone.
import { expect, test } from '@jest/globals'
import { Addresses } from '../../src/notes/addresses.ts'
import { findEnding, findLead, isForGitHub } from '../../src/notes/credits.ts'
import { faultInNotes, faultInWhole } from '../../src/notes/other-version.ts'
import { hasText, normalize } from '../../src/notes/text.ts'
import { findUnfinished } from '../../src/notes/unfinished.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import { pick } from '../support/deep.ts'
import { HOME, REPOSITORY, strip } from './notes.ts'
import { take } from './taking.ts'

/** In characters. */
const LENGTH = pick(30_000, 1_000_000)
/** In milliseconds: generous for a slow machine. */
const BOUND = 10_000

const PIECES = [
  '(#1)',
  '[',
  '#',
  '# ',
  '## 1.2.3\n',
  '## 1.2.3\n- a\n',
  '## a\n',
  '= 1.2.2 ',
  '= 1.2.3\n',
  '---\n',
  '<a id="1"></a>\n',
  'a-1.1~',
  'Jan ',
  '[a]: b\n',
  '<!-- a\n\n',
  '`a` ',
  '`',
  '```\n',
  '~~~~\n',
  'a\n~~~~\n',
  '> ',
  '*a_ ',
  '<!--',
  '<a ',
  '<img src="a',
  '%0A',
  '\\n- ',
  'by @a ',
  '@a, ',
  `${HOME}/`,
  'https://',
  'git@',
  '1.1-',
  '1a2b3c4 ',
  'a.',
  ' ',
  '\n'
]

test.each(PIECES)('a text of nothing but %j', async piece => {
  const text = `## 1.2.3\n\na\n\n${piece.repeat(LENGTH / piece.length)}`
  const file = {
    text,
    path: 'CHANGELOG.md',
    version: '1.2.3',
    tag: 'v1.2.3'
  }
  const started = performance.now()

  await take(text).catch((error: unknown) => expect(error).toBeInstanceOf(ActionError))
  faultInWhole(file)
  faultInNotes(text, '1.2.4')
  findUnfinished(text)
  hasText(normalize(text))
  findEnding(text, new Set())
  findLead(text)
  isForGitHub(text)
  new Addresses(REPOSITORY).isIn(text)

  expect(performance.now() - started).toBeLessThan(BOUND)
})

test('notes of 125,000 characters are stripped', async () => {
  const line = '* Albums can be sorted by @jane in HOME/pull/12\n'
  const notes = line.repeat(2000)
  expect(await strip(notes)).toBe('* Albums can be sorted\n'.repeat(2000).trimEnd())
})

test('quotes that are nested too deeply for the parser are an error', async () => {
  await expect(strip(`${'>'.repeat(10_000)} a`)).rejects.toMatchObject({
    reason: 'no-changelog',
    message: 'Quotes or lists in the changelog are nested too deeply to be read.'
  })
})
