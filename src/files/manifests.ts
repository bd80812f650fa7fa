// The manifests in an archive, and which version each states. Pure.
import { at, parseJson } from '../runner/values.ts'
import { otherVersionIn, states } from './versions.ts'

/** A manifest that states a version. */
export type Manifest = Readonly<{ path: string; version: string }>

interface ManifestKind {
  readonly name: RegExp
  /** In bytes: so much of the file is read. */
  readonly most: number
  /** The version, or empty. */
  find(text: string): string
}

const KINDS: readonly ManifestKind[] = [
  // Minecraft servers: https://docs.papermc.io/paper/dev/plugin-yml/
  {
    name: /^(?:paper-)?plugin\.yml$/,
    most: 64 * 1024,
    find: text => unquoted(/^version:[ \t]*(.+)$/m.exec(text)?.[1])
  },
  {
    name: /^(?:fabric\.mod|package|manifest|composer)\.json$/,
    most: 1024 * 1024,
    find: findInJson
  },
  // WordPress reads the headers of plugins and themes from their first 8 KiB (get_file_data).
  { name: /^(?:style\.css|[^/]+\.php)$/, most: 8 * 1024, find: findInHeader }
]

/** Developers’ own files: a version in them is often forgotten, and no buyer ever sees it. */
const WEAK = /(?:^|\/)(?:package|composer)\.json$/

function kindOf(path: string): ManifestKind | undefined {
  const name = path.slice(path.indexOf('/') + 1)
  return KINDS.find(kind => kind.name.test(name))
}

/** How many bytes to read of a file for its version; 0 unless it is a manifest at the root or one folder down. */
export function manifestBytes(path: string): number {
  return kindOf(path)?.most ?? 0
}

/** Reads a manifest; undefined if it states no version. */
export function readManifest(path: string, text: string): Manifest | undefined {
  const version = kindOf(path)?.find(text.replace(/^\ufeff/, '')) ?? ''
  return version === '' ? undefined : { path, version }
}

/**
 * The manifests that state another version of as many parts. `root` is the one folder that holds everything, with its
 * slash, or empty; manifests elsewhere belong to something else. Another version in a developer’s own file does not
 * count where another manifest states the right one.
 */
export function otherVersions(
  manifests: readonly Manifest[],
  root: string,
  versions: readonly string[]
): Manifest[] {
  const own = manifests.filter(({ path }) => !path.replace(root, '').includes('/'))
  const isRight = own.some(({ version }) => states(version, versions))
  return own.filter(({ path, version }) => {
    return otherVersionIn(version, versions) !== '' && !(isRight && WEAK.test(path))
  })
}

/** In characters: what follows belongs to no version. */
const LONGEST_VERSION = 255

/** What is in the quotes of a value, or without quotes, what is before a `#`. */
function unquoted(value = ''): string {
  const [, inQuotes, plain = ''] = /^(?:["']([^"']*)["']|([^#]*))/.exec(value) ?? []
  return (inQuotes ?? plain).slice(0, LONGEST_VERSION).trim()
}

/** `version` at the top, or in a Minecraft pack’s `header`, there as `[1, 4, 2]`. */
function findInJson(text: string): string {
  const json = parseJson(text)
  const given = at(json, 'version') ?? at(at(json, 'header'), 'version')
  // A member that is an object may have no text at all: `{"toString": 1}`.
  const isList = Array.isArray(given) && given.every(part => typeof part !== 'object')
  const found = isList ? given.join('.') : given
  return typeof found === 'string' ? found.slice(0, LONGEST_VERSION) : ''
}

const NAME_FIELD = /^(?:[ \t]*<\?php)?[ \t/*#@]*(?:Plugin|Theme) Name:(.)/im
const VERSION_FIELD = /^(?:[ \t]*<\?php)?[ \t/*#@]*Version:(.*?)(?:\*\/|\?>|$)/im

function findInHeader(text: string): string {
  const version = VERSION_FIELD.exec(text)?.[1] ?? ''
  return NAME_FIELD.test(text) ? version.trim().slice(0, LONGEST_VERSION) : ''
}
