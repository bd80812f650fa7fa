// Tests of src/publish/buyer-text.ts: where a target's changelog comes from, and how it is treated.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { openChangelogs } from '../../src/publish/buyer-text.ts'
import { nameTargets } from '../../src/publish/naming.ts'
import { release } from '../release/released.ts'
import { makeFolder } from '../support/folders.ts'
import { down, openTestRun, type RunOptions } from './running.ts'

const BY_ID = '/releases/{release_id}'
const HOME = 'https://github.com/acme/gallery'
const FILE = { 'changelog-file': 'a.md' }
const HTML = { 'changelog-format': 'html' }

interface Given extends RunOptions {
  /** Null for a tag without a release. */
  readonly notes?: string | null
}

/** The changelog of the only target, with what was logged and asked; before it, the workspace is prepared. */
async function write(
  { notes = '- New<!-- internal -->\r\n- Old\r\n', ...options }: Given,
  prepare: (workspace: string) => void = () => {}
) {
  const opened = await openTestRun(options)
  prepare(opened.workspace)
  const own = notes === null ? undefined : { ...release, notes }
  const tagged = { tag: 'v1.2.3', release: own, standIn: '', ownCommit: true }
  const [first] = nameTargets(opened.run.inputs, tagged).named
  if (!first) throw new Error('there is no target')
  const written = await openChangelogs(opened.run, tagged)(first)
  return { written, notes: opened.notes, asked: opened.asked }
}

const KEPT = `# Changelog

## [Unreleased]

- Not yet for you.

## [1.2.3] - 2026-01-02

- Albums can be sorted by [date].

## [1.2.2] - 2025-12-01

- Older.

[date]: https://docs.example.com/date
[1.2.3]: https://docs.example.com/1.2.3
`
const SECTION = '- Albums can be sorted by [date].\n\n[date]: https://docs.example.com/date'
const GIVEN = '<p>For <b>you</b>:\n\n* no item <!-- kept --> by @me in #12</p>'
const FALLBACK = { 'changelog-fallback': 'See {tag}' }

const inFile = (text: string | Buffer, inputs = {}): Given => ({
  inputs: { ...FILE, ...inputs },
  files: { 'a.md': text }
})

test.each<[string, Given, string]>([
  ['the notes', {}, '- New\n- Old'],
  ['the input before the notes', { inputs: { changelog: 'mine\r\n' } }, 'mine'],
  ['a section', inFile(KEPT), SECTION],
  ['a section of Windows', inFile(`\ufeff${KEPT.replaceAll('\n', '\r\n')}`), SECTION],
  ['a section for a tag without a release', { ...inFile(KEPT), notes: null }, SECTION],
  ['HTML that is given', { inputs: { ...HTML, changelog: `\r\n${GIVEN}\r\n` } }, GIVEN],
  ['HTML of a file', inFile(`<h2>1.2.3</h2>\n${GIVEN}`, HTML), GIVEN],
  [
    'the notes as HTML',
    { inputs: HTML, notes: '**A** & `<`' },
    '<p><strong>A</strong> &amp; <code>&lt;</code></p>'
  ],
  ['the fallback for empty notes', { inputs: FALLBACK, notes: ' \r\n' }, 'See v1.2.3'],
  ['the fallback for a comment', { inputs: FALLBACK, notes: '<!-- - -->' }, 'See v1.2.3'],
  [
    'the fallback for an empty section',
    inFile('## 1.2.3\n\n## 1.2.2\n\n- a', FALLBACK),
    'See v1.2.3'
  ]
])('the text is %s', async (_, given, text) => {
  expect(await write(given)).toMatchObject({ written: { changelog: text }, notes: [] })
})

test('a file without headings of versions is sent whole, and a notice says so', async () => {
  const files = { 'a.md': '\n# New\n\nAlbums.\n\n## Thanks\n\nTo all.\n' }
  const { written, notes } = await write({ inputs: FILE, files })
  expect(written).toMatchObject({ changelog: files['a.md'].trim() })
  expect(notes).toEqual([
    expect.stringMatching(/^notice: No line of "a\.md" .* whole file is sent/)
  ])
})

