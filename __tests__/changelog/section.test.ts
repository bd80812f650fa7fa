// Tests of src/changelog/section.ts: the section of one version in a changelog file.
import { describe, expect, test } from '@jest/globals'
import { takeSection } from '../../src/changelog/section.ts'

const KEEP = `# Changelog

All notable changes, see [Keep a Changelog][kac].

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
[kac]: https://keepachangelog.com
`

const GUIDE = "[guide]: <https://example.com/guide>\n  'The guide'"

describe('in the style of Keep a Changelog', () => {
  test.each([
    ['1.2.10', `- Ten, see [the guide][Guide] and \`[1.2.1]\`\n\n${GUIDE}`],
    ['1.2.3-beta.1', '- Beta'],
    ['1.2.3', '### Added\n\n- Three\n\n#### Notes for 1.2.1\n\n- Nested'],
    ['1.2.1', `- One, see [guide]\n\n${GUIDE}`]
  ])('%s alone, with the definitions that it uses', async (version, text) => {
    expect(await takeSection(KEEP, version, `v${version}`)).toEqual({ kind: 'section', text })
    const windows = KEEP.replaceAll('\n', '\r\n')
    expect(await takeSection(windows, version, `v${version}`)).toEqual({ kind: 'section', text })
  })

  test.each(['1.2', '1.2.2', '1.2.3-beta', '2.1.2.3', '2026-02-01'])(
    '%s is missing, and the headings found are named',
    async version => {
      expect(await takeSection(KEEP, version, `v${version}`)).toEqual({
        kind: 'missing',
        titles: [
          'Unreleased',
          '1.2.10 - 2026-03-01',
          '[1.2.3-beta.1] - 2026-02-02',
          '[1.2.3] - 2026-02-01',
          '1.2.1 - 2026-01-01'
        ]
      })
    }
  )
})

