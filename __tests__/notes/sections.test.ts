// Tests of src/notes/sections.ts: the section of one version in a changelog file, or none; never a neighbor's text.
import { describe, expect, test } from '@jest/globals'
import { checkWhole, takeSection } from '../../src/notes/notes.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import { never } from './notes.ts'

const take = (text: string, version = '1.2.3', tag = `v${version}`): Promise<string> =>
  takeSection({ text, path: 'CHANGELOG.md', version, tag }, never)

/** What is wrong with a file. */
async function refusal(file: string, version?: string, tag?: string): Promise<string> {
  const answer = await take(file, version, tag).then(JSON.stringify, (error: unknown) => error)
  if (answer instanceof ActionError) return answer.message
  throw new Error(`Not refused: ${answer}`)
}

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

  test.each(['1.2', '1.2.2', '1.2.3-beta', '2.1.2.3', '2026-02-01'])(
    '%s has no heading, and those of versions are listed',
    async version => {
      expect(await refusal(KEEP, version)).toBe(
        `changelog-file: "CHANGELOG.md" has no heading for "${version}":
  line 4: ## [1.2.10] - 2026-03-01
  line 6: ## [1.2.3-beta.1] - 2026-02-02
  line 8: ## [1.2.3] - 2026-02-01
  line 13: ## [1.2.1] - 2026-01-01`
      )
    }
  )

  test('the ways out are named', async () => {
    const advice = expect.stringMatching(/"## 9\.9\.9".*"= 9\.9\.9 =".*`changelog`.*`\{version\}`/)
    await expect(take(KEEP, '9.9.9')).rejects.toMatchObject({ reason: 'no-changelog', advice })
  })
})

test.each([
  '## 1.2.3 (2026-01-02)',
  '## [1.2.3] - 2026-01-01',
  '# [1.2.3](https://github.com/acme/plugin/compare/v1.2.2...v1.2.3) (2026-01-02)',
  '# v1.2.3',
  '## plugin@1.2.3',
  '### @acme/plugin@v1.2.3',
  '## acme-plugin-1.2.3',
  '## Version 1.2.3',
  '## Synapse 1.2.3',
  '## v.1.2.3',
  '### Version1.2.3',
  '## Changes in Acme Plugin **1.2.3**:',
  '## Release notes for v1.2.3',
  '## 2026-01-02: 1.2.3',
  '## \\[1\\.2\\.3\\] - 2026-01-02',
  '## <a name="1.2.3"></a>1.2.3',
  '## 🎉 `1.2.3` Bugfix release',
  '   ## 1.2.3 ##',
  '1.2.3 / 2026-01-02\n==================',
  'Acme Plugin 1.2.3\n---',
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
  '<h4>1.2.3</h4>',
  '<h2 class="version">Version 1.2.3</h2>',
  '2026-01-02 - version 1.2.3',
  '2026.01.02 – ver 1.2.3',
  '02/01/2026: 1.2.3',
  '1.2.3\n~~~~~'
])('%j is the heading of 1.2.3', async heading => {
  const file = `## 1.3.0 (was 1.2.3)\n\nno\n\n${heading}\n\nyes\n\n## 1.2.2\n\nno`
  expect(await take(file)).toBe('yes')
  expect(await take(`no\n\n${heading}\n\nyes`)).toBe('yes')
})

test.each([
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
  '<!--\n## 1.2.3\n-->',
  '> ## 1.2.3',
  '===== 1.2.3 =====',
  // Styles in which a title cannot be told from a line of the text
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
])('%j: no section of %s, which cannot be told from other headings', async (file, version) => {
  expect(await refusal(file, version)).toContain(`no heading for "${version}":\n  line 1: `)
})

test('a file without any version says so', async () => {
  expect(await refusal('# News\n\nNone.')).toContain('nor for any other version.')
})

