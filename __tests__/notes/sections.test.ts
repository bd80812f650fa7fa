// Tests of src/notes/sections.ts: the section of one version in a changelog file, or none; never a neighbor's text.
import { describe, expect, test } from '@jest/globals'
import { refusal, take } from './taking.ts'

const KEEP = `# Changelog
## [Unreleased]
- Soon
## [1.2.10] - 2026-03-01
- Ten, see [the guide][Guide] and \`[1.2.1]\`
## [1.2.3-beta.1] - 2026-02-02
- Beta
## [1.2.3] - 2026-02-01
### Added
- Three
#### Upgrading from 1.2.1
- Nested
## [1.2.1] - 2026-01-01
- One, see [guide]

[unreleased]: https://github.com/acme/plugin/compare/v1.2.10...HEAD
[1.2.10]: https://github.com/acme/plugin/compare/v1.2.3...v1.2.10
[guide]: <https://example.com/guide>
  'The guide'
`

const GUIDE = "[guide]: <https://example.com/guide>\n  'The guide'"

describe('in the style of Keep a Changelog', () => {
  test.each([
    ['1.2.10', `- Ten, see [the guide][Guide] and \`[1.2.1]\`\n\n${GUIDE}`],
    ['1.2.3-beta.1', '- Beta'],
    ['1.2.3', '### Added\n- Three\n#### Upgrading from 1.2.1\n- Nested'],
    ['1.2.1', `- One, see [guide]\n\n${GUIDE}`]
  ])('%s alone, with the definitions that it uses', async (version, text) => {
    expect(await take(KEEP, version)).toBe(text)
    expect(await take(`\ufeff${KEEP.replaceAll('\n', '\r\n')}`, version)).toBe(text)
  })

  test.each(['1.2', '1.2.2', '1.2.3-beta', '2.1.2.3'])(
    '%s has no heading, and the first three of others are listed',
    async version => {
      expect(await refusal(KEEP, version)).toBe(
        `changelog-file: "CHANGELOG.md" has no heading for "${version}":
  line 4: ## [1.2.10] - 2026-03-01
  line 6: ## [1.2.3-beta.1] - 2026-02-02
  line 8: ## [1.2.3] - 2026-02-01`
      )
    }
  )

  test('a line that holds the text is listed in place of them', async () => {
    expect(await refusal(KEEP, '2026-02-01')).toBe(
      'changelog-file: "CHANGELOG.md" has no heading for "2026-02-01":\n  line 8: ## [1.2.3] - 2026-02-01'
    )
  })

  test('the error names everything that helps', async () => {
    const advice = expect.stringMatching(/"## 9\.9\.9".*`changelog`.*`\{version\}`/)
    await expect(take(KEEP, '9.9.9')).rejects.toMatchObject({ reason: 'no-changelog', advice })
  })
})

test.each([
  '## 1.2.3 (2026-01-02)',
  '## [1.2.3] - 2026-01-01',
  '# [1.2.3](https://github.com/acme/plugin/compare/v1.2.2...v1.2.3) (2026-01-02)',
  '# v1.2.3',
  '## Version 1.2.3',
  '## v.1.2.3',
  '### Version1.2.3',
  '## 2026-01-02: 1.2.3',
  '## \\[1\\.2\\.3\\] - 2026-01-02',
  '## <a name="1.2.3"></a>1.2.3',
  '## 🎉 `1.2.3` Bugfix release',
  '   ## 1.2.3 ##',
  '1.2.3 / 2026-01-02\n==================',
  '= 1.2.3 =',
  '== 1.2.3 - 2026-01-02 ==',
  '= Version 1.2.3 =',
  '= v.1.2.3 =',
  // Not closed, or not with as many signs
  '= 1.2.3',
  '= v1.2.3 - 2026-01-02',
  '= v.1.2.3',
  '== 1.2.3 =',
  '= Version: 1.2.3 - Date: 2 January 2026 =',
  '= January 2 2026 - 1.2.3 =',
  '### _2026.01.02_ - 1.2.3',
  '2026-01-02 - version 1.2.3',
  '2026.01.02 – ver 1.2.3',
  '02/01/2026: 1.2.3',
  '1.2.3\n~~~~~'
])('%j is the heading of 1.2.3', async heading => {
  const file = `## 1.3.0 (was 1.2.3)\n\nno\n\n${heading}\n\nyes\n\n## 1.2.2\n\nno`
  expect(await take(file)).toBe('yes')
  expect(await take(`no\n\n${heading}\n\nyes`)).toBe('yes')
})

