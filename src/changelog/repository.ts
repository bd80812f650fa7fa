// Owns which addresses lead into a repository, and what they lead to.
import type { Range } from './markdown.ts'

/** Where a repository is. */
export interface Repository {
  /** Such as `https://github.com`. */
  readonly serverUrl: string
  /** Such as `owner/name`. */
  readonly repository: string
}

/** What an address in the repository leads to. */
export type Target =
  | { readonly kind: 'issue'; readonly number: string }
  | { readonly kind: 'commit'; readonly id: string }
  | { readonly kind: 'comparison' }
  | { readonly kind: 'other'; readonly name: string }

export interface Address extends Range {
  readonly target: Target
}

export interface Addresses {
  /** The addresses under the repository in a text: each whole, but for punctuation that ends it. */
  find(text: string): Address[]
  /** What a link's destination leads to, if into the repository; a relative one does, on GitHub. */
  targetOf(destination: string): Target | undefined
  /** Whether it is the page of a person, a bot or a team. */
  isPerson(destination: string): boolean
}

// Other letters than those of ASCII belong to names of files alone: a sentence may go on without a space.
const PATH =
  '((?:\\/(?:blob|tree|raw|wiki|edit|blame|releases\\/download)\\/[^\\s<>"`|\\\\]*|[/?#][\\w\\-.~:/?#@!$&\'()*+,;=%\\[\\]]*)?)'

/** Knows the addresses of a repository: of its pages, its files, its API, and for cloning it. */
export function addressesOf({ serverUrl, repository }: Repository): Addresses {
  const { host } = new URL(serverUrl)
  const hosts = host === 'github.com' ? [host, 'githubusercontent.com'] : [host]
  const server = `(?:[a-z][a-z\\d+.-]*:)?(?:\\/\\/)?(?:[\\w.~-]+@)?(?:[\\w-]+\\.)*(?:${hosts.map(literal).join('|')})(?::\\d+)?`
  const pattern = new RegExp(
    `(?<![a-z\\d-])${server}[/:](?:(?:api\\/v3\\/)?repos\\/|raw\\/)?${literal(repository)}(?:\\.git)?(?!_*[a-z\\d-]|\\.\\w)${PATH}`,
    'giu'
  )
  const find = (text: string) =>
    Array.from(text.matchAll(pattern), ({ 0: whole, 1: path = '', index: start }) => {
      const extra = path.length - trimAddress(path).length
      const target = targetOfPath(trimAddress(path), repository)
      return { start, end: start + whole.length - extra, target }
    })
  const targetOf = (destination: string) => {
    const [found] = [...find(decode(destination)), ...find(destination)]
    if (found) return found.target
    return isRelative(destination) ? targetOfPath(destination, repository) : undefined
  }
  const person = new RegExp(`^${literal(serverUrl)}/(?:apps/|orgs/[\\w-]+/teams/)?[\\w-]+/?$`, 'i')
  return { find, targetOf, isPerson: destination => person.test(destination) }
}

/** Neither absolute, nor within the text itself. */
export function isRelative(destination: string): boolean {
  return destination.trim() !== '' && !/^\s*(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(destination)
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** Without what ends a sentence, and without a closing bracket that nothing in it opens. */
function trimAddress(path: string): string {
  let end = path.length
  for (; end > 0; end--) {
    const last = path.charAt(end - 1)
    const [open, close] = last === ']' ? ['[', ']'] : ['(', ')']
    const before = path.slice(0, end)
    const isUnopened = last === close && before.split(close).length > before.split(open).length
    if (!/[?!.,:;*_~'"]/.test(last) && !isUnopened) break
  }
  return path.slice(0, end)
}

function targetOfPath(path: string, repository: string): Target {
  const [, number] = /\/(?:issues|pulls?|discussions)\/(\d+)(?!\w)/.exec(path) ?? []
  if (number !== undefined) return { kind: 'issue', number }
  const [, id] = /\/commits?\/([\da-f]{7,40})(?!\w)/i.exec(path) ?? []
  if (id !== undefined) return { kind: 'commit', id: id.slice(0, 7) }
  if (/\/(?:compare|commits)\//.test(path)) return { kind: 'comparison' }
  const [name = ''] = path.split(/[?#]/)
  const last = name.split('/').findLast(part => part !== '') ?? ''
  return { kind: 'other', name: last === '' ? (repository.split('/')[1] ?? '') : last }
}
