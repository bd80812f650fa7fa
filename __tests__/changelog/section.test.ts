// Tests of src/changelog/section.ts: the section of one version in a changelog file.
import { describe, expect, test } from '@jest/globals'
import { takeSection } from '../../src/changelog/section.ts'

const take = (file: string, version: string, tag = `v${version}`) => takeSection(file, version, tag)
const section = (text: string) => ({ kind: 'section', text })
const missing = (...lines: string[]) => ({ kind: 'missing', lines })

const KEEP = `# Changelog
## [Unreleased]
## [1.2.10] - 2026-03-01
- Ten, see [the guide][Guide] and \`[1.2.1]\`
## [1.2.3-beta.1] - 2026-02-02
- Beta
## [1.2.3] - 2026-02-01
### Added
- Three
#### Notes for 1.2.1
- Nested
## [1.2.1] - 2026-01-01
- One, see [guide]

[unreleased]: https://github.com/acme/plugin/compare/v1.2.10...HEAD
[1.2.10]: https://github.com/acme/plugin/compare/v1.2.3...v1.2.10
[1.2.1]: https://github.com/acme/plugin/releases/tag/v1.2.1
[guide]: <https://example.com/guide>
  'The guide'
`

const GUIDE = "[guide]: <https://example.com/guide>\n  'The guide'"

describe('in the style of Keep a Changelog', () => {
  test.each([
    ['1.2.10', `- Ten, see [the guide][Guide] and \`[1.2.1]\`\n\n${GUIDE}`],
    ['1.2.3-beta.1', '- Beta'],
    ['1.2.3', '### Added\n- Three\n#### Notes for 1.2.1\n- Nested'],
    ['1.2.1', `- One, see [guide]\n\n${GUIDE}`]
  ])('%s alone, with the definitions that it uses', async (version, text) => {
    expect(await take(KEEP, version)).toEqual(section(text))
    expect(await take(KEEP.replaceAll('\n', '\r\n'), version)).toEqual(section(text))
  })

  test.each(['1.2', '1.2.2', '1.2.3-beta', '2.1.2.3', '2026-02-0'])(
    '%s is missing',
    async version => {
      const lines = ['2: ## [Unreleased]', '3: ## [1.2.10] - 2026-03-01']
      lines.push('5: ## [1.2.3-beta.1] - 2026-02-02', '7: ## [1.2.3] - 2026-02-01')
      const found = missing(
        ...[...lines, '12: ## [1.2.1] - 2026-01-01'].map(line => `line ${line}`)
      )
      expect(await take(KEEP, version)).toEqual(found)
    }
  )
})

test.each([
  '## 1.2.3 (2026-01-02)',
  '# [1.2.3](https://github.com/acme/plugin/compare/v1.2.2...v1.2.3) (2026-01-02)',
  '# v1.2.3',
  '## plugin@1.2.3',
  '### @acme/plugin@v1.2.3',
  '## acme-plugin-1.2.3',
  '## The Acme  Plugin 1.2.3',
  '## WooCommerce PDF Invoices & Packing Slips 1.2.3',
  '## What’s new in 1.2.3:',
  '## All that is new in version: **1.2.3**',
  '## 1.2.3 January 2, 2026',
  '## 1.2.3 _02.01.2026_',
  '## 2026-01-02: 1.2.3',
  '## 3 fixes in 1.2.3',
  '## [Details](https://example.com/1.2.2_(a)): 1.2.3',
  '## \\[1\\.2\\.3\\] - 2026-01-02',
  '## <a name="1.2.3"></a>1.2.3',
  '## :rocket: 1.2.3 🎉',
  '## 1.2.3 Bugfix release',
  '## 1.2.3版',
  '## バージョン1.2.3',
  '# Release notes for v1.2.3',
  '   ## 1.2.3',
  '1.2.3 / 2026-01-02\n==================',
  '<h2 id="x"><a href="#x">1.2.3</a></h2>'
])('%j is the heading of 1.2.3', async heading => {
  const file = `## 1.3.0 (was 1.2.3)\n\nno\n\n${heading}\n\nyes\n\n## 1.2.2\n\nno`
  expect(await take(file, '1.2.3')).toEqual(section('yes'))
  expect(await take(`no\n\n${heading}\n\nyes`, '1.2.3')).toEqual(section('yes'))
})

