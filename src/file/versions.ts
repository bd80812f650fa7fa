// Which version a file's name or a manifest in it states, and whether it is the one to be published. Pure.
import { at } from '../runner/values.ts'
import { hasWildcard, includes } from './glob.ts'

const PRERELEASE =
  '(?:[-.]?(?:alpha|beta|canary|dev|nightly|pre|preview|rc|snapshot)(?:[-.]?\\d+(?:[-.]\\d+)*)?)?'
const TOKEN = new RegExp(
  `(?<![0-9A-Za-z]|\\d\\.)v?(\\d+(?:\\.\\d+)+)(${PRERELEASE})(?![0-9A-Za-z])`,
  'gi'
)

/** Products that files are built for; the version behind such a name is theirs. */
const PLATFORM = new RegExp(
  `(?:^|[^a-z])(?:for|on|api|compat|min|${[
    'mc|minecraft|bukkit|spigot|paper|purpur|folia|velocity|bungeecord|sponge|forge|neoforge|fabric|quilt',
    'wp|wordpress|woocommerce|woo|elementor|shopware|sw|magento|prestashop|opencart|joomla|drupal|typo3',
    'laravel|symfony|craft|xenforo|xf|whmcs|php|node|nodejs|python|py|cp|java|jdk|jre|kotlin|scala|ruby',
    'unity|unreal|ue|godot|blender|houdini|maya|max|rhino|revit|photoshop|figma|sketch|obs|gmod|fivem',
    'electron|chrome|firefox|vscode|ubuntu|debian|glibc|cuda|qt'
  ].join('|')})[-_. ]?v?$`,
  'i'
)

/** What names are compared with: the release's version, and others that count as well. */
export type Versions = readonly [version: string, ...others: string[]]

/** What a text says of the versions that are published: nothing, when in doubt. */
export type Verdict = { readonly kind: 'agrees' | 'unclear' | 'other'; readonly found: string }

/**
 * Compares the versions in a text with those to be published. Another one is told only when it is of the
 * same kind: as many parts, not behind the name of another product, and no date beside a number.
 */
export function judgeVersion(text: string, versions: readonly string[]): Verdict {
  const tokens = [...text.matchAll(TOKEN)]
  if (versions.some(version => holds(text, tokens, version))) return { kind: 'agrees', found: '' }
  const kinds = new Set(versions.map(kindOf))
  const [first, ...others] = tokens.filter(
    match => kinds.has(kindOf(match[0])) && !PLATFORM.test(text.slice(0, match.index))
  )
  // Two versions, of which one must be another product's: which one is not to be known.
  return first === undefined || others.length > 0
    ? { kind: 'unclear', found: '' }
    : { kind: 'other', found: bare(first[0]) }
}

/** Whether a version stands in a text, apart from other letters and digits. */
function holds(text: string, tokens: readonly RegExpExecArray[], version: string): boolean {
  const [own, lower] = [bare(version).toLowerCase(), text.toLowerCase()]
  if (own === '') return false
  // Manifests of this trade often hold numbers alone, so 1.4.2 stands for 1.4.2-beta.1, but not the reverse.
  const number = /^\d+(?:\.\d+)+(?![^-+.])/.exec(own)?.[0]
  if (tokens.some(([token]) => [own, number].includes(bare(token).toLowerCase()))) return true
  const at = lower.indexOf(own)
  if (at < 0 || own === number) return false
  return !/[0-9.]/.test(lower[at - 1] ?? '') && !/^\.?\d/.test(lower.slice(at + own.length))
}

function bare(version: string): string {
  return version.replace(/^v(?=\d)/i, '')
}

/** How many parts it has, and whether it is a date; undefined for what is no version by number. */
function kindOf(version: string): string | undefined {
  const parts = /^v?(\d+(?:\.\d+)+)/i.exec(version)?.[1]?.split('.')
  return parts && `${parts.length} ${Number(parts[0]) >= 1900 ? 'date' : 'number'}`
}

/**
 * Why a file is not taken: a wildcard chose it, and by its name it is another version. Undefined where
 * nothing is wrong, or it is not clear.
 */
export function explainForeignVersion(
  fileName: string,
  patterns: readonly string[],
  versions: Versions
): string | undefined {
  const wild = patterns.filter(pattern => includes(pattern) && hasWildcard(pattern))
  const { kind, found } = judgeVersion(fileName, versions)
  if (wild.length === 0 || kind !== 'other') return undefined
  if (wild.some(pattern => pattern.includes(found))) return undefined
  const [version] = versions
  return (
    `by its name, the file "${fileName}" is version "${found}", but the version to publish is "${version}". ` +
    `Build or attach the file of "${version}"; with {version} in the pattern, such as ` +
    `"${fileName.replace(found, '{version}')}", no other can be taken. ` +
    `If "${found}" is not this product's version, set \`file-version: any\`.`
  )
}

