// Figures: what was measured, beside what it is compared with and the aim, as a table and as one line of JSON.
import { type Contestant, inTurn, median } from './measure.ts'

type Unit = 'ms' | 'MiB' | 'KB'

export interface Figure {
  readonly figure: string
  readonly unit: Unit
  /** The medians, ours first. */
  readonly values: Readonly<Record<string, number>>
  /** Ours by the slowest of the others, or ours less the other. */
  readonly ratio?: number
  readonly difference?: number
  /** The same of the fastest runs: what a noisy machine disturbs least. */
  readonly bestRatio?: number
  /** What the ratio or the difference is to be at most. */
  readonly aim?: number
  readonly met?: boolean
  /** Every run. */
  readonly all?: Readonly<Record<string, readonly number[]>>
}

export interface Contest {
  readonly figure: string
  /** Ours first. */
  readonly contestants: readonly [Contestant, ...Contestant[]]
  readonly runs: number
  readonly aim?: number
}

/** Times, as a ratio of ours to the slowest of the others. */
export async function compareTimes({ figure, contestants, runs, aim }: Contest): Promise<Figure> {
  const results = await inTurn(contestants, runs)
  const name = (index: number) => contestants[index]?.name ?? ''
  const ratioOf = (pick: (values: readonly number[]) => number) => {
    const [ours = Number.NaN, ...others] = results.map(pick)
    return round(ours / Math.max(...others), 100)
  }
  const ratio = ratioOf(median)
  return {
    figure,
    unit: 'ms',
    values: Object.fromEntries(results.map((all, index) => [name(index), round(median(all), 10)])),
    ...(contestants.length > 1 ? { ratio, bestRatio: ratioOf(all => Math.min(...all)) } : {}),
    ...(aim === undefined ? {} : { aim, met: ratio <= aim }),
    all: Object.fromEntries(
      results.map((all, index) => [name(index), all.map(ms => round(ms, 10))])
    )
  }
}

/** A number to so many parts. */
export function round(value: number, parts: number): number {
  return Math.round(value * parts) / parts
}

/** The table, and after it the line of JSON that scripts read. */
export function printFigures(bench: string, figures: readonly Figure[]): void {
  const head = ['figure', 'medians', 'result', 'best runs', 'aim', '']
  const rows = [head, ...figures.map(rowOf)]
  const widths = head.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lines = rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  )
  say(`\n${lines.join('\n')}\n`)
  say(JSON.stringify({ bench, node: process.version, figures }))
}

function rowOf(row: Figure): string[] {
  const { figure, unit, values, ratio, difference, bestRatio, aim, met } = row
  const medians = Object.entries(values).map(([name, value]) => `${name} ${shown(value)} ${unit}`)
  const sign = difference === undefined ? '× ' : '+ '
  const end = difference === undefined ? '' : ` ${unit}`
  const text = (value: number | undefined) => (value === undefined ? '' : `${sign}${value}${end}`)
  return [
    figure,
    medians.join(', '),
    text(ratio ?? difference),
    text(bestRatio),
    aim === undefined ? '' : `≤ ${text(aim)}`,
    met === undefined ? '' : met ? 'met' : 'missed'
  ]
}

function shown(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(value)
}

/** A line for whoever watches. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
