// Owns which addresses are the repository's, however they are written, and the words that stand for them.
import type { Edit } from './markdown.ts'

/** Where the repository is. */
export interface RepositoryName {
  /** The server, such as `https://github.com`. */
  readonly serverUrl: string
  /** Its API, such as `https://api.github.com`. */
  readonly apiUrl: string
  /** Such as `octo-org/plugin`. */
  readonly repository: string
}

/** A page of the repository. */
export interface Page {
  /** An issue may be a pull request; a picture or a video is one that only GitHub shows. */
  readonly kind: 'issue' | 'commit' | 'comparison' | 'picture' | 'other'
  /** The text in its place: `#12`, a short commit, or the last part of the path; empty for a picture. */
  readonly short: string
}

/** An address in a text, and what becomes of it. */
export interface FoundAddress extends Edit {
  readonly page: Page
}

/**
 * The characters of an address, a soft hyphen among them, which browsers leave out. A list of those that it may not
 * have would, without case, not take an `s`, because of `ſ`.
 */
const CHARACTER = '[!#-&*-;=?-Z^_a-z{}~\\u00ad]'
const LETTER = '[\\p{L}\\p{N}_]'
/** The beginning of an address: `https://`, `git+https://`, `ssh://`, `//`, and ssh's `git@`. */
const SCHEME = `(?:git\\+)?(?:https?|ssh|git)://|(?<![:\\p{L}\\p{N}])//|(?<!${LETTER}|[.-])git@`
/** GitHub’s short form of an issue or a commit: `acme/widget#12`, `acme/widget@12ab34c` */
const SHORT = /^[^/:]+\/[^/:]+?(?:(#\d+)|@([\da-f]{7})[\da-f]*)$/i
/** A sentence may end behind an address. */
const STOP = /(?<![?!.,:;*_~'])[?!.,:;*_~']*$/

/** The addresses of a repository. */
export class Addresses {
  readonly #hosts: readonly string[]
  readonly #address: RegExp
  readonly #path: RegExp
  readonly #name: string

  constructor({ serverUrl, apiUrl, repository }: RepositoryName) {
    const server = new URL(serverUrl)
    const api = new URL(apiUrl)
    this.#hosts = [server.hostname, api.hostname]
    this.#name = repository.split('/')[1] ?? ''

    const name = RegExp.escape(repository)
    const hosts = this.#hosts.map(it => RegExp.escape(it)).join('|')
    // Another address may begin within one.
    const rest = `(?:(?!https?://|//(?:${hosts})/)${CHARACTER})*`
    const short = `(?<!${LETTER}|[./@:-])${name}(?:#\\d+|@[\\da-f]{7,40})(?!${LETTER})`
    this.#address = new RegExp(`(?:${SCHEME})${rest}|${short}`, 'giu')

    const base = RegExp.escape(server.pathname.replace(/\/$/, ''))
    const apiBase = RegExp.escape(api.pathname.replace(/\/$/, ''))
    const start = `(?:${base}(?:/raw|/media)?|(?:${apiBase})?/repos)`
    this.#path = new RegExp(
      `^${start}/${name}(?:\\.wiki)?(?:\\.git)?(?!_*[a-z\\d-]|\\.[a-z\\d_])`,
      'i'
    )
  }

  /** The addresses of the repository in a text, without the stop of a sentence behind them. */
  find(text: string): FoundAddress[] {
    if (!text.includes('/')) return []

    return Array.from(text.matchAll(this.#address)).flatMap(({ 0: all, index: start }) => {
      const [stop = ''] = STOP.exec(all) ?? []
      const address = all.slice(0, all.length - stop.length)
      const page = this.pageOf(address)
      if (!page) return []
      return [
        {
          start,
          end: start + address.length,
          text: page.short,
          page
        }
      ]
    })
  }

  /** Whether an address of the repository is in a text, perhaps within another address. */
  isIn(text: string): boolean {
    if (this.find(text).length > 0) return true
    return text.includes('%') && this.find(decode(text)).length > 0
  }

  /** The page of the repository that an address opens; undefined for any other. */
  pageOf(address: string): Page | undefined {
    const [, issue, commit] = SHORT.exec(address) ?? []
    if (issue !== undefined) return { kind: 'issue', short: issue }
    if (commit !== undefined) return commitPage(commit)

    const plain = address
      .trim()
      .replace(/^git@([^/:]+):/i, '//$1/')
      .replace(/^(?:(?:git\+)?(?:https?|ssh|git):)?\/\//i, '')
    const url = URL.parse(`https://${plain}`)
    if (!url || !this.#isHost(url.hostname)) return undefined

    const path = decode(url.pathname).replace(/\/+/g, '/')
    const last =
      plain
        .replace(/[?#].*$/s, '')
        .split('/')
        .findLast(Boolean) ?? ''
    if (url.hostname.startsWith('private-user-images.')) return { kind: 'picture', short: '' }
    // Attached to an issue: a document has a name, a picture has none.
    if (path.startsWith('/user-attachments/assets/')) return { kind: 'picture', short: '' }
    if (path.startsWith('/user-attachments/')) return { kind: 'other', short: last }

    const [own] = this.#path.exec(path) ?? []
    if (own === undefined) return undefined
    // A reference behind `.git`, as pip writes it, leads to the repository: `plugin.git@v1.4.2`
    const below = path.slice(own.length)
    return this.#pageAt(below.startsWith('/') ? below.slice(1) : '', last)
  }

  /** Whether GitHub answers there: `github.com`, `www.github.com`, `raw.githubusercontent.com`, also with a dot at the end. */
  #isHost(hostname: string): boolean {
    const host = hostname
      .replace(/\.$/, '')
      .replace(/(^|\.)githubusercontent\.com$/, '$1github.com')
    return this.#hosts.some(it => `.${host}`.endsWith(`.${it}`))
  }

  /** A page by its path in the repository; `last`: the path's last part, as it was written. */
  #pageAt(path: string, last: string): Page {
    if (path === '') return { kind: 'other', short: this.#name }

    const [, issue] = /^(?:issues|pulls?|discussions)\/(\d+)(?![^/])/.exec(path) ?? []
    if (issue !== undefined) return { kind: 'issue', short: `#${issue}` }
    const [, commit] = /^commits?\/([\da-f]{7})[\da-f]{0,33}(?![^/])/.exec(path) ?? []
    if (commit !== undefined) return commitPage(commit)
    if (/^assets\/\d+\/./.test(path)) return { kind: 'picture', short: '' }
    return { kind: /^(?:compare|commits)\//.test(path) ? 'comparison' : 'other', short: last }
  }
}

/** As code, a commit can be nothing else. */
function commitPage(commit: string): Page {
  return { kind: 'commit', short: `\`${commit}\`` }
}

/** An address may be in another, such as `?to=https%3A%2F%2Fgithub.com`. */
function decode(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16))
  )
}
