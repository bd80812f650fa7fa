// Addresses of the repository become text: `#12`, a short commit, or the last part of the path.
import type { Nodes } from 'mdast'
import { literal } from '../runner/words.ts'
import {
  childrenOf,
  descend,
  type Edit,
  endOf,
  parseMarkdown,
  resolveReferences,
  startOf
} from './markdown.ts'

/** Where the repository is. */
export interface RepositoryName {
  /** The server, as the runner knows it: perhaps by an address of an inner network. */
  readonly serverUrl: string
  /** Such as `octo-org/plugin`. */
  readonly repository: string
  /** The repository's own page, as the event has it. */
  readonly pageUrl?: string
}

/**
 * Stands before text that was a link to an issue or a commit; twice before that of a comparison, and once behind it. None
 * is left in the end.
 */
export const SURE = '\uE000'

/** Images that GitHub shows to those who may see the repository. */
const PRIVATE_IMAGE = /\/\/github\.com\/user-attachments/
/** An address of its own, an anchor, or none: all but a path in the repository. */
const NO_RELATIVE = /^\s*(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/i

function decode(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16))
  )
}

/** Replaces a repository's addresses in a text by `#12`, a short commit, or the last part of the path. */
export type Shorten = (text: string) => string

/** Makes the shortener of a repository. */
export function openShortener(place: RepositoryName): Shorten {
  const { repository } = place
  const servers = serversOf(place).join('|')

  // `https://api.github.com/repos/`, `git@github.com:`; not another host that ends so.
  const lead = `(?:[a-z+]{2,9}:)?(?://)?(?:[\\w-]{1,40}@)?(?<![\\w.-])(?:[\\w-]{1,40}\\.){0,3}(?:${servers})(?:(?:api/v[13]/)?repos/|raw/)?`
  // `octo-org/plugin.wiki`; not `octo-org/plugin-pro`.
  const name = `${literal(repository)}(?:\\.wiki)?(?:\\.git)?(?!_*[a-z\\d-]|\\.\\w)`
  const path = '([/?#][^\\s<>"\'`()[\\]|\\\\\\u0080-\\uffff]*)?'
  const address = new RegExp(lead + name + path, 'gi')
  // `octo-org/plugin#12`, `octo-org/plugin@12ab34c`
  const short = new RegExp(`(?<![\\w./-])${name}(?:(#\\d+)|@([\\da-f]{7})[\\da-f]*)(?!\\w)`, 'gi')

  const shorten = (all: string, found = '') => shortenPath(found, all, repository)
  return text => text.replace(address, shorten).replace(short, (_, issue, id) => issue ?? id)
}

/** The beginnings of the repository's addresses, up to its name or its API, as parts of a regular expression. */
function serversOf({ serverUrl, repository, pageUrl = '' }: RepositoryName): string[] {
  const page = URL.parse(pageUrl)
  const isPage = page?.pathname.toLowerCase().endsWith(`/${repository.toLowerCase()}`)
  const own = isPage ? pageUrl.slice(0, -repository.length) : ''
  const patterns = [serverUrl, own].filter(Boolean).map(serverPattern)
  return [...new Set(patterns)]
}

