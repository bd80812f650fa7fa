// Versions from tags, templates that are filled with them, and which of two versions is higher. Pure.

/** The values for templates; `name` is the release's name, or the tag if it has none. */
export type Names = Readonly<Record<'tag' | 'version' | 'name', string>>
const VERSION = '{version}'

/** Gives a `tag-pattern` back. Throws an `Error` unless it is empty or has exactly one `{version}`. */
export function parseTagPattern(text: string): string {
  if (text === '' || text.split(VERSION).length === 2) return text
  throw new Error(`"${text}" must contain ${VERSION} exactly once, such as "plugin-v${VERSION}"`)
}

/** The version in a tag, by the pattern if that is not empty; undefined when the tag does not fit it. */
export function versionOf(tag: string, pattern: string): string | undefined {
  // `app/v1.2` and `app@1.2` give `1.2`. Only what starts with a digit: `mc1.20-v2` and `rev2` stay whole.
  if (pattern === '') return /(?:^|[/@])v?(\d[^/@]*)$/.exec(tag)?.[1] ?? tag
  const [before = '', after = ''] = pattern.split(VERSION)
  const fits =
    tag.length > before.length + after.length && tag.startsWith(before) && tag.endsWith(after)
  return fits ? tag.slice(before.length, tag.length - after.length) : undefined
}

/** What looks like a name in a template, right or wrong, such as `{ version }` or `{release.name}`. */
const WORD = /\{\s*[\p{L}_][\p{L}\p{N}_.-]*\s*\}/gu

/** Gives a template back as it is. Throws an `Error` about a word in braces that is none of the names. */
export function parseTemplateText(text: string): string {
  const known = ['{tag}', '{version}', '{name}']
  const unknown = text.match(WORD)?.find(word => !known.includes(word))
  if (unknown === undefined) return text
  throw new Error(`"${text}" contains "${unknown}"; allowed are {tag}, {version} and {name}`)
}

/** The template with the names put in. */
export function fill(template: string, names: Names): string {
  return template.replace(/\{(tag|version|name)\}/g, (_, word: keyof Names) => names[word])
}

/** One to four numbers, such as `1.2`, `v1.2.3.4`, or `1.2.3-rc.1+build`; the hyphen starts a pre-release. */
const BY_NUMBER = /^v?\d+(?:\.\d+){0,3}(?:-[\da-z-]+(?:\.[\da-z-]+)*)?(?:\+[\da-z.-]+)?$/i

/** The `others` that are higher, highest first; pre-releases as in SemVer. Ignores versions like `latest`. */
export async function higherThan(version: string, others: readonly string[]): Promise<string[]> {
  if (!BY_NUMBER.test(version)) return []
  const { compareVersions } = await import('compare-versions')
  return others
    .filter(other => BY_NUMBER.test(other) && compareVersions(other, version) > 0)
    .toSorted((a, b) => compareVersions(b, a))
}
