// Owns which addresses are the repository's, however they are written, and the words that stand for them.
import { applyEdits, type Edit } from './markdown.ts'

/** Where the repository is. */
export interface RepositoryName {
  /** The server, as the runner knows it: perhaps by an address of an inner network. */
  readonly serverUrl: string
  /** Such as `octo-org/plugin`. */
  readonly repository: string
  /** The repository's own page, as the event has it. */
  readonly pageUrl?: string
}

/** A page of the repository. */
export interface Page {
  /** An issue may be a pull request; a picture or a video is one that only GitHub shows. */
  readonly kind: 'issue' | 'commit' | 'comparison' | 'picture' | 'other'
  /** `#12`, a short commit, or the last part of the path; empty for a picture. */
  readonly short: string
}

/** An address in a text, and what becomes of it. */
export interface FoundAddress extends Edit {
  readonly page: Page
}

/** Without a scheme only such a page is an address: `github.com/acme/widget/types/v2` is a module. */
const PAGES =
  '(?:actions|archive|blob|branches|commits?|compare|discussions|issues|labels|milestones?|projects|pulls?|raw|releases|tags|tree|wiki)/'
/** Not behind a letter, nor inside of a path. */
const APART = '(?<![\\p{L}\\p{N}_./@:-])'
/**
 * The characters of an address, a soft hyphen among them, which browsers leave out. A list of those that it may not
 * have would, without case, not take an `s`, because of `ſ`.
 */
const CHARACTER = '[!#-&*-;=?-Z^_a-z{}~\\u00ad]'
/** `acme/widget#12`, `acme/widget@12ab34c` */
const SHORT = /^[^/:]+\/[^/:]+?(?:(#\d+)|@([\da-f]{7})[\da-f]*)$/i
/** A sentence may end behind an address. */
const STOP = /(?<![?!.,:;*_~'])[?!.,:;*_~']*$/

/** The addresses of a repository. */
export class Addresses {
  readonly #servers: readonly URL[]
  readonly #address: RegExp
  readonly #path: RegExp
  readonly #name: string

  constructor({ serverUrl, repository, pageUrl = '' }: RepositoryName) {
    const isPage = pageUrl.toLowerCase().endsWith(`/${repository.toLowerCase()}`)
    const own = isPage ? [pageUrl.slice(0, -repository.length)] : []
    this.#servers = [serverUrl, ...own].flatMap(it => URL.parse(it) ?? [])
    this.#name = repository.split('/')[1] ?? ''

    const name = RegExp.escape(repository)
    const hosts = this.#servers.map(it => RegExp.escape(it.hostname)).join('|')
    const bases = this.#servers.map(it => RegExp.escape(it.pathname.replace(/\/$/, ''))).join('|')

    // Another address may begin within one.
    const rest = `(?:(?!https?://|//(?:${hosts})/)${CHARACTER})*`
    const full = '(?:(?:git\\+)?https?:|(?<![:\\p{L}\\p{N}]))//'
    const bare = `${APART}(?:www\\.)?(?:${hosts})/${name}/${PAGES}`
    const short = `${APART}${name}(?:#\\d+|@[\\da-f]{7,40})(?![\\p{L}\\p{N}_])`
    this.#address = new RegExp(`(?:${full}|${bare})${rest}|${short}`, 'giu')
    this.#path = new RegExp(
      `^(?:${bases})/(?:raw/|media/)?${name}(?:\\.wiki)?(?:\\.git)?(?!_*[a-z\\d-]|\\.[a-z\\d_])`,
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
      return page ? [{ start, end: start + address.length, text: page.short, page }] : []
    })
  }

  /** The text with the short words for the repository's addresses. */
  shorten(text: string): string {
    return applyEdits(text, this.find(text))
  }

  /** Whether an address of the repository is in a text, perhaps within another address. */
  isIn(text: string): boolean {
    if (this.find(text).length > 0) return true
    return text.includes('%') && this.find(decode(text)).length > 0
  }

  /** The page of the repository that an address opens; undefined for any other. */
  pageOf(address: string): Page | undefined {
    const [, issue, id] = SHORT.exec(address) ?? []
    if (issue !== undefined) return { kind: 'issue', short: issue }
    if (id !== undefined) return { kind: 'commit', short: id }

    const [scheme = ''] = /^\s*(?:(?:git\+)?https?:)?\/\//i.exec(address) ?? []
    const url = URL.parse(`https://${address.slice(scheme.length)}`)
    if (!url || !this.#isServer(url.hostname)) return undefined

    const path = decode(url.pathname).replace(/\/+/g, '/')
    const plain = address.slice(scheme.length).split(/[?#]/)[0] ?? ''
    const last = plain.split('/').findLast(Boolean) ?? ''
    const isPicture =
      url.hostname.startsWith('private-user-images.') ||
      path.startsWith('/user-attachments/assets/')
    if (isPicture) return { kind: 'picture', short: '' }
    // A document has a name.
    if (path.startsWith('/user-attachments/')) return { kind: 'other', short: last }

    const [own] = this.#path.exec(path) ?? []
    if (own === undefined) return undefined
    // `plugin.git@v1.4.2`, as pip writes
    const below = path.slice(own.length).startsWith('/') ? path.slice(own.length + 1) : ''
    return this.#pageAt(below, last)
  }

  /** The name, in small letters, of a person or an app whose profile an address opens; undefined for any other. */
  profileAt(address: string): string | undefined {
    const [, host = '', name] =
      /^https?:\/\/([^/]+)\/(?:apps\/)?([a-z\d_-]+)(?:\[bot\]|%5Bbot%5D)?\/?$/i.exec(address) ?? []
    const isKnown = host === 'github.com' || this.#servers.some(it => it.host === host)
    return isKnown ? name?.toLowerCase() : undefined
  }

  /** `github.com`, `www.github.com`, `raw.githubusercontent.com`, and a dot behind them. */
  #isServer(hostname: string): boolean {
    const host = hostname.replace(/\.$/, '')
    const known = host.replace(/(^|\.)githubusercontent\.com$/, '$1github.com')
    return this.#servers.some(it => `.${known}`.endsWith(`.${it.hostname}`))
  }

  /** A page by its path in the repository; `last`: the path's last part, as it was written. */
  #pageAt(path: string, last: string): Page {
    const [kind = '', part = '', file = ''] = path.split('/')
    if (kind === '') return { kind: 'other', short: this.#name }

    const isNumber = /^\d+$/.test(part)
    if (kind === 'assets' && isNumber && file !== '') return { kind: 'picture', short: '' }
    if (isNumber && /^(?:issues|pulls?|discussions)$/.test(kind)) {
      return { kind: 'issue', short: `#${part}` }
    }

    const isCommits = /^commits?$/.test(kind)
    if (isCommits && /^[\da-f]{7,40}$/.test(part)) {
      return { kind: 'commit', short: part.slice(0, 7) }
    }
    return { kind: kind === 'compare' || isCommits ? 'comparison' : 'other', short: last }
  }
}

function decode(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16))
  )
}
