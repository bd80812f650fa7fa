// Owns edits: what stands in the place of which part of the source.
import type { Range } from './ranges.ts'

/** A part of the source, and what takes its place. */
export interface Edit extends Range {
  readonly text: string
}

/** The edits in their order; of two that overlap, the longer one's place, or what both cover goes. */
export function inOrder(edits: readonly Edit[]): Edit[] {
  const sorted = edits.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const kept: Edit[] = []
  for (const edit of sorted) {
    const last = kept.at(-1)
    if (!last || edit.start >= last.end) kept.push(edit)
    else if (edit.end > last.end) kept[kept.length - 1] = { ...last, end: edit.end, text: '' }
  }
  return kept
}

/** The source with the edits, which are in order, made. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  let text = ''
  let done = 0
  for (const edit of edits) {
    text += source.slice(done, edit.start) + edit.text
    done = edit.end
  }
  return text + source.slice(done)
}
