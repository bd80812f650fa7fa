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

/** Links in notes what is a link in GitHub's `body_html` of them. */
export function expand(
  source: string,
  root: Root,
  repository: RepositoryName,
  bodyHtml: string
): Expanded {
  const links = readLinks(bodyHtml, repository)
  const edits: Edit[] = []
  const unlinked: string[] = []
  // How many tags of code or of links are open.
  let open = 0
  const addReferences = (range: Range, linkTo: typeof linkInText) => {
    for (const { kind, word, start, end } of findReferences(source, range)) {
      if (kind === 'url' || kind === 'mail') continue
      const address = addressOf(word, repository, links)
      if (address === undefined) unlinked.push(word)
      else edits.push(linkTo(source, { start, end }, encode(address)))
    }
  }
  const addAddress = (written: string, from: number, to: number) => {
    const start = source.indexOf(written, from)
    const end = start + written.length
    if (start < from || end > to || !isRelative(written)) return
    const address = complete(written, source, links)
    if (address === undefined) unlinked.push(written)
    else edits.push({ start, end, text: encode(address) })
  }
  const visitHtml = (range: Range) => {
    for (const { name, attributes, start, end } of readHtml(source, range)) {
      const href = attributes.get('href')
      if (href !== undefined) addAddress(href, start, end)
      if (name === '' && open === 0) addReferences({ start, end }, linkInHtml)
      else if (href !== undefined || name === '/a' || CODE_TAG.test(name)) {
        open = Math.max(0, open + (name.startsWith('/') ? -1 : 1))
      }
    }
  }
  const visit = (node: Nodes): void => {
    const { start, end } = rangeOf(node)
    const isHtml = node.type === 'text' && hasUnreadTag(source.slice(start, end))
    if (node.type === 'html' || isHtml) visitHtml({ start, end })
    else if (node.type === 'text' && open === 0) addReferences({ start, end }, linkInText)
    else if (node.type === 'link') addAddress(node.url, contentOf(node)?.end ?? start, end)
    else if (node.type === 'definition') addAddress(node.url, source.indexOf(']:', start), end)
    else if ('children' in node && node.type !== 'linkReference') node.children.forEach(visit)
  }
  for (const block of root.children) {
    open = 0
    visit(block)
  }
  return { edits, unlinked: edits.length > 0 ? [] : unlinked }
}

/** The addresses on the server that a rendering links, each by itself in lower case. */
function readLinks(bodyHtml: string, { serverUrl }: RepositoryName): Map<string, string> {
  const links = new Map<string, string>()
  for (const { name, attributes } of readHtml(bodyHtml)) {
    const href = resolveReferences(attributes.get('href') ?? '')
    // `/acme/app` is completed with the server.
    const address = /^\/(?!\/)/.test(href) ? serverUrl + href : href
    const key = address.toLowerCase()
    if (name === 'a' && key.startsWith(`${serverUrl.toLowerCase()}/`)) links.set(key, address)
  }
  return links
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
  const start = `${home}/commit/${id}`
  const isCommit = (it: string) => it.startsWith(start) && !/[^\da-f]/.test(it.slice(start.length))
  return [...links].find(([address]) => isCommit(address))?.[1]
}

/** The rendered address that ends with a relative one: `a.md` also ends `docs/a.md`, so the shortest. */
function complete(relative: string, source: string, links: ReadonlyMap<string, string>) {
  const path = decode(relative).replace(/^(?:\.{0,2}\/)+/, '')
  const ending = path.startsWith('?') ? path : `/${path}`
  const fitting = [...links.values()].filter(
    address => path !== '' && !source.includes(address) && decode(address).endsWith(ending)
  )
  return fitting.toSorted((a, b) => a.length - b.length)[0]
}

/** Percent-encodes what would end an address, in Markdown or in an attribute. */
function encode(address: string): string {
  const encodeOne = (it: string) =>
    `%${it.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`
  return address.replace(/[\s()<>\\|`"']/g, encodeOne)
}

function linkInHtml(source: string, { start, end }: Range, address: string): Edit {
  return { start, end, text: `<a href="${address}">${source.slice(start, end)}</a>` }
}

function linkInText(source: string, { start, end }: Range, address: string): Edit {
  const link = `[${source.slice(start, end)}](${address})`
  const [backslashes = ''] = /\\*(?=!?$)/.exec(source.slice(Math.max(0, start - 20), start)) ?? []
  const isEscaped = backslashes.length % 2 === 1
  const isAfterMark = source.charAt(start - 1) === '!'
  // `![#12](…)` would be an image: the mark gets a backslash.
  if (isAfterMark && !isEscaped) return { start: start - 1, end, text: `\\!${link}` }
  // `\[1234abc](…)` would not be a link: another backslash escapes the one before it.
  return { start, end, text: !isAfterMark && isEscaped ? `\\${link}` : link }
}
