// Owns references: what GitHub may show as a link though nobody wrote one, such as `#12` and `@user`. Pure.
import type { Range } from './markdown.ts'

export interface Reference extends Range {
  /** What stays the same when GitHub shortens it. */
  readonly key: string
}

const NAME = '[a-z\\d][\\w.-]*'
const PATTERN = new RegExp(
  [
    'https?:\\/\\/[^\\s<>"]+',
    `(?<![\\w&./\\\\-])(?<issue>(?:${NAME}(?:\\/[\\w.-]+)?#|#|GH-)\\d+)(?!\\w)`,
    '(?<![a-z\\d@./-])(?<user>@[a-z\\d](?:[a-z\\d]|-(?=[a-z\\d]))*(?:\\/[\\w.-]*[a-z\\d])?)',
    `(?<![\\w.#/-])(?<commit>(?:${NAME}(?:\\/[\\w.-]+)?@)?[\\da-f]{7,40})(?![\\w.]*\\w)`
  ].join('|'),
  'giu'
)

/** The references in a piece of text; those within addresses are none. */
export function findReferences(text: string, repository: string): Reference[] {
  return Array.from(text.matchAll(PATTERN)).flatMap(({ 0: word, index: start, groups = {} }) => {
    const { issue, user, commit } = groups
    if ((issue ?? user ?? commit) === undefined) return []
    return [{ start, end: start + word.length, key: keyOf(word, repository) }]
  })
}

/** GitHub leaves out a repository that is understood, and shortens the ids of commits. */
export function keyOf(word: string, repository: string): string {
  const key = word.toLowerCase()
  const own = repository.toLowerCase()
  const short =
    /^[^@]/.test(key) && key.startsWith(own) ? key.slice(own.length).replace(/^@/, '') : key
  return short.replace(/(^|@)([\da-f]{7})[\da-f]*$/, '$1$2')
}
