// The input `targets`: a YAML list of maps. The adapter of yaml.
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  parseDocument,
  type YAMLMap
} from 'yaml'
import type { Fault } from '../runner/values.ts'

/** The inputs of one target: those of the step, or those of an entry of the list. */
export interface TargetEntry {
  /** Where it stands, such as `entry 2`; empty for the step. */
  readonly place: string
  /** An input's text, not trimmed; undefined when the entry leaves it out. */
  value(name: string): string | undefined
  /** Whether it has an unknown key. That may be a misspelled one, so missing inputs are not reported. */
  readonly hasUnknown: boolean
}

interface TargetList {
  readonly text: string
  readonly document: Document.Parsed
}

/** The inputs that hold patterns, one per line: they may be written as lists. */
const LISTS = ['file', 'asset', 'contents']
/** Inputs of free text, in which ` #` is hardly meant as a comment. */
const TEXTS = ['version-name', 'title', 'changelog', 'changelog-fallback']
const NO_LIST = 'must be a YAML list of maps, each starting with "- product: 12"'
const NO_MAP = 'must be a map such as "- product: 12"'

/** Reads the list, whose maps may have the keys `known`. Adds mistakes in its form to `problems`. */
export function readTargets(
  text: string,
  known: readonly string[],
  problems: Fault[]
): TargetEntry[] {
  // With this schema, every scalar stays a text, so that the version 1.10 does not become 1.1.
  const list = { text, document: parseDocument(text, { schema: 'failsafe' }) }
  const mistake = mistakeIn(list)
  if (mistake) {
    problems.push(mistake)
    return []
  }
  const { contents } = list.document
  if (!isSeq(contents) || contents.items.length === 0) {
    problems.push({ place: 'targets', message: NO_LIST })
    return []
  }
  return contents.items.flatMap((item, index) => {
    const place = `entry ${index + 1}`
    const node = resolve(item, list)
    if (isMap(node)) return [readEntry(node, place, known, problems, list)]
    const word = scalarText(node)
    const isJoined = word !== undefined && /^[\w-]+:\S/.test(word)
    const message = isJoined ? `a space is missing after the colon of "${word}"` : NO_MAP
    problems.push({ place, message })
    return []
  })
}

/** What YAML cannot read, or reads as something else than is meant; undefined if there is nothing. */
function mistakeIn(list: TargetList): Fault | undefined {
  const { text } = list
  if (list.document.errors.length > 0) return explainErrors(list)
  const mark = findMark(text)
  if (mark !== undefined) {
    const { line, place } = lineAt(text, mark)
    const sign = text.charAt(mark)
    const message = `is not valid YAML: a text that begins with "${sign}" needs quotes: ${line}`
    return { place, message }
  }
  const cut = findComment(list)
  if (cut === undefined) return undefined
  const { line, place } = lineAt(text, cut)
  const why = 'YAML takes what follows " #" for a comment; put the text in quotes:'
  return { place, message: `${why} ${line}` }
}

/** The line of a position, in quotes, or the last one before it that is not blank. */
function lineAt(text: string, position: number) {
  const lines = text.slice(0, position).split('\n')
  const rest = text.slice(position).split('\n', 1)
  lines.push(`${lines.pop()}${rest}`)
  const index = lines.findLastIndex(line => line.trim() !== '')
  const raw = lines[index] ?? ''
  return { raw, line: JSON.stringify(raw), place: `targets (line ${index + 1})` }
}

/** The likely mistake behind the first error, such as `title: New: more`, or `product:12`. */
function explainErrors({ text, document: { errors } }: TargetList): Fault {
  const find = (code: string) => errors.find(error => error.code === code)
  const [first] = errors
  const joined = find('MULTILINE_IMPLICIT_KEY')
  const [start = 0, end = 0] = (joined ?? first)?.pos ?? []
  if (find('MULTIPLE_DOCS')) return { place: 'targets', message: NO_LIST }
  const { raw, line, place } = lineAt(text, joined ? end : start)
  const glued = [lineAt(text, start).raw, raw].find(each => /^[\s-]*[\w-]+:[^\s:/]/.test(each))
  const fault = (why: string) => ({ place, message: `is not valid YAML: ${why}` })
  if (/^[ -]*\t/.test(raw)) return fault(`${line} begins with a tab; indent with spaces`)
  const isWhole = joined === undefined && first?.code !== 'MISSING_CHAR'
  if (glued !== undefined && !isWhole) {
    return fault(`a space is missing after the colon of "${glued.trim()}"`)
  }
  switch (joined ? undefined : first?.code) {
    case 'DUPLICATE_KEY':
      return fault(`${line} is in its entry twice`)
    case 'BAD_SCALAR_START':
      return fault(`a text that begins with "${text.charAt(start)}" needs quotes: ${line}`)
    case 'BLOCK_AS_IMPLICIT_KEY':
      return fault(`a text with a colon needs quotes: ${line}`)
    default: {
      const what = 'indentation, quotes, brackets and colons'
      return fault(`${line} cannot be understood; check ${what} there, and above it`)
    }
  }
}

