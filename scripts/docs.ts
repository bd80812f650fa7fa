// Owns `npm run docs`: the documentation's tables from the action.yml files and the examples, and the repository's name in it.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import {
  ACTION_FILES,
  type Manifest,
  ROOT,
  readManifest,
  readRepository,
  readTexts
} from './manifest.ts'

/** The pages, and the examples, that hold tables or the repository's name. */
const PAGES = [
  '{.,docs,licenses}/*.md',
  'examples/*.yml',
  '.github/*.{md,yml}',
  '.github/ISSUE_TEMPLATE/*.yml'
]

/** Stands for the repository's name while package.json has none. */
export const PLACEHOLDER = 'OWNER/REPO'

/** The inputs that the README shows, with the first sentence of each. */
const COMMON = /^(?:base-url|token|product|benefit|file|asset|tag|mode)$/

/** The tables of docs/inputs.md, by the question that their inputs answer; the first that fits has an input. */
const GROUPS: readonly (readonly [group: string, names: RegExp])[] = [
  ['where', /^(?:base-url|token|product|benefit)$/],
  ['release', /^(?:tag|tag-pattern|prerelease)$/],
  ['file', /^(?:file|asset|asset-timeout|sha256|contents)$/],
  ['text', /^(?:version-name$|title$|changelog)/],
  ['checked', /^(?:mode|allow-.*)$/],
  ['transport', /^(?:upload|base64-file|github-token|.*-timeout)$/]
]

/** A table as a page has it. */
interface Table {
  /** Such as `inputs` for the table between `<!-- inputs -->` and `<!-- /inputs -->`. */
  readonly marker: string
  /** The action.yml that it is from, or the folder of the examples. */
  readonly source: string
  readonly text: string
}

interface UpdatedPages {
  /** The texts by their paths. */
  readonly pages: ReadonlyMap<string, string>
  /** A line for each table that differed or has no place, and for each name that does not exist. */
  readonly differences: readonly string[]
}

/** A table between its markers, such as `<!-- inputs -->…<!-- /inputs -->`. */
const MARKED = /<!-- (.+) -->[\s\S]*?<!-- \/\1 -->/g

/** Puts every table between its markers, wherever they are, and `repository` where the placeholder is. */
export function updatePages(
  pages: ReadonlyMap<string, string>,
  manifests: readonly Manifest[],
  repository: string = PLACEHOLDER
): UpdatedPages {
  const all = [...manifests.flatMap(listTables), listExamples([...pages])]
  const tables = new Map(all.map(table => [table.marker, table]))
  const missing = new Map(tables)
  const differences: string[] = []

  const updated = [...pages].map(([page, old]) => {
    const named = old.replaceAll(PLACEHOLDER, repository)
    if (named !== old) differences.push(`${page}: ${PLACEHOLDER} is ${repository}`)

    const text = named.replaceAll(MARKED, (found, marker: string) => {
      const table = tables.get(marker)
      if (table === undefined) return found

      missing.delete(marker)
      const shown = table.text.replaceAll('](', `](${pathToRoot(page)}`)
      const wanted = `<!-- ${marker} -->\n${shown}\n<!-- /${marker} -->`
      if (wanted !== found) {
        differences.push(`${page}: <!-- ${marker} --> differs from ${table.source}`)
      }
      return wanted
    })
    return [page, text] as const
  })

  differences.push(...findStrayNames(pages, manifests))
  for (const { marker, source } of missing.values()) {
    differences.push(`There is no <!-- ${marker} --> for the table from ${source}`)
  }
  return { pages: new Map(updated), differences }
}

/** The page that a coding assistant follows word by word. */
const ASSISTANTS = 'docs/assistants.md'
const MODES = ['check', 'plan', 'publish', 'mark-published', 'mark-not-published']
/** Such as `changelog-file`. */
const NAMED_INPUT = /`([a-z]+(?:-[a-z]+)*)`/g

