// Looking into archives: the processor's time and the peak memory that 100,000 entries cost, in ZIP and in tar.gz.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execPath } from 'node:process'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { rawZip } from '../__tests__/file/raw-zip.ts'
import { type Figure, printFigures, round } from './figures.ts'
import { openFolder } from './folder.ts'
import { median, peakOf, run } from './measure.ts'
import { readOptions } from './options.ts'
import { MIB } from './samples.ts'

const ENTRIES = 100_000
const SCRIPT = path.join(import.meta.dirname, 'look.ts')

const folder = await openFolder()
const entries = Array.from({ length: ENTRIES }, (_, index) => {
  return { name: `gallery/folder-${index % 500}/file-${index}.js`, content: `content ${index}` }
})
const tarred = entries.map(({ name, content }) => ({
  ...{ header: { name, size: content.length, type: 'file' as const }, body: content }
}))
const archives = {
  'a.zip': rawZip(entries, { zip64: true }),
  'a.tgz': gzipSync(await packTar(tarred)),
  // No archive, so that nothing is looked into.
  'a.bin': Buffer.from('x')
}

const { runs } = readOptions()
const results = new Map<string, { readonly ms: number; readonly peak: number }>()
for (const [name, content] of Object.entries(archives)) {
  const file = path.join(folder, name)
  await writeFile(file, content)
  const [times, peaks]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < runs; turn++) {
    const peak = await peakOf(path.join(folder, 'peak'), async (args, env) => {
      const { stdout } = await run({ program: execPath, args: [...args, SCRIPT, file], env })
      times.push(Number(stdout))
    })
    peaks.push(peak / MIB)
  }
  results.set(name, { ms: median(times), peak: median(peaks) })
}

const without = results.get('a.bin')?.peak ?? Number.NaN
const figures = [...results].slice(0, 2).flatMap(([name, { ms, peak }]): Figure[] => {
  const difference = round(peak - without, 10)
  const figure = `${name} of ${ENTRIES} entries`
  return [
    { figure, unit: 'ms', values: { ours: round(ms, 1) }, met: ms <= 1300 },
    {
      figure,
      unit: 'MiB',
      values: { peak: round(peak, 10) },
      difference,
      aim: 100,
      met: difference <= 100
    }
  ]
})
printFigures('archive', figures)
