/** Owns the rules for the fields of a publish request. */
import type { Entry } from './form.ts'
import type { Kept } from './spool.ts'

/** A publish request that keeps every rule. */
export interface Submission {
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFormat: string | null
  readonly fileName: string
  readonly file: Kept
}

/** Messages by field name, as the service answers them. */
export type FieldErrors = Record<string, string[]>

export type Checked =
  | { readonly ok: true; readonly submission: Submission }
  | { readonly ok: false; readonly errors: FieldErrors }

const textFields = ['version_name', 'title', 'changelog', 'changelog_format'] as const
const shortFields: readonly string[] = ['version_name', 'title']
const formats: readonly string[] = ['markdown', 'html']

/** Holds the entries against the rules and names every field that breaks one. */
export function checkFields(entries: readonly Entry[]): Checked {
  const found: [string, string][] = []
  const fault = (name: string, message: string): void => {
    found.push([name, message])
  }
  for (const entry of entries) checkPresence(entry, entries, fault)
  const texts = textFields.map(name => textOf(name, entries, fault))
  const file = fileOf(entries, fault)
  const [versionName, title, changelog, changelogFormat] = texts
  if (found.length > 0 || file === undefined) return { ok: false, errors: collect(found) }
  return {
    ok: true,
    submission: {
      versionName: versionName ?? '',
      title: title ?? '',
      changelog: changelog ?? '',
      changelogFormat: changelogFormat ?? null,
      fileName: file.fileName,
      file: file.kept
    }
  }
}

type Fault = (name: string, message: string) => void

function checkPresence(entry: Entry, entries: readonly Entry[], fault: Fault): void {
  const { name } = entry
  const known = name === 'file' || textFields.some(field => field === name)
  if (entry.kind === 'wrong') fault(name, entry.message)
  else if (!known) fault(name, `The ${name} field is not allowed.`)
  else if (entries.find(other => other.name === name) !== entry) {
    fault(name, `The ${name} field was given more than once.`)
  }
}

function textOf(name: string, entries: readonly Entry[], fault: Fault): string | undefined {
  const entry = entries.find(other => other.name === name)
  if (entry?.kind === 'file') {
    fault(name, `The ${name} field must be a string.`)
    return undefined
  }
  if (entry?.kind === 'wrong') return undefined
  const value = entry?.value
  if (name === 'changelog_format') {
    if (value !== undefined && !formats.includes(value)) {
      fault(name, `The selected ${name} is invalid.`)
    }
  } else if (value === undefined || value.trim() === '') {
    fault(name, `The ${name} field is required.`)
  } else if (shortFields.includes(name) && [...value].length > 255) {
    fault(name, `The ${name} field must not be greater than 255 characters.`)
  }
  return value
}

function fileOf(entries: readonly Entry[], fault: Fault) {
  const entry = entries.find(({ name }) => name === 'file' || name.startsWith('file.'))
  if (entry === undefined) fault('file', 'The file field is required.')
  else if (entry.kind === 'text') fault('file', 'The file field must be a file.')
  else if (entry.kind === 'file' && entry.name === 'file') {
    if (entry.kept.size === 0) fault('file', 'The file field must not be empty.')
    else if (entry.fileName === '') fault('file', 'The file field must have a file name.')
    else return entry
  }
  return undefined
}

function collect(found: readonly [string, string][]): FieldErrors {
  const grouped = Map.groupBy(found, ([name]) => name)
  return Object.fromEntries(
    [...grouped].map(([name, list]) => [name, list.map(([, message]) => message)])
  )
}
