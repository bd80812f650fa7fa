// Tests of src/notes/other-version.ts: a text of another version is not sent.
import { describe, expect, test } from '@jest/globals'
import { faultInNotes, faultInWhole } from '../../src/notes/other-version.ts'

describe('a file that is sent whole', () => {
  const check = (text: string) =>
    faultInWhole({
      text,
      path: '1.2.3.md',
      version: '1.2.3',
      tag: 'v1.2.3'
    })

  test.each([
    '- Faster',
    '# 1.2.3\n\n- Faster',
    '# v1.2.3 - 2026-01-31\n\n- Faster',
    '## Compatible with WordPress 6.5\n- a',
    '## WordPress 6.5\n\n### PHP 8.1\n- a',
    '# Gallery\n\n## PHP 8.4 support\n- a\n\n## Fixes\n- b',
    '# Acme 1.2.3\n\n## Needs PHP 8.1\n\n## Upgrading from 1.2.2\n\n```\n## 1.2.2\n```',
    '## 29.11.2026\n\n- a',
    ''
  ])('has no heading of another version: %j', text => {
    expect(check(text)).toBeUndefined()
  })

  test.each([
    ['# 1.2.2\n\n- Older', 'line 1: # 1.2.2'],
    ['# 1.2.3\n\n- a\n\n# 1.2.2\n\n- b', 'line 5: # 1.2.2'],
    ['# 1.2.3\n\n- a\n\n# 1.2.3 Beta 2\n\n- b', 'line 5: # 1.2.3 Beta 2'],
    ['= 1.2.4 =\n* a', 'line 1: = 1.2.4 ='],
    ['- a\n\n**1.2.2**\n\n- b', 'line 3: **1.2.2**']
  ])('or is refused: %j', (text, line) => {
    expect(check(text)).toMatchObject({
      reason: 'no-changelog',
      message: `changelog-file: "1.2.3.md" is for "1.2.3" alone, but has headings of others:\n  ${line}`,
      advice: expect.stringContaining('as in "## Minecraft 1.20.1"')
    })
  })
})

describe('release notes', () => {
  test.each([
    '## 1.2.3\n\n- Faster',
    '- Faster\n\n## What’s new\n\n## 1.2.2\n\n- Older',
    '## WooCommerce 1.1.0\n\n- Faster',
    '### PHP 8.1\n\n- Needed',
    '## 1.2.4\n\n- Faster',
    '## 1.2\n\n- Faster',
    '## 1.2.2 is the last one for Windows 7\n\n- Faster',
    '## 1.1.2026\n\n- Faster',
    '```\n## 1.2.2\n```\n\n- Faster',
    'Faster than 1.2.2',
    ''
  ])('are of this version: %j', notes => {
    expect(faultInNotes(notes, '1.2.3')).toBeUndefined()
  })

  test.each([
    '## 1.2.2\n\n- Older',
    '- Older\n\n# v1.2.2',
    '## [1.2.2](https://a.example) (2026-01-31)\n\n- Older',
    '## Version 1.1.9 - 31 January 2026\n\n- Older',
    '1.2.2\n=====\n\n- Older',
    '= 1.2.2 =\n* Older'
  ])('begin with the heading of a lower version, and are refused: %j', notes => {
    const heading = notes.split('\n').find(it => it.includes('1.'))
    expect(faultInNotes(notes, '1.2.3')).toMatchObject({
      reason: 'no-changelog',
      message: `The notes of the release begin with the heading ${JSON.stringify(heading)}, of another version than "1.2.3".`,
      advice: expect.stringContaining('as in "## Minecraft 1.20.1"')
    })
  })

  test('of a version that is a date: a lower date is another version', () => {
    expect(faultInNotes('## 2026.1.30\n\n- Older', '2026.1.31')).toBeDefined()
    expect(faultInNotes('## 2026.1.31\n\n- New', '2026.1.31')).toBeUndefined()
  })
})
