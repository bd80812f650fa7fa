// Short runs of the action, beside a Node that does nothing or with a GitHub that is far; and how much every job downloads.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { zipSync } from 'fflate'
import { startGitHub } from '../sandbox/github.ts'
import { ROOT } from '../scripts/manifest.ts'
import { type ActionRun, PUBLISH, REPOSITORY, runWhole, TOKEN } from './action.ts'
import { compare, type Figure, type Options, run } from './measure.ts'
import { startSink } from './sink.ts'

const FILE = 'file.zip'

export async function* startup(options: Options): AsyncGenerator<Figure> {
  const { folder } = options
  const zip = zipSync({ 'gallery/content': randomBytes(1024 ** 2) }, { level: 0 })
  await writeFile(path.join(folder, FILE), zip)
  const sink = await startSink()
  const shop = { 'base-url': `${sink.http}/${zip.length}`, token: TOKEN, product: '1' }
  const given = { ...shop, 'github-token': TOKEN, file: FILE }
  const off = { ...given, record: 'false' }
  const bare = async () => (await run({ args: ['-e', '0'] })).ms
  const cases: readonly (readonly [string, number, Omit<ActionRun, 'folder'>])[] = [
    ['missing inputs', 2.5, { expected: ['outcome', 'failed'], inputs: {} }],
    ['plan', 4.2, { expected: ['outcome', 'planned'], inputs: { ...off, mode: 'plan' } }],
    ['publish 1 MiB', 5.8, { expected: ['outcome', 'published'], inputs: off }]
  ]
  for (const [figure, aim, action] of cases) {
    const ours = () => runWhole(PUBLISH, { folder, ...action })
    // Once for the files to be in memory.
    await ours()
    yield* compare(options, { figure, unit: 'ms', aim }, { ours, 'node -e 0': bare })
  }
  yield* withRecord(options, given)
  sink.close()
  // What a job downloads: the whole repository at a ref.
  const args = ['-c', 'git archive HEAD | gzip -9 | wc -c']
  const weigh = async () => Number((await run({ program: 'sh', args, cwd: ROOT })).stdout) / 1000
  const labels = { figure: 'archive of HEAD', unit: 'KB', aim: 440 } as const
  yield* compare({ ...options, runs: 1 }, labels, { 'gzip -9': weigh })
}

/** A publication with the record, by a GitHub that is 100 ms away and silent about how late its lists are. */
async function* withRecord(options: Options, inputs: ActionRun['inputs']): AsyncGenerator<Figure> {
  const far = { token: TOKEN, repository: REPOSITORY, latency: 100, hidesLag: true }
  let requests = 0
  const ours = async () => {
    // Each run has a GitHub of its own: the record would stop the second.
    const github = await startGitHub(far)
    github.addTag('v1.0.0', 'a'.repeat(40))
    const run = { folder: options.folder, inputs, env: { GITHUB_API_URL: github.url } }
    const ms = await runWhole(PUBLISH, { ...run, expected: ['outcome', 'published'] })
    requests = github.requests.length
    await github.close()
    return ms
  }
  const labels = { figure: 'publish with the record', unit: 'ms', aim: 9000 } as const
  yield* compare(options, labels, { ours })
  const counted = { figure: `${labels.figure}, requests`, unit: 'requests', aim: 16 } as const
  yield* compare({ ...options, runs: 1 }, counted, { ours: async () => requests })
}
