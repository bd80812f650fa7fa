// Which version a text states, such as a manifest or the name of a file, and whether it is the one to be published. Pure.
/** The end of a pre-release's version, such as `-beta.1`, `rc2` or `-snapshot`. */
const PRE_RELEASE =
  /[-.]?(?:alpha|beta|canary|dev|nightly|pre|preview|rc|snapshot)(?:[-.]?\d+(?:[-.]\d+)*)?/.source

/** Behind a number: that it is not the one of a pre-release. */
const NO_PRE_RELEASE = `(?!${PRE_RELEASE}(?![a-z\\d]))`

/** A version in the name of a file: `v1.4.2`, `1.4.2-beta.1`; not the `4.2` of `1.4.2`, nor the `1.4` of `1.4a`. */
const TOKEN = new RegExp(
  `(?<![0-9A-Za-z]|\\d\\.)v?\\d+(?:\\.\\d+)+(?:${PRE_RELEASE})?(?![0-9A-Za-z])`,
  'gi'
)

/**
 * Whether a text states one of these versions: it is equal by its numbers, or the number alone of a pre-release; it has
 * the version in it, apart from other numbers; or it stands so in the version, as `0.11.2` does in `mc1.20.1-0.11.2`.
 */
export function states(text: string, versions: readonly string[]): boolean {
  const stated = plain(text)
  return versions.map(plain).some(own => {
    if (stated === '' || own === '') return false
    return isEqual(stated, own) || hasApart(stated, own, NO_PRE_RELEASE) || hasApart(own, stated)
  })
}

/**
 * Whether a text states another version than those that count, the release's own first. Where that begins with no digit,
 * only a snapshot is another one: nothing tells which number would be the right one.
 */
export function statesOther(text: string, versions: readonly string[]): boolean {
  if (states(text, versions)) return false
  return isSnapshot(text, versions) || (isNumber(versions) && /\d/.test(text))
}

/**
 * The version in a name, if it is another than those that count: the first of as many parts as one of them, as written,
 * where none of those in the name is right; else a snapshot. Empty if there is none.
 */
export function otherVersionIn(name: string, versions: readonly string[]): string {
  const found = [...name.matchAll(TOKEN)].map(([token]) => token.replace(/^v/i, ''))
  if (found.some(token => states(token, versions))) return ''

  const snapshot = SNAPSHOT.exec(name)?.[0] ?? ''
  const other = found.find(token => hasAsManyParts(token, versions))
  return other ?? (isSnapshot(name, versions) ? snapshot : '')
}

/** Whether a text begins with as many numbers as one of these versions. */
export function hasAsManyParts(text: string, versions: readonly string[]): boolean {
  const parts = numbersOf(text).length
  return parts > 0 && versions.some(version => numbersOf(version).length === parts)
}

/** The build before a release, as Maven calls it: `1.0-SNAPSHOT`. */
const SNAPSHOT = /(?<![\d.])\d+(?:\.\d+)*[-.]snapshot(?![a-z\d])/i

function isSnapshot(text: string, versions: readonly string[]): boolean {
  return SNAPSHOT.test(text) && !versions.some(version => /snapshot/i.test(version))
}

function isNumber([own = '']: readonly string[]): boolean {
  return /^\d/.test(plain(own))
}

/** In lower case, without a `v` before a digit, and without build metadata such as `+mc1.20.1`. */
function plain(version: string): string {
  const cut = version.trim().replace(/(?<=[\da-z])\+[\da-z.-]+/gi, '')
  return cut.replace(/^v(?=\d)/i, '').toLowerCase()
}

/** The numbers at the start, such as `1`, `4` and `2` of `v1.4.2-beta.1`; none if there is no digit. */
function numbersOf(version: string): string[] {
  const [number = ''] = /^\d+(?:\.\d+)*/.exec(plain(version)) ?? []
  return number === '' ? [] : number.split('.')
}

/** Whether both are one version, as `1.4.2.0` and `1.4.2`, `2026.6.4` and `2026.06.04`, or `1.4.2` and its pre-release are. */
function isEqual(stated: string, own: string): boolean {
  const restOf = (version: string) => version.replace(/^[\d.]+/, '')
  const rest = restOf(stated)
  const isSame = significant(stated) !== '' && significant(stated) === significant(own)
  return isSame && (rest === '' || rest === restOf(own))
}

/** The numbers without zeros that do not count. */
function significant(version: string): string {
  const numbers = numbersOf(version).map(number => number.replace(/^0+(?=\d)/, ''))
  const last = numbers.findLastIndex(number => number !== '0')
  return numbers.slice(0, Math.max(last, 0) + 1).join('.')
}

/** Whether a part stands in a text apart from other digits and dots; `after`: what must not follow it, either. */
function hasApart(text: string, part: string, after = ''): boolean {
  return new RegExp(`(?<![\\d.])${RegExp.escape(part)}(?!\\.?\\d)${after}`).test(text)
}
