// Reads which version a title in a changelog is about. Pure.

/** What is looked for. */
export interface Wanted {
  readonly version: string
  readonly tag: string
  /** Such as `plugin` in the tag `plugin@1.2.3`; empty for a tag that is a version alone. */
  readonly scope: string
}

export interface TitleVersion {
  /** Such as `plugin` in `plugin@1.2.3`. */
  readonly scope: string
  readonly number: string
  readonly isWanted: boolean
  /** Whether the version comes first, and its date or name after it. */
  readonly isSure: boolean
  /** Whether nothing but a date stands there beside it. */
  readonly isBare: boolean
}

/** What is wanted, with what stands before the version in the tag: the name of a package, or a folder. */
export function wantedOf(version: string, tag: string): Wanted {
  const scope = tag.endsWith(version) ? tag.slice(0, tag.length - version.length) : ''
  return { version, tag, scope: scope.replace(/[@/_-]?v?$/i, '').toLowerCase() }
}

const DATE = /^\d{4}[-./]\d\d?[-./]\d\d?$|^\d\d?[-./]\d\d?[-./]\d{4}$/
/** Coming from a version is not being about it. */
const NOT_ABOUT = /\b(?:from|since|than|before|after|until|was|of|why|with|and|or|to)\W*$/i
/** A date, a name after a dash, something in brackets, or nothing. */
const ASIDE = /^[)\]]*[:.!]*\s*(?:$|[-–—/([:|,]|\d{4}|released\b)/i

/** The version that a title is about: the first that it names. */
export function readTitle(title: string, wanted: Wanted): TitleVersion | undefined {
  for (const { 0: word, index } of title.matchAll(/[^\s()[\],;:|“”"']+/g)) {
    const parsed = parseWord(word, wanted)
    if (!parsed) continue
    const { isWanted, scope, number, rest } = parsed
    const before = title.slice(0, index)
    const after = rest + title.slice(index + word.length)
    const isFirst = /^[^\p{L}\p{N}]*(?:(?:version|release|ver)\W*)?$/iu.test(before)
    if (!isFirst && (NOT_ABOUT.test(before) || !ASIDE.test(after))) {
      if (!isWanted || NOT_ABOUT.test(before)) return undefined
    }
    const isBare = isFirst && /^[)\]]*:?\s*[-–—/([]*\s*(?:$|\d{4})/.test(after)
    const isOther = scope !== '' && wanted.scope !== '' && scope !== wanted.scope
    return { scope, number, isWanted: isWanted && !isOther, isSure: isFirst, isBare }
  }
  return undefined
}

/** A word that is a version, or ends with one. */
function parseWord(word: string, { version, tag, scope }: Wanted) {
  const text = word.replace(/[.!?*_`]+$/, '')
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  if (same(text, version)) return { scope: '', number: version, isWanted: true, rest: '' }
  if (same(text, tag)) return { scope, number: version, isWanted: true, rest: '' }
  const [, name = '', number = '', rest = ''] =
    /^()v?(\d[\w.+-]*)([^\x20-\x7e].*)?$/i.exec(text) ??
    /^(.+)[@/]v?(\d[\w.+-]*)()$/i.exec(text) ??
    /^([a-z][\w.]*(?:-[a-z][\w.]*)*)[-_]v?(\d+\.\d[\w.+-]*)()$/i.exec(text) ??
    []
  const isWanted = same(number, version)
  // A mere number or a date is no version, unless it is wanted.
  if (!isWanted && (!/\d\.\d/.test(number) || DATE.test(number))) return undefined
  return { scope: name.toLowerCase(), number, isWanted, rest }
}

/** Whether a title is that of a version, or of what has none yet. */
export function isAboutVersion(title: {
  readonly text: string
  readonly version: TitleVersion | undefined
}): boolean {
  if (/^\W*unreleased\b/i.test(title.text)) return true
  if (!title.version) return false
  const { isSure, number } = title.version
  return isSure || number.split('.').length > 2
}

/** Whether a deeper title still begins another version, as in files of semantic-release; a pre-release does not. */
export function isOtherVersion(version: TitleVersion | undefined, wanted: Wanted): boolean {
  if (!version?.isBare || version.number.split('.').length < 3) return false
  const isOwn = version.scope === '' || version.scope === wanted.scope
  const coreOf = (number: string) => number.split(/[-+]/)[0]
  return isOwn && coreOf(version.number) !== coreOf(wanted.version)
}
