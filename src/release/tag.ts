// From a tag to a version, the templates that both may be put into, and which version is the higher. Pure.

/** What templates can name; `name` is the release's, or the tag when it has none. */
export type Names = Readonly<Record<'tag' | 'version' | 'name', string>>
const VERSION = '{version}'

/** A `tag-pattern` as it is, perhaps empty; throws an `Error` about one with no `{version}`, or several. */
export function parseTagPattern(text: string): string {
  if (text === '' || text.split(VERSION).length === 2) return text
  throw new Error(`"${text}" must contain ${VERSION} exactly once, such as "plugin-v${VERSION}"`)
}

/** The version in a tag, by the pattern if there is one; undefined when the tag does not fit. */
export function versionOf(tag: string, pattern: string): string | undefined {
  // After the last `/` or `@` and one `v`, but only from a digit on: `mc1.20-v2` and `rev2` stay whole.
  if (pattern === '') return /(?:^|[/@])v?(\d[^/@]*)$/.exec(tag)?.[1] ?? tag
  const [before = '', after = ''] = pattern.split(VERSION)
  const fits =
    tag.length > before.length + after.length && tag.startsWith(before) && tag.endsWith(after)
  return fits ? tag.slice(before.length, tag.length - after.length) : undefined
}

/** What somebody meant for a name, spaces and dots included, such as `{ version }` or `{release.name}`. */
const WORD = /\{\s*[\p{L}_][\p{L}\p{N}_.-]*\s*\}/gu

/** A template as it is; throws an `Error` about a word in it that is none of the names. */
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

/** One to four numbers, as SemVer or dotted; what follows a hyphen is a pre-release. */
const BY_NUMBER = /^v?\d+(?:\.\d+){0,3}(?:-[\da-z-]+(?:\.[\da-z-]+)*)?(?:\+[\da-z.-]+)?$/i

/** The versions that are higher, the highest first: only those by number count, pre-releases as in SemVer. */
export async function higherThan(version: string, others: readonly string[]): Promise<string[]> {
  if (!BY_NUMBER.test(version)) return []
  const { compareVersions } = await import('compare-versions')
  return others
    .filter(other => BY_NUMBER.test(other) && compareVersions(other, version) > 0)
    .toSorted((a, b) => compareVersions(b, a))
}
