// Owns what buyers get to read, as dist/ sends it: from notes or a file, by `changelog-links` and in which format.
import { expect, test } from '@jest/globals'
import { openShop, type Shop, type ShopOptions } from '../support/shop.ts'

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

/** The notes as GitHub renders them: `@media` is nobody. */
const RENDERED = [
  '<h2>What is new</h2><ul>',
  `<li>Albums can be sorted (<a class="issue-link" href="${HOME}/issues/12">#12</a>) by `,
  '<a class="user-mention" href="https://github.com/octocat">@octocat</a> in ',
  `<a class="issue-link" href="${HOME}/pull/13">#13</a></li>`,
  '<li>Print in colour with <code class="notranslate">@media</code> and @media </li>',
  `<li>See <a href="${HOME}/blob/v1.4.2/docs/guide.md">the guide</a> and `,
  '<a href="https://docs.example.com/">the site</a></li></ul>',
  `<p><strong>Full Changelog</strong>: <a href="${HOME}/compare/v1.4.1...v1.4.2">`,
  '<tt>v1.4.1...v1.4.2</tt></a></p>'
].join('')

const KEPT = BODY.replace('<!-- see #9 -->', '')
const EXPANDED = KEPT.replace('#12', `[#12](${HOME}/issues/12)`)
  .replace('@octocat', '[@octocat](https://github.com/octocat)')
  .replace('docs/guide.md', `${HOME}/blob/v1.4.2/docs/guide.md`)
const STRIPPED = [
  '## What is new',
  '',
  '- Albums can be sorted',
  '- Print in colour with `@media` and @media ',
  '- See the guide and [the site](https://docs.example.com/)'
].join('\n')
const IN_HTML = '<li>See the guide and <a href="https://docs.example.com/">the site</a></li>'

/** A shop whose release has these notes, and GitHub's rendering of them. */
async function openWith(options: ShopOptions, bodyHtml = RENDERED): Promise<Shop> {
  const shop = await openShop({ ...options, inputs: { record: 'false', ...options.inputs } })
  shop.addRelease({}, { bodyHtml })
  return shop
}

function sent({ service }: Shop): readonly unknown[] {
  return service.versions.map(({ record, changelogFormat }) => [changelogFormat, record.changelog])
}

test.each([
  ['strip', 'html', true, expect.stringContaining(IN_HTML)],
  ['auto', 'markdown', true, STRIPPED],
  ['', 'markdown', false, EXPANDED]
])('notes with `%s`, as %s, where private is %s', async (links, format, isPrivate, text) => {
  const inputs = { 'changelog-links': links, 'changelog-format': format }
  await using shop = await openWith({ private: isPrivate, release: { body: BODY }, inputs })
  const run = await shop.publish()
  expect(sent(shop)).toEqual([[format, text]])
  expect(run.annotations).toEqual([])
  // GitHub's rendering is asked for once, and only where it is needed.
  expect(shop.github.requests).toHaveLength(text === EXPANDED ? 1 : 0)
})

test('if GitHub does not give its rendering, references stay, and a notice says so', async () => {
  await using shop = await openWith({ private: false, release: { body: BODY } })
  shop.github.misbehave({ kind: 'status', status: 404, on: { path: /releases\/\d+$/ } })
  const run = await shop.publish()
  expect(sent(shop)).toEqual([['markdown', KEPT]])
  const message = expect.stringMatching(/References such as “#12” stay.* is not known/)
  expect(run.annotations).toMatchObject([{ kind: 'notice', message }])
})

test('notes of 125,000 characters are expanded to the last, and are an output', async () => {
  // Not a reference in each line: the outputs of a job are limited.
  const lines = Array.from({ length: 1800 }, (_, index) => [
    `- Für alle 🎉: faster by ${index} percent.`,
    `- Number ${index} is mended, see #12.`
  ])
  const body = lines.flat().join('\n').slice(0, 124_990).trim().concat(' (#12)')
  const link = `<a class="issue-link" href="${HOME}/issues/12">#12</a>`
  const items = body.split('\n').map(line => `<li>${line.slice(2).replaceAll('#12', link)}</li>`)
  await using shop = await openWith({ private: false, release: { body } }, items.join('\n'))
  const run = await shop.publish()
  const text = body.replaceAll('#12', `[#12](${HOME}/issues/12)`)
  expect(body.length).toBeGreaterThan(120_000)
  expect(sent(shop)).toEqual([['markdown', text]])
  expect(run.outputs.changelog).toBe(text)
})

test('of `changelog-file` the version’s section is sent, treated as notes are', async () => {
  await using shop = await openShop({ inputs: { record: 'false', 'changelog-file': 'new.md' } })
  await shop.write('new.md', `# 1.4.2\n\n${BODY}\n\n# 1.4.1\n\n- Older`)
  const run = await shop.publish()
  expect(sent(shop)).toEqual([['markdown', STRIPPED]])
  expect(run.outputs.changelog).toBe(STRIPPED)
  await shop.write('new.md', '## 1.4.1\n\n- Older')
  const refused = await shop.publish()
  expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'no-changelog' })
  const message = expect.stringMatching(
    /^changelog-file: "new\.md" has no heading for "1\.4\.2"\. The nearest lines:\n {2}line 1: ## 1\.4\.1\nWrite a section for it\./
  )
  expect(refused.annotations).toMatchObject([{ kind: 'error', message }])
  await shop.write('new.md', '## 1.4.2\n\n- New\n\n## 1.4.2\n\n- Newer')
  const several = await shop.publish()
  expect(several.outputs).toMatchObject({ outcome: 'failed', reason: 'no-changelog' })
  expect(several.annotations[0]?.message).toContain('has several headings for "1.4.2"')
})

test('with `changelog-section: whole`, a file without versions is sent, and only then', async () => {
  for (const [section, expected] of [
    ['version', { outcome: 'failed', reason: 'no-changelog' }],
    ['whole', { outcome: 'published', changelog: 'Albums.' }]
  ] as const) {
    const inputs = { record: 'false', 'changelog-file': 'new.md', 'changelog-section': section }
    await using shop = await openShop({ inputs })
    await shop.write('new.md', 'Albums.')
    expect((await shop.publish()).outputs).toMatchObject(expected)
  }
})

test('what is wrong with a long text is told as of a short one, though a worker finds it', async () => {
  const body = `${'Faster\n'.repeat(2000)}github&period;com/acme/gallery`
  await using shop = await openWith({ private: true, release: { body } })
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-changelog' })
  const message = expect.stringContaining('an address under acme/gallery would remain')
  expect(run.annotations).toMatchObject([{ kind: 'error', message }])
})

test('what was removed for buyers is listed in the log, and in a plan’s summary', async () => {
  await using shop = await openWith({ release: { body: BODY }, inputs: { mode: 'plan' } })
  const run = await shop.publish()
  const piece = `by @octocat in ${HOME}/pull/13`
  expect(run.log).toContain(`  | (#12) ${piece}`)
  expect(run.summary).toContain('Removed from the changelog')
  expect(run.summary).toContain(piece)
})