test.each([
  '```\n## 1.2.3\n```',
  'a\n\n    ## 1.2.3',
  '<!--\n## 1.2.3\n-->',
  '> ## 1.2.3',
  '### Notes for 1.2.3',
  '## Upgrading from 1.2.3',
  '## Changes in how we think of 1.2.3',
  '## Why 1.2.3 failed (sorry)',
  '## plugin@1.2.3~beta',
  '## Unreleased, since 1.2.3',
  '##1.2.3',
  '## 1.2.3.4',
  '## theme@1.2.3'
])('%j is not the heading of plugin@1.2.3', async heading => {
  const file = `# 1.2.2\n\nno\n\n${heading}\n\nno`
  expect(await take(file, '1.2.3', 'plugin@1.2.3')).toMatchObject({ kind: 'missing' })
})

test.each([
  ['## 2\na\n## 1\nb', '2', 'v2'],
  ['## nightly-a\na\n## nightly-b\nb', 'nightly-a', 'nightly-a'],
  ['## 2026-01-02\na\n## 2026-01-01\nb', '2026-01-02', '2026-01-02'],
  ['## 1.0.0+2\na\n## 1.0.0+1\nb', '1.0.0+2', 'v1.0.0+2'],
  ['## Known issues in 1.4.2\nb\n## 1.4.2 Fixes\na', '1.4.2', 'v1.4.2'],
  ['## What’s new in 1.2.3\nb\n## [Release – 1.2.3]\na', '1.2.3', 'v1.2.3'],
  ['## 1.3.0\n\n### Upgrading to 1.2.3\n\nb\n\n## 1.2.3\n\na', '1.2.3', 'v1.2.3'],
  ['Version 2\na\n\nVersion 1\nb', '2', 'v2'],
  ['## 1.2.3\na\n## 1.2.2\nb', '1.2.3', 'plugin@1.2.3'],
  ['## plugin@1.2.3\na\n## 1.2.2\nb', '1.2.3', 'latest'],
  ['## 1.2.3\nb\n## theme@1.2.3\nb\n## plugin@1.2.3\na', '1.2.3', 'plugin@1.2.3'],
  ['## plugin-1.2.3\nb\n## acme-plugin_v1.2.3\na', '1.2.3', 'acme-plugin/v1.2.3']
])('%j: the section of %s, tag %s', async (file, version, tag) => {
  expect(await take(file, version, tag)).toEqual(section('a'))
})

