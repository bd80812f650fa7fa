// Short runs of the action, compared with a Node that does nothing, or with a GitHub that is far away; and the size of
// the download.
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { zipSync } from 'fflate'
import { type GitHub, startGitHub } from '../sandbox/github.ts'
import { ROOT } from '../scripts/manifest.ts'
import { describePublished, environmentOf, payloadOf } from '../src/ledger/claim-format.ts'
import type { Claimant } from '../src/ledger/rules.ts'
import { type ActionRun, GITHUB, GITHUB_TOKEN, PUBLISH, runWhole, TOKEN } from './action.ts'
import { compare, type Figure, type Labels, type Options, run } from './measure.ts'
import { startSink } from './sink.ts'

const FILE = 'file.zip'
/** 125,000 characters, as many as GitHub takes for the notes of a release. */
const LONG = '- Albums can be sorted by @octocat in #12\n'.repeat(2976)
/** In milliseconds. */
const THREE_DAYS = 3 * 24 * 60 * 60_000

export async function* startup(options: Options): AsyncGenerator<Figure> {
  const { folder } = options
  const zip = zipSync({ 'gallery/content': randomBytes(1024 ** 2) }, { level: 0 })
  await writeFile(path.join(folder, FILE), zip)

  const sink = await startSink()
  const inputs = {
    'base-url': `${sink.http}/${zip.length}`,
    token: TOKEN,
    product: '1',
    'github-token': GITHUB_TOKEN,
    file: FILE
  }

  for (const it of shortRuns(inputs)) {
    yield* timeShortRun(options, it)
  }
  for (const lower of [0, 90]) {
    yield* withRecord(options, inputs, lower)
  }
  sink.close()

  const labels: Labels = { figure: 'archive of HEAD', unit: 'KB', aim: 340 }
  yield* compare({ ...options, runs: 1 }, labels, { 'gzip -9': weighArchive })
}

/** The size of the repository at a ref, which a job downloads, in KB. */
async function weighArchive(): Promise<number> {
  const { stdout } = await run({
    program: 'sh',
    args: ['-c', 'git archive HEAD | gzip -9 | wc -c'],
    cwd: ROOT
  })
  return Number(stdout) / 1000
}

/** A run that takes so little time that the start of Node counts. */
interface ShortRun {
  readonly figure: string
  /** In milliseconds more than a bare Node. */
  readonly aim: number
  readonly action: Omit<ActionRun, 'folder'>
}

/** The runs, with these inputs of one that publishes. */
function shortRuns(inputs: ActionRun['inputs']): readonly ShortRun[] {
  const plan = {
    expected: ['outcome', 'planned'],
    inputs: { ...inputs, mode: 'plan' }
  } as const
  return [
    {
      figure: 'missing inputs',
      aim: 35,
      action: { expected: ['outcome', 'failed'], inputs: {} }
    },
    {
      figure: 'plan',
      aim: 75,
      action: plan
    },
    {
      figure: 'publish 1 MiB',
      aim: 110,
      action: { expected: ['outcome', 'published'], inputs }
    },
    {
      figure: 'plan with long notes',
      aim: 1000,
      action: { ...plan, notes: LONG }
    }
  ]
}

async function* timeShortRun(
  options: Options,
  { figure, aim, action }: ShortRun
): AsyncGenerator<Figure> {
  const labels: Labels = { figure, unit: 'ms more', aim }
  const figures = compare({ runs: Math.max(options.runs, 10) }, labels, {
    ours: () => runWhole(PUBLISH, { folder: options.folder, ...action }),
    'node -e 0': async () => (await run({ args: ['-e', '0'] })).ms
  })

  // The shortest run of each counts: other work of the machine only adds to so short a time.
  for await (const it of figures) {
    const [ours = 0, bare = 0] = Object.values(it.all).map(values => Math.min(...values))
    yield { ...it, result: Math.round(ours - bare) }
  }
}

/**
 * A publication with the record, which holds so many lower versions of three days ago, by a GitHub that is 100 ms away
 * and silent about how late its lists are.
 */
async function* withRecord(
  options: Options,
  inputs: ActionRun['inputs'],
  lower: number
): AsyncGenerator<Figure> {
  let requests = 0
  const ours = async () => {
    // Each run has a GitHub of its own: the record would stop the second.
    const github = await startGitHub({
      ...GITHUB,
      latency: 100,
      hidesLag: true,
      now: new Date(Date.now() - THREE_DAYS)
    })
    github.addTag('v1.0.0', 'a'.repeat(40))
    const names = Array.from({ length: lower }, (_, index) => `0.${index}.0`)
    for (const name of names) {
      recordPublished(github, inputs['base-url'] ?? '', name)
    }
    github.clock.advance(THREE_DAYS)

    const before = github.requests.length
    const ms = await runWhole(PUBLISH, {
      folder: options.folder,
      inputs,
      github,
      expected: ['outcome', 'published']
    })
    requests = github.requests.length - before
    await github.close()
    return ms
  }

  const figure = lower === 0 ? 'with the record' : `the same, ${lower} lower versions`
  const time: Labels = { figure, unit: 'ms', aim: 8500 }
  yield* compare(options, time, { ours })

  const counted: Labels = { figure: `${figure}, GitHub`, unit: 'requests', aim: 12 }
  yield* compare({ ...options, runs: 1 }, counted, { ours: async () => requests })
}

/** Records a version as published, as an earlier run would have. */
function recordPublished(github: GitHub, baseUrl: string, name: string): void {
  const product = { baseUrl, route: { product: 1 } }
  const claimant: Claimant = {
    runId: '1',
    runAttempt: 1,
    job: 'a',
    commit: '',
    title: name,
    fileSource: 'workspace',
    fileName: FILE,
    filePath: FILE,
    sha256: ''
  }
  github.createDeployment({
    ref: 'v1.0.0',
    task: 'publish-version',
    environment: environmentOf(product),
    payload: payloadOf(product, { versionName: name, tag: 'v1.0.0', claimant }),
    auto_merge: false,
    required_contexts: []
  })

  const id = github.deployments.at(-1)?.id ?? 0
  github.addStatus(id, {
    state: 'success',
    description: describePublished('1', 'ab'.repeat(32)),
    auto_inactive: false
  })
}
