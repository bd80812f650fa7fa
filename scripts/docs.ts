// Owns `npm run docs`: the documentation's tables from the action.yml files, and the repository's name in it.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ACTION_FILES, type Manifest, ROOT, readManifest, readRepository } from './manifest.ts'

/** Pages with their tables as they should be, and what had to change. */
export interface Documentation {
  /** The text of each page, by its path. */
  readonly pages: ReadonlyMap<string, string>
  /** One line for each table that differs or has no place. */
  readonly differences: readonly string[]
}

/** The pages that hold tables or the repository's name. */
const PAGES = [
  '*.md',
  'docs/*.md',
  '{licenses,sandbox}/*.md',
  '.github/ISSUE_TEMPLATE/*.yml',
  '.github/*.{md,yml}'
]

/** Stands for the repository's name while package.json has none. */
export const PLACEHOLDER = 'OWNER/REPO'

/** The inputs that the README shows, with the first sentence of each. */
const COMMON = /^(?:base-url|token|product|benefit|file|asset|mode|tag)$/

/** The tables of docs/inputs.md, by the question that their inputs answer; the first that fits has an input. */
const GROUPS: readonly (readonly [group: string, names: RegExp])[] = [
  ['common', COMMON],
  ['where', /^targets$/],
  ['release', /^(?:tag-|prerelease$)/],
  ['file', /^asset-/],
  ['text', /^(?:version-name$|title$|changelog)/],
  ['checked', /^(?:contents|file-version|order|approved-plan)$/],
  ['record', /^(?:once|settle-as|audit-since|download-link)$/],
  ['transport', /^(?:upload|base64-file|github-token|.*-timeout)$/]
]

/** What belongs between two markers, such as `<!-- inputs -->` and `<!-- /inputs -->`. */
interface Table {
  readonly marker: string
  readonly source: string
  readonly text: string
}

/** Puts every table between its markers, wherever they are, and `repository` where the placeholder is. */
export function updatePages(
  pages: ReadonlyMap<string, string>,
  manifests: readonly Manifest[],
  repository: string = PLACEHOLDER
): Documentation {
  const tables = manifests.flatMap(listTables)
  const differences: string[] = []
  const missing = new Set(tables)
  const updated = [...pages].map(([page, old]) => {
    let text = old.replaceAll(PLACEHOLDER, repository)
    if (text !== old) differences.push(`${page}: ${PLACEHOLDER} is ${repository}`)
    for (const table of tables) {
      const between = findBetween(text, table.marker)
      if (between === undefined) continue
      missing.delete(table)
      const wanted = `\n${table.text}\n`
      const change = firstChange(wanted, text.slice(between.start, between.end))
      if (change === undefined) continue
      differences.push(
        `${page}: <!-- ${table.marker} --> differs from ${table.source}, first at: ${change}`
      )
      text = text.slice(0, between.start) + wanted + text.slice(between.end)
    }
    return [page, text] as const
  })
  for (const { marker, source } of missing) {
    differences.push(
      `There is no <!-- ${marker} --> … <!-- /${marker} --> for the table from ${source}`
    )
  }
  return { pages: new Map(updated), differences }
}

function findBetween(text: string, marker: string) {
  const open = `<!-- ${marker} -->`
  const start = text.indexOf(open) + open.length
  const end = text.indexOf(`<!-- /${marker} -->`, start)
  return start < open.length || end < 0 ? undefined : { start, end }
}

function listTables(manifest: Manifest): Table[] {
  const source = path.relative(ROOT, manifest.file).replaceAll('\\', '/')
  const folder = path.dirname(source)
  const inputs = [...manifest.inputs]
  const inputsOf = (marker: string, chosen: typeof inputs, shorten = (text: string) => text) => {
    const rows = chosen.map(([name, input]) => {
      const fallback = input.default ?? (input.required ? undefined : '')
      const value = fallback === undefined ? 'required' : quote(fallback)
      return [`\`${name}\``, value, shorten(input.description)]
    })
    return { marker, source, text: renderTable(['Input', 'Default', 'Meaning'], rows) }
  }
  const outputs = [...manifest.outputs].map(([name, output]) => [`\`${name}\``, output.description])
  const ofOutputs = { source, text: renderTable(['Output', 'Meaning'], outputs) }
  if (folder !== '.') {
    return [inputsOf(`${folder} inputs`, inputs), { marker: `${folder} outputs`, ...ofOutputs }]
  }
  const groupOf = (name: string) => GROUPS.find(([, names]) => names.test(name))?.[0]
  return [
    inputsOf(
      'common inputs',
      inputs.filter(([name]) => COMMON.test(name)),
      firstSentence
    ),
    // An input without a group is a table of its own, which has no place on any page.
    ...[...Map.groupBy(inputs, ([name]) => groupOf(name) ?? name)].map(([group, chosen]) =>
      inputsOf(`inputs: ${group}`, chosen)
    ),
    { marker: 'outputs', ...ofOutputs }
  ]
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(renderRow).join('\n')
}

function renderRow(cells: readonly string[]): string {
  const safe = cells.map(cell =>
    cell
      .trim()
      .replace(/\s*\n\s*/g, ' ')
      .replaceAll('|', '\\|')
  )
  return `| ${safe.join(' | ')} |`
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text
}

function quote(value: string): string {
  return value === '' ? '' : `\`${value}\``
}

function firstChange(wanted: string, old: string): string | undefined {
  if (wanted === old) return undefined
  const before = new Set(old.split('\n'))
  const after = new Set(wanted.split('\n'))
  const added = wanted.split('\n').find(line => !before.has(line))
  return added ?? old.split('\n').find(line => !after.has(line)) ?? 'the order of the rows'
}

/** The documentation as it is. */
export function readPages(): ReadonlyMap<string, string> {
  const files = globSync(PAGES, { cwd: ROOT }).sort()
  return new Map(files.map(file => [file, readFileSync(path.join(ROOT, file), 'utf8')]))
}

function main(): number {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const old = readPages()
  const { pages, differences } = updatePages(old, ACTION_FILES.map(readManifest), readRepository())
  const missing = differences.filter(line => line.startsWith('There is no'))
  const told = values.check ? differences : missing
  for (const line of told) process.stdout.write(`${line}\n`)
  if (values.check && told.length > 0) process.stdout.write('Run `npm run docs`.\n')
  if (!values.check) {
    for (const [page, text] of pages) {
      if (text !== old.get(page)) writeFileSync(path.join(ROOT, page), text)
    }
  }
  return told.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = main()
