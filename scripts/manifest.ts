// Owns reading the actions' action.yml files.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'

/** What an action.yml says. */
export interface Manifest {
  readonly file: string
  readonly using: string
  /** Absolute path of the script. */
  readonly main: string
  /** The same of its post step, if it has one. */
  readonly post?: string
  readonly inputs: ReadonlyMap<string, ManifestInput>
  readonly outputs: ReadonlyMap<string, ManifestOutput>
}

export interface ManifestInput {
  readonly description: string
  readonly required: boolean
  /** As written; undefined when there is none. */
  readonly default: string | undefined
}

export interface ManifestOutput {
  readonly description: string
}

/** The folder of the repository. */
export const ROOT = path.join(import.meta.dirname, '..')

/** Where the action.yml files are. */
export const ACTION_FILES: readonly string[] = ['', 'licenses', 'sandbox'].map(folder =>
  path.join(ROOT, folder, 'action.yml')
)

/** Reads an action.yml. */
export function readManifest(file: string): Manifest {
  // Strings alone, as the runner has it: an unquoted 60 is the text "60".
  const root = toMap(parse(readFileSync(file, 'utf8'), { schema: 'failsafe', mapAsMap: true }))
  const runs = toMap(root.get('runs'))
  const [main, post] = [runs.get('main'), runs.get('post')]
  if (typeof main !== 'string') throw new Error(`${file} has no runs.main`)
  return {
    file,
    using: toText(runs.get('using')),
    main: path.resolve(path.dirname(file), main),
    ...(typeof post === 'string' ? { post: path.resolve(path.dirname(file), post) } : {}),
    inputs: mapValues(toMap(root.get('inputs')), input => ({
      description: toText(input.get('description')),
      required: toText(input.get('required')) === 'true',
      default: input.has('default') ? toText(input.get('default')) : undefined
    })),
    outputs: mapValues(toMap(root.get('outputs')), output => ({
      description: toText(output.get('description'))
    }))
  }
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

function toMap(value: unknown): ReadonlyMap<unknown, unknown> {
  return value instanceof Map ? value : new Map()
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function mapValues<T>(
  map: ReadonlyMap<unknown, unknown>,
  change: (value: ReadonlyMap<unknown, unknown>) => T
): ReadonlyMap<string, T> {
  return new Map([...map].map(([name, value]) => [toText(name), change(toMap(value))]))
}