describe('where a section ends', () => {
  test.each([
    ['# [1.1.0](u) (2026-01-02)\n\na\n\n## [1.0.1](u) (2026-01-01)\n\nc', 'a'],
    ['# 1.1.0\n\na\n\n### v1.0.1 – 2026\n\nb', 'a'],
    ['# 1.1.0\n\na\n\n### Version 1.0.1 / 2026-01-01\n\nb', 'a'],
    ['## 1.1.0\n## 1.0.0\na', ''],
    ['## Build 1.1.0\n\n## Build 11\n\na', ''],
    ['## 1.1.0 - 2026-02-01\n\n## 2026-01-01\n\na', ''],
    ['## 1.1.0\n\na\n\n<details open>\n\n## 1.0.0', 'a'],
    ['Version 1.1.0\n*************\n\na\n\nVersion 1.0.0\n*************\n\nb', 'a'],
    ['1.1.0\n"""""\n\na\n\n1.0.0\n"""""\n\nb', 'a'],
    ['## 1.1.0\n\na\n\n<a name="v1.2.2"></a>\n## 1.0.0', 'a'],
    ['## 1.1.0\n\na\n\n* * *\n\n<a id="v1"></a>\n\n## 1.0.0', 'a'],
    ['## 1.1.0\n\n- a\n<a name="v1"></a>\n## 1.0.0', '- a'],
    ['## 1.1.0\n\n- a<a name="v1"></a>\n\n---\n## 1.0.0', '- a'],
    ['## 1.1.0\n\n- a\n---\n<a name="v1"></a>\n## 1.0.0', '- a'],
    ['## 1.1.0\n\na\n\nb\n---\n\n## 1.0.0', 'a\n\nb'],
    ['## 1.1.0\n\na\n\n---\n\nb\n\n---', 'a\n\n---\n\nb'],
    ['### 1.1.0\n\na\n\nLicense\n-------\n\nMIT', 'a'],
    ['G 1.1.0\n======\n* a\n\nLicense\n=======\n\nMIT', '* a'],
    ['## 1.1.0\n\na\n\n+++++++\n#####\n\n.. _version-1.0:\n\n## 1.0.0', 'a'],
    ['## 1.1.0\n\na\n\n ## Upgrade guide\n\nb', 'a'],
    ['## 1.1.0\n\na\n\n ## Upgrade to 1.2\n\nb\n\n## 1.0.0', 'a'],
    ['## 1.1.0\n\na\n\n ## Older versions\n\n## 1.0.0', 'a'],
    ['## [Unreleased] 1.1.0\n\na\n\n## 1.0.0', 'a'],
    ['## 1.1.0\n\n[a] b\n\n[a]: x\n\nc\n\n## 1.0.0\n\n[a]: y', '[a] b\n\n[a]: x\n\nc'],
    ['[a]: x\n\n## 1.1.0\n\n[a]', '[a]\n\n[a]: x'],
    ['[a]: x\n\n## 1.1.0\n![b] [a]\n\n## 1.0.0\n\n[b]: y', '![b] [a]\n\n[a]: x\n[b]: y']
  ])('%j: after %j', async (file, text) => {
    expect(await take(file, '1.1.0')).toEqual(section(text))
  })

  test.each([
    '### 4.0.0-beta.1',
    '### API 2.0\n\n### 2.0',
    '### 3.2.1 -> 3.3.0 migration',
    '### 1.8.0 – 1.9.5 users',
    '### jquery@3.1.0',
    ' ## Upgrade guide'
  ])('%j does not end it', async heading => {
    const text = `a\n\n${heading}\n\nb`
    expect(await take(`## 4.0.0\n\n${text}\n\n## 3.3.0\n\nc`, '4.0.0')).toEqual(section(text))
  })
})

