// Tests of src/publish/buyer-text.ts: where a target's changelog comes from, and how it is treated.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { changelogOf } from '../../src/publish/buyer-text.ts'
import { nameTargets } from '../../src/publish/naming.ts'
import { release } from '../release/released.ts'
import { makeFolder } from '../support/folders.ts'
import { down, openTestRun, type RunOptions } from './running.ts'

const NOTES = '- New<!-- internal -->\r\n- Old\r\n'
const BY_ID = '/releases/{release_id}'
const PULL = 'https://github.com/acme/gallery/pull/3'

interface Given extends RunOptions {
  /** Null for a tag without a release. */
  readonly notes?: string | null
  /** A link in the workspace, and what it leads to. */
  readonly link?: readonly [string, string]
}

/** The changelog of the only target, with what was logged and asked. */
async function write({ notes = NOTES, link, ...options }: Given) {
  const opened = await openTestRun(options)
  if (link) symlinkSync(link[1], join(opened.workspace, link[0]))
  const own = notes === null ? undefined : { ...release, notes }
  const tagged = { tag: 'v1.2.3', release: own, standIn: '', ownCommit: true }
  const [first] = nameTargets(opened.run.inputs, tagged).named
  if (!first) throw new Error('there is no target')
  const written = await changelogOf(opened.run, tagged, first.target, first.named)
  return { written, notes: opened.notes, asked: opened.asked }
}

const FILE = '# Changelog\n\n## [1.2.3] - 2026-01-02\n\n- Mine\n\n## [1.2.2]\n\n- Older\n'

describe('the text comes from', () => {
  test.each<[string, Given, string]>([
    ['the notes', {}, '- New\n- Old'],
    ['the input before the notes', { inputs: { changelog: 'mine\r\n' } }, 'mine'],
    ['the input without a release', { inputs: { changelog: 'mine' }, notes: null }, 'mine'],
    [
      'the version’s section of a file',
      { inputs: { 'changelog-file': 'CHANGES.md' }, files: { 'CHANGES.md': FILE } },
      '- Mine'
    ],
    [
      'the fallback for empty notes',
      { inputs: { 'changelog-fallback': 'See {tag}' }, notes: ' \r\n ' },
      'See v1.2.3'
    ],
    [
      'the fallback when nothing is left of the notes',
      { inputs: { 'changelog-fallback': 'Fixes.' }, notes: '<!-- nothing -->' },
      'Fixes.'
    ],
    [
      'the fallback without a release',
      { inputs: { 'changelog-fallback': 'Fixes.' }, notes: null },
      'Fixes.'
    ]
  ])('%s', async (_, given, text) => {
    expect(await write(given)).toMatchObject({ written: { text }, notes: [] })
  })
})

test('a file without versions is sent, and a notice says so', async () => {
  const files = { 'new.md': '\ufeff- A\r\n- B\r\n' }
  const { written, notes } = await write({ inputs: { 'changelog-file': 'new.md' }, files })
  expect(written).toMatchObject({ text: '- A\n- B', removed: '' })
  expect(notes).toEqual([expect.stringMatching(/^notice: .*"new\.md".* whole file is sent/)])
})

test('what was stripped is told, and images that need a login with a warning', async () => {
  const image = 'https://github.com/user-attachments/assets/1f2e'
  const { written, notes: logged } = await write({
    notes: `- a by @b in ${PULL}\n\n![c](${image})`,
    private: true
  })
  expect(logged).toEqual([
    'info: For buyers, 1 name, 1 link, and 1 image were removed.',
    expect.stringMatching(/^warning: 1 image from github\.com\/user-attachments cannot be sent/)
  ])
  expect(written).toMatchObject({ removed: '1 name, 1 link, and 1 image were removed' })
})

