// Finds what a text refers to: issues, people and commits in short forms, and a repository's addresses. Pure.
import type { Range } from './markdown.ts'

/** Such as `https://github.com` and `owner/name`. */
export interface Repository {
  readonly serverUrl: string
  readonly repository: string
}

interface Reference extends Range {
  readonly kind: 'url' | 'mail' | 'issue' | 'user' | 'commit'
  readonly word: string
}

const NAME = '[a-z\\d][\\w.-]*'
/** Addresses, mail, `#12` `GH-12` `acme/app#12`, `@jane` `@acme/team`, `1234abc` `acme/app@1234abc`. */
const WORDS = [
  '(?<url>https?:\\/\\/[^\\s<>"]+)',
  '(?<mail>[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+)',
  `(?<![\\w&./\\\\-])(?<issue>\\\\?(?:${NAME}(?:\\/[\\w.-]+)?#|#|GH-)\\d+)(?!\\w)`,
  '(?<![\\w@./\\\\-])(?<user>\\\\?@[a-z\\d](?:[a-z\\d]|-(?=[a-z\\d]))*(?:_[a-z\\d]+)?(?:\\/[\\w.-]*[a-z\\d])?)',
  `(?<![\\w.@#/-])(?<commit>(?:${NAME}(?:\\/[\\w.-]+)?@)?[\\da-f]{7,40})(?![\\w.-]*\\w)`
]
const REFERENCE = new RegExp(WORDS.join('|'), 'giu')

/** What GitHub may link by itself in a range of the source, `\#12` included; matches never overlap. */
export function findReferences(source: string, range: Range): Reference[] {
  const words = source.slice(range.start, range.end).matchAll(REFERENCE)
  return Array.from(words, ({ 0: word, index, groups = {} }) => {
    const start = range.start + index
    const { url, mail, issue, user } = groups
    const kind = url ? 'url' : mail ? 'mail' : issue ? 'issue' : user ? 'user' : 'commit'
    return { kind, word, start, end: start + word.length }
  })
}

/** The same for a reference and what GitHub shows of it: `#12` for `acme/app#12`, seven digits of an id. */
export function keyOf(word: string, { repository }: Repository): string {
  const key = word.toLowerCase().replace('\\', '')
  const own = repository.toLowerCase()
  const short = key.startsWith(own) ? key.slice(own.length).replace(/^@/, '') : key
  return short.replace(/(^|@)([\da-f]{7})[\da-f]*$/, '$1$2')
}

/** What an address leads to, and the text that may replace it, or ''. */
export interface Target {
  /** `i` issue or the like, `h` commit, `u` comparison, `a` any other address, `g` image behind a login. */
  readonly kind: 'i' | 'h' | 'u' | 'a' | 'g'
  readonly text: string
}

// Only file names may have letters beyond ASCII: elsewhere, as in `/issues/12。`, the sentence goes on.
const PATH =
  '((?:\\/(?:blob|tree|raw|wiki|edit|blame|releases\\/download)\\/[^\\s<>"`|\\\\]*|[/?#][\\w\\-.~:/?#@!$&\'()*+,;=%\\[\\]]*)?)'

// `RegExp.escape` came with Node 24.
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Finds a repository's addresses: of pages, files, the API, and clones (`git@github.com:acme/app.git`). */
export function addressesOf({ serverUrl, repository }: Repository) {
  const { host } = new URL(serverUrl)
  const hosts = host === 'github.com' ? `${escaped(host)}|githubusercontent\\.com` : escaped(host)
  const server = `(?:[a-z][a-z\\d+.-]*:)?(?:\\/\\/)?(?:[\\w.~-]+@)?(?:[\\w-]+\\.)*(?:${hosts})(?::\\d+)?`
  const home = `${server}[/:](?:(?:api\\/v3\\/)?repos\\/|raw\\/)?${escaped(repository)}(?:\\.git)?(?!_*[a-z\\d-]|\\.\\w)`
  const images = '(?:https?:)?\\/\\/github\\.com\\/(?<image>user-attachments)'
  const pattern = new RegExp(`(?<![a-z\\d-])(?:${images}|${home})${PATH}`, 'giu')
  const person = new RegExp(`^${escaped(serverUrl)}/(?:apps/|orgs/[\\w-]+/teams/)?[\\w-]+/?$`, 'i')
  /** The addresses in a text that lead into the repository or to images, without a sentence's punctuation. */
  const own = new RegExp(`^\\\\?${escaped(repository)}(?:@(?=[\\da-f]{7})|(?=#\\d))`, 'i')
  const find = (text: string) =>
    Array.from(text.matchAll(pattern), ({ 0: whole, 1: image, 2: path = '', index: start }) => {
      const trimmed = trimAddress(path)
      const end = start + whole.length - path.length + trimmed.length
      if (image) return { start, end, target: { kind: 'g', text: '' } as const }
      return { start, end, target: targetOfPath(trimmed, repository) }
    })
  return {
    find,
    /** A reference without this repository's own name, such as `#12` for `owner/name#12`. */
    shorten: (word: string) => word.replace(own, ''),
    /** Whether it is the page of a person, a bot or a team. */
    isPerson: (destination: string) => person.test(destination),
    /** Where a link leads, if into the repository; a relative address does, on GitHub. */
    targetOf(destination: string) {
      const [found] = [...find(decode(destination)), ...find(destination)]
      if (found) return found.target
      return isRelative(destination) ? targetOfPath(destination, repository) : undefined
    }
  }
}

export type Addresses = ReturnType<typeof addressesOf>

/** Whether an address is relative: no `https:`, `//host` or `#anchor`. */
export function isRelative(destination: string): boolean {
  return destination.trim() !== '' && !/^\s*(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(destination)
}

/** Decodes percent-encoding; an address that is malformed stays as it is. */
export function decode(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** Drops what ends a sentence, and closing brackets that the address does not open. */
function trimAddress(address: string): string {
  for (let path = address; ; path = path.slice(0, -1)) {
    const last = path.slice(-1)
    const open = last === ']' ? '[' : '('
    const isUnopened = /[\])]/.test(last) && path.split(last).length > path.split(open).length
    if (!/[?!.,:;*_~'"]/.test(last) && !isUnopened) return path
  }
}

function targetOfPath(path: string, repository: string): Target {
  const [, number] = /\/(?:issues|pulls?|discussions)\/(\d+)(?!\w)/.exec(path) ?? []
  if (number !== undefined) return { kind: 'i', text: `#${number}` }
  const [, id] = /\/commits?\/([\da-f]{7,40})(?!\w)/i.exec(path) ?? []
  if (id !== undefined) return { kind: 'h', text: id.slice(0, 7) }
  if (/\/(?:compare|commits)\//.test(path)) return { kind: 'u', text: '' }
  const last = path.split(/[?#]/)[0]?.split('/').findLast(Boolean)
  return { kind: 'a', text: last ?? repository.split('/')[1] ?? '' }
}