test.each([
  ['## Unreleased, since 1.2.2', 'Unreleased, since 1.2.2'],
  ['## What’s new in 1.2.2', 'What’s new in 1.2.2'],
  ['## “v1.4.1” Bugfix release', '“v1.4.1” Bugfix release'],
  ['## 2026-01-02.1', '2026-01-02.1'],
  ['## [1.2.2][older] - May', '[1.2.2][older] - May'],
  ['**1.2.2**\n\n- a', '1.2.2'],
  ['* 1.2.2 (2026-01-02)\n  * a', '1.2.2 (2026-01-02)'],
  ['v1.2.2\n- a', 'v1.2.2'],
  ['- **1.2.2** (2026-01-02)\n  - a', '1.2.2 (2026-01-02)'],
  ['<strong>1.2.2</strong>\n<ul><li>a</li></ul>', '1.2.2'],
  ['#1.2.2\n- a', '1.2.2'],
  ['2026.01.02 - version 1.2\n\n* a', '2026.01.02 - version 1.2'],
  ['== 1.2.2\n\n* a', '1.2.2'],
  ['Version 1.2.2, by Jane\n\nGallery 1.2.2\n- a\n\nGallery 1.2.2\n- b', 'Gallery 1.2.2'],
  ['= 1.2.2 =\n* a', '1.2.2'],
  ['## v2\n\na\n\n## [v1] (2026-01-31)', 'v2', '[v1] (2026-01-31)'],
  ['## Version 2\n\na\n\n## Release 1 - May', 'Version 2', 'Release 1 - May'],
  ['## Gallery v2', 'Gallery v2'],
  ['## 2\n\n## 1', '2', '1'],
  ['**v2**\n\n- a', 'v2'],
  ['* v2\n  * a\n* v1\n  * b', 'v2', 'v1'],
  ['Release 3\n- a', 'Release 3'],
  ['`1.2.2`\n\n- a', '1.2.2'],
  ['- v1.2.2: a\n- 1.2.1 - b', '- v1.2.2: a', '- 1.2.1 - b'],
  ['v1.2.2 Faster\n\nv1.2.1 Nicer', 'v1.2.2 Faster', 'v1.2.1 Nicer'],
  ['<h3>v2</h3>\n<p>a</p>', 'v2'],
  ['<pre>\n1.2.2\n- a\n\nVersion 1\n- b\n</pre>', '1.2.2', 'Version 1'],
  ['    1.2.2\n    - a', '1.2.2'],
  ['**1.2.2** - a\n\n**1.2.1** - b', '**1.2.2** - a', '**1.2.1** - b'],
  ['Version: 1.2.2\n- a\n\nVersion: 1.2.1', 'Version: 1.2.2', 'Version: 1.2.1'],
  ['Jan 5, 2024 - 1.2.2\n\nJan 1, 2024 - 1.2.1', 'Jan 5, 2024 - 1.2.2', 'Jan 1, 2024 - 1.2.1'],
  ['• 1.2.2\n a\n• 1.2.1\n b', '• 1.2.2', '• 1.2.1'],
  ['* 1.2: a\n* 1.1: b', '* 1.2: a', '* 1.1: b'],
  ['h2. 1.2.2\n\na\n\nh2. 1.2.1\n\nb', 'h2. 1.2.2', 'h2. 1.2.1'],
  ['```\n1.2.2\n- a\n1.2.1\n```', '1.2.2', '1.2.1'],
  ['=== G ===\nStable tag: 1.2.3\n\n== Changelog ==\n\nSee the site.'],
  ['Gallery (1.2.2)\n- a\nGallery (1.2.1)\n- b', 'Gallery (1.2.2)', 'Gallery (1.2.1)'],
  ['gallery_1.2.2\na\n\ngallery_1.2.1\nb', 'gallery_1.2.2', 'gallery_1.2.1'],
  ['G v1.2.3 is out!\n\na\n\nG v1.2.2 is out!\n\nb', 'G v1.2.3 is out!', 'G v1.2.2 is out!'],
  ['<v id="1.2.3">\na\n</v>\n<v id="1.2.2">\nb\n</v>', '<v id="1.2.3">', '<v id="1.2.2">'],
  ['!! 1.2.3 !!\n- a\n!! 1.2.2 !!\n- b', '!! 1.2.3 !!', '!! 1.2.2 !!'],
  ['1.2.3 -\n- a\n1.2.2 -\n- b', '1.2.3', '1.2.2 -'],
  ['## [1.2.3]\n### A\n- a\n\nv1.2.2 - 2026-01-01\n- b', '[1.2.3]', 'v1.2.2 - 2026-01-01'],
  ['## 1.2.3\n- a\n\n**1.2.2**\n- b', '1.2.3', '1.2.2'],
  ['## 1.2.3\n- a\n\n* 1.2.2 (2026-01-01)', '1.2.3', '1.2.2 (2026-01-01)'],
  [
    '## From 1.2.3 to 2.0.0\n- b\n## From 1.2.2 to 1.2.3',
    '## From 1.2.3 to 2.0.0',
    '## From 1.2.2 to 1.2.3'
  ],
  [
    '* 2 Jan 2026 A - 1.2.3-1\n- a\n\n* 1 Jan 2026 A - 1.2.2-1\n- b',
    '* 2 Jan 2026 A - 1.2.3-1',
    '* 1 Jan 2026 A - 1.2.2-1'
  ],
  ['New in 1.2.3: a\nNew in 1.2.2: b', 'New in 1.2.3: a', 'New in 1.2.2: b'],
  ['## 1.2.3\n- a\n\n* 1.2.2\n  * b\n* 1.2.1\n  * c', '1.2.3', '1.2.2', '1.2.1'],
  ['1.2.3 | a\n1.2.2 | b', '1.2.3 | a', '1.2.2 | b'],
  ['----\nVersion: 1.2.3\n  - a\n----\nVersion: 1.2.2\n  - b', 'Version: 1.2.3', 'Version: 1.2.2'],
  ['| Version | Changes |\n| - | - |\n| 1.2.3 | a |', '| 1.2.3 | a |'],
  ['<details>\n<summary>1.2.3</summary>\n\na\n</details>', '<summary>1.2.3</summary>'],
  ['## 1.2.3\n- a\n\n= 1.2.2 =\n- b', '1.2.2'],
  ['== Changelog ==\n\n= 1.2.3 =\n- a\n\n**1.2.3**\n- b', '1.2.3'],
  ['1.2.3: a\n\n1.2.2: ?\n\nb', '1.2.2'],
  ['**1.2.3**\n- a\n\n**1.2.2** - Big one\n- b', '1.2.2'],
  ['**1.2.3**\n- a\n\n**1.2.2 Hotfix**\n- b', '1.2.2'],
  ['**1.2.3**\n- a\n\n**v1.2.2:** Faster', '1.2.2'],
  ['1.2.3 - 2026-01-02\n- a\n\n1.2.2 - unreleased\n- b', '1.2.2'],
  ['1.2.3 - 2026-01-02\n- a\n1.2.2 build 44\n- b', '1.2.2'],
  ['1.2.3\n- a\n\n1.1.1 / 1.2.2\n- b', '1.1.1'],
  ['## 1.2.3\n- a\n\nVersion 1.2.2 - the hotfix\n- b', '1.2.2'],
  ['## 1.2.3\n- a\n\n<strong>1.2.2</strong>\n- b', '1.2.2'],
  ['## 1.2.3\n- a\n\n<summary>1.2.2</summary>\n- b', '1.2.2'],
  ['## 1.2.3\n- a\n\n**1.2**\n- b', '1.2'],
  ['## 1.2.3\n- a\n\n### 1.2.2 Hotfix\n- b', '1.2.2'],
  ['## 1.2.3\n- a\n\n**1.1.x**\n- b', '1.1'],
  ['== Changelog ==\n= 1.2.3 =\n* a\n= 1.2.2\n* b\n= 1.2.1 =\n* c', '1.2.2'],
  ['## 1.2.3\n- a\n\n```\nVersion 1.2.2 (2026-01-01)\n\nb\n```', '1.2.3', '1.2.2']
])('%j is not, or not surely, the text of 1.2.3', async (heading, ...named) => {
  const section = await take(`# Log\n\n${heading}\n\na`, '1.2.3')
  const lines = section.kind === 'section' ? '' : section.lines.join('\n')
  for (const title of named) expect(lines).toContain(/\d[\d.]*/.exec(title)?.[0])
  expect(section.kind).not.toBe('section')
})

