// Checks the layers of docs/design.md: who may import what, no circles, one adapter for each package, no long files,
// no top-level name in two files.
import { posix } from 'node:path'
import { readTexts } from './manifest.ts'

/** The only file that may import a package. */
const ADAPTERS: Readonly<Record<string, string>> = {
  '@actions/core': 'src/runner/runner.ts',
  '@actions/github': 'src/github/github.ts',
  '@actions/glob': 'src/file/find.ts',
  'compare-versions': 'src/release/tag.ts',
  undici: 'src/http/connection.ts',
  yaml: 'src/publish/targets.ts',
  yauzl: 'src/file/zip.ts',
  minimatch: 'src/file/glob.ts',
  'mdast-util-from-markdown': 'src/changelog/markdown.ts',
  'micromark-extension-gfm': 'src/changelog/markdown.ts',
  'hast-util-to-html': 'src/changelog/html.ts',
  'mdast-util-to-hast': 'src/changelog/html.ts',
  xss: 'src/changelog/html.ts'
}
/** The only files that may use these globals. */
const GLOBALS: Readonly<Record<string, RegExp>> = {
  process: /^src\/(?:runner\/runner|http\/connection|bundle)\.ts$/,
  console: /^$/
}
/** What the bundler starts from runs the actions. */
const BUNDLE = 'src/bundle.ts'
/** May import values from all layers below; `publish` from `report`, too, which takes only its types. */
const UPPER = ['publish', 'report', 'licenses']
/** Everybody may import values from these. */
const GROUND = ['http', 'runner']
const LONGEST_FILE = 260
/** The text of each source file by its path from the root, with slashes. */
export type Sources = ReadonlyMap<string, string>

const IMPORT =
  /^\s*(?:import|export)\s+(type\s+)?(?:([^'"]*?)\s+from\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm

/** What a file imports: packages, and the paths of source files. */
function importsOf(file: string, code: string) {
  return Array.from(code.matchAll(IMPORT), ([, type, names = '', fixed, lazy]) => {
    const target = fixed ?? lazy ?? ''
    const isType = type !== undefined || /^\{(\s*type\s+\w+\s*,?)+\s*\}$/.test(names)
    const isFile = target.startsWith('.')
    return { target: isFile ? posix.join(posix.dirname(file), target) : target, isFile, isType }
  })
}

type Import = ReturnType<typeof importsOf>[number]

/** Every breach of the rules, one line each. */
export function checkLayers(sources: Sources): string[] {
  const imports = new Map<string, readonly Import[]>()
  const homes = new Map<string, Set<string>>()
  const problems: string[] = []
  for (const [file, source] of sources) {
    const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
    const found = importsOf(file, code)
    imports.set(file, found)
    const own = [...found.flatMap(each => checkImport(file, each)), ...checkGlobals(file, code)]
    const lines = source.split('\n').length - 1
    if (lines > LONGEST_FILE) own.push(`has ${lines} lines, more than ${LONGEST_FILE}`)
    problems.push(...own.map(problem => `${file}: ${problem}`))
    for (const [, name = ''] of code.matchAll(DECLARATION)) {
      homes.set(name, (homes.get(name) ?? new Set()).add(file))
    }
  }
  // A reader would have to ask which one is meant.
  for (const [name, files] of homes) {
    if (files.size > 1) problems.push(`"${name}" is declared in ${[...files].join(', ')}`)
  }
  return [...problems, ...findCircles(imports)]
}

const DECLARATION =
  /^(?:export )?(?:async )?(?:function\*?|const|let|class|interface|type)\s+([\w$]+)/gm

function checkGlobals(file: string, code: string): string[] {
  return Object.entries(GLOBALS).flatMap(([name, allowed]) => {
    const uses = `(?<![\\w.'"\`])${name}[.[]\\w|globalThis\\.${name}\\b|\\} = ${name}\\b|'node:${name}'`
    return new RegExp(uses).test(code) && !allowed.test(file) ? [`uses ${name}`] : []
  })
}

function checkImport(file: string, { target, isFile, isType }: Import): string[] {
  if (!isFile) {
    const adapter = ADAPTERS[target] ?? file
    return isType || adapter === file ? [] : [`imports ${target}, which only ${adapter} may`]
  }
  if (!target.startsWith('src/')) return [`imports ${target}, outside of src`]
  const [from = '', to = ''] = [file, target].map(path => path.split('/')[1])
  if (from === to || isType || GROUND.includes(to) || file === BUNDLE) return []
  const isDown = !UPPER.includes(to) || (from === 'publish' && to === 'report')
  if (UPPER.includes(from) && isDown) return []
  return [`imports values from ${target}; ${from}/ may not import those of ${to}/`]
}

/** Each circle of imports once, types included. */
function findCircles(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]) => {
    const start = path.indexOf(file)
    if (start >= 0) circles.push(`circle: ${[...path.slice(start), file].join(' > ')}`)
    if (start >= 0 || done.has(file)) return
    for (const { target } of imports.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
  return circles
}

if (import.meta.main) {
  const sources = [...readTexts(['src/**/*.ts'])].filter(([file]) => !file.endsWith('.d.ts'))
  const problems = checkLayers(new Map(sources))
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