// A name counts if other titles share it, whatever it is.
test.each([
  '## plugin@1.2.3',
  '### @acme/plugin@v1.2.3',
  '## acme-plugin-1.2.3',
  '## Synapse 1.2.3',
  '## Changes in Acme Plugin **1.2.3**:',
  '## Release notes for v1.2.3',
  'Acme Plugin 1.2.3\n---',
  '#### G:PE 1.2.3',
  '## Галерея 1.2.3',
  '## Acme v1.2.3 – the fast one',
  // Akeeba
  'Akeeba Backup 1.2.3\n====================',
  '= Acme Gallery 1.2.3 =',
  '<h4>Gallery 1.2.3</h4>',
  // mcMMO, WorldEdit, Towny, Astra
  'Version 1.2.3',
  '1.2.3:',
  '1.2.3',
  'v1.2.3',
  'Gallery 1.2.3 - 2026-01-31'
])('%j is the heading of 1.2.3 where others are written like it', async heading => {
  const others = ['1.3.0', '1.2.2', '1.2.1'].map(it => heading.replaceAll('1.2.3', it))
  const file = `${others[0]}\n\nno\n\n${heading}\n\nyes\n\n${others[1]}\n\nno\n\n${others[2]}\n\nno`
  expect(await take(file)).toBe('yes')
  const last = others.join('\n\nno\n\n').replaceAll('1.2.1', '1.1.0')
  expect(await refusal(`${last}\n\nno`)).toContain('has no heading for "1.2.3"')
})

test.each([
  // A name that no other title has
  '## Synapse 1.2.3',
  '## Release notes for v1.2.3',
  // A mention
  '## Upgrading from 1.2.3',
  '## Changes in how we think of 1.2.3',
  '## Why 1.2.3 failed',
  '## Unreleased, since 1.2.3',
  '## Requires PHP 1.2.3',
  '## Acme Plugin and 1.2.3',
  '## All the words that stand before our own 1.2.3',
  // Another version, or another package
  '## 1.2.3.4',
  '## 1.2.3-beta',
  '## plugin@1.2.3~beta',
  '## 1.2.30',
  '## 1.2.3%',
  '## theme@1.2.3',
  '## theme-1.2.3',
  '## plugin-pro-1.2.3',
  // No heading
  '##1.2.3',
  '```\n## 1.2.3\n```',
  '~~~~\n```\n= 1.2.3 =\n~~~\n~~~~',
  'a\n\n    ## 1.2.3',
  'a\n\n    = 1.2.3 =',
  '<!--\n## 1.2.3\n-->',
  'a <!--\n= 1.2.3 =\n-->',
  '> ## 1.2.3',
  '===== 1.2.3 =====',
  // Styles in which a title looks like any line of the text
  'plugin (1.2.3) unstable; urgency=low\n\n  * b\n\n -- Jane <j@a.example>  Mon',
  '* Noteworthy changes in release 1.2.3 (2026-02-01) [stable]',
  '-----Changelog for v1.2.3-----',
  `${'-'.repeat(99)}\nVersion: 1.2.3\nDate: today`,
  '**1.2.3**',
  '__Version 1.2.3__',
  '1.2.3',
  'v1.2.3 - 2026-01-01',
  'Read <h2>1.2.3</h2>',
  '- 1.2.3\n  - b'
])('%j is not the heading of plugin@1.2.3', async heading => {
  const file = `# 1.2.2\n\nno\n\n${heading}\n\nno`
  expect(await refusal(file, '1.2.3', 'plugin@1.2.3')).toContain('has no heading for "1.2.3"')
})