describe('headings of a version', () => {
  test.each([
    ['a date in brackets', '## 1.2.3 (2026-01-02)'],
    ['a link', '# [1.2.3](https://github.com/acme/plugin/compare/v1.2.2...v1.2.3) (2026-01-02)'],
    ['a `v`', '# v1.2.3'],
    ['a package', '## plugin@1.2.3'],
    ['a package and a `v`', '### @acme/plugin@v1.2.3'],
    ['a word', '## Version 1.2.3 – “Nicer”'],
    ['a name', '## Acme Plugin v1.2.3'],
    ['more words', '## What’s new in 1.2.3:'],
    ['even more words', '## All that is new in version: **1.2.3**'],
    ['a name of two words', '## The Acme  Plugin 1.2.3'],
    ['a word as in coming from it', '## Time to upgrade: 1.2.3'],
    ['marks of joy', '## Here is 1.2.3!!!'],
    ['a date', '## 1.2.3 2026-01-02'],
    ['a date before it', '## 2026-01-02: 1.2.3'],
    ['another number before it', '## 3 fixes in 1.2.3'],
    ['a link before it', '## [Details](https://example.com/1.2.2_(a)): 1.2.3'],
    ['escapes', '## \\[1\\.2\\.3\\] - 2026-01-02'],
    ['a package and a dash', '## acme-plugin-1.2.3'],
    ['emphasis and a mark at the end', '## **[1.2.3]** ##'],
    ['an anchor', '## <a name="1.2.3"></a>1.2.3'],
    ['an emoji', '## :rocket: 1.2.3'],
    ['a line below', '1.2.3 / 2026-01-02\n=================='],
    ['a thinner line below', 'v1.2.3\n---'],
    ['a line below, and spaces', '1.2.3\n=== '],
    ['a thinner line below, and spaces', '1.2.3\n--- \t'],
    ['spaces before', '   ## 1.2.3'],
    ['a date in words', '## 1.2.3 January 2, 2026'],
    ['a date with points', '## 1.2.3 02.01.2026'],
    ['a date in emphasis', '## 1.2.3 _2026-01-02_'],
    ['a name behind it', '## 1.2.3 Bugfix release'],
    ['an emoji behind it', '## v1.2.3 🎉'],
    ['a long name before it', '## WooCommerce PDF Invoices & Packing Slips 1.2.3']
  ])('with %s', async (_, heading) => {
    const file = `## 1.3.0 (was 1.2.3)\n\nno\n\n${heading}\n\nyes\n\n## 1.2.2\n\nno`
    const section = { kind: 'section', text: 'yes' }
    expect(await takeSection(file, '1.2.3', 'v1.2.3')).toEqual(section)
    expect(await takeSection(`no\n\n${heading}\n\nyes`, '1.2.3', 'v1.2.3')).toEqual(section)
  })

  test.each([
    ['in fenced code', '```\n## 1.2.3\n```'],
    ['in indented code', 'a\n\n    ## 1.2.3'],
    ['in a comment', '<!--\n## 1.2.3\n-->'],
    ['in a quote', '> ## 1.2.3'],
    ['in the section of another', '### Notes for 1.2.3'],
    ['about coming from it', '## Upgrading from 1.2.3'],
    ['about coming from it, after a colon', '## Upgrading from: 1.2.3'],
    ['at the end of a sentence', '## Changes in how we think of 1.2.3'],
    ['within a sentence', '## Why 1.2.3 failed (sorry)'],
    ['of a version with another mark', '## plugin-1.2.3~beta'],
    ['of a package’s version with another mark', '## plugin@1.2.3~beta'],
    ['of what is not released', '## Unreleased, since 1.2.3'],
    ['without a space', '##1.2.3'],
    ['of a longer version', '## 1.2.3.4'],
    ['of another package', '## theme@1.2.3']
  ])('but none %s', async (_, heading) => {
    const file = `# 1.2.2\n\nno\n\n${heading}\n\nno`
    expect(await takeSection(file, '1.2.3', 'plugin@1.2.3')).toMatchObject({ kind: 'missing' })
  })

  test.each([
    ['whole numbers', '## 2\na\n## 1\nb', '2', 'v2', 'a'],
    ['whole numbers among words', '## What’s new in v2\na\n## 1\nb', '2', 'plugin@2', 'a'],
    ['tags that hold no number', '## nightly-b\na\n## nightly-a\nb', 'nightly-a', 'nightly-a', 'b'],
    ['names', '## beta-b\na\n## beta-a\nb', 'beta-a', 'plugin@beta-a', 'b'],
    ['dates', '## 2026-01-02\na\n## 2026-01-01\nb', '2026-01-01', '2026-01-01', 'b'],
    ['builds', '## 1.0.0+2\na\n## 1.0.0+1\nb', '1.0.0+1', 'v1.0.0+1', 'b']
  ])('as %s', async (_, file, version, tag, text) => {
    expect(await takeSection(file, version, tag)).toEqual({ kind: 'section', text })
  })
})

describe('the headings that are named when none fits', () => {
  test.each([
    ['what is not released', '## Unreleased', 'Unreleased'],
    ['what is not released, in words', '## Unreleased, since 1.2.2', 'Unreleased, since 1.2.2'],
    ['a version that is mentioned', '## What’s new in 1.2.2', 'What’s new in 1.2.2'],
    ['a version of two numbers', '## Version 1.2', 'Version 1.2'],
    ['a version that begins as a date', '## 2026-01-02.1', '2026-01-02.1'],
    ['a link by its text', '## [1.2.2](https://example.com/A_(bc)_de) - May', '1.2.2 - May'],
    ['a plain link by its text', '## [1.2.2](https://example.com) - May', '1.2.2 - May'],
    ['a link whose definition is missing', '## [1.2.2][older] - May', '[1.2.2][older] - May']
  ])('%s', async (_, heading, named) => {
    const file = `# Log\n\n${heading}\n\na`
    const missing = { kind: 'missing', titles: [named] }
    expect(await takeSection(file, '1.2.3', 'v1.2.3')).toEqual(missing)
  })
})

