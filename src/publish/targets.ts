// The input `targets`: a YAML list of maps, read with the line of everything in it. The adapter of js-yaml.
import { EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml'
import type { Fault } from '../runner/values.ts'

/** One entry of the list. */
export interface Entry {
  /** Where it stands, such as `entry 2 (line 9)`. */
  readonly place: string
  /** Such as `entry 2, benefit (line 9)`; also of an input that the entry lacks. */
  placeOf(name: string): string
  /** The value as it is written; undefined when the entry leaves it out. */
  value(name: string): string | undefined
  /** Whether it has a key that nobody knows, which may be meant for one that it lacks. */
  readonly hasUnknown: boolean
}

/** A part of the YAML, with the line it begins on, such as ` (line 9)`; the items of a map are keys and values in turn. */
interface Node {
  readonly line: string
  readonly text?: string
  readonly items?: readonly Node[]
  readonly isMap?: boolean
}

/** The inputs that hold patterns, one per line: they may be written as lists. */
const LISTS = ['file', 'asset', 'contents']

/** Reads the list, whose maps may have the keys `known`; adds what is wrong with its form to `problems`. */
export function readTargets(
  text: string,
  known: readonly string[],
  problems: Fault[]
): readonly Entry[] {
  const add = (place: string, message: string) => problems.push({ place, message })
  try {
    const [{ items = [], isMap = false } = {}, second] = parse(text)
    if (items.length === 0 || isMap || second) {
      add('targets', 'must be a YAML list of maps, each starting with "- product: 12"')
      return []
    }
    return items.flatMap((item, index) => {
      const name = `entry ${index + 1}`
      if (item.isMap) return [readEntry(item, name, known, add)]
      add(`${name}${item.line}`, 'must be a map such as "- product: 12"')
      return []
    })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const until = text.split('\n').slice(0, (error.mark?.line ?? 0) + 1)
    const lines = until.slice(0, until.findLastIndex(line => line.trim() !== '') + 1)
    add(`targets (line ${lines.length})`, `is not valid YAML: ${likelyMistake(lines)}`)
    return []
  }
}

/** What people do most, in the last of these lines or the one before. */
function likelyMistake(lines: readonly string[]): string {
  const last = lines.at(-1) ?? ''
  const written = JSON.stringify(last)
  if (/^ *\t/.test(last)) return `${written} begins with a tab; indent with spaces`
  const [, mark] = /^[\s-]*(?:[\w-]+: +)?([!@`%&*])/.exec(last) ?? []
  if (mark !== undefined) return `a text that begins with "${mark}" needs quotes: ${written}`
  const joined = lines.slice(-2).find(line => /^[\s-]*[\w-]+:[^\s:/]/.test(line))
  if (joined !== undefined) return `a space is missing after the colon of "${joined.trim()}"`
  return `${written} cannot be understood; check indentation, quotes, brackets and colons there, and above it`
}

/** What is in the documents, every text as it is written, so that the version 1.10 stays 1.10. */
function parse(source: string): readonly Node[] {
  const open: Node[][] = [[]]
  const [root = []] = open
  const add = (start: number, node: Omit<Node, 'line'> = {}) => {
    const line = start < 0 ? '' : ` (line ${source.slice(0, start).split('\n').length})`
    open.at(-1)?.push({ line, ...node })
  }
  for (const event of parseEvents(source, {})) {
    if ('tagStart' in event && event.tagStart >= 0) {
      YAMLException.throwAt(source, event.tagStart, 'a tag')
    }
    if (event.type === EVENT_ID.DOCUMENT) open.push(root)
    else if (event.type === EVENT_ID.POP) open.pop()
    else if (event.type === EVENT_ID.ALIAS) add(event.anchorStart)
    else if (event.type === EVENT_ID.SCALAR) {
      const text = getScalarValue(source, event)
      const isNull = event.style === SCALAR_STYLE.PLAIN && /^(?:~|null)$/i.test(text)
      add(event.valueStart, { text: isNull ? '' : text })
    } else {
      const items: Node[] = []
      add(event.start, { items, isMap: event.type === EVENT_ID.MAPPING })
      open.push(items)
    }
  }
  return root
}

function readEntry(
  { line, items = [] }: Node,
  name: string,
  known: readonly string[],
  add: (place: string, message: string) => void
): Entry {
  const values = new Map<string, string>()
  const places = new Map<string, string>()
  for (const [index, { text: input = '', line: at }] of items.entries()) {
    if (index % 2 === 1) continue
    const place = `${name}, ${input}${at}`
    const isList = LISTS.includes(input)
    const text = textOf(items[index + 1], isList)
    if (!known.includes(input)) add(place, `is not a valid key; valid keys are ${known.join(', ')}`)
    else if (places.has(input)) add(place, 'is in this entry twice')
    else if (text !== undefined) values.set(input, text)
    else if (!isList) add(place, 'must be a text or a number')
    else add(place, 'must be a text or a list of texts; put a text that begins with "*" in quotes')
    places.set(input, place)
  }
  return {
    place: `${name}${line}`,
    placeOf: input => places.get(input) ?? `${name}, ${input}${line}`,
    value: input => values.get(input),
    hasUnknown: [...places.keys()].some(input => !known.includes(input))
  }
}

/** A text, or a list of texts as lines. */
function textOf(node: Node | undefined, isList: boolean): string | undefined {
  if (!isList || !node?.items || node.isMap) return node?.text
  const texts = node.items.map(({ text }) => text)
  return texts.every(text => text !== undefined) ? texts.join('\n') : undefined
}
