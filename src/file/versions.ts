// Which version a text such as a file's name holds, and whether it is that of another release. Pure.
import { hasWildcard, includes } from './glob.ts'

const PRERELEASE =
  '(?:[-.]?(?:alpha|beta|canary|dev|nightly|pre|preview|rc|snapshot)(?:[-.]?\\d+)*)?'
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
export type Verdict =
  | { readonly kind: 'agrees' | 'unclear' }
  | { readonly kind: 'other'; readonly found: string }

/**
 * Compares the versions in a text with those to be published. Another one is told only when it is of the
 * same kind: as many parts, not behind the name of another product, and no date beside a number.
 */
export function judgeVersion(text: string, versions: readonly string[]): Verdict {
  if (versions.some(version => holds(text, version))) return { kind: 'agrees' }
  const kinds = new Set(versions.map(kindOf))
  const found = Array.from(text.matchAll(TOKEN)).filter(
    match => kinds.has(kindOf(match[0])) && !PLATFORM.test(text.slice(0, match.index))
  )
  const [first, ...others] = found.map(([token]) => token.replace(/^v/i, ''))
  // Two versions, of which one must be another product's: which one is not to be known.
  return first === undefined || others.length > 0
    ? { kind: 'unclear' }
    : { kind: 'other', found: first }
}

/** Whether a version stands in a text, apart from other letters and digits. */
function holds(text: string, version: string): boolean {
  const bare = bareOf(version)
  if (bare === '') return false
  const core = coreOf(bare)
  const tokens = Array.from(text.matchAll(TOKEN), match => match[0].replace(/^v/i, ''))
  // Manifests of this trade often hold numbers alone, so 1.4.2 stands for 1.4.2-beta.1, but not the reverse.
  if (tokens.some(token => [bare, core].includes(token.toLowerCase()))) return true
  if (/^\d+(\.\d+)+$/.test(bare)) return false
  const at = text.toLowerCase().indexOf(bare)
  if (at < 0) return false
  return !/[0-9.]/.test(text[at - 1] ?? '') && !/^(?:\d|\.\d)/.test(text.slice(at + bare.length))
}

function bareOf(version: string): string {
  return version.replace(/^v(?=\d)/i, '').toLowerCase()
}

/** `1.4.2` of `1.4.2-beta.1+7`; undefined when there is no such number. */
function coreOf(version: string): string | undefined {
  return /^v?(\d+(?:\.\d+)+)(?![^-+.])/i.exec(version)?.[1]
}

/** How many parts it has, and whether it is a date; undefined for what is no version by number. */
function kindOf(version: string): string | undefined {
  const parts = /^v?(\d+(?:\.\d+)+)/i.exec(version)?.[1]?.split('.')
  return parts && `${parts.length} ${Number(parts[0]) >= 1900 ? 'date' : 'number'}`
}

/** A path with `{version}` in place of the version in its last part; undefined when that is not there. */
export function withPlaceholder(path: string, version: string): string | undefined {
  const at = path.lastIndexOf(version)
  if (version === '' || at <= path.lastIndexOf('/')) return undefined
  return `${path.slice(0, at)}{version}${path.slice(at + version.length)}`
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
  const verdict = judgeVersion(fileName, versions)
  if (wild.length === 0 || verdict.kind !== 'other') return undefined
  const { found } = verdict
  if (wild.some(pattern => pattern.includes(found))) return undefined
  const [version] = versions
  return (
    `by its name, the file "${fileName}" is version "${found}", and the version to be published is "${version}". ` +
    `Build or attach the file of "${version}"; with {version} in the pattern, such as ` +
    `"${fileName.replace(found, '{version}')}", no other can be taken. ` +
    `If "${found}" is not this product's version, set \`file-version: any\`.`
  )
}
