// Tests of the rules for layers: what they allow, and that each breach is seen.
import { expect, test } from '@jest/globals'
import { checkLayers } from '../../scripts/layers.ts'

const check = (file: string, source: string) => checkLayers(new Map([[file, source]]))

test.each([
  ['its own layer', 'src/release/a.ts', "import { b } from './b.ts'"],
  ['types of another layer', 'src/release/a.ts', "import type { B } from '../ledger/b.ts'"],
  ['a layer below', 'src/publish/a.ts', "import { b } from '../ledger/b.ts'"],
  ['the ground floor', 'src/ledger/a.ts', "import { b } from '../http/b.ts'"],
  ['a package in its adapter', 'src/file/find.ts', "const g = await import('@actions/glob')"],
  ['types of a package', 'src/publish/a.ts', "import type { Event } from 'yaml'"],
  ['words', 'src/release/a.ts', '// process.env\n/* console.log */\nimage.process'],
  ['process in its adapter', 'src/runner/runner.ts', 'process.exit()']
])('%s may be used', (_, file, source) => {
  expect(check(file, source)).toEqual([])
})

const BESIDE = 'imports values from src/ledger/b.ts; release/ may not import those of ledger/'
test.each([
  ['the layer beside', "import { b } from '../ledger/b.ts'", BESIDE],
  ['over several lines', "import {\n  b,\n  type C\n} from '../ledger/b.ts'", BESIDE],
  ['lazily', "await import('../ledger/b.ts')", BESIDE],
  ['passed on', "export { b } from '../ledger/b.ts'", BESIDE],
  ['a layer above', "import { b } from '../publish/b.ts'", 'may not import those of publish/'],
  ['no source', "import { b } from '../../sandbox/b.ts'", 'imports sandbox/b.ts, outside of src'],
  ['a package', "import { parse } from 'yaml'", 'yaml, which only src/publish/targets'],
  ['process', 'const { env } = process', 'uses process'],
  ['console', 'console.log(1)', 'uses console'],
  ['too many lines', '\n'.repeat(261), 'has 261 lines, more than 260']
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

test('a top-level name in two files is seen, a local one is not', () => {
  const sources = new Map([
    ['src/release/a.ts', 'export async function read() {}\nconst LIMIT = 1'],
    ['src/file/b.ts', 'type read = string\nfunction each() {\n  const LIMIT = 2\n}']
  ])
  const homonym = '"read" is declared in src/release/a.ts, src/file/b.ts'
  expect(checkLayers(sources)).toEqual([homonym])
})