/** A plugin's or theme's own manifest in the archive. */
export interface Manifest {
  /** Its path in the archive. */
  readonly path: string
  /** Its beginning, 64 KiB at most. */
  readonly text: string
}

/** A version as it is written, and where; undefined where there is none. */
type Stated = { readonly version: string; readonly index: number } | undefined

/** How the version is found in a file of this path, at the root of the product. */
const READERS: readonly (readonly [RegExp, (text: string) => Stated])[] = [
  [/^(?:paper-)?plugin\.yml$/, text => stated(text, /^version:[ \t]*(.+)$/m)],
  [/^(?:fabric\.mod|package|manifest|composer)\.json$/, readJson],
  [/^fxmanifest\.lua$/, text => stated(text, /^[ \t]*version[ \t]*\(?[ \t]*(["'].*)$/m)],
  [/^META-INF\/(?:neoforge\.)?mods\.toml$/, text => stated(text, TOML)],
  [/^(?:style\.css|[^/]+\.php)$/, readHeader]
]
/** Forge fills in `${file.jarVersion}` itself, when the game starts. */
const TOML = /^[ \t]*version[ \t]*=[ \t]*(?!.\$\{file\.jarVersion\})(["'].*)$/m

/** Developers' own files: a version in them is often forgotten, and no buyer ever sees it. */
const WEAK = /(?:^|\/)(?:package|composer)\.json$/

/** What a build should have filled in. */
const TEMPLATE =
  /[$#%]\{|\{\{|<%|@[\w.-]+@|%[\w.-]+%|^__\w+__$|^unspecified$|^0\.0\.0-(?:dev|placeholder|snapshot|semantic)/i

/** The name of a manifest without the one folder that all may lie in; undefined for other files. */
export function manifestName(path: string): string | undefined {
  return [path, path.slice(path.indexOf('/') + 1)].find(name => readerOf(name) !== undefined)
}

function readerOf(name: string) {
  return READERS.find(([sign]) => sign.test(name))?.[1]
}

/** What disagrees with the versions, one message each; nothing when in doubt. */
export function judgeManifests(
  manifests: readonly Manifest[],
  versions: Versions
): readonly string[] {
  const judged = manifests.flatMap(manifest => {
    const text = manifest.text.replace(/^\ufeff/, '')
    const found = readerOf(manifestName(manifest.path) ?? '')?.(text)
    if (found === undefined) return []
    const { version, index } = found
    const { kind } = judgeVersion(version, versions)
    const line = text.slice(0, index).split('\n').length
    const where = `${JSON.stringify(manifest.path)}, line ${line}, says ${JSON.stringify(version)}`
    return [{ path: manifest.path, where, kind: TEMPLATE.test(version) ? 'unfilled' : kind }]
  })
  const isAgreed = judged.some(({ kind }) => kind === 'agrees')
  return judged.flatMap(({ path, where, kind }) => {
    if (isAgreed && WEAK.test(path)) return []
    if (kind === 'unfilled') return [`${where}, which the build should have filled in`]
    return kind === 'other' ? [`${where}, but the version to publish is "${versions[0]}"`] : []
  })
}

/** The first group of the expression, without quotes and what follows them, or a comment. */
function stated(text: string, expression: RegExp): Stated {
  const match = expression.exec(text)
  const [, quoted, plain = ''] = /^(?:["']([^"']*)["']|([^#\r\n]*))/.exec(match?.[1] ?? '') ?? []
  const version = (quoted ?? plain).trim()
  return match && version !== '' ? { version, index: match.index } : undefined
}

/** `version` at the top, or as numbers in the header of a pack for Minecraft. */
function readJson(text: string): Stated {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  const version = at(json, 'version') ?? at(at(json, 'header'), 'version')
  const shown = Array.isArray(version) ? version.join('.') : version
  if (typeof shown !== 'string' || shown === '') return undefined
  const written = Array.isArray(version) ? '\\[' : `"${shown.replace(/\W/g, '\\$&')}"`
  const index = text.search(new RegExp(`"version"\\s*:\\s*${written}`))
  return { version: shown, index: Math.max(0, index) }
}

/** WordPress reads the headers of its plugins and themes like this, from their first 8 KiB. */
function readHeader(text: string): Stated {
  const head = text.slice(0, 8 * 1024)
  const field = (name: string) =>
    new RegExp(`^(?:[ \\t]*<\\?php)?[ \\t/*#@]*${name}:(.*?)(?:\\*/|\\?>|$)`, 'im')
  return field('(?:Plugin|Theme) Name').test(head) ? stated(head, field('Version')) : undefined
}
