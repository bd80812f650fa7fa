// Tests of src/publish/buyer-text.ts: where a target's changelog comes from, and how it is treated.
import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { openChangelogs } from '../../src/publish/buyer-text.ts'
import { BY_ID, release } from '../release/released.ts'
import { makeFolder } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'
import { firstOf, openTestRun, type RunOptions, tagged } from './running.ts'

const HOME = 'https://github.com/acme/gallery'
const FILE = { 'changelog-file': 'a.md' }
const HTML = { 'changelog-format': 'html' }

interface Given extends RunOptions {
  /** Null for a tag without a release. */
  readonly notes?: string | null
  /** Of the job, where that is not the folder with the files. */
  readonly workspace?: string
}

/** The changelog of the only target, or the problem with it; before that, the workspace is prepared. */
async function write(
  { notes = '- New<!-- internal -->\r\n- Old\r\n', workspace, ...options }: Given,
  prepare: (workspace: string) => void = () => {}
) {
  const opened = await openTestRun(options)
  prepare(opened.workspace)
  const { runner } = opened.run
  const context = { ...runner.context, ...(workspace ? { workspace } : {}) }
  const subject = { ...tagged, release: notes === null ? undefined : { ...release, notes } }
  const writeOne = openChangelogs({ ...opened.run, runner: { ...runner, context } }, subject)
  const written = await writeOne(firstOf(opened.run.inputs, subject))
  return { written, notes: opened.notes, asked: opened.asked }
}

const KEPT = '# Changelog\n\n## [1.2.3]\n\n- Albums.\n\n## [1.2.2]\n\n- Older.\n'
const GIVEN = '<p>For <b>you</b>:\n\n* no item <!-- kept --> by @me in #12</p>'
const FALLBACK = { 'changelog-fallback': 'See {tag}' }

const inFile = (text: string | Buffer, inputs = {}): Given => ({
  inputs: { ...FILE, ...inputs },
  files: { 'a.md': text }
})

test.each<[string, Given, string]>([
  ['the notes', {}, '- New\n- Old'],
  ['the input before the notes', { inputs: { changelog: 'mine\r\n' } }, 'mine'],
  ['a section of Windows', inFile(`\ufeff${KEPT.replaceAll('\n', '\r\n')}`), '- Albums.'],
  ['a section for a tag without a release', { ...inFile(KEPT), notes: null }, '- Albums.'],
  ['HTML that is given', { inputs: { ...HTML, changelog: `\r\n${GIVEN}\r\n` } }, GIVEN],
  ['HTML of a file', inFile(`<h2>1.2.3</h2>\n${GIVEN}`, HTML), GIVEN],
  ['the notes as HTML', { inputs: HTML, notes: '**A** & B' }, '<p><strong>A</strong> &amp; B</p>'],
  ['the fallback for empty notes', { inputs: FALLBACK, notes: ' \r\n' }, 'See v1.2.3'],
  ['the fallback for a comment', { inputs: FALLBACK, notes: '<!-- - -->' }, 'See v1.2.3'],
  ['the fallback for an empty section', inFile('## 1.2.3\n\n## 1.2.2\n- a', FALLBACK), 'See v1.2.3']
])('the text is %s', async (_, given, changelog) => {
  expect(await write(given)).toMatchObject({ written: { changelog }, notes: [] })
})

test('a file is sent whole when that is asked, versions or not', async () => {
  for (const text of [KEPT, '# New\n\nAlbums.\n']) {
    const { written, notes } = await write(inFile(text, { 'changelog-section': 'whole' }))
    expect(written).toMatchObject({ changelog: text.trim() })
    expect(notes).toEqual([])
  }
})

const versions = Array.from({ length: 30 }, (_, index) => `2.0.${index}`)
const many = versions.map(version => `## ${version}\n\nx\n`).join('\n')
const shown = versions.slice(0, 20).map((each, at) => `\n  line ${4 * at + 1}: ## ${each}`)
const notUtf8 = 'is not UTF-8: save it in that encoding'
const again =
  'A re-run reads the same commit again: write the section in a commit, and put the tag on that commit'
