// Tests of scripts/layers.ts: each breach is seen; what is allowed is all that the sources do.
import { expect, test } from '@jest/globals'
import { checkLayers } from '../../scripts/layers.ts'

test.each([
  ['an import from above', "import { b } from '../publish/b.ts'", 'imports src/publish/b.ts, '],
  ['one that is lazy', "await import('../publish/b.ts')", 'imports src/publish/b.ts, above it'],
  ['one of no source', "import { b } from '../../sandbox/b.ts'", 'imports sandbox/b.ts, above it'],
  ['a circle, also of types', "import type { B } from './b.ts'", 'circle: src/release/a.ts > src'],
  ['a name of two files', 'export type read = string', '"read" stands in src/release/a.ts, '],
  ['too many lines', '\n'.repeat(351), '351 lines, more than 350']
])('a breach is seen: %s', (_, source, problem) => {
  const other = "import { a } from './a.ts'\nexport async function read() {}"
  const sources = new Map([
    ['src/release/a.ts', source],
    ['src/release/b.ts', other]
  ])

  expect(checkLayers(sources)).toEqual([expect.stringContaining(problem)])
})