describe('where a section begins and ends', () => {
  test('the package of the tag goes before others, and before none', async () => {
    const file = '## 1.2.3\na\n## theme@1.2.3\nb\n## plugin@1.2.3\nc'
    const take = (tag: string) => takeSection(file, '1.2.3', tag)
    expect(await take('plugin@1.2.3')).toEqual({ kind: 'section', text: 'c' })
    expect(await take('theme-v1.2.3')).toEqual({ kind: 'section', text: 'b' })
    expect(await take('v1.2.3')).toEqual({ kind: 'section', text: 'a' })
  })

  test('packages are told apart, however their name is joined to the version', async () => {
    const file = '## theme-10.2.3\na\n## acme-theme-10.2.3\nb\n## acme.js_v10.2.3\nc\n## 9.0.0'
    const take = (tag: string) => takeSection(file, '10.2.3', tag)
    expect(await take('theme/v10.2.3')).toEqual({ kind: 'section', text: 'a' })
    expect(await take('acme-theme@10.2.3')).toEqual({ kind: 'section', text: 'b' })
    expect(await take('acme.js@10.2.3')).toEqual({ kind: 'section', text: 'c' })
    expect(await take('acme@10.2.3')).toMatchObject({ kind: 'missing' })
  })

  test.each([
    ['a tag names a package and the headings none', '## 1.2.3', 'plugin@1.2.3'],
    ['headings name a package and the tag none', '## plugin@1.2.3', 'v1.2.3'],
    ['the tag names no version', '## plugin@1.2.3', 'latest']
  ])('the version decides when %s', async (_, heading, tag) => {
    const section = { kind: 'section', text: 'a' }
    expect(await takeSection(`${heading}\na\n## 1.2.2\nb`, '1.2.3', tag)).toEqual(section)
  })

  test.each(['## 1.2.3', '## Version: 1.2.3', '## [Release – 1.2.3]', '## ver. 1.2.3 – Nicer'])(
    '“%s” goes before a heading that mentions the version',
    async heading => {
      const file = `## What’s new in 1.2.3\na\n${heading}\nb`
      expect(await takeSection(file, '1.2.3', 'v1.2.3')).toEqual({ kind: 'section', text: 'b' })
    }
  )

  test('the first of two wins', async () => {
    expect(await takeSection('## 1.0.0\na\n## 1.0.0\nb', '1.0.0', 'v1.0.0')).toMatchObject({
      text: 'a'
    })
  })

  test('a smaller version under a larger heading, as semantic-release writes them', async () => {
    const file =
      '## [1.1.1](u) (2026-01-03)\n\n### Fixes\n\na\n\n# [1.1.0](u) (2026-01-02)\n\n### Features\n\nb\n\n## [1.0.1](u) (2026-01-01)\n\nc'
    const take = (version: string) => takeSection(file, version, `v${version}`)
    expect(await take('1.1.1')).toMatchObject({ text: '### Fixes\n\na' })
    expect(await take('1.1.0')).toMatchObject({ text: '### Features\n\nb' })
    expect(await take('1.0.1')).toMatchObject({ text: 'c' })
  })

  test('pre-releases may be nested in their release', async () => {
    const file = '## 1.1.0\n\na\n\n### 1.1.0-beta.1\n\nb\n\n## 1.0.0\n\nc'
    expect(await takeSection(file, '1.1.0', 'v1.1.0')).toMatchObject({
      text: 'a\n\n### 1.1.0-beta.1\n\nb'
    })
  })

  test('a number that is hardly a version may be nested', async () => {
    const file = '## 1.1.0\n\na\n\n### API 2.0\n\n### 2.0\n\nb\n\n## 1.0.0\n\nc'
    expect(await takeSection(file, '1.1.0', 'v1.1.0')).toMatchObject({
      text: 'a\n\n### API 2.0\n\n### 2.0\n\nb'
    })
  })

  test.each([
    '### 1.0.1',
    '### [1.0.1](u) (2026-01-01)',
    '### 1.0.1 - 2026-01-01',
    '### v1.0.1 – 2026',
    '### Version 1.0.1 / 2026-01-01'
  ])('a deeper heading of another version ends it: %s', async heading => {
    const file = `# 1.1.0\n\na\n\n${heading}\n\nb`
    expect(await takeSection(file, '1.1.0', 'v1.1.0')).toMatchObject({ text: 'a' })
  })

  test.each([
    ['tell of a move', '### 3.2.1 -> 3.3.0 migration'],
    ['tell of a part', '### 1.9.0 (deprecated API)'],
    ['tell for whom it is', '### 1.8.0 – 1.9.5 users'],
    ['name a package', '### jquery@3.1.0']
  ])('headings in it that %s do not end it', async (_, heading) => {
    const section = `a\n\n${heading}\n\nb`
    const file = `## 4.0.0\n\n${section}\n\n## 3.3.0\n\nc`
    expect(await takeSection(file, '4.0.0', 'v4.0.0')).toMatchObject({ text: section })
  })

  test('a heading that begins with the version goes before one that mentions it', async () => {
    const file = '## Known issues in 1.4.2\na\n## 1.4.2 Bugfix release\nb'
    expect(await takeSection(file, '1.4.2', 'v1.4.2')).toMatchObject({ text: 'b' })
  })

  test('an empty section is one', async () => {
    expect(await takeSection('## 1.1.0\n## 1.0.0\na', '1.1.0', 'v1.1.0')).toEqual({
      kind: 'section',
      text: ''
    })
  })

  test('definitions within the section stay in it', async () => {
    const file = '## 1.0.0\n\n[a] b\n\n[a]: x\n\nc\n\n## 0.9.0\n\n[a]: y'
    expect(await takeSection(file, '1.0.0', 'v1.0.0')).toMatchObject({
      text: '[a] b\n\n[a]: x\n\nc'
    })
  })

  test.each([
    ['before it', '[a]: x\n\n## 1.0.0\n\n[a]', '[a]\n\n[a]: x'],
    ['right after it', '## 1.0.0\n\n[a]\n\n[a]: x', '[a]\n\n[a]: x'],
    [
      'around it, in their order',
      '[a]: x\n\n## 1.0.0\n\n[c] [b] [a]\n\n## 0.9.0\n\n[b]: y\n[c]: z',
      '[c] [b] [a]\n\n[a]: x\n[b]: y\n[c]: z'
    ]
  ])('the definitions that it uses may stand %s', async (_, file, text) => {
    expect(await takeSection(file, '1.0.0', 'v1.0.0')).toEqual({ kind: 'section', text })
  })
})