test.each([
  ['## v2', '2.0.0'],
  ['## 2.0', '2.0.0'],
  ['# Gallery 2.1', '2.2']
])('%j is another version than %s', async (heading, version) => {
  expect(await take(`${heading}\n\na`, version)).toEqual(missing(`line 1: ${heading}`))
})

test('where none is read as one, the lines that hold the version come first', async () => {
  const file = '\ufeff\r\n= 1.2.2 =\r\n* a\r\n= 1.2.3\r\n* b, unlike 1.2.3.1\r\n= 1.2.1 ='
  const found = missing('line 4: = 1.2.3', 'line 2: = 1.2.2 =', 'line 6: = 1.2.1 =')
  expect(await take(file, '1.2.3')).toEqual(found)
})

test.each([
  ' * Faster\n * Nicer',
  '# What is new\n\n## PHP 8.1 is required\n\na',
  '## Supports PHP 8.1\n\n## The unreleased album',
  '## Works with WordPress 6.4.2 and all\n\na\n\n## Needs PHP 8.1.0 from now on\n\nb',
  '## 2026-01-31\n\na\n\n## 31.12.2025\n\nb',
  '31.12.2025\n- a\n01.11.2025\n- b',
  '## 1. Albums\n\na\n\n## 2. Pictures',
  '| Shop | Since |\n| - | - |\n| any | 2026-01-31 |',
  'a\n\n---\n\nb 1.2.3',
  'Stable tag: 1.2.3\nTested up to: 6.4.2',
  'Since 1.2.3 all is well.\n\n1.2.2 was slow, and 1.2.1 was not.',
  '```\n= 1.2.3 =\n```',
  '> **1.2.3**',
  '- 1.2.3 is required\n- 2.5 times faster',
  '- For Minecraft 1.20.1\n- For Minecraft 1.20.2\n\nNeeds PHP 8.1.2, and Node 22.1.0.',
  ''
])('%j has no heading of a version, and is never taken whole', async file => {
  expect(await take(`${file} \r\n`, '1.2.4')).toMatchObject({ kind: 'missing' })
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
  expect(await take(README, '1.2.3')).toEqual(section('* New: albums\n* Fix: a rare crash'))
  expect(await take(README, '1.2.2')).toEqual(section('* Faster'))
  const notice = '== Upgrade Notice ==\n\n= 1.2.3 =\n\nBack up first.\n\n'
  const twice = `${notice}== Changelog ==\n= 1.2.3 =\n* New`
  expect(await take(twice, '1.2.3')).toEqual(section('* New'))
  expect(await take(notice, '1.2.3')).toEqual(section('Back up first.'))
})

