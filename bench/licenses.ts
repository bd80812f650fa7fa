// 100,000 licenses of a million, listed from `dist/` as the runner does, beside a bare loop over the same pages; and
// the memory that all take, also when they are compared with an earlier list.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execPath } from 'node:process'
import { openStep, parsePairs } from '../__tests__/support/runner.ts'
import { ROOT, readManifest } from '../scripts/manifest.ts'
import { compareTimes, type Figure, printFigures, round } from './figures.ts'
import { median, peakOf, run } from './measure.ts'
import { readOptions } from './options.ts'

const LICENSES = 1_000_000
const TIMED = 100_000
/** Bytes a license, over a run that reads a single page. */
const MEMORY_AIM = 200
/** V8 lets the space for new objects grow to 128 MiB, which would hide what the licenses take. */
const YOUNG = '--max-semi-space-size=8'
const SIZES = [100, 1000]
const FORMATS = ['ndjson', 'json', 'csv']
const MANIFEST = readManifest(path.join(ROOT, 'licenses', 'action.yml'))

interface Listing {
  readonly folder: string
  readonly inputs: Readonly<Record<string, string>>
  readonly count: number
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArguments?: readonly string[]
}

/** Runs the action once, and returns the milliseconds of the whole process. */
async function list({ folder, inputs, count, env = {}, nodeArguments = [] }: Listing) {
  const step = await openStep(MANIFEST, {
    ...{ env, workspace: folder, temp: folder },
    inputs: { 'api-key': 'bench-key', ...inputs }
  })
  const { ms, stdout } = await run({
    program: execPath,
    args: [...nodeArguments, MANIFEST.main],
    cwd: folder,
    env: step.env
  })
  const outputs = parsePairs((await step.read()).output)
  await step.remove()
  if (outputs.count === String(count)) return ms
  throw new Error(`${outputs.count} licenses were listed, not ${count}:\n${stdout}`)
}

/** The time beside that of the bare loop. */
function compare(folder: string, url: string, size: number, format: string, runs: number) {
  const pages = String(TIMED / size)
  const inputs = { 'base-url': `${url}/${size}`, format, 'max-pages': pages }
  const loop = path.join(import.meta.dirname, 'bare-loop.ts')
  const args = [loop, `${url}/${size}`, pages]
  return compareTimes({
    figure: `${format}, pages of ${size}`,
    contestants: [
      { name: 'ours', run: () => list({ folder, inputs, count: TIMED }) },
      { name: 'undici', run: async () => (await run({ program: execPath, args })).ms }
    ],
    runs,
    aim: 3
  })
}

/** The peak memory beside that of a run that reads one page. */
async function weigh(
  folder: string,
  figure: string,
  size: number,
  { 'compare-with': earlier = '', ...inputs }: Readonly<Record<string, string>>,
  runs: number
): Promise<Figure> {
  const file = path.join(folder, 'peak')
  const weighOne = (count: number, given: typeof inputs) =>
    peakOf(file, (nodeArguments, env) =>
      list({ folder, count, env, nodeArguments: [...nodeArguments, YOUNG], inputs: given })
    )
  const peaks: { all: number[]; one: number[] } = { all: [], one: [] }
  for (let i = 0; i < runs; i++) {
    peaks.all.push(await weighOne(LICENSES, { ...inputs, 'compare-with': earlier }))
    peaks.one.push(await weighOne(size, { ...inputs, 'max-pages': '1' }))
  }
  const mebibytes = (values: readonly number[]) => round(median(values) / 1024 ** 2, 10)
  const values = { 'all pages': mebibytes(peaks.all), 'one page': mebibytes(peaks.one) }
  const difference = round(values['all pages'] - values['one page'], 10)
  const aim = round((LICENSES * MEMORY_AIM) / 1024 ** 2, 10)
  return { figure, unit: 'MiB', values, difference, aim, met: difference <= aim }
}

const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
const server = fork(path.join(import.meta.dirname, 'license-server.ts'))
try {
  const [port]: readonly unknown[] = await once(server, 'message')
  const url = `http://127.0.0.1:${port}`
  const { runs, only } = readOptions()
  const figures: Figure[] = []
  for (const size of SIZES) {
    for (const format of FORMATS) {
      const name = `${format}, pages of ${size}`
      if (name.includes(only)) figures.push(await compare(folder, url, size, format, runs))
      if (`memory, ${name}`.includes(only)) {
        const inputs = { 'base-url': `${url}/${size}`, format }
        figures.push(await weigh(folder, `memory, ${name}`, size, inputs, Math.min(runs, 3)))
      }
    }
  }
  if ('memory, compared'.includes(only)) {
    const inputs = { 'base-url': `${url}/1000`, format: 'ndjson', output: 'earlier.ndjson' }
    await list({ folder, inputs, count: LICENSES })
    const compared = { ...inputs, 'compare-with': 'earlier.ndjson' }
    figures.push(await weigh(folder, 'memory, compared', 1000, compared, 1))
  }
  printFigures('licenses', figures)
} finally {
  server.disconnect()
  await rm(folder, { recursive: true })
}