/**
 * Where a text begins with `!`, `*` or `&`, which YAML takes for a tag, an alias or an anchor: tags mean nothing
 * here, and the others come in pairs.
 */
function findMark(text: string): number | undefined {
  const tokens: { readonly token: string; readonly position: number }[] = []
  let position = 0
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    if (!isScalar && /^[!*&]/.test(token)) tokens.push({ token, position })
    isScalar = token === SCALAR
    if (!LEXER_MARKS.includes(token)) position += token.length
  }
  const words = new Set(tokens.map(({ token }) => token))
  const found = tokens.find(({ token }) => {
    const partner = token.startsWith('*') ? `&${token.slice(1)}` : `*${token.slice(1)}`
    return token.startsWith('!') || !words.has(partner)
  })
  return found?.position
}

/** What the lexer puts before a scalar, and all that it adds to the text: https://eemeli.org/yaml/#lexer */
const SCALAR = '\u001f'
const LEXER_MARKS = [SCALAR, '\u0002', '\u0018']

/** Where a free text is cut short by a comment: YAML reads `title: Fix #12` as `Fix`. */
function findComment({ text, document: { contents } }: TargetList): number | undefined {
  const entries: readonly unknown[] = isSeq(contents) ? contents.items : []
  for (const { key, value } of entries.flatMap(entry => (isMap(entry) ? entry.items : []))) {
    if (!isScalar(key) || !TEXTS.includes(String(key.value))) continue
    if (!isScalar(value) || value.type !== 'PLAIN' || !value.range) continue
    const [, end] = value.range
    // A comment in the place of a text, such as `title: # none`, is meant.
    const isCut = value.value === '' ? /^#\S/ : /^[ \t]+#/
    if (isCut.test(text.slice(end))) return end
  }
  return undefined
}

function resolve(node: unknown, { document }: TargetList): unknown {
  return isAlias(node) ? node.resolve(document) : node
}

function readEntry(
  { items }: YAMLMap<unknown, unknown>,
  place: string,
  known: readonly string[],
  problems: Fault[],
  list: TargetList
): TargetEntry {
  const values = new Map<string, string>()
  let hasUnknown = false
  for (const { key, value } of items) {
    const input = scalarText(resolve(key, list)) ?? 'a key'
    const node = resolve(value, list)
    const isKnown = known.includes(input)
    const isList = LISTS.includes(input) && isSeq(node)
    const parts = isList
      ? node.items.map(item => scalarText(resolve(item, list)))
      : [scalarText(node)]
    const texts = parts.filter(part => part !== undefined)
    const isText = texts.length === parts.length
    const keys = `is not a valid key; valid keys are ${known.join(', ')}`
    hasUnknown ||= !isKnown
    if (isText && isKnown) values.set(input, texts.join('\n'))
    else {
      const message = isText ? keys : explainNoText(input, node, list)
      problems.push({ place: `${place}, ${input}`, message })
    }
  }
  return { place, value: input => values.get(input), hasUnknown }
}

/** Why a list or a map is no text; one in braces or brackets was probably meant as a text. */
function explainNoText(input: string, node: unknown, { text }: TargetList): string {
  const wanted = `must be a text ${LISTS.includes(input) ? 'or a list of texts' : 'or a number'}`
  const [start = 0, end = 0] = isMap(node) || isSeq(node) ? (node.range ?? []) : []
  const written = text.slice(start, end)
  const isShort = /^[{[].{0,80}$/.test(written)
  return isShort ? `${wanted}; put it in quotes: ${JSON.stringify(written)}` : wanted
}

/** A scalar's text, empty for YAML's null; undefined for a list or a map. */
function scalarText(node: unknown): string | undefined {
  if (node === null || node === undefined) return ''
  if (!isScalar(node)) return undefined
  const isNull = node.type === 'PLAIN' && /^(?:~|null|Null|NULL)$/.test(String(node.value))
  return isNull ? '' : String(node.value)
}
