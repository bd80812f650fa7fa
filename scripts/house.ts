// Holds the rules of the house: which room may import which, one door for each outside thing.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { ROOT } from './manifest.ts'

/** The only files that may import these, by package. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  '@actions/core': ['src/runner/runner.ts'],
  '@actions/github': ['src/github/github.ts'],
  '@actions/glob': ['src/file/find.ts'],
  'compare-versions': ['src/release/order.ts'],
  'csv-stringify/sync': ['src/licenses/export.ts'],
  undici: ['src/http/connection.ts'],
  yaml: ['src/publish/targets.ts'],
  minimatch: ['src/file/glob.ts'],
  'mdast-util-from-markdown': ['src/changelog/markdown.ts'],
  'micromark-extension-gfm': ['src/changelog/markdown.ts'],
  parse5: ['src/changelog/html.ts']
}
/** The only files that may name these globals. */
const GLOBALS: Readonly<Record<string, readonly string[]>> = {
  process: ['src/runner/runner.ts', 'src/http/connection.ts'],
  console: []
}
/** Rooms that may import values from the rooms below them; those below import types alone. */
const UPPER = ['publish', 'licenses', 'bundle.ts']
/** The ground floor: everybody may import values from it. */
const GROUND = ['http', 'runner']

const IMPORT =
  /^\s*(?:import|export)\s+(type\s+)?(?:([^'"]*?)\s+from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm

/** What is wrong with one source file; `file` is its path from the root, with slashes. */
export function checkSource(file: string, source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const faults: string[] = []
  for (const [, type, names = '', fixed, lazy] of code.matchAll(IMPORT)) {
    const target = fixed ?? lazy ?? ''
    const onlyTypes = type !== undefined || /^\{(\s*type\s+\w+\s*,?)+\s*\}$/.test(names)
    faults.push(...checkImport(file, target, onlyTypes))
  }
  for (const [name, allowed] of Object.entries(GLOBALS)) {
    const uses = `(?<![\\w.'"\`])${name}[.[]\\w|globalThis\\.${name}\\b|\\} = ${name}\\b|'node:${name}'`
    const used = new RegExp(uses).test(code)
    if (used && !allowed.includes(file))
      faults.push(`names ${name}, which belongs to ${allowed.join() || 'nobody'}`)
  }
  return faults.map(fault => `${file}: ${fault}`)
}

function checkImport(file: string, target: string, onlyTypes: boolean): string[] {
  if (!target.startsWith('.')) {
    const doors = DOORS[target]
    if (!doors || onlyTypes || doors.includes(file)) return []
    return [`imports ${target}, whose door is ${doors.join(', ')}`]
  }
  const path = posix.join(posix.dirname(file), target)
  if (!path.startsWith('src/')) return [`imports ${path} from outside of src`]
  const [from, to] = [roomOf(file), roomOf(path)]
  if (from === to || onlyTypes || GROUND.includes(to)) return []
  if (from === 'bundle.ts') return []
  if (UPPER.includes(to)) return [`imports ${path} from a room above it`]
  return UPPER.includes(from)
    ? []
    : [`imports ${path}; rooms below ${UPPER.join(' and ')} share types alone`]
}

function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** What is wrong in all of `src`. */
export function checkHouse(): string[] {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  return files
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .flatMap(file => checkSource(file, readFileSync(join(ROOT, file), 'utf8')))
}

if (import.meta.main) {
  const faults = checkHouse()
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
