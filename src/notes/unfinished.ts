// Owns texts that nobody finished for buyers: line breaks that some step escaped, conflict markers, templates that were not
// filled in, a tag's signature, and words that only point to a file or a page of the repository.
import type { Nodes } from 'mdast'
import { Addresses, type Page, type RepositoryName } from './addresses.ts'
import {
  applyEdits,
  childrenOf,
  commentEdits,
  descend,
  type Edit,
  endOf,
  labelOf,
  maskCode,
  parseMarkdown,
  startOf
} from './markdown.ts'
import { CONFLICT, newsIn, POINTER_MAX_CHARACTERS, UNFILLED } from './text.ts'

/** `%0A`, `%0D%0A`, `%250A`, `\n`, `\r\n`, `\\n`, `\u000a`, `&#10;`, one or a few. */
const ESCAPED_BREAKS = String.raw`(?:%(?:25)?0[ad]|\\{1,3}(?:[nr](?![a-z])|u000[ad])|&#(?:1[03]|x0{0,4}[ad]);){1,6}`
/** `- `, `* `, `1. `, `## `, with something of a text behind it. */
const MARK = String.raw`(?:[-*+•]|\d{1,3}[.)]|#{1,6}) +(?=[\p{L}\p{N}*_[(#@<\x60:!~&\p{Extended_Pictographic}])`
/** At the start of the line, perhaps in the quotes of JSON, or behind breaks that follow a text. */
const MARKED = new RegExp(
  String.raw`(?:^[\s>"']*|(?<=[^\s"'\x60(])${ESCAPED_BREAKS}[ \t]{0,9})${MARK}`,
  'giu'
)

/**
 * The first line, outside code, on which escaped line breaks stand between two list marks or headings; empty if there
 * is none. A break alone may be what the text is about.
 */
export function findEscapedLine(source: string): string {
  const hasBreaks = new RegExp(ESCAPED_BREAKS, 'i')
  if (!hasBreaks.test(source)) return ''
  const prose = maskCode(source).split('\n')
  const at = prose.findIndex(line => hasBreaks.test(line) && [...line.matchAll(MARKED)].length > 1)
  return source.split('\n')[at] ?? ''
}

/** The first line, outside code, that a merge left there; empty if there is none. */
export const findConflict = (source: string): string => findLine(source, CONFLICT)

/** The first line, outside code, that is a template and nothing else; empty if there is none. */
export const findUnfilled = (source: string): string => findLine(source, UNFILLED)

function findLine(source: string, line: RegExp): string {
  if (!line.test(source)) return ''
  return line.exec(maskCode(source))?.[0].trim() ?? ''
}

/** The signature of a tag, by PGP or SSH. */
const SIGNATURE =
  /^-----BEGIN (PGP|SSH) SIGNATURE-----\n(?:[a-z\d+/=:. ()-]{0,99}\n){1,60}?-----END \1 SIGNATURE-----$/gim

/** The edits that take a tag's signature out of Markdown; it stays in code. */
export function signatureEdits(source: string, root: Nodes): Edit[] {
  const code = descend(root).filter(({ type }) => type === 'code')
  return Array.from(source.matchAll(SIGNATURE)).flatMap(({ 0: text, index: start }) => {
    const isCode = code.some(it => startOf(it) < start && start < endOf(it))
    return isCode ? [] : [{ start, end: start + text.length, text: '' }]
  })
}

