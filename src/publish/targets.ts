// The input `targets`: a YAML list of maps, read with the line of everything in it. The adapter of yaml.
import type { LineCounter, Scalar, YAMLMap } from 'yaml'
import type { Fault } from '../runner/values.ts'

/** One entry of the list. */
export interface Entry {
  /** Such as `entry 2 (line 9)`. */
  readonly place: string
  /** Such as `entry 2, benefit (line 9)`; also of an input that the entry lacks. */
  placeOf(name: string): string
  /** The value as it is written; undefined when the entry leaves it out. */
  value(name: string): string | undefined
  /** Whether something is wrong with its form, so that what seems missing may be there misspelled. */
  readonly broken: boolean
}

const SHAPE = 'must be a YAML list of maps, each starting with "- product: 12"'

type Yaml = typeof import('yaml')

/** Reads the list, whose maps may have the keys `known`; adds what is wrong with its form to `problems`. */
export async function readTargets(
  text: string,
  known: readonly string[],
  problems: Fault[]
): Promise<Entry[]> {
  const { default: yaml } = await import('yaml')
  const lines = new yaml.LineCounter()
  const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false })
  // A warning is about a tag, such as the exclusion `- !*-debug.zip` without quotes: its text would be lost.
  const [wrong] = [...document.errors, ...document.warnings]
  if (wrong) {
    const { line } = lines.linePos(wrong.pos[0])
    const written = text.split('\n')[line - 1] ?? ''
    const message = `${inWords(wrong.code, written)}: ${JSON.stringify(written.trim())}`
    problems.push({ place: `targets (line ${line})`, message })
    return []
  }
  const list = document.contents
  if (!yaml.isSeq(list) || list.items.length === 0) {
    problems.push({ place: 'targets', message: SHAPE })
    return []
  }
  return list.items.flatMap((item, index) => {
    const name = `entry ${index + 1}`
    if (yaml.isMap(item)) return [readEntry(yaml, item, name, lines, known, problems)]
    const place = `${name}${at(item, lines)}`
    problems.push({ place, message: 'must be a map such as "- product: 12"' })
    return []
  })
}

/** What is wrong with the YAML, by the library's code for it. */
function inWords(code: string, line: string): string {
  if (/^\s*\t/.test(line)) return 'a tab indents this line; use spaces'
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'this key is in the entry twice'
    case 'MISSING_CHAR':
      return 'a quote is not closed'
    case 'BAD_SCALAR_START':
    case 'TAG_RESOLVE_FAILED':
      return 'a text that begins with a special character such as "!" must be in quotes'
    default:
      return 'this line is not valid YAML; check its indentation, and put texts with special characters in quotes'
  }
}

/** The inputs that hold patterns, one a line: they may be written as lists. */
const LISTS = ['file', 'asset', 'contents']

function readEntry(
  yaml: Yaml,
  map: YAMLMap,
  name: string,
  lines: LineCounter,
  known: readonly string[],
  problems: Fault[]
): Entry {
  const values = new Map<string, string>()
  const places = new Map<string, string>()
  const before = problems.length
  for (const { key, value } of map.items) {
    const input = String(key)
    const place = `${name}, ${input}${at(key, lines)}`
    places.set(input, place)
    const isList = LISTS.includes(input)
    const text = isList && yaml.isSeq(value) ? linesOf(yaml, value.items) : textOf(yaml, value)
    if (!known.includes(input)) {
      problems.push({ place, message: `is not a known key; known are ${known.join(', ')}` })
    } else if (text === undefined) {
      const message = isList
        ? 'must be a text or a list of texts; put a text that begins with "*" in quotes'
        : 'must be a text or a number'
      problems.push({ place, message })
    } else values.set(input, text)
  }
  return {
    place: `${name}${at(map, lines)}`,
    placeOf: input => places.get(input) ?? `${name}, ${input}${at(map, lines)}`,
    value: input => values.get(input),
    broken: problems.length > before
  }
}

/** Such as ` (line 9)`. */
function at(node: unknown, lines: LineCounter): string {
  if (typeof node !== 'object' || node === null || !('range' in node)) return ''
  const [start]: unknown[] = Array.isArray(node.range) ? node.range : []
  return typeof start === 'number' ? ` (line ${lines.linePos(start).line})` : ''
}

function linesOf(yaml: Yaml, items: readonly unknown[]): string | undefined {
  const texts = items.map(item => textOf(yaml, item))
  return texts.every(text => text !== undefined) ? texts.join('\n') : undefined
}

/** A scalar as it is written, so that the version 1.10 stays 1.10; nothing is an empty text. */
function textOf(yaml: Yaml, node: unknown): string | undefined {
  if (node === null || node === undefined) return ''
  if (!yaml.isScalar(node)) return undefined
  const { value, source }: Scalar = node
  if (value === null) return ''
  return typeof value === 'string' ? value : (source ?? String(value))
}