test.each([
  ['## A\n**1.2.3**\n- a\n\n**1.2.2** (May 2025)\n- b\n\n## B\nc', '1.2.2', '- b'],
  ['**Version 1.2.3 - 2026-01-02**\n- a\n\n**1.2.2**\n- b', '1.2.3', '- a'],
  ['* 1.2.3 (2026-01-02)\n    * a\n        * b\n* 1.2.2\n    * c', '1.2.3', '* a\n    * b'],
  ['v1.2.3 - 2026-01-02\n- a\n\nv1.2.2 - 2026-01-01\n- b\n', '1.2.3', '- a'],
  ['0.14:\n  - a\n0.13:\n  - b\n0.12:\n- c', '0.13', '- b'],
  ['0.14:\n  - a\n0.13:\n  - b\n0.12:\n- c', '0.14', '- a'],
  ['*** A ***\n\n2026-01-02 - version 1.2\n* a\n\n2026-01-01 - version 1.1\n* b', '1.1', '* b'],
  ['<h2>1.2.3</h2>\n\n- a\n\n<h2>1.2.2</h2>\n\n- b', '1.2.2', '- b'],
  ['## 1.2.3 RC1\n- b\n\n## 1.2.3\n- a', '1.2.3', '- a'],
  [
    'New in P 1.2.3 final?\n---\n\na\n\nNew in P 1.2.3 release candidate 1?\n---\n\nb',
    '1.2.3',
    'a'
  ],
  ['G 1.2.3\n=====\n+ a\n# b\n\nG 1.2.2\n=====\n+ c', '1.2.3', '+ a\n# b'],
  ['## 1.2.3\nFor:\n* 1.20.4\n* 1.20.5', '1.2.3', 'For:\n* 1.20.4\n* 1.20.5'],
  ['## 1.2.3 and 1.2.4\n- a\n\n## 1.2.2\n- b', '1.2.3', '- a'],
  ['## 1.2.3\n\n1.2.x is stable.\n\n## 1.2.2\n- b', '1.2.3', '1.2.x is stable.'],
  ['## 1.2\n\n1.5x faster\n\n## 1.1\n- b', '1.2', '1.5x faster'],
  ['## 1.2\n\n7.45 is needed\n\n## 1.1\n- b', '1.2', '7.45 is needed'],
  ['## 2.5.0\n- a\n\n### 2.4.x\n- b', '2.5.0', '- a'],
  ['### 1.2.3\n### Fixes (3)\n- a\n\n### 1.2.2\n- b', '1.2.3', '### Fixes (3)\n- a'],
  ['## 1.2.3\n```yaml\nv: 1.1\n---\n```', '1.2.3', '```yaml\nv: 1.1\n---\n```'],
  ['## 1.2.3\n- `<div a="b"></div>`\n\n## 1.2.2', '1.2.3', '- `<div a="b"></div>`'],
  ['P 1.3\n---\nChanges since P 1.2.3:\n---\nb\n\nP 1.2.3\n---\na', '1.2.3', 'a'],
  ['P 1.2.3\n---\n\n - glib, gio >= 2.1.4\n\n - b', '1.2.3', '- glib, gio >= 2.1.4\n\n - b'],
  ['**1.2.3**\n- a\n\nWith C 6.5.1\nWith C 6.6.0', '1.2.3', '- a\n\nWith C 6.5.1\nWith C 6.6.0'],
  ['## 1.2.3\n- a\n\n<div id="b"></div>\n\n## 1.2.2\n- b', '1.2.3', '- a'],
  [
    '**1.2.3**\n- For Game 1.20.4\n\nGame 1.20\nGame 1.21\n\n**1.2.2**',
    '1.2.3',
    '- For Game 1.20.4\n\nGame 1.20\nGame 1.21'
  ]
])('%j: the section of %s', async (file, version, text) => {
  expect(await take(file, version)).toEqual(section(text))
})

