// Tests of src/publish/buyer-text.ts: where a target's changelog comes from, and how it is treated.
import { describe, expect, test } from '@jest/globals'
import { changelogOf } from '../../src/publish/buyer-text.ts'
import { nameTargets } from '../../src/publish/naming.ts'
import { release } from '../release/released.ts'
import { down, openTestRun, type RunOptions } from './running.ts'

const NOTES = '- New<!-- internal -->\r\n- Old\r\n'
const BY_ID = '/releases/{release_id}'
const PULL = 'https://github.com/acme/gallery/pull/3'

interface Given extends RunOptions {
  /** Null for a tag without a release. */
  readonly notes?: string | null
}

/** The changelog of the only target, with what was logged and asked. */
async function write({ notes = NOTES, ...options }: Given) {
  const opened = await openTestRun(options)
  const own = notes === null ? undefined : { ...release, notes }
  const tagged = { tag: 'v1.2.3', release: own, standIn: '', ownCommit: true }
  const [first] = nameTargets(opened.run.inputs, tagged).named
  if (!first) throw new Error('there is no target')
  const written = await changelogOf(opened.run, tagged, first.target, first.named)
  return { written, notes: opened.notes, asked: opened.asked }
}

test.each<[string, Given, string]>([
  ['the input before the notes', { inputs: { changelog: 'mine\r\n' } }, 'mine'],
  [
    'the fallback without a release',
    { inputs: { 'changelog-fallback': 'See {tag}' }, notes: null },
    'See v1.2.3'
  ]
])('the text comes from %s', async (_, given, text) => {
  expect(await write(given)).toMatchObject({ written: { text }, notes: [] })
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
    ]
  ])('when there is %s', async (_, given, input, text) => {
    const { written } = await write(given)
    expect(written).toEqual({ input, fault: expect.stringContaining(text) })
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

test('what cannot be stripped is a fault of the notes', async () => {
  const { written } = await write({ notes: 'a github&period;com/acme/gallery b', private: true })
  expect(written).toEqual({
    input: 'changelog',
    fault: expect.stringContaining('an address under acme/gallery would remain in the changelog')
  })
})
