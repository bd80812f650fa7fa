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

/** Stands before text that was a link to an issue or a commit; around that of a comparison. None is left in the end. */
export const SURE = '\uE000'
const PRIVATE_IMAGE = /\/\/github\.com\/user-attachments/
const NO_RELATIVE = /^\s*(?:[a-z][a-z\d+.-]*:|\/\/|#|$)/i
const decode = (text: string) =>
  text.replace(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))

/** Replaces a repository's addresses in a text by `#12`, a short commit, or the last part of the path. */
export function openShortener(place: RepositoryName): (text: string) => string {
  const { repository } = place
  const servers = serversOf(place).join('|')
  const lead = `(?:[a-z+]{2,9}:)?(?://)?(?:[\\w-]{1,40}@)?(?<![\\w.-])(?:[\\w-]{1,40}\\.){0,3}(?:${servers})(?:(?:api/v[13]/)?repos/|raw/)?`
  const path = '([/?#][^\\s<>"\'`()[\\]|\\\\\\u0080-\\uffff]*)?'
  const name = `${literal(repository)}(?:\\.wiki)?(?:\\.git)?(?!_*[a-z\\d-]|\\.\\w)`
  const address = new RegExp(lead + name + path, 'gi')
  const short = new RegExp(`(?<![\\w./-])${name}(?:(#\\d+)|@([\\da-f]{7})[\\da-f]*)(?!\\w)`, 'gi')
  const shorten = (all: string, path = '') => {
    const [rest = ''] = /(?<![?!.,:;*_~'])[?!.,:;*_~']*$/.exec(path || all) ?? []
    const [, number] = /^\/(?:issues|pulls?|discussions)\/(\d+)/.exec(path) ?? []
    const [, id] = /^\/commits?\/([\da-f]{7})[\da-f]*(?!\w)/.exec(path) ?? []
    const parts = path
      .slice(0, path.length - rest.length)
      .split(/[?#]/)[0]
      ?.split('/')
    const last = parts?.findLast(Boolean) ?? repository.split('/')[1]
    return (number ? `#${number}` : (id ?? last)) + rest
  }
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

/** What turns the addresses in Markdown into text. */
export function addressEdits(source: string, shorten: (text: string) => string): Edit[] {
  const nodes = descend(parseMarkdown(source))
  const definitions = nodes.filter(node => node.type === 'definition').toReversed()
  const urls = new Map(definitions.map(({ identifier, url }) => [identifier, url]))
  const urlOf = (node: Nodes) =>
    'url' in node ? node.url : 'identifier' in node ? (urls.get(node.identifier) ?? '') : ''
  const isIn = (text: string) => shorten(text) !== text
  /** How many start tags of links were taken out. */
  let open = 0
  const readTag = (tag: string, slash: string, name: string) => {
    const leads = isIn(decode(resolveReferences(tag))) || PRIVATE_IMAGE.test(tag)
    const isEnd = slash !== '' && name.toLowerCase() === 'a' && open > 0
    if (leads && name.toLowerCase() === 'a') open++
    if (isEnd) open--
    return isEnd ? '' : leads ? (/\balt="([^"]*)"/.exec(tag)?.[1] ?? '') : tag
  }
  return nodes.flatMap((node): Edit[] => {
    const [start, end, url] = [startOf(node), endOf(node), urlOf(node)]
    const written = source.slice(start, end)
    const edit = (text: string) => (text === written ? [] : [{ start, end, text }])
    if (node.type === 'text') return edit(shorten(written))
    if (node.type === 'html') {
      const shown = written.replace(/<!--(?:-?>|[\s\S]*?(?:-->|$))/g, '')
      return edit(shorten(shown.replace(/<(\/?)([a-z][\w-]*)(?![\w-])[^<>]*>/gi, readTag)))
    }
    const isPrivate = PRIVATE_IMAGE.test(url)
    if (!isPrivate && !isIn(decode(url)) && NO_RELATIVE.test(url)) return []
    if ('alt' in node) return edit(isPrivate ? '' : (node.alt ?? ''))
    if (node.type === 'definition') return [{ start, end: end + 1, text: '' }]
    const [first = node, last = first] = [childrenOf(node)[0], childrenOf(node).at(-1)]
    const content = first === node ? '' : source.slice(startOf(first), endOf(last))
    const label = shorten(resolveReferences(content))
    const [, kind = ''] = /\/(issues|pull|discussions|commits?|compare)\/[^/]/.exec(url) ?? []
    const [, number] = /^\W*(?:GH-)?(\d+)\W*$/i.exec(label) ?? []
    if (number && /^[ipd]/.test(kind)) return edit(`${SURE}#${number}`)
    if (/^comm/.test(kind) && /^\W*[\da-f]{5,40}\W*$/.test(content)) return edit(SURE + content)
    if (kind === 'compare') return edit(SURE + SURE + shorten(content) + SURE)
    // What is around the label goes; nodes within it are edited by themselves.
    const [from, to] = content === '' ? [end, end] : [startOf(first), endOf(last)]
    return [
      { start, end: from, text: '' },
      { start: to, end, text: '' }
    ]
  })
}

/** Whether an address of the repository is left outside code. */
export function hasAddress(source: string, shorten: (text: string) => string): boolean {
  let prose = source
  for (const node of descend(parseMarkdown(source)).toReversed()) {
    if (node.type !== 'code' && node.type !== 'inlineCode') continue
    prose = `${prose.slice(0, startOf(node))} ${prose.slice(endOf(node))}`
  }
  const text = resolveReferences(prose)
  return shorten(text) !== text || shorten(decode(text)) !== decode(text)
}
