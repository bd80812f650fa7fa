// The input `targets`: a YAML list of maps. The adapter of js-yaml.
import { FAILSAFE_SCHEMA, load, nullCoreTag, parseEvents, YAMLException } from 'js-yaml'
import type { Fault } from '../runner/values.ts'

/** The inputs of one target: those of the step, or those of an entry of the list. */
export interface Entry {
  /** Where it stands, such as `entry 2`; empty for the step. */
  readonly place: string
  /** An input's text, not trimmed; undefined when the entry leaves it out. */
  value(name: string): string | undefined
  /** Whether it has an unknown key. That may be a misspelled one, so missing inputs are not reported. */
  readonly hasUnknown: boolean
}

/** The inputs that hold patterns, one per line: they may be written as lists. */
const LISTS = ['file', 'asset', 'contents']
const COMMENT = 'a comment'
/** Inputs of free text, in which ` #` is hardly meant as a comment. */
const TEXTS = new Set(['version-name', 'title', 'changelog', 'changelog-fallback'])
const NO_LIST = 'must be a YAML list of maps, each starting with "- product: 12"'
const NO_MAP = 'must be a map such as "- product: 12"'

/** Reads the list, whose maps may have the keys `known`. Adds mistakes in its form to `problems`. */
export function readTargets(text: string, known: readonly string[], problems: Fault[]) {
  const list = parse(text, problems)
  return list.flatMap((item: unknown, index) => {
    const place = `entry ${index + 1}`
    if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
      return [readEntry(new Map(Object.entries(item)), place, known, problems)]
    }
    const isJoined = typeof item === 'string' && /^[\w-]+:\S/.test(item)
    const message = isJoined ? `a space is missing after the colon of "${item}"` : NO_MAP
    problems.push({ place, message })
    return []
  })
}

/** The items of the list. Every scalar stays a text, so that the version 1.10 does not become 1.1. */
function parse(text: string, problems: Fault[]): readonly unknown[] {
  try {
    for (const event of parseEvents(text, {})) {
      // YAML reads `title: Fix #12` as `Fix`. Quoted texts, blocks, and maps in braces are not checked.
      if ('valueEnd' in event && TEXTS.has(text.slice(event.valueStart, event.valueEnd))) {
        const rest = /^[ \t]*:(?![ \t]*["'|>])([^\n]*)/.exec(text.slice(event.valueEnd))?.[1] ?? ''
        const line = text.slice(text.lastIndexOf('\n', event.valueStart) + 1, event.valueStart)
        if (!line.includes('{') && /\S.*[ \t]#|^[ \t]*#\S/.test(rest))
          YAMLException.throwAt(text, event.valueEnd, COMMENT)
      }
      // YAML reads the pattern `!*.map` as a tag, and drops it.
      if ('tagStart' in event && event.tagStart >= 0) {
        YAMLException.throwAt(text, event.tagStart, 'a tag')
      }
    }
    const list: unknown = load(text, { schema: FAILSAFE_SCHEMA.withTags(nullCoreTag) })
    if (Array.isArray(list) && list.length > 0) return list
    problems.push({ place: 'targets', message: NO_LIST })
  } catch (error) {
    const mark = error instanceof YAMLException ? error.mark : undefined
    const until = text.split('\n').slice(0, (mark?.line ?? 0) + 1)
    const lines = until.slice(0, until.findLastIndex(line => line.trim() !== '') + 1)
    const isCut = String(error).includes(COMMENT)
    const message = isCut
      ? `YAML takes what follows " #" for a comment; put the text in quotes: ${JSON.stringify(lines.at(-1))}`
      : `is not valid YAML: ${likelyMistake(lines, String(error))}`
    const place = mark ? `targets (line ${lines.length})` : 'targets'
    problems.push({ place, message: mark ? message : NO_LIST })
  }
  return []
}

/** Guesses from the last lines read; such as `file: *.zip`, `title: New: more`, or `product:12`. */
function likelyMistake(lines: readonly string[], error: string): string {
  const last = lines.at(-1) ?? ''
  const written = JSON.stringify(last)
  if (error.includes('duplicated')) return `${written} is in its entry twice`
  if (/^[ -]*\t/.test(last)) return `${written} begins with a tab; indent with spaces`
  const [, mark = error.includes('a tag') ? '!' : undefined] =
    /^[\s-]*(?:[\w-]+: +)?([!@`%&*])/.exec(last) ?? []
  if (mark !== undefined) return `a text that begins with "${mark}" needs quotes: ${written}`
  const joined = lines.slice(-2).find(line => /^[\s-]*[\w-]+:[^\s:/]/.test(line))
  const isDouble = /^[\s-]*[\w-]+: +[^'"\s].*:(?: |$)/.test(last)
  if (isDouble) return `a text with a colon needs quotes: ${written}`
  if (joined !== undefined) return `a space is missing after the colon of "${joined.trim()}"`
  return `${written} cannot be understood; check indentation, quotes, brackets and colons there, and above it`
}

function readEntry(
  items: ReadonlyMap<string, unknown>,
  place: string,
  known: readonly string[],
  problems: Fault[]
): Entry {
  const values = new Map<string, string>()
  for (const [input, value] of items) {
    const isList = LISTS.includes(input)
    const text = isList && Array.isArray(value) ? value.map(textOf) : [textOf(value)]
    const isText = text.every(line => line !== undefined)
    const wanted = `must be a text ${isList ? 'or a list of texts' : 'or a number'}; one that begins with "{" or "[" needs quotes`
    const keys = `is not a valid key; valid keys are ${known.join(', ')}`
    if (isText && known.includes(input)) values.set(input, text.join('\n'))
    else problems.push({ place: `${place}, ${input}`, message: isText ? keys : wanted })
  }
  const hasUnknown = [...items.keys()].some(input => !known.includes(input))
  return { place, value: input => values.get(input), hasUnknown }
}

function textOf(value: unknown): string | undefined {
  if (value === null) return ''
  return typeof value === 'string' ? value : undefined
}