/** As real files write them, with the version before. */
const STYLES: readonly (readonly [name: string, file: string, text: string])[] = [
  [
    'reStructuredText',
    '.. _v-1.2.3:\n\n1.2.3\n=====\n:date: today\n\n- a\n\n.. _v-1.2.2:\n\n1.2.2\n=====\n\n- b',
    ':date: today\n\n- a'
  ],
  [
    'reStructuredText with tildes',
    'News\n====\n\n1.2.3 (May)\n~~~~~~~~~~~\n- a\n\n1.2.2\n~~~~~\n- b',
    '- a'
  ],
  [
    'tildes as a link',
    'L\n=\n\n`v1.2.3 <https://a.b>`__\n~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\n- a\n\n`v1.2.2 <https://a.b>`__\n~~~~~~~~~~~~~~~~~~~~~~~~~~~\n\n- b',
    '- a'
  ],
  [
    'lines over and under',
    '=======\n 1.2.3\n=======\n\n- a\n\n=======\n 1.2.2\n=======\n\n- b',
    '- a'
  ],
  [
    'a name before',
    'Gallery 1.2.3\n-------------\n- a\n\nGallery 1.2.2\n-------------\n- b',
    '- a'
  ],
  [
    'GNU',
    '* Noteworthy changes in release 1.2.3 (2026-02-01) [stable]\n\n** Bug fixes\n\n  a\n\n* Noteworthy changes in release 1.2.2 (2026-01-01)\n\n  b',
    '** Bug fixes\n\n  a'
  ],
  [
    'GnuPG',
    'Noteworthy changes in version 1.2.3 (2026-02-01)\n------------------------------------------------\n\n * a\n\nNoteworthy changes in version 1.2.2 (2026-01-01)\n------------------------------------------------\n * b',
    '* a'
  ],
  [
    'Debian',
    'gallery (1.2.3) unstable; urgency=low\n\n  * a\n\n -- J <j@a.b>  Mon\n\ngallery (1.2.2) unstable; urgency=low\n\n  * b',
    '* a'
  ],
  [
    'Factorio',
    `${'-'.repeat(99)}\nVersion: 1.2.3\nDate: today\n  Changes:\n    - a\n${'-'.repeat(99)}\nVersion: 1.2.2\n  Bugfixes:\n    - b`,
    'Date: today\n  Changes:\n    - a'
  ],
  ['dashes', '-----Changelog for v1.2.3-----\n- a\n\n-----Changelog for v1.2.2-----\n- b', '- a'],
  [
    'WordPress with PHP',
    '== FAQ ==\n\n<?php echo 1;\n\n== Changelog ==\n\n= 1.2.3 =\n* a `<?php`\n\n= 1.2.2 =\n* b',
    '* a `<?php`'
  ],
  [
    'WordPress with parts',
    '== Changelog ==\n\n= 1.2.3 =\n* a\n= Features =\n* b\n\n= 1.2.2 =\n* c\n\n== More ==',
    '* a\n= Features =\n* b'
  ],
  [
    'the same title twice, one under the other',
    '**1.2.3**\n- a\n**1.2.3**\n- b',
    '- a\n**1.2.3**\n- b'
  ],
  [
    'WordPress with HTML',
    '== Changelog ==\n\n= 1.2.3 =\n* a\n<h4>Note</h4>\n# b\n\n= 1.2.2 =\n* c',
    '* a\n<h4>Note</h4>\n# b'
  ],
  [
    'WooCommerce',
    '*** G Changelog ***\n\n2026-02-01 - version 1.2.3\n* a\n\n2026-01-01 - version 1.2.2\n* b',
    '* a'
  ],
  [
    'release-please',
    '### [1.2.3](https://a.b/compare/v1.2.2...v1.2.3) (2026-02-01)\n\n\n### Bug Fixes\n\n* a\n\n## [1.2.2](https://a.b) (2026-01-01)\n\n* b',
    '### Bug Fixes\n\n* a'
  ],
  [
    'changesets',
    '# @acme/gallery\n\n## 1.2.3\n\n### Patch Changes\n\n- a\n\n## 1.2.2\n\n- b',
    '### Patch Changes\n\n- a'
  ],
  [
    'auto',
    '# v1.2.3 (Sun Feb 01 2026)\n\n#### 🐛 Bug Fix\n\n- a\n\n---\n\n# v1.2.2 (Thu Jan 01 2026)\n\n- b',
    '#### 🐛 Bug Fix\n\n- a'
  ],
  [
    'Rails',
    '## Rails 1.2.3 (February 1, 2026) ##\n\n*   a\n\n## Rails 1.2.2 (January 1, 2026) ##\n\n*   b',
    '*   a'
  ],
  ['mixed levels', '# G 1.2.3\n\n* a\n\nG 1.2.2\n-------\n\n* b', '* a'],
  [
    'a title for the file',
    'CHANGES - G 1.2.3\n=================\n\nChanges in G v1.2.3 (May)\n-------------------------\n\n- a\n\nChanges in G v1.2.2 (April)\n---------------------------\n\n- b',
    '- a'
  ],
  [
    'rules of tildes',
    'New in 1.2.3\n------------\n\n * a\n\n ~~~~~~~~~~~~~~~~\n b\n\nNew in 1.2.2\n------------\n ~~~~~~~~~~~~~~~~',
    '* a\n\n ~~~~~~~~~~~~~~~~\n b'
  ]
]