/** Such as `x\\.org(?::\\d+)?[/:](?:git/)?`: a server may be below a path, which an SSH address leaves out. */
function serverPattern(address: string): string {
  const { hostname, pathname } = new URL(address)
  const host = hostname === 'github.com' ? 'github(?:usercontent)?\\.com' : literal(hostname)
  const path = pathname.replace(/^\//, '').replace(/\/?$/, '/')
  const below = path === '/' ? '' : `(?:${literal(path)})?`
  return `${host}(?::\\d+)?[/:]${below}`
}

/** The text for a path of the repository; `all` is the whole address. */
function shortenPath(path: string, all: string, repository: string): string {
  // A sentence may end behind an address.
  const [rest = ''] = /(?<![?!.,:;*_~'])[?!.,:;*_~']*$/.exec(path || all) ?? []

  const [, number] = /^\/(?:issues|pulls?|discussions)\/(\d+)/.exec(path) ?? []
  if (number) return `#${number}${rest}`

  const [, id] = /^\/commits?\/([\da-f]{7})[\da-f]*(?!\w)/.exec(path) ?? []
  if (id !== undefined) return id + rest

  const [plain = ''] = path.slice(0, path.length - rest.length).split(/[?#]/)
  const last = plain.split('/').findLast(Boolean) ?? repository.split('/')[1]
  return last + rest
}

/** The edits that turn the addresses in Markdown into text. */
export function addressEdits(source: string, shorten: Shorten): Edit[] {
  const nodes = descend(parseMarkdown(source))
  const tags = new TagReader(shorten)
  const urlOf = openUrls(nodes)

  return nodes.flatMap((node): Edit[] => {
    const start = startOf(node)
    const end = endOf(node)
    const written = source.slice(start, end)
    const edit = (text: string) => (text === written ? [] : [{ start, end, text }])
    if (node.type === 'text') return edit(shorten(written))
    if (node.type === 'html') return edit(tags.read(written))

    const url = urlOf(node)
    const isPrivate = PRIVATE_IMAGE.test(url)
    const isOurs = shorten(decode(url)) !== decode(url)
    if (!isPrivate && !isOurs && NO_RELATIVE.test(url)) return []

    if ('alt' in node) return edit(isPrivate ? '' : (node.alt ?? ''))
    if (node.type === 'definition') return [{ start, end: end + 1, text: '' }]
    return linkEdits(source, node, url, shorten)
  })
}

/** A link becomes its label, marked as sure where that is a reference. */
function linkEdits(source: string, node: Nodes, url: string, shorten: Shorten): Edit[] {
  const start = startOf(node)
  const end = endOf(node)
  const first = childrenOf(node).at(0)
  const last = childrenOf(node).at(-1)
  const content = first && last ? source.slice(startOf(first), endOf(last)) : ''
  const whole = (text: string) => [{ start, end, text }]

  const [, kind = ''] = /\/(issues|pull|discussions|commits?|compare)\/[^/]/.exec(url) ?? []
  const [, number] = /^\W*(?:GH-)?(\d+)\W*$/i.exec(shorten(resolveReferences(content))) ?? []
  const isNumbered = ['issues', 'pull', 'discussions'].includes(kind)
  if (number && isNumbered) return whole(`${SURE}#${number}`)

  const isCommit = kind === 'commit' || kind === 'commits'
  if (isCommit && /^\W*[\da-f]{5,40}\W*$/.test(content)) return whole(SURE + content)
  if (kind === 'compare') return whole(SURE + SURE + shorten(content) + SURE)

  // The marks around the label go; nodes within it are edited by themselves.
  const from = content === '' || !first ? end : startOf(first)
  const to = content === '' || !last ? end : endOf(last)
  return [
    { start, end: from, text: '' },
    { start: to, end, text: '' }
  ]
}

/** Returns what gives the address of a node: its own, or that of its definition; empty without one. */
function openUrls(nodes: readonly Nodes[]): (node: Nodes) => string {
  // Of several definitions, the first counts.
  const definitions = nodes.filter(node => node.type === 'definition').toReversed()
  const urls = new Map(definitions.map(({ identifier, url }) => [identifier, url]))
  return node => {
    if ('url' in node) return node.url
    return 'identifier' in node ? (urls.get(node.identifier) ?? '') : ''
  }
}

/** Takes links into the repository, and private images, out of HTML tags, which come one after another. */
class TagReader {
  /** How many start tags of links were taken out. */
  #open = 0
  readonly #shorten: Shorten

  constructor(shorten: Shorten) {
    this.#shorten = shorten
  }

  read(html: string): string {
    const shown = html.replace(/<!--(?:-?>|[\s\S]*?(?:-->|$))/g, '')
    const read = (tag: string, slash: string, name: string) => this.#readTag(tag, slash, name)
    return this.#shorten(shown.replace(/<(\/?)([a-z][\w-]*)(?![\w-])[^<>]*>/gi, read))
  }

  #readTag(tag: string, slash: string, name: string): string {
    const isLink = name.toLowerCase() === 'a'
    const address = decode(resolveReferences(tag))
    const leads = this.#shorten(address) !== address || PRIVATE_IMAGE.test(tag)
    const isEnd = slash !== '' && isLink && this.#open > 0
    if (leads && isLink) this.#open += 1
    if (isEnd) this.#open -= 1

    if (isEnd) return ''
    return leads ? (/\balt="([^"]*)"/.exec(tag)?.[1] ?? '') : tag
  }
}

/** Whether an address of the repository is left outside code. */
export function hasAddress(source: string, shorten: Shorten): boolean {
  let prose = source
  for (const node of descend(parseMarkdown(source)).toReversed()) {
    if (node.type !== 'code' && node.type !== 'inlineCode') continue
    prose = `${prose.slice(0, startOf(node))} ${prose.slice(endOf(node))}`
  }

  const text = resolveReferences(prose)
  return shorten(text) !== text || shorten(decode(text)) !== decode(text)
}
