// Owns where the changelog comes from, and in which format it is sent.
import { symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { makeFolder } from '../support/folders.ts'
import type { Run } from '../support/runner.ts'
import { NOTES, openShop, type Shop, type ShopOptions } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }
const FROM_FILE = { inputs: { once: 'off', 'changelog-file': 'CHANGELOG.md' } }
const KEPT = `# Changelog

What is new is kept here.

## [Unreleased]

- Not yet for you.

## [1.4.2] - 2026-01-02

### Added

- Albums can be sorted by [date].

## [1.4.1] - 2025-12-01

- Older.

[date]: https://docs.example.com/date
[1.4.2]: https://docs.example.com/1.4.2
`

function sent({ service }: Shop): readonly unknown[] {
  return service.versions.map(({ record, changelogFormat }) => [changelogFormat, record.changelog])
}

/** That the run ended before anything was sent, for the changelog alone; gives what it said. */
function refusalOf(run: Run, shop: Shop): string {
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-changelog' })
  expect([shop.service.requests, shop.github.requests]).toEqual([[], []])
  expect(run.annotations).toHaveLength(1)
  return run.annotations[0]?.message ?? ''
}

describe('`changelog-file`', () => {
  test.each([
    ['as in Keep a Changelog', KEPT],
    ['with line ends of Windows', KEPT.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\ufeff${KEPT}`]
  ])('%s: the section of the version, and what its links need', async (_, file) => {
    await using shop = await openShop(FROM_FILE)
    await shop.write('CHANGELOG.md', file)
    const run = await shop.publish()
    const text =
      '### Added\n\n- Albums can be sorted by [date].\n\n[date]: https://docs.example.com/date'
    expect(sent(shop)).toEqual([['markdown', text]])
    expect(run.outputs.changelog).toBe(text)
  })

  test('without a heading for the version: an error that lists those it has', async () => {
    await using shop = await openShop({ ...FROM_FILE, release: { tag: 'v1.5.0' } })
    await shop.write('CHANGELOG.md', KEPT)
    const run = await shop.publish({ inputs: { 'file-version': 'any' } })
    expect(refusalOf(run, shop)).toBe(
      [
        'changelog-file: "CHANGELOG.md" has no heading for "1.5.0", only these:',
        '  [Unreleased]',
        '  1.4.2 - 2026-01-02',
        '  [1.4.1] - 2025-12-01'
      ].join('\n')
    )
  })

  test.each([
    ['without headings', 'Albums can be sorted.\n\n- Faster.'],
    ['with headings, but none of a version', '# What is new\n\nAlbums.\n\n## Thanks\n\nTo all.']
  ])('%s: the whole file', async (_, file) => {
    await using shop = await openShop(FROM_FILE)
    await shop.write('CHANGELOG.md', `\n${file}\n\n`)
    await shop.publish()
    expect(sent(shop)).toEqual([['markdown', file]])
  })

  test('by its whole path, in the workspace, and for a tag that has no release', async () => {
    await using shop = await openShop(off)
    await shop.write('notes/new.md', 'Albums.')
    shop.github.removeRelease('v1.4.2')
    await shop.publish({
      event: { name: 'push', payload: { repository: { private: true } } },
      env: { GITHUB_REF: 'refs/tags/v1.4.2' },
      inputs: { 'changelog-file': join(shop.workspace, 'notes/new.md') }
    })
    expect(sent(shop)).toEqual([['markdown', 'Albums.']])
  })

  test('that is outside the workspace, or leads there, is refused and not shown', async () => {
    await using shop = await openShop(off)
    const outside = join(makeFolder({ 'secret.md': 'Hidden words' }), 'secret.md')
    await symlink(outside, join(shop.workspace, 'link.md'))
    for (const path of [relative(shop.workspace, outside), outside, 'link.md']) {
      const run = await shop.publish({ inputs: { 'changelog-file': path } })
      const fault = `changelog-file: "${path}" is outside the workspace`
      expect(refusalOf(run, shop)).toBe(fault)
      expect(run.log + run.summary).not.toContain('Hidden')
    }
  })

  test.each([
    ['is not there', 'NEWS.md', /^changelog-file: "NEWS\.md" does not exist\. .*check out/],
    ['is a folder', 'dist', /^changelog-file: "dist" is a folder; name the file in it$/]
  ])('that %s is an error', async (_, path, said) => {
    await using shop = await openShop(off)
    expect(refusalOf(await shop.publish({ inputs: { 'changelog-file': path } }), shop)).toMatch(
      said
    )
  })
})

describe('`changelog-fallback`', () => {
  const fallback = 'Maintenance of {name} ({version}).'

  test.each([
    ['no notes', { release: { body: null } }],
    ['notes of a comment alone', { release: { body: '<!-- nothing -->' } }],
    ['an empty section', { inputs: { 'changelog-file': 'CHANGELOG.md' } }]
  ] satisfies [string, ShopOptions][])('stands in for %s', async (_, options) => {
    await using shop = await openShop(options)
    await shop.write('CHANGELOG.md', '## 1.4.2\n\n## 1.4.1\n\n- Older')
    await shop.publish({ inputs: { once: 'off', 'changelog-fallback': fallback } })
    expect(sent(shop)).toEqual([['markdown', 'Maintenance of Gallery 1.4.2 (1.4.2).']])
  })

  test('leaves notes alone, and does not hide that a section is missing', async () => {
    await using shop = await openShop(off)
    await shop.write('CHANGELOG.md', '## 1.4.1\n\n- Older')
    const inputs = { 'changelog-fallback': fallback, 'changelog-file': 'CHANGELOG.md' }
    expect(refusalOf(await shop.publish({ inputs }), shop)).toContain('no heading for "1.4.2"')
    await shop.publish({ inputs: { 'changelog-fallback': fallback } })
    expect(sent(shop)).toEqual([['markdown', NOTES]])
  })
})

describe('`changelog-format: html`', () => {
  const html = { once: 'off', 'changelog-format': 'html' }

  test('release notes are rendered', async () => {
    const body = '## New\n\n- **Albums** & `a < b`<!-- and more -->\n\n| a |\n|---|\n| ~~1~~ |'
    await using shop = await openShop({ inputs: html, release: { body } })
    await shop.publish()
    const [[format, text] = []] = shop.service.versions.map(version => [
      version.changelogFormat,
      version.record.changelog
    ])
    expect(format).toBe('html')
    expect(text).toMatch(/^<h2>New<\/h2>\n<ul>\n<li><strong>Albums<\/strong> &amp; <code>a &lt; b/)
    expect(text).toMatch(/<td><del>1<\/del><\/td>[\s\S]*<\/table>$/)
    expect(text).not.toContain('more')
  })

  const given = '<p>For <b>you</b>:\n\n# no heading <!-- kept --> by @me in #12</p>'
  test.each([
    ['`changelog`', { changelog: `\r\n${given}\r\n` }],
    ['`changelog-file`', { 'changelog-file': 'new.html' }]
  ])('%s is taken as it is', async (_, inputs) => {
    await using shop = await openShop({ inputs: html })
    await shop.write('new.html', `\n${given.replaceAll('\n', '\r\n')}\n`)
    await shop.publish({ inputs })
    expect(sent(shop)).toEqual([['html', given]])
  })
})

describe('a changelog that is empty is an error, and nothing is sent', () => {
  const section = { 'changelog-file': 'CHANGELOG.md' }
  const rows: readonly (readonly [name: string, options: ShopOptions, said: RegExp])[] = [
    [
      'blank notes',
      { release: { body: ' \r\n ' } },
      /^changelog: the release v1\.4\.2 has no notes/
    ],
    ['notes of a comment', { release: { body: '<!-- - -->' } }, /^changelog: nothing of the notes/],
    ['a comment in `changelog`', { inputs: { changelog: '<!-- - -->' } }, /^changelog: nothing of/],
    ['an empty section', { inputs: section }, /^changelog-file: "CHANGELOG\.md" has nothing for/]
  ]
  test.each(rows)('%s', async (_, options, said) => {
    await using shop = await openShop(options)
    await shop.write('CHANGELOG.md', '## 1.4.2\n\n<!-- soon -->\n\n## 1.4.1\n\n- Older')
    const message = refusalOf(await shop.publish(), shop)
    expect(message).toMatch(said)
    expect(message).toContain('`changelog-fallback`')
  })
})

test('a changelog without end is sent whole; outputs and summary say what they leave out', async () => {
  const text = '- Grüße an 漢字 🎉 <b>alle</b>\n'.repeat(10_000).trim()
  await using shop = await openShop({ inputs: { ...FROM_FILE.inputs, 'changelog-links': 'keep' } })
  await shop.write('CHANGELOG.md', text)
  const run = await shop.publish()
  expect(sent(shop)).toEqual([['markdown', text]])
  expect(run.outputs).toMatchObject({ outcome: 'published', id: '1001', changelog: '' })
  expect(run.annotations).toMatchObject([
    { kind: 'notice', message: expect.stringContaining('the whole file is sent') },
    { kind: 'warning', message: expect.stringMatching(/outputs .* 1 MB.*: changelog\./) }
  ])
  expect(run.summary).toContain(`\n… (${text.length - 200_000} characters more, not shown here)\n`)
})