describe('headings of versions that cannot be read are named, and nothing is taken', () => {
  test.each([
    ['one that begins with a version', '## 1.4.1 Bugfix release', ['1.4.1 Bugfix release']],
    [
      'one with a word before it',
      '## Version: 10.4 Bugfix release',
      ['Version: 10.4 Bugfix release']
    ],
    ['one with a `v`, in quotes', '## “v1.4.1” Bugfix release', ['“v1.4.1” Bugfix release']],
    [
      'several that end in one, with marks',
      '## Acme Tools and All Their Friends v10.1-rc.1!\na\n## Acme Tools and All Their Friends 1.4!',
      ['Acme Tools and All Their Friends v10.1-rc.1!']
    ],
    [
      'several that end in one',
      '## Acme Tools and All Their Friends 1.4.1\na\n## Acme Tools and All Their Friends 1.4.0',
      ['Acme Tools and All Their Friends 1.4.1', 'Acme Tools and All Their Friends 1.4.0']
    ]
  ])('%s', async (_, file, headings) => {
    expect(await takeSection(`${file}\nb`, '1.4.2', 'v1.4.2')).toEqual({
      kind: 'missing',
      titles: headings
    })
  })

  test('numbers within headings keep no file from being whole', async () => {
    const text = '## Works with WordPress 6.4.2 and all\n\na\n\n## Needs PHP 8.1.0 from now on\n\nb'
    expect(await takeSection(text, '1.4.2', 'v1.4.2')).toEqual({ kind: 'whole', text })
  })
})

describe('a file without headings of versions is sent', () => {
  test.each([
    ['without any heading', ' * Faster\r\n * Nicer\r\n', '* Faster\n * Nicer'],
    [
      'with others',
      '# What is new\n\n## PHP 8.1 is required\n\na',
      '# What is new\n\n## PHP 8.1 is required\n\na'
    ],
    [
      'with numbers in words',
      '# Log\n\n## Supports PHP 8.1\n\n## The unreleased album',
      '# Log\n\n## Supports PHP 8.1\n\n## The unreleased album'
    ],
    ['with a rule', 'a\n\n---\n\nb 1.2.3', 'a\n\n---\n\nb 1.2.3'],
    ['empty', ' \n', '']
  ])('%s', async (_, file, text) => {
    expect(await takeSection(file, '1.2.3', 'v1.2.3')).toEqual({ kind: 'whole', text })
  })
})

