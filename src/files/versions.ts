// Which version a text states, such as the name of a file, and whether it is the one to be published. Pure.
import { ActionError } from '../runner/action-error.ts'
import { hasWildcard, includes } from './glob.ts'

/** A version with dots, and its pre-release: `v1.4.2`, `1.4.2-beta.1`. */
const TOKEN =
  /(?<![0-9A-Za-z]|\d\.)v?\d+(?:\.\d+)+(?:[-.]?(?:alpha|beta|canary|dev|nightly|pre|preview|rc|snapshot)(?:[-.]?\d+(?:[-.]\d+)*)?)?(?![0-9A-Za-z])/gi

/** Words before another product's version: in `gallery-1.4.2-mc1.20.4.jar`, the second one is Minecraft's. */
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

/** `found`: the version of another; `unclear` when in doubt. */
export type VersionVerdict = {
  readonly kind: 'agrees' | 'unclear' | 'other'
  readonly found: string
}

/** Compares the versions in the last part of a path with those to be published. */
export function judgeVersion(path: string, versions: readonly string[]): VersionVerdict {
  const text = path.slice(path.lastIndexOf('/') + 1)
  const tokens = [...text.matchAll(TOKEN)]
  const texts = tokens.map(([token]) => bare(token).toLowerCase())
  const isOurs = versions.some(version => holds(text, texts, bare(version).toLowerCase()))
  if (isOurs) return { kind: 'agrees', found: '' }
  // Another version has as many parts, is a date only if ours is, and follows no other product's name.
  const kinds = new Set(versions.map(versionShapeOf))
  const [first, ...others] = tokens.filter(
    match => kinds.has(versionShapeOf(match[0])) && !namesPlatform(text.slice(0, match.index))
  )
  // Of two versions, one must be another product's, and nothing tells which.
  const isClear = first !== undefined && others.length === 0
  return isClear ? { kind: 'other', found: bare(first[0]) } : { kind: 'unclear', found: '' }
}

/** Whether a version is one of those in a text, or stands there apart from other digits. */
function holds(text: string, texts: readonly string[], version: string): boolean {
  // Manifests often hold numbers alone, so 1.4.2 stands for 1.4.2-beta.1, but not the reverse.
  const number = /^\d+(?:\.\d+)+(?![^-+.])/.exec(version)?.[0]
  if (texts.includes(version) || texts.includes(number ?? version)) return true
  const literal = version.replace(/\W/g, '\\$&')
  const isApart = new RegExp(`(?<![0-9.])${literal}(?!\\.?\\d)`, 'i')
  return version !== '' && version !== number && isApart.test(text)
}

function bare(version: string): string {
  return version.replace(/^v(?=\d)/i, '')
}

/** How many parts, and whether a date such as 2024.1.31; undefined if it is not a version with dots. */
function versionShapeOf(version: string): string | undefined {
  const parts = /^v?(\d+(?:\.\d+)+)/i.exec(version)?.[1]?.split('.')
  return parts && `${parts.length} ${Number(parts[0]) >= 1900 ? 'date' : 'number'}`
}

/**
 * Compares the name of a file that a wildcard chose with the versions to be published; the first is the tag's. Throws an
 * `ActionError` if it states another one.
 */
export function checkNameVersion(
  fileName: string,
  patterns: readonly string[],
  versions: readonly string[]
): void {
  const wild = patterns.filter(pattern => includes(pattern) && hasWildcard(pattern))
  const { kind, found } = judgeVersion(fileName, versions)
  const isMeant = wild.length === 0 || wild.some(pattern => pattern.includes(found))
  if (isMeant || kind !== 'other') return
  const message = `By its name, "${fileName}" is version "${found}", but the tag's version is "${versions[0]}".`
  throw new ActionError('file-version', message, {
    advice: `Use {version} in the pattern, as in "${fileName.replace(found, '{version}')}"; if "${found}" means something else, set \`allow-other-version: true\`.`
  })
}
