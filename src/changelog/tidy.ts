// How text closes up where something is taken out of it. Pure.
import type { Edit } from './edits.ts'
import type { Range } from './ranges.ts'

const WRAPPERS = [
  ['(', ')'],
  ['[', ']'],
  ['**', '**'],
  ['__', '__'],
  ['~~', '~~'],
  ['*', '*'],
  ['_', '_']
] as const

/** A bracket or emphasis begins here; a space right after would end the emphasis. */
const OPENS = /[([]$|(?:^|[\s([])[*_~]{1,3}$/
/** A space right before would be one too many, or keep the emphasis from ending. */
const CLOSES = /^[*_~]{0,3}(?:$|[\s.,;:!?)\]])/

/** Takes out a word, with brackets and emphasis that hold it alone, and one side's spaces. */
export function takeOut(source: string, word: Range): Edit {
  const { start, end } = unwrap(source, word)
  const line = source.slice(source.lastIndexOf('\n', start - 1) + 1, start)
  const before = source.slice(Math.max(0, start - 100), start)
  if (/^[\s>]*(?:[-*+]|\d{1,9}[.)])?\s*$/.test(line.slice(0, 200)) || OPENS.test(before)) {
    return { start, end: end + spacesAt(source.slice(end, end + 100)), text: '' }
  }
  const spaces = /[ \t]*$/.exec(before)?.[0].length ?? 0
  const closes = CLOSES.test(source.slice(end, end + 4))
  return { start: closes ? start - spaces : start, end, text: '' }
}

function spacesAt(text: string): number {
  return /^[ \t]*/.exec(text)?.[0].length ?? 0
}

function unwrap(source: string, word: Range): Range {
  let { start, end } = word
  const isHeld = ([open, close]: readonly [string, string]) =>
    source.slice(Math.max(0, start - open.length), start) === open &&
    source.startsWith(close, end) &&
    // The text of a link is no bracket of its own.
    !(close === ']' && /[([:]/.test(source.charAt(end + 1)))
  for (let pair = WRAPPERS.find(isHeld); pair; pair = WRAPPERS.find(isHeld)) {
    start -= pair[0].length
    end += pair[1].length
  }
  return { start, end }
}

/** What remains of a line that held nothing else: the marks of quotes, lists, headings, emphasis. */
const MARKS = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])(?:\s+\[[ xX]\])?)?\s*(?:#{1,6}|[*_~]+)?$/

/** Takes out the lines whose text the edits, which are in order, leave empty. */
export function dropEmptied(source: string, edits: readonly Edit[]): Edit[] {
  const dropped: Edit[] = []
  for (let index = 0; index < edits.length; ) {
    const start = source.lastIndexOf('\n', (edits[index]?.start ?? 0) - 1) + 1
    let remaining = ''
    let done = start
    let lineEnd = start
    do {
      const edit = edits[index++]
      if (!edit) break
      remaining += source.slice(done, edit.start) + edit.text
      done = edit.end
      lineEnd = endOfLine(source, edit)
    } while ((edits[index]?.start ?? Infinity) <= lineEnd)
    remaining += source.slice(done, Math.max(done, lineEnd))
    const end = Math.max(done, Math.min(lineEnd + 1, source.length))
    if (isMarks(remaining) && !goesOn(source, start, end)) dropped.push({ start, end, text: '' })
  }
  return dropped
}

/** An edit that takes a line's end along reaches no further. */
function endOfLine(source: string, { start, end }: Edit): number {
  if (end > start && source[end - 1] === '\n') return end - 1
  const lineEnd = source.indexOf('\n', end)
  return lineEnd < 0 ? source.length : lineEnd
}

function isMarks(remaining: string): boolean {
  const text = remaining.trim()
  return text.length < 100 && MARKS.test(text)
}

/** Whether the item that begins on this line has more lines, which would change their meaning. */
function goesOn(source: string, start: number, end: number): boolean {
  const item = /^([\s>]*)(?:[-*+]|\d{1,9}[.)])(?:\s|$)/.exec(source.slice(start, start + 200))
  if (!item) return false
  const next = /^(?:[ \t>]*\n)*([ \t>]*)\S/.exec(source.slice(end, end + 1000))
  return (next?.[1] ?? '').length > (item[1] ?? '').length
}
