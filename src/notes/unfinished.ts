// Texts that are not what somebody wrote for buyers: line breaks that some step escaped, and lines that only point to a
// file or a page of the repository.
import { openShortener, type RepositoryName } from './addresses.ts'
import { applyEdits, commentEdits, descend, endOf, parseMarkdown, startOf } from './markdown.ts'
import { LONGEST_POINTER, newsIn } from './text.ts'

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
  const prose = withoutCode(source).split('\n')
  const at = prose.findIndex(line => hasBreaks.test(line) && [...line.matchAll(MARKED)].length > 1)
  return source.split('\n')[at] ?? ''
}

/** The text with letters in place of code, so that its lines stay where they are. */
function withoutCode(source: string): string {
  const code = descend(parseMarkdown(source)).filter(
    ({ type }) => type === 'code' || type === 'inlineCode'
  )
  const edits = code.map(node => {
    const start = startOf(node)
    const end = endOf(node)
    return { start, end, text: source.slice(start, end).replace(/[^\n]/g, 'x') }
  })
  return applyEdits(source, edits)
}

/** `CHANGELOG.md`, `docs/releases/1.4.2.md`, `CHANGELOG` */
const FILE = /^[\w./-]+\.(?:md|markdown|mdx|rst|adoc|txt|html?)$/i
const FILE_IN_CAPITALS = /^(?:CHANGELOG|CHANGES|HISTORY|NEWS|RELEASES|RELEASE_NOTES)$/

/** An address without a host, other than a place on the same page. */
const RELATIVE = /^(?![#?]|\/\/)[^:]+$/
const NUMBER = /^v?\d+(?:\.\d+)+[\w.+-]*$/

/** Words of a sentence that points: `Please see … for the full list of changes in this release.` */
const POINTING = wordsOf(
  'see read view check refer consult visit find found browse look',
  'changelog changelogs changes notes log history details information info',
  'here below available listed documented described'
)
/** The other words of such a sentence. */
const OTHER_WORDS = wordsOf(
  'please out at to in on for from of with by and or the a an this that these those its it is are was be been can you',
  'your we our all any more full complete detailed further additional entire whole other latest recent now',
  'release releases list file documentation page section entry entries summary overview version versions'
)

function wordsOf(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap(line => line.split(' ')))
}

/**
 * The only line of a text if it points to a file or a page of the repository, and says nothing else; empty for any
 * other text.
 */
export function findPointer(source: string, repository: RepositoryName): string {
  const text = applyEdits(source, commentEdits(source, parseMarkdown(source)))
  const [line = '', ...others] = newsIn(text)
  if (others.length > 0 || line.length > LONGEST_POINTER) return ''
  const isPointer = pointsHere(line, openShortener(repository))
  return isPointer ? line : ''
}

/** Whether a line points to something of the repository, and all its other words are those of such sentences. */
function pointsHere(line: string, shorten: (text: string) => string): boolean {
  const nodes = descend(parseMarkdown(line))
  // Pictures and HTML may say something.
  if (nodes.some(({ type }) => type === 'image' || type === 'html')) return false
  const links = nodes.filter(node => node.type === 'link')
  if (!links.every(({ url }) => shorten(url) !== url || RELATIVE.test(url))) return false

  const texts = nodes.filter(node => node.type === 'text' || node.type === 'inlineCode')
  const words = texts.flatMap(({ value }) => wordsIn(value))
  const namesFile = (word: string) =>
    FILE.test(word) || FILE_IN_CAPITALS.test(word) || (/[/:]/.test(word) && shorten(word) !== word)
  if (links.length === 0 && !words.some(namesFile)) return false

  const others = words.filter(it => !namesFile(it)).map(it => it.toLowerCase())
  const isUsual = (word: string) => POINTING.has(word) || OTHER_WORDS.has(word) || NUMBER.test(word)
  // A file's name alone may be the list of what changed; a link alone is not.
  const points = others.length === 0 ? links.length > 0 : others.some(it => POINTING.has(it))
  return points && others.every(isUsual)
}

/** The words of a text without the signs around them. */
function wordsIn(text: string): string[] {
  const plain = text.replace(/what[’']?s new/gi, 'changes').replace(/change log/gi, 'changelog')
  const words = plain
    .split(/[\s,;()]+/)
    .map(it => it.replace(/^[^\p{L}\p{N}_@.]+/u, '').replace(/[^\p{L}\p{N}_/]+$/u, ''))
  return words.filter(Boolean)
}
