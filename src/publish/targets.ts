// The input `targets`: a YAML list of maps, read with the place of everything in it.
import type { LineCounter, YAMLMap, YAMLSeq } from 'yaml'
import type { Fault } from '../runner/values.ts'
import type { InputName } from './inputs.ts'
import { RIVALS, TARGET_INPUT_NAMES } from './target-inputs.ts'

/** One entry of the list. */
export interface Entry {
  /** Such as `targets[2] (line 9)`. */
  readonly place: string
  /** Such as `targets[2].benefit (line 9)`; also of an input that the entry lacks. */
  placeOf(name: InputName): string
  /** The value as it is written; undefined when the entry leaves it out. */
  value(name: InputName): string | undefined
  /** Whether the entry's own values rule out that the step's input is used. */
  hides(name: InputName): boolean
}

const QUOTE_IT = 'put a text that begins with "!" in quotes'

/** Reads the list; notes what is wrong with its form. */
export async function readTargets(text: string, faults: Fault[]): Promise<Entry[]> {
  const { isMap, isSeq, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  // A warning tells of a tag, such as the exclusion `- !*-debug.zip` without quotes: its text would be lost.
  const wrong = [
    ...document.errors.map(({ message, pos }) => ({ message, pos })),
    ...document.warnings.map(({ message, pos }) => ({ message: `${message}; ${QUOTE_IT}`, pos }))
  ]
  for (const { message, pos } of wrong) {
    faults.push({ place: `targets (line ${lines.linePos(pos[0]).line})`, message })
  }
  if (wrong.length > 0) return []
  const list = document.contents
  if (!isSeq(list) || list.items.length === 0) {
    const message = 'must be a YAML list of maps, each starting with "- product: 12"'
    faults.push({ place: 'targets', message })
    return []
  }
  return list.items.flatMap((item, index) => {
    const place = `targets[${index}]`
    if (isMap(item)) return [entryOf(item, place, lines, faults, isSeq)]
    faults.push({
      place: at(place, lineOf(item, lines)),
      message: 'must be a map such as "- product: 12"'
    })
    return []
  })
}

type IsList = (value: unknown) => value is YAMLSeq

/** The inputs that hold patterns, one a line: they may be written as lists. */
const LISTS = ['file', 'asset']

function entryOf(
  map: YAMLMap,
  place: string,
  lines: LineCounter,
  faults: Fault[],
  isList: IsList
): Entry {
  const values = new Map<string, string>()
  const places = new Map<string, string>()
  for (const { key, value } of map.items) {
    const name = String(key)
    const where = at(`${place}.${name}`, lineOf(key, lines))
    places.set(name, where)
    if (!isTargetInput(name)) faults.push({ place: where, message: unknownKey(name) })
    else {
      const mayBeList = LISTS.includes(name)
      const text = isList(value) && mayBeList ? linesOf(value) : textOf(value)
      const wanted = mayBeList
        ? 'a text or a list of texts; one that begins with "*" has to be in quotes'
        : 'a text or a number'
      if (text === undefined) faults.push({ place: where, message: `must be ${wanted}` })
      else values.set(name, text)
    }
  }
  const own = at(place, lineOf(map, lines))
  return {
    place: own,
    placeOf: name => places.get(name) ?? at(`${place}.${name}`, lineOf(map, lines)),
    value: name => values.get(name),
    hides: name =>
      RIVALS.some(
        ([one, other]) => (name === one && values.get(other)) || (name === other && values.get(one))
      )
  }
}

function at(place: string, line: number | undefined): string {
  return line === undefined ? place : `${place} (line ${line})`
}

function lineOf(node: unknown, lines: LineCounter): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined
  const { range } = node
  const [start]: unknown[] = Array.isArray(range) ? range : []
  return typeof start === 'number' ? lines.linePos(start).line : undefined
}

function linesOf({ items }: YAMLSeq): string | undefined {
  const texts = items.map(textOf)
  return texts.every(text => text !== undefined) ? texts.join('\n') : undefined
}

/** A scalar as it is written, so that the version 1.10 stays 1.10. */
function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return ''
  return isScalar(value) ? scalarText(value) : undefined
}

/** A scalar of the document, with its text as written. */
interface Written {
  readonly value: unknown
  readonly source?: string
}

function isScalar(node: unknown): node is Written {
  return typeof node === 'object' && node !== null && 'value' in node && !('key' in node)
}

function scalarText({ value, source }: Written): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : (source ?? String(value))
}

function isTargetInput(name: string): boolean {
  return TARGET_INPUT_NAMES.some(known => known === name)
}

function unknownKey(name: string): string {
  const ranked = TARGET_INPUT_NAMES.map(known => ({ known, distance: distanceOf(name, known) }))
  const nearest = ranked.toSorted((a, b) => a.distance - b.distance)[0]
  const near = nearest && nearest.distance <= Math.max(2, name.length / 3)
  const hint = near
    ? `did you mean \`${nearest.known}\`?`
    : `known are ${TARGET_INPUT_NAMES.join(', ')}`
  return `is not known; ${hint}`
}

/** How many letters have to change, two that have changed places counting once (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  let last: readonly number[] = []
  let row: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1]
    for (const [j, against] of [...other].entries()) {
      const replaced = (row[j] ?? 0) + (letter === against ? 0 : 1)
      const swapped = letter === other[j - 1] && against === one[i - 1]
      const swap = swapped ? (last[j - 1] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swap, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    last = row
    row = next
  }
  return row.at(-1) ?? 0
}
