// Which version a text states, such as the name of a file, and whether it is the one to be published. Pure.
import { literal } from '../runner/words.ts'

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
export function snapshotIn(text: string, versions: readonly string[]): string {
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
