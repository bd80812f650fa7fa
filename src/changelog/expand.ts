// Turns references such as `#12` into links, where GitHub's own rendering of the notes has such links.
import type { Nodes, Root } from 'mdast'
import {
  CODE_TAG,
  contentOf,
  type Edit,
  hasUnreadTag,
  type Range,
  rangeOf,
  readHtml,
  resolveReferences
} from './markdown.ts'
import { decode, findReferences, isRelative, type RepositoryName } from './references.ts'

export interface Expanded {
  readonly edits: readonly Edit[]
  /** References that stay as they are, since the rendering has no link for any. */
  readonly unlinked: readonly string[]
}

/** What GitHub may link: a reference in text or in raw HTML, or a link's relative address. */
interface Candidate extends Range {
  readonly written: string
  readonly kind: 'text' | 'html' | 'address'
}

/** Links in notes what is a link in GitHub's `body_html` of them. */
export function expand(
  source: string,
  root: Root,
  repository: RepositoryName,
  bodyHtml: string
): Expanded {
  const links = new Map<string, string>()
  for (const { name, attributes } of readHtml(bodyHtml)) {
    const href = resolveReferences(attributes.get('href') ?? '')
    // `/acme/app` is completed with the server.
    const address = /^\/(?!\/)/.test(href) ? repository.serverUrl + href : href
    if (name === 'a' && /^https?:/i.test(address)) links.set(address.toLowerCase(), address)
  }
  const candidates = root.children.flatMap(node => findCandidates(source, node))
  const found = candidates.map(candidate => {
    const { kind, written } = candidate
    const address =
      kind === 'address' ? completed(written, source, links) : addressOf(written, repository, links)
    return { candidate, address }
  })
  const edits = found.flatMap(({ address, candidate }) =>
    address ? [linkTo(address, candidate, source)] : []
  )
  return { edits, unlinked: edits.length > 0 ? [] : candidates.map(({ written }) => written) }
}

/** The link that the rendering has for a reference; undefined if it has none. */
function addressOf(
  written: string,
  { serverUrl, repository }: RepositoryName,
  links: ReadonlyMap<string, string>
) {
  const word = written.replace(/^\\/, '').toLowerCase()
  const server = serverUrl.toLowerCase()
  const [, of = '', sign = '', id = ''] = /^(?:gh-|([^#@]*)([#@]))?(.+)$/.exec(word) ?? []
  if (sign === '@' && of === '') {
    const [owner, team] = id.split('/')
    if (team) return links.get(`${server}/orgs/${owner}/teams/${team}`)
    return links.get(`${server}/${id}`) ?? links.get(`${server}/apps/${id}`)
  }
  const [, name = ''] = repository.toLowerCase().split('/')
  // `octocat#12` is of that person's fork.
  const path = of === '' ? repository.toLowerCase() : of.includes('/') ? of : `${of}/${name}`
  const home = `${server}/${path}`
  if (sign === '#' || word.startsWith('gh-')) {
    const pages = ['issues', 'pull', 'discussions'].map(page => links.get(`${home}/${page}/${id}`))
    return pages.find(it => it !== undefined)
  }
  return [...links].find(([address]) => address.startsWith(`${home}/commit/${id}`))?.[1]
}

/** The rendered address that ends with a relative one: `a.md` also ends `docs/a.md`, so the shortest. */
function completed(relative: string, source: string, links: ReadonlyMap<string, string>) {
  const path = decode(relative).replace(/^(?:\.{0,2}\/)+/, '')
  const ending = path.startsWith('?') ? path : `/${path}`
  const fitting = [...links.values()].filter(
    address => path !== '' && !source.includes(address) && decode(address).endsWith(ending)
  )
  return fitting.toSorted((a, b) => a.length - b.length)[0]
}
/** The candidates in a block: references outside of code and links, and the links' relative addresses. */
function findCandidates(source: string, block: Nodes): Candidate[] {
  const found: Candidate[] = []
  // How many tags of code or of links are open.
  let open = 0
  const addReferences = (range: Range, kind: 'text' | 'html') => {
    for (const { kind: what, word: written, start, end } of findReferences(source, range)) {
      if (what !== 'url' && what !== 'mail') found.push({ start, end, kind, written })
    }
  }
  const addAddress = (written: string, from: number, end: number) => {
    const start = source.indexOf(written, from)
    const range = { start, end: start + written.length }
    const isIn = start >= from && range.end <= end
    if (isIn && isRelative(written)) found.push({ ...range, kind: 'address', written })
  }
  const visit = (node: Nodes): void => {
    const { start, end } = rangeOf(node)
    if (node.type === 'text' && hasUnreadTag(source.slice(start, end))) visitHtml({ start, end })
    else if (node.type === 'text' && open === 0) addReferences({ start, end }, 'text')
    else if (node.type === 'link') addAddress(node.url, contentOf(node)?.end ?? start, end)
    else if (node.type === 'definition') addAddress(node.url, source.indexOf(']:', start), end)
    else if (node.type === 'html') visitHtml({ start, end })
    else if ('children' in node && node.type !== 'linkReference') node.children.forEach(visit)
  }
  const visitHtml = (range: Range) => {
    for (const { name, attributes, start, end } of readHtml(source, range)) {
      const href = attributes.get('href')
      if (href !== undefined) addAddress(href, start, end)
      if (name === '' && open === 0) addReferences({ start, end }, 'html')
      else if (href !== undefined || name === '/a' || CODE_TAG.test(name)) {
        open = Math.max(0, open + (name.startsWith('/') ? -1 : 1))
      }
    }
  }
  visit(block)
  return found
}

function linkTo(target: string, { start, end, kind, written }: Candidate, source: string): Edit {
  // Percent-encodes what would end the address, in Markdown or in an attribute.
  const encode = (it: string) => `%${it.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`
  const address = target.replace(/[\s()<>\\|`"']/g, encode)
  if (kind === 'address') return { start, end, text: address }
  if (kind === 'html') return { start, end, text: `<a href="${address}">${written}</a>` }
  const before = source.slice(Math.max(0, start - 20), start)
  // `![#12](…)` would be an image: the mark gets a backslash.
  const isAfterMark = /(?<!\\)(?:\\\\)*!$/.test(before)
  // `\[1234abc](…)` would not be a link: another backslash escapes the one before it.
  const isAfterBackslash = /(?<!\\)(?:\\\\)*\\$/.test(before)
  const link = `${isAfterBackslash ? '\\' : ''}[${written}](${address})`
  return isAfterMark ? { start: start - 1, end, text: `\\!${link}` } : { start, end, text: link }
}