const inContainer = { workspace: '/__w/x/x' }
const unclear = inFile('## 1.2.3\na\n\n**1.2.2**\nb')
const host = '/home/runner/work/x/x/a.md'
test.each<[string, string, Given]>([
  ['a.md', notUtf8, inFile(Buffer.from('Größe', 'latin1'))],
  ['a.md', notUtf8, inFile(Buffer.from('Neu', 'utf16le'))],
  ['.', 'is outside the workspace', {}],
  ['b', 'is a folder; name the file in it', { files: { 'b/a.md': 'x' } }],
  ['a.md', 'does not exist. Every job starts without files: check out the repository first', {}],
  [host, 'does not exist. This job runs in a container, where', inContainer],
  [
    'a.md',
    `has no heading for "1.2.3". The nearest lines:${shown.join('')}`,
    inFile(many, FALLBACK)
  ],
  [
    'a.md',
    'names versions in a way that does not show where the text of "1.2.3" ends:\n  line 1: ## 1.2.3\n  line 4: **1.2.2**\nWithin its text, begin no line with a version',
    unclear
  ],
  [
    'a.md',
    'has several headings for "1.2.3", and only one can be its own:\n  line 1: ## 1.2.3\n  line 3: ## 1.2.3 (May)\nMake one',
    inFile('## 1.2.3\na\n## 1.2.3 (May)\nb')
  ],
  ['a.md', 'has several headings', inFile('## 1.2.3\na\n## 1.2.3\nb', { ...HTML, ...FALLBACK })],
  [
    'a.md',
    'has no heading of a version. If it was written for this release alone, set `changelog-section: whole`',
    inFile('\n# New\n\nAlbums.\n')
  ],
  [
    'a.md',
    'does not exist. There is "A.md": upper and lower case differ',
    { files: { 'A.md': 'x' } }
  ],
  ['a.md', 'has 5.00 MB, and at most 5.00 MB are read', inFile('a'.repeat(5_000_001))],
  [
    'a.md',
    'has no heading for "1.2.3". The nearest lines:',
    inFile('## 1.2.3-rc.1\na\n## 1.2.2\nb')
  ],
  ['a.md', 'is JSON. Buyers need text: Markdown, or HTML', inFile('{"1.2.3":["a"],"1.2.2":[]}')],
  ['a.md', `has nothing for buyers about "1.2.3". ${again}`, inFile('## 1.2.3\n\n<!-- - -->')]
])('it is a problem to name the file %s, which %s', async (path, message, given) => {
  const inputs = { ...given.inputs, 'changelog-file': path }
  const { written } = await write({ ...given, inputs })
  const whole = expect.stringContaining(`"${path}" ${message}`)
  expect(written).toEqual({ place: 'changelog-file', message: whole, reason: 'no-changelog' })
})

test('it is a problem to name a file that leads out of the workspace', async () => {
  const outside = join(makeFolder({ 'secret.md': 'Hidden words' }), 'secret.md')
  for (const path of [outside, 'a.md']) {
    const { written } = await write({ inputs: { 'changelog-file': path } }, workspace => {
      symlinkSync(outside, join(workspace, 'a.md'))
    })
    expect(written).toMatchObject({ message: `"${path}" is outside the workspace` })
  }
})

onPosix(
  'it is a problem to name a pipe, which Windows has not: it would be read for ever',
  async () => {
    const { written } = await write({ inputs: FILE }, workspace => {
      execFileSync('mkfifo', [join(workspace, 'a.md')])
    })
    const message = '"a.md" is not a regular file. Write the text to a file'
    expect(written).toMatchObject({ message, reason: 'no-changelog' })
  }
)

test.each(['.git/config', 'a.md'])('it is a problem to name %s, which is of Git', async path => {
  const given = { inputs: { 'changelog-file': path }, files: { '.git/config': '## 1.2.3\nx' } }
  const { written } = await write(given, workspace => {
    symlinkSync('.git/config', join(workspace, 'a.md'))
  })
  const message = `"${path}" is or leads to a file in which Git keeps credentials`
  expect(written).toMatchObject({ message, reason: 'no-changelog' })
})

