// Owns what README.md takes from elsewhere: the tables from the action.yml files, the sample from a real run.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ACTION_FILES, type Manifest, ROOT, readManifest } from './manifest.ts'
import { renderSample } from './sample.ts'

/** A README with its tables as they should be, and what had to change. */
export interface Documentation {
  readonly text: string
  /** One line for each table that differs or has no place. */
  readonly differences: readonly string[]
}

const README = path.join(ROOT, 'README.md')

/** What stands between two markers, such as `<!-- inputs -->` and `<!-- /inputs -->`. */
interface Part {
  readonly marker: string
  readonly source: string
  readonly table: string
}

/** Puts every table, and what else is given, between its markers. */
export function updateTables(
  readme: string,
  manifests: readonly Manifest[],
  others: readonly Part[] = []
): Documentation {
  const differences: string[] = []
  let text = readme
  for (const { marker, source, table } of [...manifests.flatMap(listTables), ...others]) {
    const open = `<!-- ${marker} -->`
    const close = `<!-- /${marker} -->`
    const start = text.indexOf(open)
    const end = text.indexOf(close, start)
    if (start < 0 || end < 0) {
      differences.push(`There is no ${open} … ${close} for the table from ${source}`)
      continue
    }
    const old = text.slice(start + open.length, end)
    const wanted = `\n${table}\n`
    if (old !== wanted) {
      differences.push(`${open} differs from ${source}, first at: ${firstChange(wanted, old)}`)
    }
    text = text.slice(0, start + open.length) + wanted + text.slice(end)
  }
  return { text, differences }
}

function listTables(manifest: Manifest): Part[] {
  const source = path.relative(ROOT, manifest.file)
  const folder = path.dirname(source)
  const prefix = folder === '.' ? '' : `${folder} `
  const inputs = [...manifest.inputs].map(([name, input]) => [
    `\`${name}\``,
    input.default === undefined ? (input.required ? 'required' : '') : quote(input.default),
    input.description
  ])
  const outputs = [...manifest.outputs].map(([name, output]) => [`\`${name}\``, output.description])
  return [
    {
      marker: `${prefix}inputs`,
      source,
      table: renderTable(['Input', 'Default', 'Meaning'], inputs)
    },
    { marker: `${prefix}outputs`, source, table: renderTable(['Output', 'Meaning'], outputs) }
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

function quote(value: string): string {
  return value === '' ? '' : `\`${value}\``
}

function firstChange(wanted: string, old: string): string {
  const before = new Set(old.split('\n'))
  const after = new Set(wanted.split('\n'))
  const added = wanted.split('\n').find(line => !before.has(line))
  return added ?? old.split('\n').find(line => !after.has(line)) ?? 'the order of the rows'
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const readme = existsSync(README) ? readFileSync(README, 'utf8') : ''
  const sample = { marker: 'sample', source: 'a real run', table: await renderSample() }
  const { text, differences } = updateTables(readme, ACTION_FILES.map(readManifest), [sample])
  const missing = differences.filter(line => line.startsWith('There is no'))
  for (const line of values.check ? differences : missing) {
    process.stdout.write(`README.md: ${line}\n`)
  }
  if (values.check) {
    if (differences.length > 0) process.stdout.write('Run `npm run docs`.\n')
    return differences.length > 0 ? 1 : 0
  }
  if (text !== readme) writeFileSync(README, text)
  return missing.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = await main()