describe('it is a fault', () => {
  test.each<[string, Given, string, string]>([
    [
      'a release without notes',
      { notes: ' \r\n ' },
      'changelog',
      'the release v1.2.3 has no notes'
    ],
    ['no release', { notes: null }, 'changelog', 'no published release for the tag "v1.2.3"'],
    [
      'notes of which nothing is left',
      { notes: '<!-- nothing -->' },
      'changelog',
      'nothing of the notes of the release v1.2.3 is left for buyers'
    ],
    [
      'a text of which nothing is left',
      { inputs: { changelog: '<!-- nothing -->' } },
      'changelog',
      'nothing of the text is left for buyers'
    ],
    [
      'an empty file',
      { inputs: { 'changelog-file': 'new.md' }, files: { 'new.md': '\n' } },
      'changelog-file',
      '"new.md" has nothing for buyers about "1.2.3"'
    ],
    [
      'a file with other versions alone',
      { inputs: { 'changelog-file': 'a.md' }, files: { 'a.md': '## 2.0\n\nx\n\n## 1.0\n\ny\n' } },
      'changelog-file',
      '"a.md" has no heading for "1.2.3", only these:\n  2.0\n  1.0'
    ],
    [
      'a file that is not there',
      { inputs: { 'changelog-file': 'no.md' } },
      'changelog-file',
      '"no.md" does not exist. Every job starts without files'
    ],
    [
      'a folder',
      { inputs: { 'changelog-file': 'dist' }, files: { 'dist/a.md': 'x' } },
      'changelog-file',
      '"dist" is a folder'
    ],
    [
      'a file in another encoding',
      { inputs: { 'changelog-file': 'a.md' }, files: { 'a.md': Buffer.from('Größe', 'latin1') } },
      'changelog-file',
      '"a.md" is not UTF-8: save it in that encoding'
    ],
    [
      'a file of two bytes a character',
      { inputs: { 'changelog-file': 'a.md' }, files: { 'a.md': Buffer.from('Neu', 'utf16le') } },
      'changelog-file',
      '"a.md" is not UTF-8'
    ],
    [
      'the workspace itself',
      { inputs: { 'changelog-file': '.' } },
      'changelog-file',
      '"." is outside the workspace'
    ],
    [
      'a file outside',
      { inputs: { 'changelog-file': '/etc/hostname' } },
      'changelog-file',
      '"/etc/hostname" is outside the workspace'
    ]
  ])('when there is %s', async (_, given, input, text) => {
    const { written } = await write(given)
    expect(written).toEqual({ input, fault: expect.stringContaining(text) })
  })

  test('when a link leads out of the workspace', async () => {
    const outside = join(makeFolder({ 'secret.md': 'x' }), 'secret.md')
    const inputs = { 'changelog-file': 'link.md' }
    const { written } = await write({ inputs, link: ['link.md', outside] })
    expect(written).toEqual({
      input: 'changelog-file',
      fault: '"link.md" is outside the workspace'
    })
  })

  test('with twenty headings at most', async () => {
    const versions = Array.from({ length: 30 }, (_, index) => `## 2.0.${index}\n\nx\n`)
    const files = { 'a.md': versions.join('\n') }
    const { written } = await write({ inputs: { 'changelog-file': 'a.md' }, files })
    expect('fault' in written && written.fault.split('\n')).toHaveLength(21)
  })
})

describe('links', () => {
  const notes = `- Faster by @octocat in ${PULL}`
  const rendered = {
    body_html: `<ul><li>Faster by <a class="user-mention" href="https://github.com/octocat">@octocat</a> in <a class="issue-link" href="${PULL}">#3</a></li></ul>`
  }
  const links = (value: string) => ({ inputs: { 'changelog-links': value } })

  test.each<[string, Given, string]>([
    ['are stripped in a private repository', { private: true }, '- Faster'],
    ['are stripped when nobody knows', { private: undefined }, '- Faster'],
    ['are stripped when asked to', { private: false, ...links('strip') }, '- Faster'],
    ['are kept when asked to', { private: true, ...links('keep') }, notes],
    [
      'are expanded in a public repository',
      { private: false, answers: { [BY_ID]: rendered } },
      `- Faster by [@octocat](https://github.com/octocat) in ${PULL}`
    ]
  ])('%s', async (_, given, text) => {
    expect((await write({ notes, ...given })).written).toMatchObject({ text })
  })

  test.each<[string, unknown]>([
    ['GitHub cannot be asked', down],
    ['the answer has none', { id: 7 }],
    ['the answer is nothing', null]
  ])('stay, with a notice, when %s', async (_, answer) => {
    const given = { notes, private: false, answers: { [BY_ID]: answer } }
    const { written, notes: logged, asked } = await write(given)
    expect(written).toMatchObject({ text: notes })
    expect(logged).toEqual([expect.stringMatching(/^notice: /)])
    expect(asked).toEqual([`${BY_ID} 7 [object Object]`])
  })

  test('a mistake of ours is not taken for GitHub’s', async () => {
    const answers = { [BY_ID]: new TypeError('ours') }
    await expect(write({ notes, private: false, answers })).rejects.toThrow('ours')
  })

  test.each(['[a][1]\n\n[1]: docs/a.md', '<a href="docs/a.md">a</a>', '[a](docs/a.md)'])(
    'ask GitHub about the relative link in %j',
    async text => {
      const { asked } = await write({ notes: text, private: false, answers: { [BY_ID]: null } })
      expect(asked).toHaveLength(1)
    }
  )

  test.each<[string, Given]>([
    ['the notes hold no reference', { notes: '- Faster', private: false }],
    [
      'a definition has a whole address',
      { notes: '[a][b]\n\n[b]: https://example.com', private: false }
    ],
    ['links are stripped', { notes, private: true }],
    ['the text is given', { notes, private: false, inputs: { changelog: '- Faster' } }]
  ])('ask GitHub for nothing when %s', async (_, given) => {
    expect((await write(given)).asked).toEqual([])
  })
})

describe('as HTML', () => {
  const html = { 'changelog-format': 'html' }
  test('notes are rendered', async () => {
    const { written } = await write({ inputs: html, notes: '## New\n\n- **A** <!-- x -->' })
    expect(written).toMatchObject({
      text: '<h2>New</h2>\n<ul>\n<li><strong>A</strong></li>\n</ul>'
    })
  })

  test('a given text is sent as it is', async () => {
    const changelog = `See <b>this</b> <!-- x --> **${PULL}**`
    const { written } = await write({ inputs: { ...html, changelog } })
    expect(written).toMatchObject({ text: changelog })
  })
})

test('what cannot be stripped is a fault of the notes', async () => {
  const { written } = await write({ notes: 'a github&period;com/acme/gallery b', private: true })
  expect(written).toEqual({
    input: 'changelog',
    fault: expect.stringContaining('an address under acme/gallery would remain in the changelog')
  })
})
