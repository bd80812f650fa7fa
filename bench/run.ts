// `npm run bench`: every bench in turn, or those named, as a table and as one line of JSON each.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { archive } from './archive.ts'
import { hostile } from './hostile.ts'
import { licenses } from './licenses.ts'
import { type Figure, median, type Options } from './measure.ts'
import { startup } from './startup.ts'
import { uploads } from './uploads.ts'

type Bench = (options: Options) => AsyncGenerator<Figure>
const BENCHES: Readonly<Record<string, Bench>> = { startup, uploads, archive, licenses, hostile }

/** A folder that is gone when the process ends: files of a gigabyte must not stay behind. */
async function openFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return folder
}

function lineOf({ figure, unit, all, result, best, aim }: Figure): string {
  const medians = Object.entries(all).map(([name, them]) => `${name} ${median(them)} ${unit}`)
  const end = `${result} (best runs ${best}), ${result <= aim ? 'met' : 'MISSED'}: at most ${aim}`
  return `${figure.padEnd(28)}  ${end.padEnd(44)}  ${medians.join(', ')}\n`
}

const { values, positionals } = parseArgs({
  options: {
    size: { type: 'string', default: '1024' },
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' }
  },
  allowPositionals: true
})
const [size, runs] = [Number(values.size) * 1024 ** 2, Number(values.runs)]
const wants = (name: string) => name.includes(values.only)
for (const bench of positionals.length > 0 ? positionals : Object.keys(BENCHES)) {
  const measure = BENCHES[bench]
  if (!measure) throw new Error(`"${bench}" is none of ${Object.keys(BENCHES).join(', ')}`)
  process.stdout.write(`\n# ${bench}\n`)
  const figures: Figure[] = []
  for await (const figure of measure({ size, runs, folder: await openFolder(), wants })) {
    process.stdout.write(lineOf(figure))
    figures.push(figure)
  }
  process.stdout.write(`${JSON.stringify({ bench, node: process.version, figures })}\n`)
}
