// Which version a text states, such as the name of a file, and whether it is the one to be published. Pure.
import { ActionError } from '../runner/action-error.ts'
import { hasWildcard, isExclusion } from './glob.ts'
import { quoteName } from './naming.ts'

/** A version with dots, and its pre-release: `v1.4.2`, `1.4.2-beta.1`. */
const TOKEN =
  /(?<![0-9A-Za-z]|\d\.)v?\d+(?:\.\d+)+(?:[-.]?(?:alpha|beta|canary|dev|nightly|pre|preview|rc|snapshot)(?:[-.]?\d+(?:[-.]\d+)*)?)?(?![0-9A-Za-z])/gi

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
  const tokens = [...text.matchAll(TOKEN)]
  if (statesOneOf(text, tokens, versions)) return ''
  const shapes = new Set(versions.map(shapeOf))
  const [first, ...others] = tokens.filter(
    ({ 0: token, index }) => shapes.has(shapeOf(token)) && !namesPlatform(text.slice(0, index))
  )
  return first !== undefined && others.length === 0 ? bare(first[0]) : ''
}

/** Whether a text states one of these versions, alone or apart from other digits. */
export function states(text: string, versions: readonly string[]): boolean {
  return statesOneOf(text, [...text.matchAll(TOKEN)], versions)
}

function statesOneOf(
  text: string,
  tokens: readonly RegExpMatchArray[],
  versions: readonly string[]
) {
  const stated = tokens.map(([token]) => bare(token).toLowerCase())
  return versions.some(given => {
    const version = bare(given).toLowerCase()
    // Manifests often hold numbers alone, so 1.4.2 stands for 1.4.2-beta.1, but not the reverse.
    const number = /^\d+(?:\.\d+)+(?![^-+.])/.exec(version)?.[0]
    if (stated.includes(version) || stated.includes(number ?? version)) return true
    const isApart = new RegExp(`(?<![0-9.])${RegExp.escape(version)}(?!\\.?\\d)`, 'i')
    return version !== '' && version !== number && isApart.test(text)
  })
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
  const other = otherVersionIn(name, versions)
  const isMeant = wild.length === 0 || wild.some(pattern => pattern.includes(other))
  if (other === '' || isMeant) return
  const message = `By its name, the file ${quoteName(name)} is version "${other}", and this release is "${versions[0]}".`
  const advice =
    `Build or attach the file of "${versions[0]}", and write {version} in the pattern; if "${other}" is not this ` +
    'product’s version, set `allow-other-version: true`.'
  throw new ActionError('file-version', message, { advice })
}
