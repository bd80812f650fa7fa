// Which addresses lead into a repository. Pure.
import type { Range } from './ranges.ts'

/** Where a repository is. */
export interface Place {
  /** Such as `https://github.com`. */
  readonly serverUrl: string
  /** Such as `owner/name`. */
  readonly repository: string
}

/** What knows a repository's addresses. */
export interface Addresses {
  /** The addresses under the repository in a text: each whole, but for punctuation that ends it. */
  find(text: string): Range[]
  /** Whether a link with this destination leads into the repository; relative ones do, on GitHub. */
  leadsInto(destination: string): boolean
}

/** Knows the addresses of a repository, in all spellings that servers read alike. */
export function addressesOf({ serverUrl, repository }: Place): Addresses {
  const core = coreOf(new URL(serverUrl).host, repository)
  const find = (text: string) => {
    const found: Range[] = []
    core.lastIndex = 0
    for (let match = core.exec(text); match; match = core.exec(text)) {
      const end = endOf(text, core.lastIndex)
      const least = found.at(-1)?.end ?? 0
      found.push({ start: startOf(text, match.index, least), end })
      core.lastIndex = end
    }
    return found
  }
  const leadsInto = (destination: string) => isRelative(destination) || find(destination).length > 0
  return { find, leadsInto }
}

/** Neither absolute, nor within the text itself. */
export function isRelative(destination: string): boolean {
  return destination !== '' && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(destination)
}

/** Host, owner and name; what may come before and after is taken in later. */
function coreOf(host: string, repository: string): RegExp {
  const hosts = host === 'github.com' ? [host, 'githubusercontent.com'] : [host]
  const [owner = '', name = ''] = repository.split('/')
  const slash = '(?:[\\\\/:]|%2f|%5c|%3a)+'
  const route = `(?:(?:api${slash}v3${slash})?repos${slash}|raw${slash}|_?codeload${slash})?`
  const source =
    `(?:(?<![a-z\\d-])|(?<=%[\\da-f]{2}))(?:${hosts.map(spell).join('|')})(?:(?::|%3a)\\d+)?` +
    `${slash}${route}${spell(owner)}${slash}${spell(name)}(?:\\.git(?![\\w-]))?(?!_*[a-z\\d-]|\\.[\\w-])`
  return new RegExp(source, 'giu')
}

/** Each character as itself, or as a percent-encoded byte, of either case. */
function spell(text: string): string {
  const codeOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0')
  return Array.from(text, character => {
    const [lower, upper] = [codeOf(character.toLowerCase()), codeOf(character.toUpperCase())]
    return `(?:\\u{${lower}}|%${lower}|%${upper})`
  }).join('')
}

/** Scheme, user and subdomains. */
const BEFORE =
  /(?:(?:[a-z][a-z\d+.-]{0,20}(?::|%3a))?(?:\/|%2f){2})?(?:[\w.+~-]{1,40}(?::[^\s@/]{0,40})?@)?(?:[\w-]{1,63}\.){0,4}$/iu
/** Enough for any of these. */
const LONGEST_BEFORE = 150

function startOf(text: string, core: number, least: number): number {
  const before = text.slice(Math.max(least, core - LONGEST_BEFORE), core)
  return core - (BEFORE.exec(before)?.[0].length ?? 0)
}

/**
 * What follows the name: a path, a query, a fragment. Other letters than those of ASCII are taken in for
 * file names alone: elsewhere a sentence may go on without a space.
 */
const AFTER =
  /(?:\/(?:blob|tree|raw|wiki|edit|blame|releases\/download)\/[^\s<>"`|\\\ufffc]*|[/?#:@%][\w\-.~:/?#@!$&'()*+,;=%]*)?/uy
/** What ends a sentence, emphasis, or a string, more likely than an address. */
const TRAILING = /[?!.,:;*_~'"&]$/u

function endOf(text: string, core: number): number {
  AFTER.lastIndex = core
  const after = AFTER.exec(text)?.[0] ?? ''
  let length = after.length
  let surplus = count(after, ')') - count(after, '(')
  while (length > 0) {
    const last = after.charAt(length - 1)
    if (last === ')' && surplus > 0) surplus--
    else if (!TRAILING.test(last)) break
    length--
  }
  return core + length
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}
