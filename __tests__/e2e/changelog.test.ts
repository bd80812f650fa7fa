// Tests of dist/: the text that buyers get, from notes or a file, by `changelog-links`, and in which format.
import { expect, test } from '@jest/globals'
import { openShop, press, type Shop } from '../support/shop.ts'

const HOME = 'https://github.com/acme/gallery'
const BODY = [
  '## What is new',
  '',
  `- Albums can be sorted (#12) by @octocat in ${HOME}/pull/13`,
  '- Print in colour with `@media` and @media <!-- see #9 -->',
  '- See [the guide](docs/guide.md) and [the site](https://docs.example.com/)',
  '',
  `**Full Changelog**: ${HOME}/compare/v1.4.1...v1.4.2`
].join('\n')

const KEPT = BODY.replace('<!-- see #9 -->', '')
const STRIPPED = [
  '## What is new',
  '',
  '- Albums can be sorted',
  '- Print in colour with `@media` and @media ',
  '- See the guide and [the site](https://docs.example.com/)'
].join('\n')

function sent({ service }: Shop): readonly unknown[] {
  return service.versions.map(({ record, changelogFormat }) => [changelogFormat, record.changelog])
}

test.each([
  ['auto', true, STRIPPED],
  ['keep', true, KEPT],
  ['', false, KEPT],
  ['strip', false, STRIPPED]
])('notes with `%s`, where private is %s', async (links, isPrivate, text) => {
  const inputs = { 'changelog-links': links }
  await using shop = await openShop({ private: isPrivate, release: { body: BODY }, inputs })

  const run = await shop.publish()

  expect(sent(shop)).toEqual([['markdown', text]])
  expect(run.annotations).toEqual([])
  // The event says whether it is private.
  const paths = shop.github.requests.map(({ path }) => path)
  expect(paths).not.toContain('/repos/acme/gallery')
})

test('all of 125,000 characters of notes are sent, and are an output', async () => {
  const lines = Array.from({ length: 1800 }, (_, index) => [
    `- Für alle 🎉: faster by ${index} percent.`,
    `- Number ${index} is mended, see (#12).`
  ])
  const body = lines.flat().join('\n').slice(0, 124_990)
  await using shop = await openShop({ private: false, release: { body } })

  const run = await shop.publish()

  expect(body.length).toBeGreaterThan(120_000)
  expect(sent(shop)).toEqual([['markdown', body.trim()]])
  expect(run.outputs.changelog).toBe(body.trim())
})

test('backslashes in `changelog-file` separate folders', async () => {
  await using shop = await openShop({ inputs: { 'changelog-file': '.\\{version}\\CHANGES.md' } })
  await shop.write('1.4.2/CHANGES.md', '## 1.4.2\n\n- Ours\n\n## 1.4.1\n\n- Theirs\n')

  expect((await shop.publish()).outputs.outcome).toBe('published')
  expect(sent(shop)).toEqual([['markdown', '- Ours']])
})

test('HTML of one’s own is sent as it is, unless it leads into a private repository', async () => {
  const html = '\n<p>Albums (#12) <!-- a --> by <b>date</b></p>\r\n<p>See <a href="docs">it</a></p>'
  const inputs = { changelog: html, 'changelog-format': 'html' }
  await using shop = await openShop({ private: true, inputs })
  await shop.publish()
  expect(sent(shop)).toEqual([['html', html.trim().replace('\r', '')]])

  const link = { ...inputs, changelog: `${html} <a href="${HOME}/issues/12">it</a>` }
  const refused = await shop.publish({ inputs: { ...link, tag: 'v1.4.2' } })
  expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'no-changelog' })
  expect(refused.log).toContain('A link to acme/gallery would be left in the changelog.')
})

test.each([{}, { 'changelog-file': 'CHANGELOG.md' }, { 'changelog-file': '{tag}/CHANGELOG.md' }])(
  'notes and sections are no HTML: %j',
  async texts => {
    await using shop = await openShop({ inputs: { ...texts, 'changelog-format': 'html' } })
    const { outputs, log } = await shop.publish()
    expect(outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
    expect(log).toContain(
      'changelog-format: "html" is for a text of your own, in `changelog` or a file of this version alone: the shop takes release notes and sections as Markdown'
    )
    expect(sent(shop)).toEqual([])
  }
)

test('the version’s section of `changelog-file` is sent, treated as notes are', async () => {
  await using shop = await openShop({ inputs: { 'changelog-file': 'new.md' } })
  await shop.write('new.md', `# 1.4.2\n\n${BODY}\n\n# 1.4.1\n\n- Older`)

  const run = await shop.publish()
  expect(sent(shop)).toEqual([['markdown', STRIPPED]])
  expect(run.outputs.changelog).toBe(STRIPPED)

  await shop.write('new.md', '## 1.4.1\n\n- Older')
  const refused = await shop.publish()
  expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'no-changelog' })
  const message = expect.stringMatching(
    /^changelog-file: "new\.md" has no heading for "1\.4\.2":\n {2}line 1: ## 1\.4\.1\n/
  )
  expect(refused.annotations).toMatchObject([{ kind: 'error', message }])
})

test.each([
  ['Albums.', 'published', ''],
  ['## 1.4.1\n\n- Older.', 'failed', 'no-changelog']
])('a file with the version in its name is sent whole: %j', async (text, outcome, reason) => {
  const inputs = { 'changelog-file': 'changes/{version}.md' }
  await using shop = await openShop({ inputs })
  await shop.write('changes/1.4.2.md', text)

  const run = await shop.publish()

  expect(run.outputs).toMatchObject({ outcome, reason })
  expect(sent(shop)).toEqual(outcome === 'published' ? [['markdown', text]] : [])
})

test('the words that were removed for buyers are listed in the log, and in a plan’s summary', async () => {
  await using shop = await openShop({ release: { body: BODY }, inputs: { mode: 'plan' } })

  const run = await shop.publish()

  const piece = 'by @octocat in #13'
  expect(run.log).toContain(piece)
  expect(run.summary).toContain('Removed')
  expect(run.summary).toContain(piece)
})

test('where a section is missing, the advice says where its file comes from', async () => {
  await using shop = await openShop({ inputs: { 'changelog-file': 'old.md' } })
  await shop.write('old.md', '## 1.4.1\n\n- Older.')
  const atTag = await shop.publish()
  expect(atTag.annotations[0]?.message).toContain(
    'The file is read as it is at v1.4.2: correct it and move the tag, or release the next version.'
  )

  // Started by hand, on a later commit than the tag.
  const event = press({ mode: 'plan', tag: 'v1.4.2' })
  const later = await shop.publish({ event, env: { GITHUB_SHA: 'b'.repeat(40) } })
  expect(later.annotations[0]?.message).toContain(
    'where it is a later commit, correct it there, and start the workflow again.'
  )
})
