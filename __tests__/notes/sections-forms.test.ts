// Tests of src/notes/sections.ts: forms of files that people wrote who did not know the rules.
import { expect, test } from '@jest/globals'
import { refusal, take } from './taking.ts'

interface Form {
  readonly name: string
  readonly file: string
  readonly text: string
}

test.each<Form>([
  {
    name: 'items that are indented alike stay as they are',
    file: '= 1.2.3 =\n  * Albums\n    and maps\n  * Faster\n\n= 1.2.2 =\n  * One',
    text: '  * Albums\n    and maps\n  * Faster'
  },
  {
    name: 'a title in a box of number signs',
    file: '########\n# v1.2.3 - 03.04.2026\n########\n- Albums\n\n########\n# v1.2.2 - 01.03.2026\n########\n- One',
    text: '- Albums'
  },
  {
    name: 'a title that is quoted in `<pre>`',
    file: '# Changelog\n## 1.2.3\n<pre>\n# composer require gallery\n## 1.2.2\n</pre>\n- Albums\n## 1.2.2\n- One',
    text: '<pre>\n# composer require gallery\n## 1.2.2\n</pre>\n- Albums'
  },
  {
    name: 'a text that ends in indented code of quotes',
    file: '## 1.2.3\n\nAlbums:\n\n    class A:\n        """\n        Doc.\n        """\n\n## 1.2.2\n- One',
    text: 'Albums:\n\n    class A:\n        """\n        Doc.\n        """'
  },
  {
    name: 'a license in the marks of the file’s own title, after the last section',
    file: 'Changelog\n=========\n\n## 1.2.3\n- Albums\n\nLicense\n=======\n\nMIT',
    text: '- Albums'
  },
  {
    name: 'the version of a title further up, in the text',
    file: '## 1.2.4\n- n\n\n## 1.1.5\n- f\n\n## 1.2.3\n- Albums\n- Includes the fixes of 1.1.5\n\n## 1.1.4\n- m',
    text: '- Albums\n- Includes the fixes of 1.1.5'
  },
  {
    name: 'a version of a dependency between ours and the next',
    file: '## 1.2.3\n\n- Updated dependencies [521205d]:\n  - @acme/core@1.2.2\n\n## 1.2.1\n\n- old',
    text: '- Updated dependencies [521205d]:\n  - @acme/core@1.2.2'
  },
  {
    name: 'a title in a closed comment, and one in code that has a title below',
    file: '## 1.2.3\n\n- a\n<!--\n## 1.2.2\n-->\n```\n## 1.2.1\n```\n\n## 1.2.1\n\n- old',
    text: '- a\n<!--\n## 1.2.2\n-->\n```\n## 1.2.1\n```'
  },
  {
    name: 'a fence between two paragraphs, shorter than the line above',
    file: '## 1.2.3\n\nFor example:\n~~~\n## 1.0.0\n~~~\n\n## 1.0.0\n\n- old',
    text: 'For example:\n~~~\n## 1.0.0\n~~~'
  }
])('$name is read', async ({ file, text }) => {
  expect(await take(file)).toBe(text)
})

test.each([
  {
    name: 'what changed since a version is not its text',
    file: '## Changes since 1.2.3\n- Maps\n## Changes since 1.2.2\n- Albums',
    says: 'has no heading for "1.2.3"'
  },
  {
    name: 'nor is it under the only heading of a file',
    file: '# Change Log\n\n## Changes since 1.2.3\n\n- Maps',
    says: 'has no heading for "1.2.3"'
  },
  {
    name: 'two headings with the version, one of them not the changelog’s',
    file: '# Gallery\n\n## 1.2.3\n\n- albums\n\n## 1.2.2\n\n### Release notes\n\n- old\n\n## Upgrade to 1.2.3\n\nRename.',
    says: 'has several headings for "1.2.3"'
  },
  {
    name: 'AsciiDoc’s marks, whose deeper headings have more of them',
    file: '= Changelog\n\n== 1.2.3\n\n* Albums\n\n=== Java 17.0 is required\n\n* See the guide\n\n== 1.2.2\n\n* Fixes',
    says: 'does not say where "1.2.3" ends'
  },
  {
    name: 'MediaWiki’s marks, whose deeper headings have more of them',
    file: '== 1.2.4 ==\n\n* n\n\n== 1.2.3 ==\n\n* Intro\n\n=== Added ===\n\n* Albums\n\n=== Fixed ===\n\n* Crash\n\n== 1.2.2 ==\n\n* Fixes',
    says: 'does not say where "1.2.3" ends'
  },
  {
    name: 'an underlined title that is indented, which may be code of reStructuredText, or a slip',
    file: '1.2.3\n-----\n\nWrite::\n\n   1.2.2\n   -----\n\n- Albums\n\n1.2.2\n-----\n\n- One',
    says: 'does not say where "1.2.3" ends'
  },
  {
    name: 'an item with a version of more parts between ours and the next',
    file: '## 1.2.4\n- n\n\n## 1.2.3\n- a\n* 1.2.2.1 - Fixed a crash on save\n\n## 1.2.2\n- old',
    says: 'does not say where "1.2.3" ends'
  },
  {
    name: 'items that begin with lower versions, under the last title',
    file: '## 1.2.4\n- n\n\n## 1.2.3\n- First stable version\n* 0.9.0 - Beta with albums and maps\n* 0.8.0 - Alpha with some maps',
    says: 'does not say where "1.2.3" ends'
  },
  ...['Hotfix 2', 'Beta 2', 'Dark mode - 2026-01-20', 'Initial release', 'RC'].map(words => ({
    name: `"${words}" right under a title, as high as it`,
    file: `## 1.2.4\n- Four\n## 1.2.3\n\n## ${words}\n- Theirs\n## 1.2.2\n- Two`,
    says: 'does not say where "1.2.3" ends'
  }))
])('$name: refused', async ({ file, says }) => {
  expect(await refusal(file)).toContain(says)
})
