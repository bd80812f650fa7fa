// Owns texts that know where each of their characters stands in the source.

/** From `start` up to, not including, `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A stretch of text, and its place in the source; as long as there, or else decoded as a whole. */
export interface Run extends Range {
  /** Where it begins in the text. */
  readonly at: number
  readonly length: number
}

/** The source ranges of a part of the text, in order, joined where they touch. */
export function locate(runs: readonly Run[], part: Range): Range[] {
  const ranges: { start: number; end: number }[] = []
  for (let index = runAt(runs, part.start); index < runs.length; index++) {
    const run = runs[index]
    if (!run || run.at >= part.end) break
    const from = Math.max(part.start - run.at, 0)
    const to = Math.min(part.end - run.at, run.length)
    if (from >= to || run.start === run.end) continue
    const literal = run.length === run.end - run.start
    const start = literal ? run.start + from : run.start
    const end = literal ? run.start + to : run.end
    const last = ranges.at(-1)
    if (last && last.end >= start) last.end = Math.max(last.end, end)
    else ranges.push({ start, end })
  }
  return ranges
}

/** The index of the run that holds this character of the text. */
export function runAt(runs: readonly Run[], offset: number): number {
  let low = 0
  let high = runs.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((runs[middle]?.at ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** The ranges in order, those that touch joined. */
export function union(ranges: readonly Range[]): Range[] {
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}

/** Whether a range of the list, which is in order and apart, shares a character with this one. */
export function overlaps(ranges: readonly Range[], { start, end }: Range): boolean {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.end ?? 0) <= start) low = middle + 1
    else high = middle
  }
  return (ranges[low]?.start ?? Infinity) < end
}