describe('it is a fault', () => {
  const versions = Array.from({ length: 30 }, (_, index) => `2.0.${index}`)
  const many = versions.map(version => `## ${version}\n\nx\n`).join('\n')
  const titles = versions
    .slice(0, 20)
    .map(version => `\n  ${version}`)
    .join('')
  const notUtf8 = 'is not UTF-8: save it in that encoding'
  const set = 'write what is new and run this job again, or set `changelog-fallback`'
  test.each<[string, string, Given]>([
    ['a.md', notUtf8, inFile(Buffer.from('Größe', 'latin1'))],
    ['a.md', notUtf8, inFile(Buffer.from('Neu', 'utf16le'))],
    ['.', 'is outside the workspace', {}],
    ['b', 'is a folder; name the file in it', { files: { 'b/a.md': 'x' } }],
    ['a.md', 'does not exist. Every job starts without files: check out the repository first', {}],
    ['a.md', `has no heading for "1.2.3", only these:${titles}`, inFile(many, FALLBACK)],
    ['a.md', `has nothing for buyers about "1.2.3": ${set}`, inFile('## 1.2.3\n\n<!-- - -->')]
  ])('to name the file %s, which %s', async (path, fault, given) => {
    const inputs = { ...given.inputs, 'changelog-file': path }
    const { written } = await write({ ...given, inputs })
    expect(written).toMatchObject({ place: 'changelog-file', message: `"${path}" ${fault}` })
  })

  test('to name a path of the host in a container', async () => {
    const { run } = await openTestRun({
      inputs: { 'changelog-file': '/home/runner/work/x/x/a.md' }
    })
    const context = { ...run.runner.context, workspace: '/__w/x/x' }
    const tagged = {
      tag: 'v1.2.3',
      release: { ...release, notes: '' },
      standIn: '',
      ownCommit: true
    }
    const [first] = nameTargets(run.inputs, tagged).named
    if (!first) throw new Error('there is no target')
    const inside = { ...run, runner: { ...run.runner, context } }
    expect(await openChangelogs(inside, tagged)(first)).toMatchObject({
      message: expect.stringMatching(/does not exist\. This job runs in a container, where/)
    })
  })

  test('to name a file that leads out of the workspace', async () => {
    const outside = join(makeFolder({ 'secret.md': 'Hidden words' }), 'secret.md')
    for (const path of [outside, 'a.md']) {
      const { written } = await write({ inputs: { 'changelog-file': path } }, workspace => {
        symlinkSync(outside, join(workspace, 'a.md'))
      })
      expect(written).toMatchObject({
        place: 'changelog-file',
        message: `"${path}" is outside the workspace`
      })
    }
  })

  test.each<[string, Given, RegExp]>([
    [
      'blank notes',
      { notes: ' \r\n ' },
      /^the release v1\.2\.3 has no notes.*`changelog-fallback`$/
    ],
    ['notes of a comment', { notes: '<!-- - -->' }, /^nothing of the notes.*`changelog-fallback`$/],
    ['a text of a comment', { inputs: { changelog: '<!-- - -->' } }, /^nothing of the text/],
    [
      'an address that hides',
      { notes: 'github&period;com/acme/gallery b' },
      /^an address under acme\/gallery would remain/
    ]
  ])('to give %s', async (_, given, fault) => {
    const { written } = await write(given)
    expect(written).toMatchObject({ place: 'changelog', message: expect.stringMatching(fault) })
  })
})

describe('links', () => {
  const notes = `- Faster by @octocat in ${HOME}/pull/3`
  const link = `<a class="issue-link" href="${HOME}/pull/3">#3</a>`
  const body_html = `Faster by <a class="user-mention" href="https://github.com/octocat">@octocat</a> in ${link}`
  const answers = { [BY_ID]: { body_html } }
  const expanded = notes.replace('@octocat', '[@octocat](https://github.com/octocat)')

  test.each<[string, Given, string]>([
    ['are expanded in public', { private: false }, expanded],
    ['are stripped in private', { private: true }, '- Faster'],
    ['are stripped when nobody says what it is', { private: undefined }, '- Faster'],
    ['are kept when that is asked', { inputs: { 'changelog-links': 'keep' } }, notes],
    ['are expanded when that is asked', { inputs: { 'changelog-links': 'expand' } }, expanded],
    [
      'are stripped when that is asked',
      { private: false, inputs: { 'changelog-links': 'strip' } },
      '- Faster'
    ],
    ['are stripped in what is given', { inputs: { changelog: notes } }, '- Faster'],
    [
      'are stripped in a file',
      { inputs: FILE, files: { 'a.md': `# 1.2.3\n\n${notes}` } },
      '- Faster'
    ]
  ])('%s', async (_, given, text) => {
    const { written, asked } = await write({ notes, answers, ...given })
    expect(written).toMatchObject({ changelog: text })
    expect(asked).toHaveLength(text === expanded ? 1 : 0)
  })

  test.each<[string, unknown]>([
    ['GitHub cannot be asked', down],
    ['the answer has none', { id: 7 }],
    ['the answer is nothing', null]
  ])('stay, with a notice, when %s', async (_, answer) => {
    const given = { notes, private: false, answers: { [BY_ID]: answer } }
    const { written, notes: logged, asked } = await write(given)
    expect(written).toMatchObject({ changelog: notes })
    expect(logged).toEqual([expect.stringMatching(/^notice: /)])
    expect(asked).toEqual([`${BY_ID} 7 [object Object]`])
  })

  test('a mistake of ours is not taken for GitHub’s', async () => {
    const broken = { [BY_ID]: new TypeError('ours') }
    await expect(write({ notes, private: false, answers: broken })).rejects.toThrow('ours')
  })

  test('GitHub is asked for nothing when there is no reference', async () => {
    for (const text of ['- Faster', '[a][b]\n\n[b]: https://example.com']) {
      expect((await write({ notes: text, private: false })).asked).toEqual([])
    }
  })
})

test('what was stripped is told, and images that need a login with a warning', async () => {
  const image = 'https://github.com/user-attachments/assets/1f2e'
  const { written, notes } = await write({ notes: `- a by @b in ${HOME}/pull/3\n\n![c](${image})` })
  expect(notes).toEqual([
    'info: For buyers, 1 name, 1 link, and 1 image were removed.',
    expect.stringMatching(/^warning: 1 image from github\.com\/user-attachments cannot be sent/)
  ])
  expect(written).toMatchObject({ removed: '1 name, 1 link, and 1 image were removed' })
})
