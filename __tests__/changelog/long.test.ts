// Notes as long as GitHub takes them: src/release/changelog.ts and what it stands on.
import { expect, test } from '@jest/globals'
import { expand, fixture, strip } from './notes.ts'

test('notes of 125,000 characters are neither cut short nor mixed up', async () => {
  const times = Math.floor(125_000 / fixture('generated', 'notes.md').length)
  const repeat = (file: string) =>
    new Array(times).fill(fixture('generated', file)).join('\n\n## Next\n\n')
  const rendering = new Array(times)
    .fill(fixture('generated', 'body_html.txt'))
    .join('\n<h2>Next</h2>\n')
  expect((await expand(repeat('notes.md'), rendering)).split('@octocat](').length - 1).toBe(
    2 * times
  )
  const stripped = await strip(repeat('notes.md'))
  expect(stripped.match(/Add a dark mode$/gm)).toHaveLength(times)
  expect(stripped).not.toMatch(/github\.com|octocat/)
})