const README = `=== Acme Gallery ===
Stable tag: 1.2.3
Requires PHP: 7.4

Shows albums.

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

describe('other styles', () => {
  test.each([
    ['WordPress, the newest', README, '1.2.3', '* New: albums\n* Fix: a rare crash'],
    ['WordPress, the last before the next part', README, '1.2.2', '* Faster'],
    [
      'bold lines',
      '## Changes\n\n**1.2.3**\n\n- a\n\n**1.2.2** (May 2025)\n\n- b\n\n## License\n\nMIT',
      '1.2.2',
      '- b'
    ],
    [
      'bold lines with a date in them',
      '**Version 1.2.3 - 2026-01-02**\n- a\n\n**1.2.2**\n- b',
      '1.2.3',
      '- a'
    ],
    [
      'items with items',
      '* 1.2.3 (2026-01-02)\n    * a\n        * b\n* 1.2.2 (2026-01-01)\n    * c',
      '1.2.3',
      '* a\n    * b'
    ],
    [
      'items, one after another',
      '* 1.2.3 (2026-01-02)\n  - a\n  - b\n* 1.2.2\n  - c',
      '1.2.2',
      '- c'
    ],
    ['plain lines', 'v1.2.3 - 2026-01-02\n- a\n\nv1.2.2 - 2026-01-01\n- b\n', '1.2.3', '- a'],
    ['plain lines without a blank one', '0.14:\n  - a\n0.13:\n  - b\n0.12:\n- c', '0.13', '- b'],
    [
      'plain lines, the date first',
      '*** Acme ***\n\n2026-01-02 - version 1.2.3\n* a\n\n2026-01-01 - version 1.2.2\n* b',
      '1.2.2',
      '* b'
    ],
    [
      'headings of HTML',
      '<h2>1.2.3</h2>\n\n- a\n\n<h2 id="x"><a href="#x">1.2.2</a></h2>\n\n- b',
      '1.2.2',
      '- b'
    ],
    [
      'whole sentences',
      '# Release notes for v1.2.3\n\na\n\n# Release notes for v1.2.2\n\nb',
      '1.2.3',
      'a'
    ],
    ['other scripts', '## 1.2.3版\n\na\n\n## 1.2.2版\n\nb', '1.2.3', 'a'],
    [
      'the version before its own notes',
      '## 1.3.0\n\n### Upgrading to 1.2.3\n\nno\n\n## 1.2.3\n\na',
      '1.2.3',
      'a'
    ]
  ])('%s', async (_, file, version, text) => {
    expect(await takeSection(file, version, `v${version}`)).toEqual({ kind: 'section', text })
  })

  test.each([
    ['WordPress', README, ['1.2.3 - 2026-02-01', '1.2.2', '1.2.3']],
    ['bold lines', '**1.2.3**\n\n- a', ['1.2.3']],
    ['items', '* 1.2.3 (2026-01-02)\n  * a', ['1.2.3 (2026-01-02)']],
    ['plain lines', 'v1.2.3\n- a', ['v1.2.3']],
    ['sentences', '# Release notes for v1.2.3', ['Release notes for v1.2.3']]
  ])('none fits among %s: they are named', async (_, file, titles) => {
    expect(await takeSection(file, '1.2.4', 'v1.2.4')).toEqual({ kind: 'missing', titles })
  })

  test.each([
    ['the anchor of the next version', '<a name="v1.2.2"></a>\n## 1.2.2'],
    ['such an anchor in a paragraph', '<a id="v1.2.2"></a>\n\n## 1.2.2'],
    ['a rule that only separates', '---\n\n## 1.2.2'],
    ['both', '* * *\n\n<a name="v1.2.2"></a>\n\n## 1.2.2'],
    ['a rule at the end', '---']
  ])('a section ends before %s', async (_, end) => {
    const section = { kind: 'section', text: 'a\n\n---\n\nb' }
    const file = `## 1.2.3\n\na\n\n---\n\nb\n\n${end}`
    expect(await takeSection(file, '1.2.3', 'v1.2.3')).toEqual(section)
  })

  test.each([
    ['a header', 'Stable tag: 1.2.3\nTested up to: 6.4.2'],
    ['prose', 'Since 1.2.3 all is well.\n\n1.2.2 was slow, and 1.2.1 was not.'],
    ['code', '```\n= 1.2.3 =\n```'],
    ['a quote', '> **1.2.3**'],
    ['items of a list', '- 1.2.3 is required\n- 2.5 times faster']
  ])('versions in %s are no titles', async (_, text) => {
    expect(await takeSection(text, '1.2.4', 'v1.2.4')).toEqual({ kind: 'whole', text })
  })
})
