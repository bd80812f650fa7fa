// Short runs: whole processes, beside one that does nothing; and how large the action is that every job downloads.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execPath } from 'node:process'
import { zipSync } from 'fflate'
import { ROOT } from '../scripts/manifest.ts'
import { type ActionRun, runWhole, workspaceIn } from './action.ts'
import { type Figure, printFigures, round, say } from './figures.ts'
import { openFolder } from './folder.ts'
import { type Contestant, inTurn, median, run } from './measure.ts'
import { readOptions } from './options.ts'
import { TOKEN } from './texts.ts'

const FILE = 'file.zip'
const FILE_SIZE = 1024 * 1024

/** How many times as long as `node -e 0` a run is to take at most. */
const AIMS = new Map([
  ['missing inputs', 2.4],
  ['plan', 3.2],
  ['publish 1 MiB', 4.8]
])
/** KB that a job is to download at most. */
const ARCHIVE_AIM = 420

/** Where the stand-ins listen. */
interface Addresses {
  readonly service: string
  readonly github: string
}

const BARE: Contestant = {
  name: 'node -e 0',
  run: async () => (await run({ program: execPath, args: ['-e', '0'] })).ms
}

/** The runs of the action, each by the name of its figure. */
function actions(folder: string, { service, github }: Addresses): Contestant[] {
  const given = { 'base-url': service, token: TOKEN, product: '1', file: FILE }
  const off = { ...given, once: 'off' }
  let count = 0
  const whole = (name: string, options: () => Omit<ActionRun, 'folder'>): Contestant => ({
    name,
    run: () => runWhole({ folder, ...options() })
  })
  return [
    whole('missing inputs', () => ({ outcome: 'failed', inputs: {} })),
    whole('plan', () => ({ outcome: 'planned', inputs: { ...off, mode: 'plan' } })),
    whole('publish 1 MiB', () => ({ outcome: 'published', inputs: off })),
    whole('publish 1 MiB, with memory', () => ({
      outcome: 'published',
      // Each run publishes a version of its own: the memory would stop the second.
      inputs: { ...given, 'version-name': `{version}.${count++}` },
      env: { GITHUB_API_URL: github }
    }))
  ]
}

async function compare(contestants: readonly Contestant[], runs: number): Promise<Figure[]> {
  const all = [BARE, ...contestants]
  // Once for the files to be in memory.
  await inTurn(all, 1)
  const [bare = [], ...results] = await inTurn(all, runs)
  return results.map((times, index): Figure => {
    const name = contestants[index]?.name ?? ''
    const ratioOf = (pick: (values: readonly number[]) => number) =>
      round(pick(times) / pick(bare), 100)
    const [aim, ratio] = [AIMS.get(name), ratioOf(median)]
    return {
      figure: name,
      unit: 'ms',
      values: { ours: round(median(times), 10), [BARE.name]: round(median(bare), 10) },
      ratio,
      bestRatio: ratioOf(all => Math.min(...all)),
      ...(aim === undefined ? {} : { aim, met: ratio <= aim }),
      all: { ours: times.map(ms => round(ms, 10)), [BARE.name]: bare.map(ms => round(ms, 10)) }
    }
  })
}

/** What a job downloads: the whole repository at a ref. Undefined where it is no repository. */
async function archive(): Promise<Figure | undefined> {
  const script = 'git archive HEAD | gzip -9 | wc -c'
  const { stdout } = await run({ program: 'sh', args: ['-c', script], cwd: ROOT })
  const bytes = Number(stdout)
  if (bytes > 1000) {
    const size = round(bytes / 1000, 1)
    const met = size <= ARCHIVE_AIM
    return { figure: 'archive of HEAD', unit: 'KB', values: { 'gzip -9': size }, met }
  }
  say('No size of the archive: `git archive HEAD` gave none.')
  return undefined
}

const folder = await openFolder()
const standIns = fork(path.join(import.meta.dirname, 'stand-ins.ts'))
try {
  const [addresses]: readonly Addresses[] = await once(standIns, 'message')
  if (!addresses) throw new Error('The stand-ins did not say where they listen')
  await mkdir(workspaceIn(folder))
  await writeFile(
    path.join(workspaceIn(folder), FILE),
    Buffer.from(zipSync({ 'gallery/content': randomBytes(FILE_SIZE) }, { level: 0 }))
  )
  const { runs, only } = readOptions()
  const chosen = actions(folder, addresses).filter(({ name }) => name.includes(only))
  const size = await archive()
  printFigures('startup', [...(await compare(chosen, runs)), ...(size ? [size] : [])])
} finally {
  standIns.disconnect()
}