const longHtml = { inputs: { ...HTML, changelog: `<p>${'a'.repeat(999_998)}` } }
const hidden = 'github&period;com/acme/gallery b'
test.each<[string, Given, RegExp]>([
  [
    'blank notes',
    { notes: ' \r\n ' },
    /^the release v1\.2\.3 has no notes,.*edit the release.* run this job again/
  ],
  [
    'notes of a comment',
    { notes: '<!-- - -->' },
    /^the notes of the release v1\.2\.3 contain nothing for buyers/
  ],
  ['a text of a comment', { inputs: { changelog: '<!-- - -->' } }, /^nothing of the text/],
  [
    'a mere heading',
    { notes: `## New\n\n**Full Changelog**: ${HOME}/compare/v1...v2`, private: false },
    /contain nothing for buyers/
  ],
  ['notes to be written', { notes: 'TODO' }, /contain nothing for buyers/],
  [
    'Markdown as HTML',
    { inputs: { ...HTML, changelog: '## New\n\n- Albums' } },
    /^is not HTML.*`changelog-format: markdown`/
  ],
  ['long HTML', longHtml, /^the changelog has 1000001 characters, and at most 1000000 are taken/],
  ['quotes in quotes', { notes: `${'>'.repeat(9000)} #1` }, /^quotes or lists/],
  ['an address that hides', { notes: hidden }, /^an address under acme\/gallery would remain/],
  ['no release', { notes: null }, /^the tag "v1\.2\.3" has no published release.* `changelog-file`/]
])('it is a problem to give %s', async (_, given, message) => {
  const { written } = await write(given)
  expect(written).toMatchObject({ place: 'changelog', message: expect.stringMatching(message) })
})

const notes = `- Faster by @octocat in ${HOME}/pull/3`
const link = `<a class="issue-link" href="${HOME}/pull/3">#3</a>`
const body_html = `Faster by <a class="user-mention" href="https://github.com/octocat">@octocat</a> in ${link}`
const answers = { [BY_ID]: { body_html } }
const expanded = notes.replace('@octocat', '[@octocat](https://github.com/octocat)')
const PLAIN = '[a][b]\n\n[b]: https://example.com'
const by = (links: string): Given => ({ inputs: { 'changelog-links': links } })

test.each<[string, Given, string]>([
  ['are stripped when nobody says what it is', { private: undefined }, '- Faster'],
  ['are not asked for where there are none', { notes: PLAIN, private: false }, PLAIN],
  ['are kept when that is asked', by('keep'), notes],
  ['are expanded when that is asked', by('expand'), expanded],
  ['are stripped when that is asked', { private: false, ...by('strip') }, '- Faster'],
  ['are stripped in what is given', { inputs: { changelog: notes } }, '- Faster']
])('links %s', async (_, given, changelog) => {
  const { written, asked } = await write({ notes, answers, ...given })
  expect(written).toMatchObject({ changelog })
  expect(asked).toHaveLength(changelog === expanded ? 1 : 0)
})

test.each<[string, unknown]>([
  ['the answer has none', { id: 7 }],
  ['the answer is nothing', null]
])('links stay, with a notice, when %s', async (_, answer) => {
  const given = { notes, private: false, answers: { [BY_ID]: answer } }
  const { written, notes: logged, asked } = await write(given)
  expect(written).toMatchObject({ changelog: notes })
  expect(logged).toEqual([expect.stringMatching(/^notice: /)])
  expect(asked).toEqual([`${BY_ID} 7 [object Object]`])
})

test('a mistake of ours is not taken for GitHub’s', async () => {
  const answers = { [BY_ID]: new TypeError('ours') }
  await expect(write({ notes, private: false, answers })).rejects.toThrow('ours')
})

test('what was stripped is told, piece by piece, and images that need a login with a warning', async () => {
  const image = 'https://github.com/user-attachments/assets/1f2e'
  const { written, notes } = await write({ notes: `- a by @b in ${HOME}/pull/3\n\n![c](${image})` })
  const removed = [`by @b in ${HOME}/pull/3`, `![c](${image})`]
  expect(written).toMatchObject({ removed })
  const warning = /^warning: 1 image from github\.com\/user-attachments cannot be sent/
  const told = [
    'info: For buyers, 2 pieces of the changelog were removed:',
    `block: ${removed.join('\n')}`
  ]
  expect(notes).toEqual([...told, expect.stringMatching(warning)])
})
