// The manifests in which a product states its version: where they lie, and how they are read. Pure.
import { at, parseJson } from '../runner/json.ts'
import { hasAsManyParts, states, statesOther } from './stated-version.ts'

/** A manifest that states a version. */
export interface Manifest {
  readonly path: string
  readonly version: string
  /** The folder that has to hold everything for the manifest to count, with its slash; empty for one at the root. */
  readonly folder: string
  /** Whether it is the header of a WordPress plugin or theme. */
  readonly isWordPress: boolean
}

interface ManifestKind {
  /** Matches the whole path, without the one folder that may hold everything. */
  readonly path: RegExp
  /** How many bytes of the file are read. */
  readonly most: number
  readonly isWordPress?: true
  /** The version, or empty. */
  find(text: string): string
}

const KINDS: readonly ManifestKind[] = [
  {
    // Minecraft servers: https://docs.papermc.io/paper/dev/plugin-yml/
    path: /^(?:paper-)?plugin\.yml$/,
    most: 64 * 1024,
    find: text => unquoted(/^version:[ \t]*(.+)$/m.exec(text)?.[1])
  },
  {
    path: /^(?:fabric\.mod|package|manifest|composer)\.json$/,
    most: 1024 * 1024,
    find: findInJson
  },
  {
    // Forge and NeoForge: https://docs.neoforged.net/docs/gettingstarted/modfiles
    path: /^META-INF\/(?:neoforge\.)?mods\.toml$/,
    most: 64 * 1024,
    find: text => findInTable(text, '[[mods]]')
  },
  {
    // https://docs.blender.org/manual/en/latest/advanced/extensions/getting_started.html
    path: /^blender_manifest\.toml$/,
    most: 64 * 1024,
    find: text => findInTable(text, '')
  },
  {
    // Godot: https://docs.godotengine.org/en/stable/tutorials/plugins/editor/making_plugins.html
    path: /^addons\/[^/]+\/plugin\.cfg$/,
    most: 64 * 1024,
    find: text => findInTable(text, '[plugin]')
  },
  {
    // WordPress reads the headers of plugins and themes from their first 8 KiB (get_file_data).
    path: /^(?:style\.css|[^/]+\.php)$/,
    most: 8 * 1024,
    isWordPress: true,
    find: findInHeader
  }
]

/** The folder at the top that a path is in, with its slash; empty for a path at the root. */
export function topOf(path: string): string {
  return path.slice(0, path.indexOf('/') + 1)
}

/** Developers’ own files, which buyers never see: a version in them is often forgotten, and may be a word. */
const DEVELOPERS = /(?:^|\/)(?:package|composer)\.json$/
const NPM = /(?:^|\/)package\.json$/
/** The version of a package that is never released to npm, which states nothing. */
const NEVER_RELEASED = '0.0.0'
/** Other people’s addons may lie next to the product’s own. */
const ADDON = /(?:^|\/)addons\/[^/]+\/plugin\.cfg$/

/** Where a manifest lies. */
interface ManifestPlace {
  readonly kind: ManifestKind
  readonly folder: string
}

function manifestPlaceOf(path: string): ManifestPlace | undefined {
  for (const folder of ['', topOf(path)]) {
    const kind = KINDS.find(each => each.path.test(path.slice(folder.length)))
    if (kind) return { kind, folder }
  }
  return undefined
}

/** How many bytes to read of a file for its version; 0 unless it is a manifest at the root or one folder down. */
export function manifestBytes(path: string): number {
  return manifestPlaceOf(path)?.kind.most ?? 0
}

/** The manifest in a file, by its path and its first bytes; none if it states no version. */
export function readManifest(path: string, content: Buffer): Manifest[] {
  const place = manifestPlaceOf(path)
  if (!place) return []

  const { kind, folder } = place
  const version = kind.find(content.toString().replace(/^\ufeff/, ''))
  if (version === '') return []
  return [
    {
      path,
      version,
      folder,
      isWordPress: kind.isWordPress === true
    }
  ]
}