test.each([
  ['## v2\na\n## v1\nb', '2', 'v2'],
  ['# 1.2.3-RC.1\na\n# 1.2.3-beta', '1.2.3-rc.1', 'v1.2.3-rc.1'],
  ['## 1.0.0+2\na\n## 1.0.0+1\nb', '1.0.0+2', 'v1.0.0+2'],
  ['## 1.3.0\n\n### Upgrading to 1.2.3\n\nb\n\n## 1.2.3\n\na', '1.2.3', 'v1.2.3'],
  ['## 1.2.3\na\n## 1.2.2\nb', '1.2.3', 'plugin@1.2.3'],
  ['## plugin@1.2.3\na\n## 1.2.2\nb', '1.2.3', 'latest'],
  ['## theme@1.2.3\nb\n## plugin@1.2.3\na', '1.2.3', 'plugin@1.2.3'],
  ['## 1.2.3\nb\n## theme@1.2.3\nb\n## plugin@1.2.3\na', '1.2.3', 'plugin@1.2.3'],
  ['## theme-1.2.3\nb\n## plugin-1.2.3\na', '1.2.3', 'plugin-v1.2.3'],
  ['## 1.2.3 RC1\n- b\n\n## 1.2.2\nb', '1.2.2', 'v1.2.2']
])('%j: the section of %s, tag %s', async (file, version, tag) => {
  expect(await take(file, version, tag)).toMatch(/^[ab]$/)
  expect(await take(file, version, tag)).toBe(version === '1.2.2' ? 'b' : 'a')
})

describe('where a section ends', () => {
  test.each([
    // The next heading of the same or a higher level, or one of a version
    ['# [1.1.0](u) (2026-01-02)\n\na\n\n## [1.0.1](u) (2026-01-01)\n\nc', 'a'],
    ['# 1.1.0\n\na\n\n### v1.0.1 – 2026\n\nb', 'a'],
    ['## 1.1.0\n## 1.0.0\na', ''],
    // Whatever the number of parts, if it is called the same
    ['## 1.1.0\n\na\n\n### 1.0\n\nb', 'a'],
    // WordPress' headings are deeper than Markdown's
    ['= 1.1.0 =\n* a\n\n### 1.0.0\n* b', '* a'],
    ['### 1.1.0\n* a\n\n= 1.0.0 =\n* b', '* a'],
    ['= 1.1.0 =\n\n= 1.0.0 =\n\n* a', ''],
    ['= 1.1.0 =\n* a\n\n== FAQ ==\n\nb', '* a'],
    // Headings of one level directly under it are its parts
    [
      '## 1.1.0\n\n## Added\n\n- a\n\n## Fixed\n\n- b\n\n## 1.0.0\n\nc',
      '## Added\n\n- a\n\n## Fixed\n\n- b'
    ],
    ['### 1.1.0\n### Fixes (3)\n- a\n\n### 1.0.0\n- b', '### Fixes (3)\n- a'],
    // So are those before the next version, by axios and git-cliff; not what may be a version (pyenv-virtualenv)
    [
      '## v1.1.0 — October 21, 2026\n\na\n\n## 🚀 New Features\n\n- b\n\n## v1.0.0\n\nc',
      'a\n\n## 🚀 New Features\n\n- b'
    ],
    ['## 1.1.0\n\na\n\nb\n---\n\n## 1.0.0', 'a'],
    ['## v1.1.0\n\na\n\n## v20160716\n\nb\n\n## v1.0.0', 'a'],
    ['# 1.1.0\n\na\n\n# Change Log\n\n## 1.0.0', 'a'],
    [
      '= 1.1.0 =\n= Features =\n* a\n= Fixes =\n* b\n= 1.0.0 =',
      '= Features =\n* a\n= Fixes =\n* b'
    ],
    // Neither code nor a version of other parts ends it
    [
      '## 1.1.0\n```yaml\nv: 1.1\n---\n## 1.0.0\n```\n\n## 1.0.0',
      '```yaml\nv: 1.1\n---\n## 1.0.0\n```'
    ],
    ['## 1.1.0\n\na\n\n### 1.0.0 to 1.0.5\n\nb', 'a'],
    // Definitions
    ['## 1.1.0\n\n[a] b\n\n[a]: x\n\nc\n\n## 1.0.0\n\n[a]: y', '[a] b\n\n[a]: x\n\nc\n\n[a]: y'],
    ['[a]: x\n\n## 1.1.0\n![b] [A]\n\n## 1.0.0\n\n[b]: y\n[c]: z', '![b] [A]\n\n[a]: x\n[b]: y']
  ])('%j: after %j', async (file, text) => {
    expect(await take(file, '1.1.0')).toBe(text)
  })
})

