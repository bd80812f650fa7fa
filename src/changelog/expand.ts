// Turns references such as `#12` into links, where GitHub's own rendering of the notes shows links.
import type { Nodes } from 'mdast'
import type { Edit, Range } from './markdown.ts'
import { applyEdits, CODE_TAG, contentOf, parseMarkdown, rangeOf, readHtml } from './markdown.ts'
import { decode, findReferences, isRelative, keyOf, type Repository } from './references.ts'

/** What GitHub may link: a reference in text or in raw HTML, or a link's relative address. */
interface Candidate extends Range {
  readonly written: string
  readonly kind: 'text' | 'html' | 'address'
}

/** Links in notes (`\n` line ends) what is a link in GitHub's `body_html`, which `render` gives, or ''. */
export async function expand(
  source: string,
  repository: Repository,
  render: () => Promise<string>
): Promise<{ readonly text: string; readonly notice?: string }> {
  const { children } = parseMarkdown(source)
  const candidates = children.flatMap(node => findCandidates(source, node))
  if (candidates.length === 0) return { text: source }
  const bodyHtml = await render()
  const { references, links } = readRendering(bodyHtml, source, repository)
  const groups = [...Map.groupBy(candidates, ({ written }) => keyOf(written, repository))]
  const found = groups.flatMap(([key, those]) => {
    const all = (references.get(key) ?? []).map(({ address }) => address)
    return those.map((candidate, index) => {
      // As many in the rendering: they pair up in order. Otherwise, all must lead to one address.
      const referred = all.length === those.length ? [all[index]] : all
      const { kind, written } = candidate
      return { candidate, shown: kind === 'address' ? linksTo(written, links) : referred }
    })
  })
  if (found.every(({ shown }) => shown.length === 0)) {
    // A word such as `20240131` is rarely a commit: it is not worth a notice.
    const first = candidates.find(({ written }) => !/^\d{7}/.test(written))
    if (!first) return { text: source }
    const why = bodyHtml === '' ? 'of the release is not known' : 'is not of these notes'
    const notice = `References such as “${first.written}” stay as they are in the changelog: GitHub’s own rendering ${why}.`
    return { text: source, notice }
  }
  const edits = found.flatMap(({ candidate, shown: [address, ...others] }) => {
    const isSure = others.every(other => other === address)
    return address && isSure ? [linkTo(address, candidate, source)] : []
  })
  return { text: applyEdits(source, edits) }
}

/** From GitHub's HTML: references by key, with their addresses if linked; and addresses the notes lack. */
function readRendering(html: string, source: string, repository: Repository) {
  const references: { readonly key: string; readonly address: string | undefined }[] = []
  const links: string[] = []
  let code = 0
  let anchor: { readonly address: string; readonly isReference: boolean } | undefined
  for (const { name, attributes, start, end } of readHtml(html)) {
    if (name === 'a') {
      const href = attributes.get('href') ?? ''
      // `/acme/app` is completed with the server; `mailto:` and the like count as no address.
      const whole = /^\/(?!\/)/.test(href) ? new URL(href, repository.serverUrl).href : href
      const address = /^https?:\/\//i.test(whole) ? whole : ''
      const names = attributes.get('class') ?? ''
      anchor = { address, isReference: /(?:issue|commit)-link|(?:user|team)-mention/.test(names) }
      if (!anchor.isReference && !source.includes(address)) links.push(address)
    } else if (name === '/a') anchor = undefined
    else if (/^\/?(?:code|pre)$/.test(name)) code += name === 'code' || name === 'pre' ? 1 : -1
    else if (name === '' && (anchor ? anchor.isReference : code === 0)) {
      for (const { word } of findReferences(html, { start, end })) {
        references.push({ key: keyOf(word, repository), address: anchor?.address })
      }
    }
  }
  return { references: Map.groupBy(references, ({ key }) => key), links }
}

/** The rendered address that ends with a relative one: `a.md` also ends `docs/a.md`, so the shortest. */
function linksTo(relative: string, links: readonly string[]): string[] {
  const path = decode(relative).replace(/^(?:\.{0,2}\/)+/, '')
  const ending = path.startsWith('?') ? path : `/${path}`
  const fitting = links.filter(address => path !== '' && decode(address).endsWith(ending))
  return fitting.toSorted((a, b) => a.length - b.length).slice(0, 1)
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
    if (node.type === 'text' && open === 0) addReferences({ start, end }, 'text')
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
