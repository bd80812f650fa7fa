// Tests of scripts/changelog.ts: the notes that a release takes from CHANGELOG.md.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { notesOf } from '../../scripts/changelog.ts'
import { ROOT } from '../../scripts/manifest.ts'

const CHANGELOG = `# Changelog

## [Unreleased]

## [1.1.0] - 2026-02-01

### Added

- More.

## [1.0.0] - 2026-01-02

- All.

[1.0.0]: https://github.com/OWNER/REPO/releases/tag/v1.0.0
`

test('a section ends at the next version, or before the link definitions, whatever the line ends', () => {
  expect(notesOf(CHANGELOG, '1.1.0')).toBe('### Added\n\n- More.\n')
  expect(notesOf(CHANGELOG.replaceAll('\n', '\r\n'), '1.0.0')).toBe('- All.\n')
})

test.each([
  ['a version without a section', CHANGELOG, '1.0', 'no heading "## [1.0]"'],
  ['a section without a date', CHANGELOG.replace(' - 2026-01-02', ''), '1.0.0', 'needs its date']
])('%s is an error', (_, changelog, version, message) => {
  expect(() => notesOf(changelog, version)).toThrow(message)
})

test('our own changelog has a section for the version of package.json', () => {
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
  const { version } = JSON.parse(read('package.json'))
  expect(read('CHANGELOG.md')).toContain(`\n## [${version}]`)
})