test.each(STYLES)('as files in the style of %s write it', async (_, file, text) => {
  expect(await take(file, '1.2.3')).toEqual(section(text))
})

test('a long file, with every mark that libraries are slow with, takes a moment', () => {
  for (const piece of [
    '**a',
    '~~~',
    '```a\n',
    '# ',
    '= ',
    '[a]: b\n',
    '<pre>',
    '<!--\n',
    '> - ',
    '- 1.2.2 a\n',
    '1.2.2 A\n',
    '## 1.2.3\n',
    '## a\nb\n',
    '---\n\n',
    ' ',
    '('
  ]) {
    const noise = `# L\n[a]:${piece.repeat(500_000 / piece.length)}`
    const { cpuUsage } = process
    const { user } = cpuUsage()
    take(`${noise}\n\n## 1.2.3\n\na\n\n## 1.2.2\n\n${noise}`, '1.2.3')
    expect(cpuUsage().user - user).toBeLessThan(10_000_000)
  }
})

test.each([
  ['unclear', '## 1.2.3\na\n##1.2.2\nb\n## 1.2.1\nc'],
  ['unclear', '<h2>1.2.3</h2>\na\n<h2>1.2.2</h2><p>b</p>'],
  ['unclear', '= 1.2.3 =\n* a\n\n### 1.2.2\n* b'],
  ['unclear', '1.2.3\n\nSome text\n1.2.2\n- b'],
  ['unclear', '**1.2.3**\na\n1.2.2\nb'],
  ['unclear', '= 1.2.3 =\n* a\n= Features =\n* b'],
  ['unclear', '= 1.2.3 =\n* a\n= Features =\n* b\n== More ==\n= 1.2.2 ='],
  ['several', '# cli@1.2.3\na\n# core@1.2.3\nb'],
  ['several', '## 1.2.3\n- a\n## 1.2.2\n- b\n## 1.2.3\n- c'],
  ['several', '## 1.2.3\n- a\n## [1.2.3]\n- b'],
  ['several', '= 1.2.3 =\n- a\n\n= 1.2.3 =\n- b'],
  ['several', '== Changelog ==\n\n= 1.2.3 =\n- a\n\n**1.2.3**\n- b']
])(
  'what may be another version’s or package’s text is %s, and not sent: %j',
  async (kind, file) => {
    expect(await take(file, '1.2.3')).toMatchObject({ kind })
  }
)
