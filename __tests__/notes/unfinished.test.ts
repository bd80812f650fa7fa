// Tests of src/notes/unfinished.ts and text.ts: a text that nobody finished, or that is too long, is found.
import { describe, expect, test } from '@jest/globals'
import { faultInLength } from '../../src/notes/text.ts'
import { findUnfinished } from '../../src/notes/unfinished.ts'

/** An expression of a workflow. */
const expression = (words: string) => `\${{ ${words} }}`

describe('escaped line breaks between two list marks or headings on one line', () => {
  test.each([
    'New maps!%0A* Faster%0A* Fix',
    '- Albums\\n- Thumbnails',
    "## What's Changed\\r\\n\\r\\n* Albums by @octocat",
    '"## 1.4.2\\n\\n1. Albums"',
    '- Albums%0D%0A- Thumbnails',
    'Albums.%250A- Sorted%250A- Faster',
    '* Albums\\\\n* Thumbnails',
    'Hello,\n\n- [Albums](https://a.example)\\n- **Faster**'
  ])('are found: %j', text => {
    expect(findUnfinished(text)).toEqual({ kind: 'escaped', line: text.split('\n').at(-1) })
  })

  test.each([
    '- Write `\\n- ` between items\n- `a%0A- b` is decoded',
    '- Split at "\\n- " and at %0A\n- Albums',
    '- A path such as C:\\new - old works\n- and D:\\n',
    '```\n- a\\n- b\n```\nAlbums.',
    '<!--\n- a\\n- b\n-->\nAlbums.',
    'Albums.\\nThumbnails.',
    '- [Search](https://a.example/?q=a%0A-b)'
  ])('not where the text is about them: %j', text => {
    expect(findUnfinished(text)).toBeUndefined()
  })
})

test.each([
  ['Albums\n<<<<<<< HEAD\n- Sorted\n=======\n- Faster\n>>>>>>> next', '<<<<<<< HEAD'],
  ['- Faster\n>>>>>>> next', '>>>>>>> next']
])('conflict markers are found: %j', (text, line) => {
  expect(findUnfinished(text)).toEqual({ kind: 'conflict', line })
})

test.each([
  `## 1.4.2\n\n${expression('steps.notes.outputs.text')}`,
  `- ${expression('github.event.release.body')}`,
  `**${expression("format('{0}', env.NOTES)").replace(/[{}]0[{}]/, '0')}**`
])('a line of nothing but an expression is found: %j', text => {
  expect(findUnfinished(text)).toEqual({ kind: 'unfilled', line: text.split('\n').at(-1) })
})

test.each([
  '* {{ order.tracking_number }}\n- $CHANGES\n- TODO\n- $(cat notes.md)\nSee CHANGELOG.md.',
  `- ${expression('name')} is filled in now\n- \`${expression('name')}\``,
  `\`\`\`\n<<<<<<< HEAD\n${expression('name')}\n\`\`\`\nAlbums.`,
  'Albums\n=======\n\nSorted.',
  '<<<<<<<< and >>>>>>> are arrows'
])('what a text is about stays: %j', text => {
  expect(findUnfinished(text)).toBeUndefined()
})

test('a text has at most 125,000 characters', () => {
  expect(faultInLength('a'.repeat(125_000), 'The notes contain')).toBeUndefined()
  expect(faultInLength('a'.repeat(125_001), 'The notes contain')).toMatchObject({
    reason: 'no-changelog',
    message: 'The notes contain 125,001 characters, and at most 125,000 are sent.'
  })
})
