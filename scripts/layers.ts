// Checks the layers of docs/design.md: who may import what, no circles, no long files, no exported name in two files.
import { posix } from 'node:path'
import { readTexts } from './manifest.ts'

/** From the top down; a folder imports, types too, only from those in its own row and below. */
const ROWS = [
  ['main.ts'],
  ['publish', 'licenses'],
  ['report'],
  ['ledger'],
  ['files'],
  ['notes'],
  ['shop'],
  ['release'],
  ['github'],
  ['http'],
  ['runner']
]
/** In lines. */
const LONGEST_FILE = 350

/** The text of each source file by its path from the root, with slashes. */
export type Sources = ReadonlyMap<string, string>

/** An import or export of a file of ours: `import type { A, B } from './a.ts'`, `export { a } from './a.ts'`, `import './a.ts'`. */
const FIXED = /^\s*(?:import|export)\s+(?:[^'"]*?\s+from\s+)?['"](\.[^'"]+)['"]/
/** Such as `await import('./a.ts')`. */
const LAZY = /\bimport\(\s*['"](\.[^'"]+)['"]\s*\)/
const IMPORT = new RegExp(`${FIXED.source}|${LAZY.source}`, 'gm')
/** Such as `export const read`, or `export async function read`. */
const EXPORTED = /^export (?:const|let|class|interface|type|(?:async )?function\*?)\s+([\w$]+)/gm

/** Every breach of the rules, one line each. */
export function checkLayers(sources: Sources): string[] {
  const imports = new Map<string, readonly string[]>()
  const homes = new Map<string, string[]>()
  const problems: string[] = []

  for (const [file, source] of sources) {
    const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
    const targets = importsOf(file, code)
    imports.set(file, targets)
    for (const target of targets) {
      if (isUpward(file, target)) problems.push(`${file}: imports ${target}, above it`)
    }

    const lines = source.split('\n').length - 1
    if (lines > LONGEST_FILE) problems.push(`${file}: ${lines} lines, more than ${LONGEST_FILE}`)
    for (const [, name = ''] of code.matchAll(EXPORTED)) {
      homes.set(name, [...(homes.get(name) ?? []), file])
    }
  }

  // A reader would have to ask which one is meant.
  for (const [name, files] of homes) {
    if (files.length > 1) problems.push(`"${name}" stands in ${files.join(', ')}`)
  }
  return [...problems, ...findCircles(imports)]
}

/** The source files that a file imports. */
function importsOf(file: string, code: string): string[] {
  return Array.from(code.matchAll(IMPORT), ([, fixed, lazy]) =>
    posix.join(posix.dirname(file), fixed ?? lazy ?? '')
  )
}

function isUpward(file: string, target: string): boolean {
  const from = rowOf(file)
  const to = rowOf(target)
  return from === undefined || to === undefined || to < from
}

function rowOf(file: string): number | undefined {
  const [, folder = ''] = file.split('/')
  const row = ROWS.findIndex(folders => folders.includes(folder))
  return row < 0 ? undefined : row
}

/** Each circle of imports once, types included. */
function findCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = []
  const done = new Set<string>()

  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) circles.push(`circle: ${[...path.slice(start), file].join(' > ')}`)
    if (start >= 0 || done.has(file)) return

    for (const target of imports.get(file) ?? []) {
      visit(target, [...path, file])
    }
    done.add(file)
  }

  for (const file of imports.keys()) {
    visit(file, [])
  }
  return circles
}

if (import.meta.main) {
  const sources = [...readTexts(['src/**/*.ts'])].filter(([file]) => !file.endsWith('.d.ts'))
  const problems = checkLayers(new Map(sources))
  for (const problem of problems) {
    process.stderr.write(`${problem}\n`)
  }
  process.exitCode = problems.length > 0 ? 1 : 0
}
