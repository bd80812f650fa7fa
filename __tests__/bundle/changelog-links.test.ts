// Owns what buyers get of references, links and comments in a changelog, by `changelog-links`.
import { describe, expect, test } from '@jest/globals'
import { NOTES, openShop, type Shop, type ShopOptions } from '../support/shop.ts'

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

/** A shop whose release has these notes, and GitHub's rendering of them. */
async function openWith(options: ShopOptions, bodyHtml = RENDERED): Promise<Shop> {
  const shop = await openShop({ ...options, inputs: { once: 'off', ...options.inputs } })
  shop.addRelease({}, { bodyHtml })
  return shop
}

describe('release notes', () => {
  test.each([
    ['keep', false, KEPT],
    ['expand', true, EXPANDED],
    ['strip', false, STRIPPED],
    ['auto', true, STRIPPED],
    ['auto', false, EXPANDED],
    ['', false, EXPANDED]
  ])('`%s`, and a repository whose being private is %s', async (links, isPrivate, text) => {
    const inputs = { 'changelog-links': links }
    await using shop = await openWith({ private: isPrivate, release: { body: BODY }, inputs })
    const run = await shop.publish()
    expect(shop.service.versions.map(({ record }) => record.changelog)).toEqual([text])
    expect(run.annotations).toEqual([])
    // GitHub's rendering is asked for once, and only where it is needed.
    const asked = shop.github.requests.map(({ method, path }) => `${method} ${path}`)
    expect(asked).toHaveLength(text === EXPANDED ? 1 : 0)
  })

  test('as HTML, what was expanded or stripped is rendered', async () => {
    for (const [links, said] of [
      ['expand', `<a href="${HOME}/issues/12">#12</a>`],
      ['strip', '<li>See the guide and <a href="https://docs.example.com/">the site</a></li>']
    ] as const) {
      const inputs = { 'changelog-links': links, 'changelog-format': 'html' }
      await using shop = await openWith({ release: { body: BODY }, inputs })
      await shop.publish()
      expect(shop.service.versions[0]?.record.changelog).toContain(said)
    }
  })

  test('without references, GitHub is not asked', async () => {
    await using shop = await openWith({ private: false })
    await shop.publish()
    expect(shop.service.versions[0]?.record.changelog).toBe(NOTES)
    expect(shop.github.requests).toEqual([])
  })

  test('if GitHub does not say whether it is private, it is taken to be', async () => {
    await using shop = await openWith({ private: false, release: { body: BODY } })
    const on = { path: /^\/repos\/acme\/gallery$/ }
    shop.github.misbehave({ kind: 'status', status: 403, on })
    const event = { name: 'workflow_dispatch', payload: {} }
    await shop.publish({ event, inputs: { tag: 'v1.4.2' } })
    expect(shop.service.versions.map(({ record }) => record.changelog)).toEqual([STRIPPED])
  })

  test.each([
    ['GitHub does not give its rendering', RENDERED, 'rendering of the release is not known'],
    ['its rendering is of other notes', '<p>Hi</p>'.repeat(3000), 'is not of these notes']
  ])('if %s, references stay, and a notice says so', async (_, rendering, why) => {
    await using shop = await openWith({ private: false, release: { body: BODY } }, rendering)
    if (rendering === RENDERED) {
      shop.github.misbehave({ kind: 'status', status: 404, on: { path: /releases\/\d+$/ } })
    }
    const run = await shop.publish()
    expect(shop.service.versions.map(({ record }) => record.changelog)).toEqual([KEPT])
    expect(run.annotations).toMatchObject([
      { kind: 'notice', message: expect.stringContaining(`References such as “#12” stay`) }
    ])
    expect(run.annotations[0]?.message).toContain(why)
  })

  test('125,000 characters are expanded to the last', async () => {
    // Not a reference in each line: the outputs of a job are limited.
    const lines = Array.from({ length: 1800 }, (_, index) => [
      `- Everything is faster by ${index} percent.`,
      `- Number ${index} is mended, see #12.`
    ])
    const body = lines.flat().join('\n').slice(0, 124_990).trim().concat(' (#12)')
    const link = `<a class="issue-link" href="${HOME}/issues/12">#12</a>`
    const items = body.split('\n').map(line => `<li>${line.slice(2).replaceAll('#12', link)}</li>`)
    const rendered = `<ul>\n${items.join('\n')}\n</ul>`
    await using shop = await openWith({ private: false, release: { body } }, rendered)
    const run = await shop.publish()
    const text = body.replaceAll('#12', `[#12](${HOME}/issues/12)`)
    expect(body.length).toBeGreaterThan(120_000)
    expect(shop.service.versions.map(({ record }) => record.changelog)).toEqual([text])
    expect(run.outputs.changelog).toBe(text)
  })
})

describe.each([
  ['`changelog`', { changelog: BODY }],
  ['`changelog-file`', { 'changelog-file': 'new.md' }]
])('Markdown given in %s is treated in the same way', (_, given) => {
  test.each([
    ['keep', true, KEPT, 0],
    ['auto', true, STRIPPED, 0],
    // There is no rendering of it.
    ['auto', false, KEPT, 1]
  ])('`%s`, and a repository whose being private is %s', async (...row) => {
    const [links, isPrivate, text, notices] = row
    const inputs = { ...given, 'changelog-links': links }
    await using shop = await openWith({ private: isPrivate, inputs })
    await shop.write('new.md', `# 1.4.2\n\n${BODY}`)
    const run = await shop.publish()
    expect(shop.service.versions.map(({ record }) => record.changelog)).toEqual([text])
    expect(run.annotations.map(({ kind }) => kind)).toEqual(notices === 1 ? ['notice'] : [])
    expect(shop.github.requests).toEqual([])
  })
})

test('comments go, whatever becomes of links; what only looks like one in code stays', async () => {
  const body =
    '<!-- for us -->\n\nAlbums<!-- hm\nhm --> and `<!-- code -->`.\n\n```\n<!-- too -->\n```\n\n<!-- hm\n\nhm -->'
  for (const links of ['keep', 'expand', 'strip']) {
    await using shop = await openWith({ release: { body }, inputs: { 'changelog-links': links } })
    const run = await shop.publish()
    const text = 'Albums and `<!-- code -->`.\n\n```\n<!-- too -->\n```'
    expect(shop.service.versions.map(({ record }) => record.changelog)).toEqual([text])
    expect(run.log + run.summary).not.toMatch(/for us|hm/)
  }
})
