// Which version a file states, by its name or in its manifests, and whether it is the one to be published.
import { ActionError } from '../runner/action-error.ts'
import { at, parseJson } from '../runner/json.ts'
import { literal, quoteName } from '../runner/words.ts'
import { hasWildcard, isExclusion } from './patterns.ts'

/** The end of a pre-release's version, such as `-beta.1`, `rc2` or `-snapshot`. */
const PRE_RELEASE =
  /[-.]?(?:alpha|beta|canary|dev|nightly|pre|preview|rc|snapshot)(?:[-.]?\d+(?:[-.]\d+)*)?/.source

/** `v1.4.2`, `1.4.2-beta.1`; not the `4.2` of `1.4.2`, nor the `1.4` of `1.4a`. */
const TOKEN = new RegExp(
  `(?<![0-9A-Za-z]|\\d\\.)v?\\d+(?:\\.\\d+)+(?:${PRE_RELEASE})?(?![0-9A-Za-z])`,
  'gi'
)

/** Words before another product’s version: in `gallery-mc1.20.4.jar`, it is Minecraft’s. */
const PLATFORMS = new Set(
  [
    'for on api compat min',
    'mc minecraft bukkit spigot paper purpur folia velocity bungeecord sponge forge neoforge fabric quilt',
    'wp wordpress woocommerce woo elementor shopware sw magento prestashop opencart joomla drupal typo3',
    'laravel symfony craft xenforo xf whmcs php node nodejs python py cp java jdk jre kotlin scala ruby',
    'unity unreal ue godot blender houdini maya max rhino revit photoshop figma sketch obs gmod fivem',
    'electron chrome firefox vscode ubuntu debian glibc cuda qt'
  ].flatMap(line => line.split(' '))
)

/** Whether what precedes a version ends in such a word, perhaps with a `v`, as in `mc-v`. */
function namesPlatform(before: string): boolean {
  const [, word = ''] = /(?:^|[^a-z])([a-z]+\d?)[-_. ]?v?$/.exec(before.toLowerCase()) ?? []
  return PLATFORMS.has(word) || PLATFORMS.has(word.replace(/v$/, ''))
}

/**
 * The version that a text states if it is another than those that count; empty if it states one of them, none of as
 * many parts, or several, since nothing tells which of them is the product’s.
 */
export function otherVersionIn(text: string, versions: readonly string[]): string {
  if (states(text, versions)) return ''

  const shapes = new Set(versions.map(shapeOf))
  const [first, ...others] = [...text.matchAll(TOKEN)].filter(
    ({ 0: token, index }) => shapes.has(shapeOf(token)) && !namesPlatform(text.slice(0, index))
  )
  return first !== undefined && others.length === 0 ? bare(first[0]) : ''
}

/** Whether a text states one of these versions, alone or apart from other digits. */
export function states(text: string, versions: readonly string[]): boolean {
  const stated = [...text.matchAll(TOKEN)].map(([token]) => bare(token).toLowerCase())
  return versions.some(given => {
    const version = bare(given).toLowerCase()
    // Manifests often hold numbers alone, so 1.4.2 stands for 1.4.2-beta.1, but not the reverse.
    const number = /^\d+(?:\.\d+)+(?![^-+.])/.exec(version)?.[0]
    if (stated.includes(version) || stated.includes(number ?? version)) return true

    const isApart = new RegExp(`(?<![0-9.])${literal(version)}(?!\\.?\\d)`, 'i')
    return version !== '' && version !== number && isApart.test(text)
  })
}

/** The build before a release, as Maven calls it in a text: `1.0-SNAPSHOT`; empty if the release is one itself. */
function snapshotIn(text: string, versions: readonly string[]): string {
  if (states(text, versions) || versions.some(it => /snapshot/i.test(it))) return ''

  return /(?<![\d.])\d+(?:\.\d+)*[-.]snapshot(?![a-z\d])/i.exec(text)?.[0] ?? ''
}

function bare(version: string): string {
  return version.replace(/^v(?=\d)/i, '')
}

/** How many parts, and whether a date such as 2024.1.31; undefined if it is not a version with dots. */
function shapeOf(version: string): string | undefined {
  const parts = /^v?(\d+(?:\.\d+)+)/i.exec(version)?.[1]?.split('.')
  return parts && `${parts.length} ${Number(parts[0]) >= 1900 ? 'date' : 'number'}`
}