test.each([
  // Co-Authors Plus, gsutil and Node: bold and bare lines below headings, and versions of what is bundled
  ['## [3.5.0] - 2022-04-21\n* Faster\n\n**3.4.92 (Oct 14, 2021)**\n* b', '3.5.0'],
  ['Release 3.41\n---\n\na\n\nRelease 3.38 (release-date: 2013-11-25)\n\nb', '3.41'],
  ['## Version 17.3.0 (Current)\n\na\n\n#### OpenSSL-3.0.1\n\nb', '17.3.0'],
  // What Markdown takes for something else: HTML, a list, a fence that is never closed, a line of a paragraph
  ['## 1.2.3\n\n<details>\na\n</details>\n## 1.2.2 - Bugs\nb', '1.2.3'],
  ['## 1.2.3\n\n- a\n  ## 1.2.2\n  - b', '1.2.3'],
  ['## 1.2.3\n```\na\n\n## 1.2.2\nb', '1.2.3'],
  ['## 1.2.3\n- a\n1.2.2 (2026-01-01)\n- b', '1.2.3'],
  ['## 1.2.3\na\n##1.2.2\nb', '1.2.3']
])('%j: where %s ends is not certain', async (file, version) => {
  expect(await refusal(file, version)).toMatch(/^[^\n]* does not say where "[^"]+" ends:(\n.*){2}$/)
})

test.each([
  '**Note that this release requires WordPress 6.3.0.**',
  '1.1.9 is the last one for Windows 7.',
  '**1.2.3**',
  '1.5 GB'
])('nor does %j end it', async line => {
  expect(await take(`## 1.2.3\n\n${line}\n\n## 1.2.2`)).toBe(line)
})

const README = `=== Acme Gallery ===
Stable tag: 1.2.3

== Changelog ==

= 1.2.3 - 2026-02-01 =
* New: albums
* Fix: a rare crash

= 1.2.2 =
* Faster

== Upgrade Notice ==

= 1.2.3 =
Back up first.
`

test('in the style of WordPress: up to the next version, or the next part', async () => {
  expect(await take(README)).toBe('* New: albums\n* Fix: a rare crash')
  expect(await take(README, '1.2.2')).toBe('* Faster')
  const notice = '== Upgrade Notice ==\n\n= 1.2.3 =\nBack up first.\n\n'
  expect(await take(`${notice}== Changelog ==\n= 1.2.3 =\n* New`)).toBe('* New')
  expect(await refusal(notice)).toBe(
    'changelog-file: "CHANGELOG.md" has a heading for "1.2.3" only outside its changelog, under "Upgrade Notice":\n  line 3: = 1.2.3 ='
  )
})

test.each([
  '## 1.2.3\n- a\n## 1.2.2\n- b\n## 1.2.3\n- c',
  '## 1.2.3\n- a\n## [1.2.3]\n- b',
  '# cli@1.2.3\na\n# core@1.2.3\nb',
  '= 1.2.3 =\n- a\n\n= 1.2.3 =\n- b',
  '# Release 1.2.3\n- a\n\n1.2.3\n===\n- b'
])('of two headings none is chosen: %j', async file => {
  const message = await refusal(file)
  expect(message).toMatch(/^changelog-file: "CHANGELOG\.md" has several headings for "1\.2\.3":\n/)
  expect(message.match(/\n {2}line \d+: .*1\.2\.3/g)).toHaveLength(2)
})