/** A line for each word of that page that could be an input, and is neither one nor a mode. */
function findStrayNames(
  pages: ReadonlyMap<string, string>,
  manifests: readonly Manifest[]
): string[] {
  const text = pages.get(ASSISTANTS) ?? ''
  const known = new Set([...MODES, ...manifests.flatMap(({ inputs }) => [...inputs.keys()])])

  const names = Array.from(text.matchAll(NAMED_INPUT), ([, name = '']) => name)
  const stray = names.filter(name => !known.has(name))
  return stray.map(name => `${ASSISTANTS}: there is no input \`${name}\``)
}

/** Before a link from a page to a file of the repository: `../` for each folder. */
function pathToRoot(page: string): string {
  return '../'.repeat(page.split('/').length - 1)
}

type Row = readonly string[]

const EXAMPLE_HEAD: Row = ['Whole file', 'For']
const INPUT_HEAD: Row = ['Input', 'Default', 'Meaning']
const OUTPUT_HEAD: Row = ['Output', 'Meaning']

function listTables({ file, inputs, outputs }: Manifest): Table[] {
  const source = path.relative(ROOT, file).replaceAll('\\', '/')
  const folder = path.dirname(source)
  const isRoot = folder === '.'

  const tables = new Map<string, readonly Row[]>()
  const add = (marker: string, head: Row, row: Row) => {
    const rows = tables.get(marker) ?? [head, head.map(() => '---')]
    tables.set(marker, [...rows, row])
  }

  for (const [name, { default: value, required, description }] of inputs) {
    const given = value ? `\`${value}\`` : ''
    const row = [`\`${name}\``, required ? 'required' : given, description]
    // An input without a group is a table of its own, which has no place on any page.
    const group = GROUPS.find(([, names]) => names.test(name))?.[0] ?? name
    add(isRoot ? `inputs: ${group}` : `${folder} inputs`, INPUT_HEAD, row)
    if (isRoot && COMMON.test(name)) add('common inputs', INPUT_HEAD, row.map(firstSentence))
  }

  for (const [name, { description }] of outputs) {
    const marker = isRoot ? 'outputs' : `${folder} outputs`
    add(marker, OUTPUT_HEAD, [`\`${name}\``, description])
  }

  return Array.from(tables, ([marker, rows]) => {
    return { marker, source, text: rows.map(renderRow).join('\n') }
  })
}

/** The examples, each with its first line, a comment that says what it is for. */
function listExamples(texts: readonly (readonly [file: string, text: string])[]): Table {
  const rows = texts
    .filter(([file]) => file.startsWith('examples/'))
    .map(([file, text]): Row => {
      const [purpose = ''] = text.replace(/^# /, '').split('\n')
      return [`[${path.posix.basename(file)}](${file})`, purpose]
    })

  const lines = [EXAMPLE_HEAD, EXAMPLE_HEAD.map(() => '---'), ...rows]
  return { marker: 'examples', source: 'examples/', text: lines.map(renderRow).join('\n') }
}

function renderRow(cells: Row): string {
  const onOneLine = (cell: string) => cell.trim().replace(/\s*\n\s*/g, ' ')
  const safe = cells.map(cell => onOneLine(cell).replaceAll('|', '\\|'))
  return `| ${safe.join(' | ')} |`
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text
}

/** The documentation as it is. */
export function readPages(): ReadonlyMap<string, string> {
  return readTexts(PAGES)
}

if (import.meta.main) {
  const { check } = parseArgs({ options: { check: { type: 'boolean' } } }).values
  const old = readPages()
  const { pages, differences } = updatePages(old, ACTION_FILES.map(readManifest), readRepository())

  for (const [page, text] of pages) {
    if (!check && text !== old.get(page)) writeFileSync(path.join(ROOT, page), text)
  }

  // A table without a place is an error that writing the pages does not help.
  const isUnmendable = (line: string) => /^There is no|: there is no input/.test(line)
  const errors = differences.filter(line => check || isUnmendable(line))
  if (check && errors.length > 0) errors.push('Run `npm run docs`.')
  for (const line of errors) {
    process.stdout.write(`${line}\n`)
  }
  if (errors.length > 0) process.exitCode = 1
}