test.each([
  ['## nightly-a\na\n## nightly-b\nb', 'nightly-a'],
  ['## 2\na\n## 1\nb', '2'],
  ['## 2026-01-02\na\n## 2026-01-01\nb', '2026-01-02']
])('%j: no section of %s, which looks like any other heading', async (file, version) => {
  expect(await refusal(file, version)).toContain(`no heading for "${version}":\n  line 1: `)
})

test.each(['## 14.2\n\n- a', '## 1.42\n\n- a', '## 1.4.2 Beta 1\n\n- a', '## 1.4.2 Rev 86\n\n- a'])(
  '%j is not the heading of 1.4.2',
  async file => {
    expect(await refusal(file, '1.4.2')).toContain('has no heading for "1.4.2":\n  line 1: ')
  }
)

test.each(['## 1.4.2\n\n## 1.4.1\n\n- old', '## 1.4.2\n\n---\n', '# Changelog\n\n## 1.4.2'])(
  'a title without a text is refused: %j',
  async file => {
    expect(await refusal(file, '1.4.2')).toContain('has no text under its heading for "1.4.2"')
  }
)

test('a file without any version says so', async () => {
  expect(await refusal('# News\n\nNone.')).toContain('nor for any other version.')
})

test.each([
  ['## v2\na\n## v1\nb', '2', 'v2'],
  ['# 1.2.3-RC.1\na\n# 1.2.3-beta', '1.2.3-rc.1', 'v1.2.3-rc.1'],
  ['## 1.0.0+2\na\n## 1.0.0+1\nb', '1.0.0+2', 'v1.0.0+2'],
  ['## 1.3.0\n\n### Upgrading to 1.2.3\n\nb\n\n## 1.2.3\n\na', '1.2.3', 'v1.2.3'],
  ['## 1.2.3\na\n## 1.2.2\nb', '1.2.3', 'plugin@1.2.3'],
  ['## plugin@1.2.3\na\n## plugin@1.2.2\nb', '1.2.3', 'latest'],
  ['## 1.2.3 Beta 2\na\n## 1.2.3 Beta 1\nb\n', '1.2.3-beta.2', 'v1.2.3-beta.2'],
  ['## 1.2.3 Hotfix 1\nb\n## 1.2.3\na\n', '1.2.3', 'v1.2.3'],
  ['## theme@1.2.3\nb\n## plugin@1.2.3\na', '1.2.3', 'plugin@1.2.3'],
  ['## theme@1.2.3\n\nb\n\n## plugin@1.2.3\n\na', '1.2.3', 'plugin@1.2.3'],
  ['## 1.2.3\nb\n## theme@1.2.3\nb\n## plugin@1.2.3\na', '1.2.3', 'plugin@1.2.3'],
  ['## theme-1.2.3\nb\n## plugin-1.2.3\na', '1.2.3', 'plugin-v1.2.3'],
  ['## 1.2.3 RC1\n- b\n\n## 1.2.2\nb', '1.2.2', 'v1.2.2']
])('%j: the section of %s, tag %s', async (file, version, tag) => {
  expect(await take(file, version, tag)).toMatch(/^[ab]$/)
  expect(await take(file, version, tag)).toBe(version === '1.2.2' ? 'b' : 'a')
})

test.each([
  '## 1.2.3\n- a\n## 1.2.2\n- b\n## 1.2.3\n- c',
  '## 1.2.3\n- a\n## [1.2.3]\n- b',
  '= 1.2.3 =\n- a\n\n= 1.2.3 =\n- b',
  '# Release 1.2.3\n- a\n\n1.2.3\n===\n- b'
])('of two headings none is chosen: %j', async file => {
  const message = await refusal(file)
  expect(message).toMatch(/^changelog-file: "CHANGELOG\.md" has several headings for "1\.2\.3":\n/)
  expect(message.match(/\n {2}line \d+: .*1\.2\.3/g)).toHaveLength(2)
})

test('twenty lines are listed at most, each up to 100 characters', async () => {
  const file = `## 1.2.3\n\n${`## News ${'a'.repeat(200)} 1.2.3\n\n`.repeat(30)}`

  const lines = (await refusal(file)).split('\n').slice(1)
  expect(lines).toHaveLength(20)
  expect(lines[19]).toMatch(/^ {2}line 39: ## News a{92}$/)
})
