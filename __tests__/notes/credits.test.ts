// Tests of src/notes/credits.ts: each row takes from its own example what its generator wrote, and no word more.
import { expect, test } from '@jest/globals'
import { ENDINGS, LEADS, LINES } from '../../src/notes/credits.ts'
import { HOME, strip } from './notes.ts'

/** An example as notes have it: what stands in `<…>` there is a link to an issue or a commit. */
const linked = (example: string) =>
  example
    .replace(/<(#(\d+))>/g, `[$1](${HOME}/pull/$2)`)
    .replace(/<([\da-f]{7})>/g, `[$1](${HOME}/commit/$1${'0'.repeat(33)})`)

test.each([...ENDINGS, ...LEADS].map(row => [row.by, row.example, row.left] as const))(
  '%s: %s',
  async (_, example, left) => {
    expect(await strip(`- ${linked(example)}`)).toBe(`- ${left}`)

    // The same words inside an item are its own.
    const quoted = `- It writes \`${example}\` now`
    expect(await strip(quoted)).toBe(quoted)
  }
)

test.each(LINES.map(row => [row.by, row.example] as const))('%s: %s', async (_, example) => {
  expect(await strip(`- Sort albums\n\n${linked(example)}`)).toBe('- Sort albums')
})
