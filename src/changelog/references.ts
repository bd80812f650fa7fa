// Finds what a text refers to: issues, people and commits in short forms, and a repository's addresses. Pure.
import type { Range } from './markdown.ts'

/** Such as `https://github.com` and `owner/name`. */
export interface RepositoryName {
  readonly serverUrl: string
  readonly repository: string
}

export interface Reference extends Range {
  readonly kind: keyof typeof REFERENCES
  readonly word: string
}

/** What GitHub may link by itself, `\#12` included. Each begins where a word does, so no text is read twice. */
const REFERENCES = {
  url: /https?:\/\/[^\s<>"]+/giu,
  // Between brackets, as git writes it, also `<1+dependabot[bot]@…>` and `<jane@laptop>`
  mail: /(?<=<)[^\s<>@]+@[^\s<>@]+(?=>)|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/giu,
  // `#12`, `GH-12`, `acme/app#12`; not the color `#000000`
  issue: /(?<![\w&./\\-])\\?(?:[a-z\d][\w.-]*(?:\/[\w.-]+)?#|#|GH-)[1-9]\d*(?!\w)/giu,
  // `@jane`, `@acme/team`
  user: /(?<![\w@./\\-])\\?@[a-z\d](?:[a-z\d]|-(?=[a-z\d]))*(?:_[a-z\d]+)?(?:\/[\w.-]*[a-z\d])?/giu,
  // `1234abc`, `acme/app@1234abc`
  commit: /(?<![\w.@#/-])(?:[a-z\d][\w.-]*(?:\/[\w.-]+)?@)?[\da-f]{7,40}(?![\da-f])(?![\w.-]*\w)/giu
} as const
const REFERENCE_KINDS = ['url', 'mail', 'issue', 'user', 'commit'] as const

/** The references in a range of the source, in its order; none overlaps another. */
export function findReferences(source: string, { start: from, end: to }: Range): Reference[] {
  const text = source.slice(from, to)
  const all = REFERENCE_KINDS.flatMap(kind =>
    Array.from(text.matchAll(REFERENCES[kind]), ({ 0: word, index }): Reference => {
      return { kind, word, start: from + index, end: from + index + word.length }
    })
  )
  let done = from
  return all
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < done) return false
      done = end
      return true
    })
}

/** What an address leads to, and the text that may stand for it. */
export interface Target {
  readonly kind: 'issue' | 'commit' | 'comparison' | 'other' | 'attachment'
  readonly text: string
}

export interface Address extends Range {
  readonly target: Target
}

export interface Addresses {
  /** The addresses in a text that lead into the repository, or to images behind a login. */
  readonly find: (text: string) => Address[]
  /** Where a link leads, if into the repository; a relative address does, on GitHub. */
  readonly targetOf: (destination: string) => Target | undefined
  /** Whether it is the page of a person, a bot or a team. */
  readonly isPerson: (destination: string) => boolean
  /** A reference without this repository's own name, such as `#12` for `owner/name#12`. */
  readonly shorten: (word: string) => string
}

/** In front of the repository's name: `https://github.com/`, `git@github.com:`, `api.github.com/repos/`. */
const LEAD =
  /(?:[a-z][a-z\d+.-]*:)?(?:\/\/)?(?:[\w.~-]+@)?((?:[a-z\d-]+\.)*[a-z\d-]+)(?::\d+)?[/:](?:(?:api\/v3\/)?repos\/|raw\/)?$/i
/** In characters; no host's name is longer in practice. */
const LONGEST_LEAD = 120
/** Not behind the name: more of another repository's. */
const NAME_ENDS = /(?:\.wiki)?(?:\.git)?(?!_*[a-z\d-]|\.\w)/iuy
// Only file names may have letters beyond ASCII: elsewhere, as in `/issues/12。`, the sentence goes on.
const PATH =
  /(?:\/(?:blob|tree|raw|wiki|edit|blame|releases\/download)\/[^\s<>"`|\\]*|[/?#][\w\-.~:/?#@!$&'()*+,;=%[\]]*)?/iuy
const ATTACHMENT = /(?:https?:)?\/\/github\.com\/user-attachments[\w\-./?=&%]*/gi

/** Finds a repository's addresses: of pages, files, the API, and clones (`git@github.com:acme/app.git`). */
export function openAddresses({ serverUrl, repository }: RepositoryName): Addresses {
  const { hostname } = new URL(serverUrl)
  // `RegExp.escape` came with Node 24.
  const name = new RegExp(repository.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'gi')
  const isHost = (host: string, of: string) => host === of || host.endsWith(`.${of}`)
  const isOwn = (host: string) =>
    isHost(host, hostname) || (hostname === 'github.com' && isHost(host, 'githubusercontent.com'))
  const find = (text: string): Address[] => {
    const own = Array.from(text.matchAll(name), ({ 0: whole, index }): Address[] => {
      const lead = LEAD.exec(text.slice(Math.max(0, index - LONGEST_LEAD), index))
      if (!lead || !isOwn((lead[1] ?? '').toLowerCase())) return []
      NAME_ENDS.lastIndex = index + whole.length
      const ending = NAME_ENDS.exec(text)
      if (!ending) return []
      PATH.lastIndex = NAME_ENDS.lastIndex
      const path = trimAddress(PATH.exec(text)?.[0] ?? '')
      const end = index + whole.length + ending[0].length + path.length
      return [{ start: index - lead[0].length, end, target: targetOfPath(path, repository) }]
    })
    const images = Array.from(text.matchAll(ATTACHMENT), ({ 0: whole, index: start }): Address => {
      return { start, end: start + whole.length, target: { kind: 'attachment', text: '' } }
    })
    return [...own.flat(), ...images]
  }
  const page = `${serverUrl.toLowerCase()}/`
  const own = repository.toLowerCase()
  return {
    find,
    targetOf(destination) {
      const [found] = [...find(decode(destination)), ...find(destination)]
      if (found) return found.target
      return isRelative(destination) ? targetOfPath(destination, repository) : undefined
    },
    isPerson: destination =>
      destination.toLowerCase().startsWith(page) &&
      /^(?:apps\/|orgs\/[\w-]+\/teams\/)?[\w-]+\/?$/.test(destination.slice(page.length)),
    shorten(word) {
      const bare = word.replace(/^\\/, '')
      const rest = bare.toLowerCase().startsWith(own) ? bare.slice(own.length) : ''
      return /^#\d/.test(rest) ? rest : /^@[\da-f]{7}/i.test(rest) ? rest.slice(1) : word
    }
  }
}

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
function trimAddress(path: string): string {
  const surplus = (open: string, close: string) =>
    path.split(close).length - path.split(open).length
  const unopened = new Map([
    [')', surplus('(', ')')],
    [']', surplus('[', ']')]
  ])
  let { length } = path
  for (; length > 0; length--) {
    const last = path.charAt(length - 1)
    const left = unopened.get(last) ?? 0
    if (left > 0) unopened.set(last, left - 1)
    else if (!/[?!.,:;*_~'"]/.test(last)) break
  }
  return path.slice(0, length)
}

function targetOfPath(path: string, repository: string): Target {
  const [, number] = /\/(?:issues|pulls?|discussions)\/(\d+)(?!\w)/.exec(path) ?? []
  if (number !== undefined) return { kind: 'issue', text: `#${number}` }
  const [, id] = /\/commits?\/([\da-f]{7,40})(?!\w)/i.exec(path) ?? []
  if (id !== undefined) return { kind: 'commit', text: id.slice(0, 7) }
  const last = path.split(/[?#]/)[0]?.split('/').findLast(Boolean)
  const text = last ?? repository.split('/')[1] ?? ''
  return { kind: /\/(?:compare|commits)\//.test(path) ? 'comparison' : 'other', text }
}
