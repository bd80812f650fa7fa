// Owns the results of a suite's combinations, and their table.

export interface Result {
  /** Its place in the suite. */
  readonly index: number
  readonly fault: string
  readonly phase: string
  readonly mode: string
  readonly told: string
  readonly kept: boolean
}

const results: Result[] = []

/** Notes one result. */
export function appendResult(result: Result): void {
  results.push(result)
}

/** The results so far. */
export function resultsSoFar(): readonly Result[] {
  return results
}

/** One line a fault and phase, with what was told in each mode; and how many combinations there were. */
export function tableOf(all: readonly Result[]): string {
  const rows = new Map<string, Result[]>()
  for (const result of all.toSorted((a, b) => a.index - b.index)) {
    const key = `${result.fault}  |  ${result.phase}`
    rows.set(key, [...(rows.get(key) ?? []), result])
  }
  const lines = [...rows].map(([key, cells]) => {
    const told = Map.groupBy(cells, cell => `${cell.told}${cell.kept ? '' : '  BROKEN'}`)
    const texts = [...told].map(([text, same]) => `${text} [${same.map(it => it.mode).join('; ')}]`)
    return `${key}  |  ${texts.join(' / ')}`
  })
  const kept = all.filter(result => result.kept).length
  return `${lines.join('\n')}\n${all.length} combinations, ${kept} of them kept every promise\n`
}
