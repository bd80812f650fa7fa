// Tests of the rules of the house: that our own sources keep them, and that a breach is seen.
import { expect, test } from '@jest/globals'
import { checkHouse, checkSource } from '../../scripts/house.ts'

test('our own sources keep them all', () => {
  expect(checkHouse()).toEqual([])
})

test.each([
  ['its own room', 'src/release/a.ts', "import { b } from './b.ts'"],
  ['types of another room', 'src/release/a.ts', "import type { B } from '../ledger/b.ts'"],
  ['types one by one', 'src/release/a.ts', "import { type B, type C } from '../ledger/b.ts'"],
  ['types of a room above', 'src/ledger/a.ts', "import type { B } from '../publish/b.ts'"],
  ['a room below', 'src/publish/a.ts', "import { b } from '../ledger/b.ts'"],
  ['both parts, from the bundle', 'src/bundle.ts', "import { b } from './publish/b.ts'"],
  ['a package at its door', 'src/file/find.ts', "const g = await import('@actions/glob')"],
  ['types of a package anywhere', 'src/publish/a.ts', "import type { YAMLMap } from 'yaml'"],
  ['Node itself', 'src/publish/a.ts', "import { open } from 'node:fs/promises'"],
  ['a word in a comment', 'src/release/a.ts', '// process.env is not read here\n/* console.log */'],
  ['a word in a text', 'src/release/a.ts', "const a = 'process.env'"],
  ['a field of that name', 'src/release/a.ts', 'const a = image.process.env'],
  ['the process at its door', 'src/runner/runner.ts', 'process.exit()'],
  ['a breach that is commented out', 'src/release/a.ts', "// import { b } from '../ledger/b.ts'"]
])('%s may be named', (_, file, source) => {
  expect(checkSource(file, source)).toEqual([])
})

const ALONE = 'rooms below publish and licenses and bundle.ts share types alone'
test.each([
  ['a room beside', "import { b } from '../ledger/b.ts'", `imports src/ledger/b.ts; ${ALONE}`],
  [
    'a room beside, over several lines',
    "import {\n  b,\n  type C\n} from '../ledger/b.ts'",
    `imports src/ledger/b.ts; ${ALONE}`
  ],
  ['a room beside, lazily', "await import('../ledger/b.ts')", `imports src/ledger/b.ts; ${ALONE}`],
  [
    'a room beside, passed on',
    "export { b } from '../ledger/b.ts'",
    `imports src/ledger/b.ts; ${ALONE}`
  ],
  [
    'a room beside, for its effects',
    "import '../ledger/b.ts'",
    `imports src/ledger/b.ts; ${ALONE}`
  ],
  [
    'a room above',
    "import { b } from '../publish/b.ts'",
    'imports src/publish/b.ts from a room above it'
  ],
  [
    'what is no source',
    "import { b } from '../../sandbox/b.ts'",
    'imports sandbox/b.ts from outside of src'
  ],
  [
    'a package past its door',
    "import { parse } from 'yaml'",
    'imports yaml, whose door is src/publish/targets.ts'
  ],
  [
    'a package past its door, lazily',
    "await import('@actions/core')",
    'imports @actions/core, whose door is src/runner/runner.ts'
  ],
  ['the process', 'const a = process.env', 'names process, which belongs to src/runner/runner.ts'],
  [
    'the process as a module',
    "import { env } from 'node:process'",
    'names process, which belongs to src/runner/runner.ts'
  ],
  [
    'the process by way of globalThis',
    'const { exit } = globalThis.process',
    'names process, which belongs to src/runner/runner.ts'
  ],
  [
    'a part of the process',
    'const { env } = process',
    'names process, which belongs to src/runner/runner.ts'
  ],
  ['the console', "console.log('x')", 'names console, which belongs to nobody']
])('%s is a breach', (_, source, fault) => {
  expect(checkSource('src/release/a.ts', source)).toEqual([`src/release/a.ts: ${fault}`])
})

test('the two actions do not import each other', () => {
  expect(checkSource('src/licenses/a.ts', "import { b } from '../publish/b.ts'")).toEqual([
    'src/licenses/a.ts: imports src/publish/b.ts from a room above it'
  ])
})

test('every breach of a file is told', () => {
  const source = "import { b } from '../ledger/b.ts'\nimport { c } from 'yaml'\nconsole.log(b, c)\n"
  expect(checkSource('src/release/a.ts', source)).toHaveLength(3)
})
