// The rules for the fields of a publish request.
import type { Entry, StoredFile } from './form.ts'

/** A publish request that keeps every rule. */
export interface Submission {
  readonly versionName: string
  readonly title: string
  readonly changelog: string
  readonly changelogFormat: string | null
  readonly fileName: string
  readonly file: StoredFile
}

/** Messages by field name, as the service answers them. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

export type Checked =
  | { readonly ok: true; readonly submission: Submission }
  | { readonly ok: false; readonly errors: FieldErrors }

const FIELDS: readonly string[] = [
  ...['version_name', 'title', 'changelog', 'changelog_format', 'file']
]

/** Holds the entries against the rules and names every field that breaks one. */
export function checkFields(entries: readonly Entry[]): Checked {
  const given = Map.groupBy(entries, ({ name }) => name)
  const names = new Set([...FIELDS, ...given.keys()])
  const errors = [...names].flatMap(name => {
    const fault = faultOf(name, given.get(name) ?? [], given)
    return fault === undefined ? [] : [[name, [`The ${name} field ${fault}.`]] as const]
  })
  const file = entries.find(entry => entry.kind === 'file')
  if (errors.length > 0 || file === undefined) {
    return { ok: false, errors: Object.fromEntries(errors) }
  }
  const text = (name: string): string | undefined => {
    const entry = given.get(name)?.[0]
    return entry?.kind === 'text' ? entry.value : undefined
  }
  return {
    ok: true,
    submission: {
      versionName: text('version_name') ?? '',
      title: text('title') ?? '',
      changelog: text('changelog') ?? '',
      changelogFormat: text('changelog_format') ?? null,
      fileName: file.fileName,
      file: file.file
    }
  }
}

/** The end of the sentence that begins with the field's name. */
function faultOf(
  name: string,
  [entry, ...others]: readonly Entry[],
  given: ReadonlyMap<string, readonly Entry[]>
): string | undefined {
  if (entry?.kind === 'wrong') return entry.fault
  if (!FIELDS.includes(name)) return 'is not allowed'
  if (others.length > 0) return 'was given more than once'
  if (name === 'file') {
    if (entry === undefined) {
      // Of an object with faults, the parts are named.
      return [...given.keys()].some(key => key.startsWith('file.')) ? undefined : 'is required'
    }
    if (entry.kind === 'text') return 'must be a file'
    if (entry.file.size === 0) return 'must not be empty'
    return entry.fileName === '' ? 'must have a file name' : undefined
  }
  if (entry?.kind === 'file') return 'must be a string'
  const value = entry?.value ?? ''
  if (name === 'changelog_format') {
    const known = entry === undefined || value === 'markdown' || value === 'html'
    return known ? undefined : 'must be markdown or html'
  }
  if (value.trim() === '') return 'is required'
  const short = name === 'version_name' || name === 'title'
  return short && [...value].length > 255 ? 'must not be greater than 255 characters' : undefined
}
