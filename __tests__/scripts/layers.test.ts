// Tests of the rules for layers: what they allow, and that each breach is seen.
import { expect, test } from '@jest/globals'
import { checkLayers } from '../../scripts/layers.ts'

const check = (file: string, source: string) => checkLayers(new Map([[file, source]]))

test.each([
  ['its own folder', 'src/release/a.ts', "import { b } from './b.ts'"],
  ['types of a folder above', 'src/release/a.ts', "import type { B } from '../publish/b.ts'"],
  ['a folder beside', 'src/publish/a.ts', "import { b } from '../report/b.ts'"],
  ['a folder below', 'src/ledger/a.ts', "import { b } from '../http/b.ts'"],
  ['a package', 'src/files/find.ts', "const g = await import('@actions/glob')"]
])('%s may be imported', (_, file, source) => {
  expect(check(file, source)).toEqual([])
})

const ABOVE = 'src/release/a.ts: imports src/publish/b.ts, above it'
test.each([
  ['a folder above', "import { b } from '../publish/b.ts'", ABOVE],
  ['lazily', "await import('../publish/b.ts')", ABOVE],
  ['no source', "import { b } from '../../sandbox/b.ts'", 'imports sandbox/b.ts, above it'],
  ['too many lines', '\n'.repeat(351), '351 lines, more than 350']
])('a breach is seen: %s', (_, source, problem) => {
  expect(check('src/release/a.ts', source)).toEqual([expect.stringContaining(problem)])
})

test('a circle is seen, also one of types', () => {
  const sources = new Map([
    ['src/release/a.ts', "import { b } from './b.ts'"],
    ['src/release/b.ts', "import type { A } from './a.ts'"]
  ])
  const circle = 'circle: src/release/a.ts > src/release/b.ts > src/release/a.ts'
  expect(checkLayers(sources)).toEqual([circle])
})

test('a name that two files export is seen, a local one is not', () => {
  const sources = new Map([
    ['src/release/a.ts', 'export async function read() {}\nexport const LIMIT = 1'],
    ['src/files/b.ts', 'export type read = string\nconst LIMIT = 2']
  ])
  const homonym = '"read" is exported by src/release/a.ts, src/files/b.ts'
  expect(checkLayers(sources)).toEqual([homonym])
})