test('twenty headings are listed at most, each up to 100 characters', async () => {
  const file = Array.from({ length: 30 }, (_, at) => `## 1.1.${at} ${'a'.repeat(200)}`).join('\n\n')
  const lines = (await refusal(file)).split('\n').slice(1)
  expect(lines).toHaveLength(20)
  expect(lines[19]).toMatch(/^ {2}line 39: ## 1\.1\.19 a{90}$/)
})

describe('what sellers write', () => {
  test.each([
    // WooCommerce's marketplace
    [
      '*** Gallery Changelog ***\n\n## 1.2.3\n* mine\n\n2026-08-09 - version 1.2.2\n* theirs',
      '* mine'
    ],
    [
      '*** Gallery ***\n\n2026-08-10 - version 1.2.3\n* mine\n\n20012-05-06 - version 1.2.2\n* theirs',
      '* mine'
    ],
    // reStructuredText
    [
      '1.2.3\n-----\n\nFixed\n~~~~~\n\n- mine\n\n1.2.2\n-----\n\nFixed\n~~~~~\n\n- theirs',
      'Fixed\n-----\n\n- mine'
    ],
    // Markdown's headings are parts in a readme.txt
    [
      '== Changelog ==\n\n= 1.2.3 =\nBack up first.\n\n### Added\n- A\n\n= 1.2.2 =\n- theirs',
      'Back up first.\n\n### Added\n- A'
    ],
    ['== Changelog ==\n\n= 1.2.3 =\n### Added\n- A\n\n= 1.2.2 =\n- theirs', '### Added\n- A'],
    [
      '##### [Version 1.2.3](https://a.example) (2026-01-02)\n\n### Bug Fixes\n\n- mine\n\n##### [Version 1.2.2](https://a.example)\n- theirs',
      '### Bug Fixes\n\n- mine'
    ],
    [
      '# Changelog\n\n## [Unreleased]\n\n## 1.2.3\n\nmine\n\n## Fixed 3 bugs\n\nmine, too\n\n## 1.2.2\ntheirs',
      'mine\n\n## Fixed 3 bugs\n\nmine, too'
    ],
    // The title of a theme above its changelog
    ['# Theme v1.2.3\n\n== Changelog ==\n\n= 1.2.3 =\n* mine\n\n= 1.2.2 =\n* theirs', '* mine'],
    ['== Changelog ==\n\n= 1.2.3 =\n* mine\n\n== Screenshots ==\n\n1. theirs', '* mine'],
    [
      '== Release notes ==\n\nSee the site.\n\n== Contact ==\n\nUs.\n\n== Changelog ==\n\n= 1.2.3 =\n* mine\n\n= 1.2.2 =\n* theirs',
      '* mine'
    ],
    [
      '## 1.2.3\n\n## Release notes\n\n- mine\n\n## 1.2.2\n\n- theirs',
      '## Release notes\n\n- mine'
    ],
    ['<h4>1.2.3</h4>\n\n- mine\n\n<h4>1.2.2</h4>\n\n- theirs', '- mine'],
    // A line that begins with a version of which the title is further down
    ['## 1.2.3\n- mine, unlike\n1.2.2).\n## 1.2.2\n- theirs', '- mine, unlike\n1.2.2).'],
    [
      '## 1.2.3\n- @acme/core@2.0.1\n* Update: SDK 2.5.12\n',
      '- @acme/core@2.0.1\n* Update: SDK 2.5.12'
    ]
  ])('%j: %j', async (file, text) => {
    expect(await take(file)).toBe(text)
  })

  test.each([
    '**v1.2.2** - 2024-01-02',
    'Gallery 1.2.2 - 2024-01-01',
    '* 1.2.2 (2024-01-02)',
    '[1.2.2] 2024-01-02',
    '1.2.2 | 2024-01-02',
    'Ver. 1.2.2',
    'Changes in 1.2.2',
    '- # 1.2.2'
  ])(
    'a line that may be a title makes a section doubtful, unless it has one below: %s',
    async line => {
      const file = `== Changelog ==\n\n= 1.2.3 =\n* mine\n\n${line}\n* more\n\n= 1.2.1 =\n* theirs`
      expect(await refusal(file)).toBe(
        `changelog-file: "CHANGELOG.md" does not say where "1.2.3" ends:\n  line 3: = 1.2.3 =\n  line 6: ${line}`
      )
      expect(await take(`${file}\n\n= 1.2.2 =\n* theirs`)).toBe(`* mine\n\n${line}\n* more`)
    }
  )

  test.each([
    '<a name="v1.2.2"></a>',
    '<a id="1.2.2">',
    '---',
    '* * *',
    '.. _1.2.2:',
    '<details>',
    '<details><summary>Older</summary>',
    '## 2023'
  ])('what belongs to the next title is not sent: %j', async line => {
    expect(await take(`## 1.2.3\n\n- mine\n\n${line}\n\n## 1.2.2\n\n- theirs`)).toBe('- mine')
  })

  test('where a version looks like a date, such dates are versions', async () => {
    const file = '# Changelog\n\n## 2024.3.0\n\n- mine\n\n## 2024.2.0\n\n- theirs'
    expect(await take(file, '2024.3.0')).toBe('- mine')
  })

  test.each([
    // Nobody can say
    '## 1.2.3\n\nmine\n\n## Breaking changes\n\ntheirs?',
    '## 1.2.3\n\nmine\n\n## PHP 8.3 support\n\ntheirs?',
    '## 1.2.3\n\nmine\n\n## Beta 2\n\ntheirs\n\n## 1.2.2',
    '## 1.2.3\n\nmine\n\n### WooCommerce 9.1.0\n\n- theirs?',
    '## 1.2.3\n\nmine\n\n### @acme/core@2.0.1\n\n- theirs?',
    // Leaflet and LifterLMS: a deeper heading that mentions a version is a part
    '## 1.2.3\n\nmine\n\n#### 1.2.2 regression fixes\n\n- mine\n\n## 1.2.2\n\n- theirs',
    '## 1.2.3\n\nmine\n\n#### 1.2.2 regression fixes\n\n- mine\n\n## 1.2.1\n\n- theirs',
    '## 1.2.3\n\nmine\n\n### 1.2.2\n\n- mine\n\n## 1.2.2\n\n- theirs'
  ])('it is an error with the line: %j', async file => {
    expect(await refusal(file)).toMatch(
      /does not say where "1\.2\.3" ends:\n {2}line 1: ## 1\.2\.3\n {2}line 5: ##/
    )
  })

  test.each([
    ['## 1.2.3\n\nmine\n\n## Changelog\n\n- mine\n\n## 1.2.2\n\n- theirs', '## Changelog'],
    [
      '== Changelog ==\n= 1.2.3 =\nmine\n\n== Added ==\n- mine\n\n= 1.2.2 =\n- theirs',
      '== Added =='
    ],
    [
      '<h2>News</h2>\n<h3>1.2.3</h3>\nmine\n\n<h2>Added</h2>\n- mine\n\n<h3>1.2.2</h3>\n- theirs',
      '<h2>Added</h2>'
    ],
    ['== Changelog ==\n## a@1.2.3\n== Added ==\n- mine\n\n## a@1.2.2\n- theirs', '== Added ==']
  ])('a heading that ends a section between titles may be a part: %j', async (file, line) => {
    expect(await refusal(file)).toMatch(
      / does not say where "1\.2\.3" ends:\n {2}line \d: .*1\.2\.3/
    )
    expect(await refusal(file)).toContain(`: ${line}`)
  })

  test.each([
    '# 1.2.3\n- mine\n\n# Changelog\n\nAll notable changes.\n\n## 1.2.2\n- theirs',
    '== Changelog ==\n= 1.2.3 =\n- mine\n\n== Changelog ==\nOlder ones.\n\n= 1.2.2 =\n- theirs',
    '== Changelog ==\n= 1.2.3 =\n- mine\n\n== Upgrade Notice ==\nNote well.\n\n= 1.2.2 =\n- theirs',
    '= 1.2.3 =\n- mine\n\n== Upgrade Notice ==\nNote well.\n\n= 1.2.2 =\n- theirs',
    '== Changelog ==\n= 1.2.3 =\n- mine\n\n== Older ==\n\n= 1.2.2 =\n- theirs',
    '== Changelog ==\n= 1.2.3 =\n- mine\n\n== FAQ ==\nAsk.\n\n= Does 1.2.2 work? =\n- theirs',
    '== Changelog ==\n= 1.2.3 =\n- mine\n\n== FAQ ==\nAsk.\n\n== More ==\n\n= 1.2.2 =\n- theirs'
  ])('or surely ends it: %j', async file => {
    expect(await take(file)).toBe('- mine')
  })

  test('a version that stands below only in the Upgrade Notice has no title of its own', async () => {
    const file =
      '= 1.2.3 =\n* mine\n\nGallery 1.2.2\n* theirs\n\n== Upgrade Notice ==\n\n= 1.2.2 =\nNote well.'
    expect(await refusal(file)).toContain('line 4: Gallery 1.2.2')
  })

  // mock
  test.each([
    '1.2.3 and earlier',
    'Version 1.2.3 or older',
    '1.2.0 to 1.2.3',
    '1.2.3 through 1.2.5'
  ])('a title of several versions is that of none: %s', async title => {
    const version = title.startsWith('1.2.0') ? '1.2.0' : '1.2.3'
    expect(await refusal(`## 1.3.0\n- a\n\n## ${title}\n- theirs, too`, version)).toBe(
      `changelog-file: "CHANGELOG.md" does not say where "${version}" ends:\n  line 4: ## ${title}`
    )
    expect(await take(`## 1.3.0\n- a\n\n## ${title}\n- theirs`, '1.3.0')).toBe('- a')
  })

  // Karma: a version that was released twice
  test('a deeper title that stands there twice ends a section', async () => {
    const file = '# 2.0.0\n\n- mine\n\n## 1.7.1\n\n- theirs\n\n## 1.7.1\n\n- theirs'
    expect(await take(file, '2.0.0')).toBe('- mine')
  })

  // Pronamic
  test('a comment after the definitions at the end changes nothing', async () => {
    const file = '## 1.2.3\n- mine, see [b]\n\n[a]: x\n[b]: y\n\n<!-- The end -->\n'
    expect(await take(file)).toBe('- mine, see [b]\n\n[b]: y')
  })

  test('the package of another name is none', async () => {
    const file = '## theme@1.2.3\n- theirs'
    expect(await refusal(file, '1.2.3', 'plugin@1.2.3')).toContain('has no heading for "1.2.3"')
  })

  test('without a heading called Changelog, a second title is an error', async () => {
    const file = '== News ==\n\n= 1.2.3 =\n* a\n\n== Upgrade Notice ==\n\n= 1.2.3 =\n* b'
    expect(await refusal(file)).toContain('has several headings for "1.2.3"')
  })

  test('an example is in the style of the file', async () => {
    const advice = (example: string) => ({
      advice: expect.stringContaining(`such as "${example}"`)
    })
    await expect(take('== Changelog ==\n\n1.2.3\n* a')).rejects.toMatchObject(advice('= 1.2.3 ='))
    await expect(take('### 1.2.2\n* a')).rejects.toMatchObject(advice('### 1.2.3'))
    await expect(take('<h4>1.2.2</h4>\na')).rejects.toMatchObject(advice('<h4>1.2.3</h4>'))
  })
})

// What people write over the text of a version that has no title like that of others.
test.each([
  '**v1.2.2** - 2024-01-02',
  '**1.2.2**',
  '__1.2.2__',
  '***1.2.2***',
  'Gallery 1.2.2 - 2024-01-01',
  'Gallery 1.2.2',
  '* 1.2.2 (2024-01-02)',
  '[1.2.2] 2024-01-02',
  '[1.2.2](https://a.example) - 2024-01-02',
  '1.2.2 | 2024-01-02',
  '| 1.2.2 | 2024-01-02 |',
  '| **1.2.2** | Faster |',
  'Ver. 1.2.2',
  'ver 1.2.2:',
  'Version 1.2.2',
  'Version: 1.2.2',
  'VERSION 1.2.2 - JANUARY 2, 2024',
  'Release 1.2.2',
  'Changes in 1.2.2',
  'v1.2.2',
  '1.2.2',
  '1.2.2:',
  '1.2.2 - Faster than ever',
  '1.2.2 (Jan 2, 2024)',
  '1.2.2, 2 January 2024',
  '2024-01-02 1.2.2',
  '2024-01-02: v1.2.2',
  'January 2, 2024 - 1.2.2',
  '- 1.2.2',
  '- **1.2.2**',
  '- # 1.2.2',
  '1. 1.2.2',
  '> ## 1.2.2',
  '##1.2.2',
  '##v1.2.2',
  '-----1.2.2-----',
  '*** 1.2.2 ***',
  '== 1.2.2',
  '= 1.2.2 ==',
  '===== 1.2.2 =====',
  '<summary>1.2.2</summary>',
  '<b>1.2.2</b>',
  '<p><strong>Version 1.2.2</strong></p>',
  '`1.2.2`',
  '    1.2.2',
  '- 1.2.2\n  -----',
  '1.2.2\n~~~~~',
  '2024-01-02 - version 1.2.2',
  '20012-01-02 - version 1.2.2',
  '<h4>1.2.2</h4>',
  '### 1.2.2',
  '# 1.2.2',
  '## Gallery 1.2.2',
  '## Gallery 2',
  '## 12',
  '## 2024',
  '## January 2024',
  '## Version 12',
  '2024',
  '12',
  'January 2, 2024',
  'v2',
  '## Unreleased',
  '## Next',
  '## Older versions',
  '## Build 12',
  '## RC 1',
  '## Spring Release',
  // With another label, or none, between signs
  '| Version | 1.2.2 |',
  'Version # 1.2.2',
  'Version – 1.2.2',
  'V. 1.2.2',
  'V.1.2.2',
  'Rev. 1.2.2',
  'Hotfix 1.2.2',
  'Release 1.2.2 (stable)',
  'Gallery (1.2.2)',
  'h4. Version 1.2.2',
  '***********\n* 1.2.2   *\n***********',
  '-----\n1.2.2\n-----',
  '1.2.2\n^^^^^',
  '- 1.2.2\n-------',
  '=-=-= 1.2.2 =-=-=',
  '/****** 1.2.2 ******/',
  '🎉 Version 1.2.2',
  '► v1.2.2',
  // In words
  "What's new in 1.2.2",
  '**What’s New in Version 1.2.2**',
  'Changelog for 1.2.2',
  'Changes for version 1.2.2:',
  'Fixed in 1.2.2',
  'Версия 1.2.2',
  'バージョン 1.2.2',
  '版本1.2.2',
  // After other dates
  'Tuesday, January 2, 2024 - 1.2.2',
  'Tue, 2 Jan 2024: v1.2.2',
  'Tuesday, January 2, 2024',
  // Of other parts
  '* 1.2 (2024-01-02)',
  '- **1.2.2.1** (2024-01-02)',
  '1.2.2.1',
  'Version 2',
  '**Release 12**',
  'Build 1234:',
  '### Release 12',
  '### Alpha 3',
  // In HTML
  '<summary>Gallery 1.2.2 – the fast one</summary>',
  '<tr><td>1.2.2</td><td>2024-01-02</td></tr>',
  '<div class="version">1.2.2</div>',
  '<h4>Version 1.2.2',
  '<details>\n## gallery@1.2.2',
  // In a list by mistake, after a date, and called by a package
  '- ## Gallery 1.2.2',
  '1. ## gallery@1.2.2',
  '2024-01-02 - version 1.2.2 in a hurry for all',
  'gallery@1.2.2',
  '**gallery@1.2.2**',
  '## gallery@v.1.2.2'
])('the text under %j is never sent', async title => {
  const file = `## 1.2.3\n\n- mine\n\n${title}\n\n- theirs\n`
  const end = await take(file).catch((error: unknown) => error)
  if (end instanceof ActionError) expect(end.message).toContain('does not say where "1.2.3" ends')
  else expect(end).toBe('- mine')
})

test.each(['## v.1.2.2', '= v.1.2.2 =', '= Ver.1.2.2 =', '### Version1.2.2', '= Gallery 1.2.2 ='])(
  'under %j in a readme another version begins, whatever follows',
  async title => {
    const file = `== Changelog ==\n\n= 1.2.3 =\n* mine\n\n${title}\n* theirs\n\n= 1.2.1 =\n* theirs`
    const end = await take(file).catch((error: unknown) => error)
    if (end instanceof ActionError) expect(end.message).toContain(title)
    else expect(end).toBe('* mine')
  }
)

// Whoever writes these waits for the limit of the worker at most.
test.each([
  '# Changelog\n',
  '= Changelog =\n',
  '= 1.2.2 ',
  '= a ',
  '= 1.2.3\n',
  '<!--',
  '<!-- a\n\n',
  '~~~~\n',
  'a\n~~~~\n',
  '```\n',
  '## 1.2.3\n',
  '## a\n',
  '## 1.2.3\n- a\n',
  '---\n',
  '<a id="1"></a>\n',
  '1.1-',
  'a-1.1~',
  '[',
  'Jan ',
  '[a]: b\n'
])(
  'a file of nothing but %j ends in time',
  async piece => {
    const text = `## 1.2.3\n\na\n\n${piece.repeat(200_000 / piece.length)}`
    const started = performance.now()
    await take(text).catch((error: unknown) => expect(error).toBeInstanceOf(ActionError))
    expect(performance.now() - started).toBeLessThan(20_000)
  },
  30_000
)

test('majors of semantic-release stand a level above its other versions', async () => {
  const file = `# [2.0.0](https://example.com/a...b) (2026-01-02)

### Features

* albums

## [1.9.1](https://example.com/b...c) (2026-01-01)

### Bug Fixes

* thumbnails
`
  expect(await take(file, '2.0.0')).toBe('### Features\n\n* albums')
  expect(await take(file, '1.9.1')).toBe('### Bug Fixes\n\n* thumbnails')
})

test('changesets, and a pre-release within the section of its version', async () => {
  const file = `# acme-plugin

## 1.2.3

### Patch Changes

- 1a2b3c4: mine

### 1.2.3-beta.1

- beta

## 1.2.2

### Patch Changes

- theirs
`
  expect(await take(file)).toBe('### Patch Changes\n\n- 1a2b3c4: mine')
  expect(await take(file, '1.2.3-beta.1')).toBe('- beta')
  expect(await take(file, '1.2.2')).toBe('### Patch Changes\n\n- theirs')
})

test('release-please', async () => {
  const file = `# Changelog

## [1.2.3](https://example.com/compare/v1.2.2...v1.2.3) (2026-01-02)


### Bug Fixes

* mine ([1a2b3c4](https://example.com/commit/1a2b3c4))

### [1.2.2](https://example.com/compare/v1.2.1...v1.2.2) (2026-01-01)


### Bug Fixes

* theirs
`
  const mine = '### Bug Fixes\n\n* mine ([1a2b3c4](https://example.com/commit/1a2b3c4))'
  expect(await take(file)).toBe(mine)
  expect(await take(file, '1.2.2')).toBe('### Bug Fixes\n\n* theirs')
})

test('a version that was withdrawn has its title all the same', async () => {
  const file = `# Changelog

## [1.2.3] - 2026-01-02 [YANKED]
- mine
## [1.2.2] - 2026-01-01 [YANKED]
- theirs
`
  expect(await take(file)).toBe('- mine')
  expect(await take(file, '1.2.2')).toBe('- theirs')
})

test('a megabyte is read in time', async () => {
  const section = (version: string) =>
    `## ${version}\n\n${'- Faster, and [safer](#1).\n'.repeat(40)}\n`
  const file = Array.from({ length: 900 }, (_, at) => section(`1.2.${900 - at}`)).join('')
  const started = performance.now()
  expect(await take(file, '1.2.450')).toContain('Faster')
  expect(file.length).toBeGreaterThan(900_000)
  expect(performance.now() - started).toBeLessThan(20_000)
})

describe('a file that is sent whole', () => {
  const check = (text: string) =>
    checkWhole({ text, path: '1.2.3.md', version: '1.2.3', tag: 'v1.2.3' }, never)

  test.each([
    '- Faster',
    '# 1.2.3\n\n- Faster',
    '# Acme 1.2.3\n\n## Needs PHP 8.1\n\n## Upgrading from 1.2.2\n\n```\n## 1.2.2\n```',
    ''
  ])('has no heading of another version: %j', async text => {
    await expect(check(text)).resolves.toBeUndefined()
  })

  test.each([
    ['# 1.2.2\n\n- Older', 'line 1: # 1.2.2'],
    ['# 1.2.3\n\n- a\n\n# 1.2.2\n\n- b', 'line 5: # 1.2.2'],
    ['= 1.2.4 =\n* a', 'line 1: = 1.2.4 ='],
    ['- a\n\n**1.2.2**\n\n- b', 'line 3: **1.2.2**']
  ])('or is refused: %j', async (text, line) => {
    await expect(check(text)).rejects.toMatchObject({
      reason: 'no-changelog',
      message: `changelog-file: "1.2.3.md" is for "1.2.3" alone, but has headings of others:\n  ${line}`
    })
  })
})