/**
 * The manifests that state another version. A developer’s own file counts only with as many parts, and neither it nor one
 * of several addons counts where another manifest states the right version.
 */
export function otherVersions(
  manifests: readonly Manifest[],
  versions: readonly string[]
): Manifest[] {
  return thoseThatCount(manifests, versions).filter(manifest => {
    const { path, version } = manifest
    const isCompared = !DEVELOPERS.test(path) || hasAsManyParts(version, versions)
    return isCompared && !isUnfilled(manifest) && statesOther(version, versions)
  })
}

/** The manifests whose version no build filled in. The rest is as for `otherVersions`. */
export function unfilledVersions(
  manifests: readonly Manifest[],
  versions: readonly string[]
): Manifest[] {
  return thoseThatCount(manifests, versions).filter(isUnfilled)
}

function thoseThatCount(manifests: readonly Manifest[], versions: readonly string[]): Manifest[] {
  const isRight = manifests.some(({ version }) => states(version, versions))
  return manifests.filter(({ path, version }) => {
    const isPassedOver = isRight && (DEVELOPERS.test(path) || ADDON.test(path))
    return !isPassedOver && !(NPM.test(path) && version === NEVER_RELEASED)
  })
}

/**
 * Whether no build filled the version in: `@version@`, `%VERSION%`, `<version>`, `unspecified` (Gradle), `x.x.x`; but not
 * the `dev-main` of Composer.
 */
function isUnfilled({ path, version }: Manifest): boolean {
  return /[{@%$<]|__/.test(version) || (!DEVELOPERS.test(path) && !/\p{N}/u.test(version))
}

/** Text beyond this belongs to no version. */
const VERSION_MAX_CHARACTERS = 255

/** The text in the quotes of a value, or without quotes, the text before a `#`. */
function unquoted(value = ''): string {
  const [, inQuotes, plain = ''] = /^(?:["']([^"']*)["']|([^#]*))/.exec(value) ?? []
  return (inQuotes ?? plain).slice(0, VERSION_MAX_CHARACTERS).trim()
}

/** A placeholder that the loader of Forge fills in by itself. */
const JAR_VERSION = /^\$\{file\.jarVersion\}$/

/**
 * The version in the first table of this name (empty: at the top) in TOML, or in what an editor writes like it:
 * `version = "1.4.2"`.
 */
function findInTable(text: string, name: string): string {
  const [top = '', ...tables] = `\n${text}`.split(/^[ \t]*(?=\[)/m)
  const table = name === '' ? top : tables.find(each => each.startsWith(name))
  const version = unquoted(/^[ \t]*version[ \t]*=[ \t]*(.+)$/m.exec(table ?? '')?.[1])
  return JAR_VERSION.test(version) ? '' : version
}

/** The `version` of an object: at its top, or in a Minecraft pack’s `header`, there as `[1, 4, 2]`. */
function findInJson(text: string): string {
  const json = parseJson(text)
  const given = at(json, 'version') ?? at(at(json, 'header'), 'version')
  // A member that is an object may have no text at all: `{"toString": 1}`.
  const isList = Array.isArray(given) && given.every(part => typeof part !== 'object')
  const found = isList ? given.join('.') : given
  return typeof found === 'string' ? found.slice(0, VERSION_MAX_CHARACTERS) : ''
}

/** The name of a plugin or theme, as WordPress finds it: ` * Plugin Name: Gallery` */
const NAME_FIELD = /^(?:[ \t]*<\?php)?[ \t/*#@]*(?:Plugin|Theme) Name:(.)/im
/** Its version, up to the end of the comment or of the code: ` * Version: 1.4.2` */
const VERSION_FIELD = /^(?:[ \t]*<\?php)?[ \t/*#@]*Version:(.*?)(?:\*\/|\?>|$)/im

function findInHeader(text: string): string {
  const version = VERSION_FIELD.exec(text)?.[1] ?? ''
  return NAME_FIELD.test(text) ? version.trim().slice(0, VERSION_MAX_CHARACTERS) : ''
}