/**
 * Throws an `ActionError` (`file-version`) if a wildcard chose a file whose name states another version. The first of
 * the `versions` is the release’s.
 */
export function checkNameVersion(
  name: string,
  patterns: readonly string[],
  versions: readonly string[]
): void {
  const wild = patterns.filter(pattern => !isExclusion(pattern) && hasWildcard(pattern))
  const other = otherVersionIn(name, versions) || snapshotIn(name, versions)
  const isMeant = wild.length === 0 || wild.some(pattern => states(pattern, [other]))
  if (other === '' || isMeant) return

  const message = `The name of the file ${quoteName(name)} says version "${other}", but this release is "${versions[0]}".`
  const advice =
    `Build or attach the file of "${versions[0]}", and write {version} in the pattern; if "${other}" is not this ` +
    'product’s version, set `allow-other-version: true`.'
  throw new ActionError('file-version', message, { advice })
}

/** A manifest that states a version. */
export interface Manifest {
  readonly path: string
  readonly version: string
}

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
  {
    name: /^(?:style\.css|[^/]+\.php)$/,
    most: 8 * 1024,
    find: findInHeader
  }
]

/** Developers’ own files: a version in them is often forgotten, and no buyer ever sees it. */
const WEAK = /(?:^|\/)(?:package|composer)\.json$/

function kindOf(path: string): ManifestKind | undefined {
  const name = path.slice(path.indexOf('/') + 1)
  return KINDS.find(kind => kind.name.test(name))
}

/** In bytes: how much to read of a file for its version; 0 unless it is a manifest at the root or one folder down. */
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
  return ofProduct(manifests, root, versions).filter(({ version }) => {
    return otherVersionIn(version, versions) !== '' || snapshotIn(version, versions) !== ''
  })
}

/** The manifests that count: those at the root, and a developer's own only if no other states the right version. */
function ofProduct(
  manifests: readonly Manifest[],
  root: string,
  versions: readonly string[]
): Manifest[] {
  const own = manifests.filter(({ path }) => !path.replace(root, '').includes('/'))
  const isRight = own.some(({ version }) => states(version, versions))
  return own.filter(({ path }) => !(isRight && WEAK.test(path)))
}

/** Placeholders that a build should have filled in, anywhere in a version. */
const PLACEHOLDERS = [
  // ${project.version}, {{version}}, #{version}#
  /\{[^{}]*\}/,
  // @version@, @@VERSION@@
  /@[a-z_][\w.-]*@/i,
  // %VERSION%
  /%[a-z_][\w.-]*%/i,
  // __VERSION__, __STABLE_TAG__
  /__[a-z]\w*__/i,
  // <%= version %>
  /<%.*%>/,
  // @VERSION, @@pkg.version, $VERSION
  /^(?:@{1,2}|\$)[a-z_][\w.-]*$/i,
  // `unspecified` is Gradle's word for a project without a version.
  /^\W*(?:version|unspecified|undefined|null|v?[xyz](?:\.[xyz])+)\W*$/i
]

/** The manifests of the product itself whose version was never filled in. The rest is as for `otherVersions`. */
export function unfilledVersions(
  manifests: readonly Manifest[],
  root: string,
  versions: readonly string[]
): Manifest[] {
  return ofProduct(manifests, root, versions).filter(({ version }) =>
    PLACEHOLDERS.some(it => it.test(version))
  )
}

/** In characters: what follows belongs to no version. */
const LONGEST_VERSION = 255

/** The text in the quotes of a value, or without quotes, the text before a `#`. */
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

/** ` * Plugin Name: Gallery`, as WordPress finds it. */
const NAME_FIELD = /^(?:[ \t]*<\?php)?[ \t/*#@]*(?:Plugin|Theme) Name:(.)/im
/** ` * Version: 1.4.2`, up to the end of the comment or of the code. */
const VERSION_FIELD = /^(?:[ \t]*<\?php)?[ \t/*#@]*Version:(.*?)(?:\*\/|\?>|$)/im

function findInHeader(text: string): string {
  const version = VERSION_FIELD.exec(text)?.[1] ?? ''
  return NAME_FIELD.test(text) ? version.trim().slice(0, LONGEST_VERSION) : ''
}
