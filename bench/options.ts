// What every bench takes on its command line: how large, and how often.
import { parseArgs } from 'node:util'

export interface Options {
  /** Of the file that is uploaded, in bytes. */
  readonly size: number
  /** Each figure is the median of so many runs. */
  readonly runs: number
  /** In the tree that patterns are looked for in. */
  readonly files: number
  /** Only figures whose name holds this text; all when empty. */
  readonly only: string
  /** What stands there without dashes. */
  readonly names: readonly string[]
}

const UNITS = new Map([
  ['', 1],
  ['K', 1024],
  ['M', 1024 ** 2],
  ['G', 1024 ** 3]
])

/** Reads `--size 64M --runs 1 --files 1000 --only tls`; throws for anything else with dashes. */
export function readOptions(args?: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    ...(args ? { args: [...args] } : {}),
    options: {
      size: { type: 'string', default: '1G' },
      runs: { type: 'string', default: '5' },
      files: { type: 'string', default: '100000' },
      only: { type: 'string', default: '' }
    },
    allowPositionals: true
  })
  return {
    size: parseSize(values.size),
    runs: parseCount(values.runs),
    files: parseCount(values.files),
    only: values.only,
    names: positionals
  }
}

function parseSize(text: string): number {
  const [, digits, unit = ''] = /^([1-9]\d*)([KMG]?)$/.exec(text) ?? []
  const factor = UNITS.get(unit)
  if (digits === undefined || factor === undefined) {
    throw new Error(`"${text}" is no size such as 64M or 1G`)
  }
  return Number(digits) * factor
}

function parseCount(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  throw new Error(`"${text}" is not a positive whole number`)
}
