// Owns reading the files of the repository: the actions' action.yml, package.json, and texts.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'

/** An action.yml. */
export interface Manifest {
  readonly file: string
  readonly using: string
  /** Absolute path of the script. */
  readonly main: string
  readonly inputs: ReadonlyMap<string, ManifestInput>
  readonly outputs: ReadonlyMap<string, { readonly description: string }>
}

interface ManifestInput {
  readonly description: string
  readonly required: boolean
  /** As written; undefined when there is none. */
  readonly default: string | undefined
}

/** The folder of the repository. */
export const ROOT = path.join(import.meta.dirname, '..')

/** Where the action.yml files are. */
export const ACTION_FILES: readonly string[] = ['', 'licenses'].map(folder =>
  path.join(ROOT, folder, 'action.yml')
)

/** The texts of the files that fit the patterns, by their paths from the root, with slashes. */
export function readTexts(patterns: readonly string[]): ReadonlyMap<string, string> {
  const files = globSync(patterns, { cwd: ROOT }).sort()
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
  return new Map(files.map(file => [file.replaceAll('\\', '/'), read(file)]))
}

/** Reads an action.yml. */
export function readManifest(file: string): Manifest {
  // Strings alone, as the runner has it: an unquoted 60 is the text "60".
  const root = toMap(parse(readFileSync(file, 'utf8'), { schema: 'failsafe', mapAsMap: true }))
  const runs = toMap(root.get('runs'))
  const main = runs.get('main')
  if (typeof main !== 'string') throw new Error(`${file} has no runs.main`)

  const entries = (key: string) =>
    Array.from(toMap(root.get(key)), ([name, value]) => [toText(name), toMap(value)] as const)
  const inputs = entries('inputs').map(([name, input]) => {
    const read: ManifestInput = {
      description: toText(input.get('description')),
      required: toText(input.get('required')) === 'true',
      default: input.has('default') ? toText(input.get('default')) : undefined
    }
    return [name, read] as const
  })
  const outputs = entries('outputs').map(([name, output]) => {
    return [name, { description: toText(output.get('description')) }] as const
  })

  return {
    file,
    using: toText(runs.get('using')),
    main: path.resolve(path.dirname(file), main),
    inputs: new Map(inputs),
    outputs: new Map(outputs)
  }
}

function toMap(value: unknown): ReadonlyMap<unknown, unknown> {
  return value instanceof Map ? value : new Map()
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * `owner/name` of the repository that package.json names, in one of npm's forms: `github:owner/name`, an
 * address, or an object with one. Undefined when it names none.
 */
export function readRepository(file = path.join(ROOT, 'package.json')): string | undefined {
  const { repository }: { repository?: unknown } = JSON.parse(readFileSync(file, 'utf8'))
  if (repository === undefined) return undefined

  const written = JSON.stringify(repository)
  const name = /[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?"\}?$/.exec(written)?.[1]
  if (name === undefined) throw new Error(`package.json: ${written} names no repository`)
  return name
}