/** `CHANGELOG.md`, `docs/releases/1.4.2.md`, `CHANGELOG` */
const FILE = /^[a-z\d_./-]+\.(?:md|markdown|mdx|rst|adoc|txt|html?)$/i
const FILE_IN_CAPITALS = /^(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES|RELEASE_NOTES)$/
/** An address without a host, other than a place on the same page. */
const RELATIVE = /^(?![#?]|\/\/)[^:]+$/
const NUMBER = /^v?\d+(?:\.\d+){0,9}(?:[-+.][\p{L}\p{N}.+-]*)?$/u

/** Words of a sentence that points: `Please see … for the full list of changes in this release.` */
const POINTING = wordsOf(
  'see read view check refer consult visit find found browse look',
  'changelog changelogs changes notes log history details information info',
  'here below available listed documented described'
)
/** The other words of such a sentence. */
const OTHER_WORDS = wordsOf(
  'please out at to in on for from of with by and or the a an this that these those its it is are was be been can you',
  'your we our all any more full complete detailed further additional entire whole other latest recent now no not',
  'release releases list file documentation page section entry entries summary overview version versions',
  'what changed since last previous commit commits git github provided given written'
)
/** "(no CHANGELOG entry found for 1.4.2)": what such words say is missing. */
const NO_TEXT = /^[^\p{L}]*no |not (?:found|available)/iu
const TEXT_NAMED = /changelog|notes|entry|entries/i

function wordsOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '))
}

/**
 * A text that, without its links to the repository, has nothing but a few words that point to them, or that say that there
 * is no text; empty for any other.
 */
export function findPointer(source: string, repository: RepositoryName): string {
  const news = newsIn(applyEdits(source, commentEdits(source, parseMarkdown(source)))).join('\n')
  if (news.length > POINTER_MAX_CHARACTERS) return ''
  return isPointer(news, new Addresses(repository)) ? news : ''
}

function isPointer(news: string, addresses: Addresses): boolean {
  const root = parseMarkdown(news)
  const nodes = descend(root)
  // Pictures and HTML may say something.
  if (nodes.some(({ type }) => type === 'image' || type === 'html')) return false

  const links = nodes.filter(node => node.type === 'link')
  if (!links.every(({ url }) => addresses.isIn(url) || RELATIVE.test(url))) return false

  const words = ownWords(root, addresses)
  const isAddress = (word: string) => addresses.isIn(word)
  const isFile = (word: string) => FILE.test(word) || FILE_IN_CAPITALS.test(word)
  const hasAddress = links.length > 0 || words.some(isAddress)
  const isMissing = NO_TEXT.test(news) && TEXT_NAMED.test(news)
  if (!hasAddress && !isMissing && !words.some(isFile)) return false

  const others = words.filter(it => !isAddress(it) && !isFile(it)).map(it => it.toLowerCase())
  const isUsual = (word: string) => POINTING.has(word) || OTHER_WORDS.has(word) || NUMBER.test(word)
  if (!others.every(isUsual)) return false

  // A file's name alone may be the list of what changed; an address alone is not.
  if (others.length === 0) return hasAddress
  return isMissing || others.some(it => POINTING.has(it))
}

/** The words of a node, without the links that say where to look. */
function ownWords(node: Nodes, addresses: Addresses): string[] {
  if (node.type === 'text' || node.type === 'inlineCode') return wordsIn(node.value)
  if (node.type === 'link' && !isTitled(labelOf(node), addresses.pageOf(node.url))) return []
  return childrenOf(node).flatMap(it => ownWords(it, addresses))
}

/** Whether the label of a link may be the news: `[Sort albums](…/pull/12)`, not `[#12](…)` or `[Milestone 1.4.2](…)`. */
function isTitled(label: string, page: Page | undefined): boolean {
  const isOfChange = page === undefined || page.kind === 'issue' || page.kind === 'commit'
  return isOfChange && !/^(?:[^\p{L}]*|(?:PR ?#?|GH-)\d{1,9}|[\da-f]{5,40})$/iu.test(label)
}

/** The words of a text without the signs around them. */
function wordsIn(text: string): string[] {
  const plain = text.replace(/what[’']?s new/gi, 'changes').replace(/change log/gi, 'changelog')
  const words = plain
    .split(/[\s,;()]+/)
    .map(it => it.replace(/^[^\p{L}\p{N}_@.]+/u, '').replace(/[^\p{L}\p{N}_/]+$/u, ''))
  return words.filter(Boolean)
}
