// Short runs of the action, beside a Node that does nothing; and how much every job downloads.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { zipSync } from 'fflate'
import { ROOT } from '../scripts/manifest.ts'
import { type ActionRun, PUBLISH, runWhole, TOKEN } from './action.ts'
import { compare, type Figure, type Options, run } from './measure.ts'
import { startSink } from './sink.ts'

const FILE = 'file.zip'

export async function* startup(options: Options): AsyncGenerator<Figure> {
  const { folder } = options
  const zip = zipSync({ 'gallery/content': randomBytes(1024 ** 2) }, { level: 0 })
  await writeFile(path.join(folder, FILE), zip)
  const sink = await startSink()
  const given = { 'base-url': `${sink.http}/${zip.length}`, token: TOKEN, product: '1', file: FILE }
  const off = { ...given, once: 'off' }
  const bare = async () => (await run({ args: ['-e', '0'] })).ms
  const cases: readonly (readonly [string, number, Omit<ActionRun, 'folder'>])[] = [
    ['missing inputs', 2.5, { expected: ['outcome', 'failed'], inputs: {} }],
    ['plan', 4.2, { expected: ['outcome', 'planned'], inputs: { ...off, mode: 'plan' } }],
    ['publish 1 MiB', 5.8, { expected: ['outcome', 'published'], inputs: off }]
  ]
  for (const [figure, aim, given] of cases) {
    const ours = () => runWhole(PUBLISH, { folder, ...given })
    // Once for the files to be in memory.
    await ours()
    yield* compare(options, { figure, unit: 'ms', aim }, { ours, 'node -e 0': bare })
  }
  sink.close()
  // What a job downloads: the whole repository at a ref.
  const args = ['-c', 'git archive HEAD | gzip -9 | wc -c']
  const weigh = async () => Number((await run({ program: 'sh', args, cwd: ROOT })).stdout) / 1000
  const labels = { figure: 'archive of HEAD', unit: 'KB', aim: 440 } as const
  yield* compare({ ...options, runs: 1 }, labels, { 'gzip -9': weigh })
}
