// `npm run bench`: every bench in turn, or those named, as a table and as one line of JSON each.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Figure, median, type Options } from './measure.ts'
import { startup } from './startup.ts'
import { uploads } from './uploads.ts'

type Bench = (options: Options) => AsyncGenerator<Figure>
const BENCHES: Readonly<Record<string, Bench>> = {
  startup,
  uploads
}

/** A folder that is gone when the process ends: files of a gigabyte must not stay behind. */
async function openFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => process.exit(1))
  }
  return folder
}

/** In bytes: with a smaller file, the start of Node would be measured. */
const LEAST_SIZE = 1024 ** 3

function lineOf({ figure, unit, all, result, aim, load }: Figure, isJudged: boolean): string {
  const medians = Object.entries(all).map(([name, them]) => `${name} ${median(them)}`)
  const verdict = `${result <= aim ? 'met' : 'MISSED'}: at most ${aim}`
  const end = `${result} ${unit}, ${isJudged ? verdict : 'no verdict'}`
  return `${figure.padEnd(30)}  ${end.padEnd(40)}  ${medians.join(', ')}; load ${load}\n`
}

const { values, positionals } = parseArgs({
  options: {
    size: { type: 'string', default: '1024' },
    runs: { type: 'string', default: '5' }
  },
  allowPositionals: true
})
const size = Number(values.size) * 1024 ** 2
const runs = Number(values.runs)

for (const bench of positionals.length > 0 ? positionals : Object.keys(BENCHES)) {
  const measure = BENCHES[bench]
  if (!measure) throw new Error(`"${bench}" is none of ${Object.keys(BENCHES).join(', ')}`)

  process.stdout.write(`\n# ${bench}\n`)
  const figures: Figure[] = []
  const isJudged = bench !== 'uploads' || size >= LEAST_SIZE
  const folder = await openFolder()
  for await (const figure of measure({ size, runs, folder })) {
    process.stdout.write(lineOf(figure, isJudged))
    figures.push(figure)
  }
  process.stdout.write(`${JSON.stringify({ bench, node: process.version, figures })}\n`)
}
