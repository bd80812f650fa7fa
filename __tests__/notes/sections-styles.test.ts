// Tests of src/notes/sections.ts: changelog files in the styles of WordPress, of sellers, and of release tools.
import { describe, expect, test } from '@jest/globals'
import { refusal, take } from './taking.ts'

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
    'changelog-file: "CHANGELOG.md" has no heading for "1.2.3":\n  line 3: = 1.2.3 ='
  )
})

describe('in the styles of sellers', () => {
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
    [
      '1.2.3\n~~~~~\n\nOne line,\nand another one.\n\n1.2.2\n~~~~~\n\ntheirs',
      'One line,\nand another one.'
    ],
    // Tildes that fence code are no underline
    ['## 1.2.3\n\n~~~~\ncode\n~~~~\n\n## 1.2.2\n\ntheirs', '~~~~\ncode\n~~~~'],
    // Markdown's headings are parts in a readme.txt
    [
      '== Changelog ==\n\n= 1.2.3 =\nBack up first.\n\n### Added\n- A\n\n= 1.2.2 =\n- theirs',
      'Back up first.\n\n### Added\n- A'
    ],
    ['== Changelog ==\n\n= 1.2.3 =\n### Added\n- A\n\n= 1.2.2 =\n- theirs', '### Added\n- A'],
    // Akeeba
    [
      'Gallery 1.2.3\n=======\n+ New\n~ Changed\n# [LOW] Fixed\n\nGallery 1.2.2\n=======\n+ theirs',
      '+ New\n~ Changed\n# [LOW] Fixed'
    ],
    // WorldEdit
    ['1.2.3\n- mine\n\n1.2.2\n- theirs\n\n1.2.1-beta\n- theirs', '- mine'],
    // A sentence over a rule
    [
      '1.2.3\n-----\n\n- mine\n\nVersion 2.0 is next\n---\n\n1.2.2\n-----\n\n- theirs',
      '- mine\n\nVersion 2.0 is next'
    ],
    [
      '## 1.2.3\n\nmine\n\n### WooCommerce 9.1.0\n\n- mine',
      'mine\n\n### WooCommerce 9.1.0\n\n- mine'
    ],
    ['== News ==\n\n= 1.2.3 =\n* mine\n\n== Upgrade Notice ==\n\n= 1.2.3 =\n* b', '* mine'],
    // ElasticPress
    [
      '= 1.2.0 =\nGallery 1.2 is here.\n* mine\n\n= 1.1.0 =\n* theirs',
      'Gallery 1.2 is here.\n* mine'
    ],
    // Excalidraw
    [
      '# Changelog\n\n## Unreleased\n\n### Added\n- soon\n\n## 1.2.3\n\n### Fixed\n- mine\n\n### Styles\n- mine',
      '### Fixed\n- mine\n\n### Styles\n- mine'
    ],
    ['## 1.2.3\n\nInitial release', 'Initial release'],
    ['## 1.2.3\n\n- Initial release\n- Albums', '- Initial release\n- Albums'],
    // The title of a theme above its changelog
    ['# Theme v1.2.3\n\n== Changelog ==\n\n= 1.2.3 =\n* mine\n\n= 1.2.2 =\n* theirs', '* mine'],
    ['== Changelog ==\n\n= 1.2.3 =\n* mine\n\n== Screenshots ==\n\n1. theirs', '* mine'],
    [
      '== Release notes ==\n\nSee the site.\n\n== Contact ==\n\nUs.\n\n== Changelog ==\n\n= 1.2.3 =\n* mine\n\n= 1.2.2 =\n* theirs',
      '* mine'
    ],
    ['<h4>1.2.3</h4>\n\n- mine\n\n<h4>1.2.2</h4>\n\n- theirs', '- mine'],
    [
      '## 1.2.3\n- @acme/core@2.0.1\n* Update: SDK 2.5.12\n',
      '- @acme/core@2.0.1\n* Update: SDK 2.5.12'
    ]
  ])('%j: %j', async (file, text) => {
    const version = file.includes('1.2.3') ? '1.2.3' : '1.2.0'
    expect(await take(file, version)).toBe(text)
  })

  test.each([
    ['Gallery 1.2.2 - 2024-01-01', true],
    ['Changes in 1.2.2', true],
    ['* Since 1.2.2, albums load late', true],
    // Nothing but a version
    ['**v1.2.2** - 2024-01-02', false],
    ['* 1.2.2 (2024-01-02)', false],
    ['[1.2.2] 2024-01-02', false],
    ['1.2.2 | 2024-01-02', false],
    ['Ver. 1.2.2', false],
    ['- # 1.2.2', false]
  ])(
    'a line that names a version makes a section doubtful, unless that has a title, and the line more words: %s',
    async (line, isTaken) => {
      const file = `== Changelog ==\n\n= 1.2.3 =\n* mine\n\n${line}\n* more\n\n= 1.2.1 =\n* theirs`
      const refused = `changelog-file: "CHANGELOG.md" does not say where "1.2.3" ends:\n  line 3: = 1.2.3 =\n  line 6: ${line}`
      expect(await refusal(file)).toBe(refused)

      const titled = `${file}\n\n= 1.2.2 =\n* theirs`
      if (isTaken) expect(await take(titled)).toBe(`* mine\n\n${line}\n* more`)
      else expect(await refusal(titled)).toBe(refused)
    }
  )

  test.each([
    '<a name="v1.2.2"></a>',
    '<a id="1.2.2">',
    '---',
    '* * *',
    '.. _1.2.2:',
    '<details>',
    '<details><summary>Older</summary>'
  ])('a line that belongs to the next title is not sent: %j', async line => {
    expect(await take(`## 1.2.3\n\n- mine\n\n${line}\n\n## 1.2.2\n\n- theirs`)).toBe('- mine')
  })

  test('where a version looks like a date, such dates are versions', async () => {
    const file = '# Changelog\n\n## 2024.3.0\n\n- mine\n\n## 2024.2.0\n\n- theirs'
    expect(await take(file, '2024.3.0')).toBe('- mine')
  })

  test.each([
    // Leaflet: a deeper heading that goes on in words, of a version with a title
    '## 1.2.3\n\nmine\n\n#### 1.2.2 fixes\n\n- mine\n\n## 1.2.2\n\n- theirs',
    '## 1.2.3\n\nmine\n\n## Changelog\n\n- theirs\n\n## 1.2.2',
    '## 1.2.3\n\nmine\n\n## 2023\n\n## 1.2.2',
    // Fewer than three times
    '## 1.2.3\n\nmine\n\n## Added\n\n- a\n\n## 1.2.2\n\n## Added\n\n- b',
    '## 1.2.3\n\nmine\n\n# Breaking\n\n- mine?',
    '## 1.2.3\n\nmine\n\n## Upgrade Notice 2\n\ntheirs?\n\n## 1.2.2',
    '## 1.2.3\n\nmine\n\n## Breaking changes\n\ntheirs?',
    '## 1.2.3\n\nmine\n\n## PHP 8.3 support\n\ntheirs?',
    '## 1.2.3\n\nmine\n\n## Beta 2\n\ntheirs\n\n## 1.2.2',
    '## 1.2.3\n\nmine\n\n## Fixed 3 bugs\n\nmine?\n\n## 1.2.2\n\n- theirs',
    '## 1.2.3\n\nmine\n\n### 1.20.4\n\n- mine?\n\n## 1.2.2\n\n- theirs',
    '## 1.2.3\n\nmine\n\n### Older versions\n\n- theirs',
    '## 1.2.3\n\nmine\n\n## Older browsers\n\n- mine?\n\n## 1.2.2\n\n- theirs',
    // A deeper title is a neighbor's only if versions go on: these are another product's
    '## 1.2.3\n\nmine\n\n### 1.1.2\n\n- mine?\n\n### 1.2.0\n\n- mine?\n\n## 1.1.1\n\n- theirs',
    '## 1.2.3\n\nmine\n\n### 1.1.2\n\n- mine?\n\n## 1.2.2\n\n- theirs',
    // LifterLMS: a deeper heading that mentions a version without a title
    '## 1.2.3\n\nmine\n\n#### 1.2.2 regression fixes\n\n- mine\n\n## 1.2.1\n\n- theirs',
    '## 1.2.3\n\nmine\n\n### 1.2.2\n\n- mine\n\n## 1.2.2\n\n- theirs'
  ])('it is an error with the line: %j', async file => {
    expect(await refusal(file)).toMatch(
      /does not say where "1\.2\.3" ends:\n {2}line 1: ## 1\.2\.3\n {2}line 5: #/
    )
  })

  test.each([
    ['## 1.2.3\n\nmine\n\n## Changelog\n\n- mine\n\n## 1.2.2\n\n- theirs', '## Changelog'],
    [
      '== Changelog ==\n= 1.2.3 =\nmine\n\n== Added ==\n- mine\n\n= 1.2.2 =\n- theirs',
      '== Added =='
    ],
    ['== Changelog ==\n## a@1.2.3\n== Added ==\n- mine\n\n## a@1.2.2\n- theirs', '== Added =='],
    ['## 1.2.3\n- mine\n\n== Upgrade Notice ==\nNote well.', '== Upgrade Notice ==']
  ])('a heading that ends a section between titles may be a part: %j', async (file, line) => {
    expect(await refusal(file)).toMatch(
      / does not say where "1\.2\.3" ends:\n {2}line \d: .*1\.2\.3/
    )
    expect(await refusal(file)).toContain(`: ${line}`)
  })

  test.each([
    '== Changelog ==\n= 1.2.3 =\n- mine\n\n== Upgrade Notice ==\nNote well.\n\n= 1.2.2 =\n- theirs',
    '# Changelog\n## 1.2.3\n- mine\n\n# License\nMIT',
    '== Changelog ==\n= 1.2.3 =\n- mine\n\n== FAQ ==\nAsk.\n\n= Does 1.2.2 work? =\n- theirs'
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
    '1.2.3 through 1.2.5',
    // wp-graphql, ElasticPress
    '1.2.3 - 1.2.5',
    '1.2.3, 1.2.4 - 2026-01-31'
  ])('a title of several versions is that of none: %s', async title => {
    const version = title.startsWith('1.2.0') ? '1.2.0' : '1.2.3'
    expect(await refusal(`## 1.3.0\n- a\n\n## ${title}\n- theirs, too`, version)).toBe(
      `changelog-file: "CHANGELOG.md" has one heading for "${version}" and other versions:\n  line 4: ## ${title}`
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

  test.each([
    ['1.2.3\n- mine\n\nHotfix\n- theirs\n\n1.2.2\n- theirs', 'line 4: Hotfix'],
    ['1.2.1\n- a\n\n1.2.3\n- mine\n\nGallery 2.0.0\n- theirs', 'line 7: Gallery 2.0.0'],
    ['2.0\n---\n- a\n\nGallery 1.9.5\n- theirs\n\n1.9.4\n---\n- theirs', 'line 5: Gallery 1.9.5'],
    // A version in the text, alone on its line
    ['1.2.3\n- mine\n\n1.9.0\n- mine?\n\n1.2.2\n- theirs', 'line 1: 1.2.3']
  ])('between lone titles, or versions of other parts: %j', async (file, line) => {
    expect(await refusal(file, file.startsWith('2.0') ? '2.0' : '1.2.3')).toContain(line)
  })
})

test('an invisible character is named, and a title without a text', async () => {
  expect(await refusal('## 1.2.\u200b3\n- a\n\n## 1.2.2')).toContain('line 1: ## 1.2.\\u{200b}3')
  expect(await refusal('## 1.2.3 - Faster than ever\n\n## 1.2.2')).toBe(
    'changelog-file: "CHANGELOG.md" has no text under its heading for "1.2.3":\n  line 1: ## 1.2.3 - Faster than ever'
  )
})

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

### [1.2.1](https://example.com/compare/v1.2.0...v1.2.1) (2026-01-01)


### Bug Fixes

* theirs
`
  const mine = '### Bug Fixes\n\n* mine ([1a2b3c4](https://example.com/commit/1a2b3c4))'
  expect(await take(file)).toBe(mine)
  expect(await take(file, '1.2.2')).toBe('### Bug Fixes\n\n* theirs')
})
