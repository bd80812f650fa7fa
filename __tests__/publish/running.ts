// Owns what tests of publish/ begin with: inputs of a healthy step, a run of them, a release, and a report.
import type { GitHub } from '../../src/github/github.ts'
import { connect } from '../../src/http/connection.ts'
import type { Run } from '../../src/publish/adapters.ts'
import { type InputName, type PublishInputs, parsePublishInputs } from '../../src/publish/inputs.ts'
import { nameTargets } from '../../src/publish/naming.ts'
import type { Tagged } from '../../src/release/release.ts'
import type { Report, Subject } from '../../src/report/outcome.ts'
import { readFacts } from '../../src/report/ways.ts'
import { contextOf } from '../../src/runner/runner.ts'
import { describeFault } from '../../src/runner/values.ts'
import { down, openReleases, release } from '../release/released.ts'
import { makeFolder } from '../support/folders.ts'
import { openRecorder } from '../support/recorder.ts'

export type Given = Readonly<Partial<Record<InputName, string>>>

/** The least that can be given. */
export const GOOD: Given = {
  ...{ 'base-url': 'https://shop.example.com', token: 'pat_123', product: '12' },
  ...{ file: 'dist/*.zip', 'github-token': 'ghs_1' }
}

export function parse(given: Given) {
  const texts = new Map(Object.entries(given))
  return parsePublishInputs(name => texts.get(name) ?? '')
}

/** Good inputs with these over them; throws when one is wrong. */
export async function inputsOf(given: Given = {}): Promise<PublishInputs> {
  const { inputs, problems } = await parse({ ...GOOD, ...given })
  if (!inputs || problems.length > 0) throw new Error(problems.map(describeFault).join('\n'))
  return inputs
}

/** Every problem of good inputs with these over them, as a user reads it. */
export async function problemsOf(given: Given): Promise<string[]> {
  return (await parse({ ...GOOD, ...given })).problems.map(describeFault)
}

export const tagged: Tagged = { tag: 'v1.2.3', release, standIn: '', ownCommit: true }

/** The first target with its names. */
export function firstOf(inputs: PublishInputs, subject: Tagged = tagged) {
  const [first] = nameTargets(inputs, subject).named
  if (!first) throw new Error('there is no target')
  return first
}

export interface RunOptions {
  readonly inputs?: Given
  /** Files of the workspace. */
  readonly files?: Readonly<Record<string, string | Buffer>>
  /** GitHub's, by the route below the repository; 404 for any other. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** Undefined when nobody says. */
  readonly private?: boolean | undefined
  /** The bytes of attached files, by their id; an error breaks the download. */
  readonly assets?: Readonly<Record<number, Buffer | Error>>
  readonly cancelled?: AbortSignal
}

/** Opens a run; `notes` is what was logged, `asked` what GitHub was asked. */
export async function openTestRun(options: RunOptions = {}) {
  const [workspace, temp] = [makeFolder(options.files), makeFolder()]
  const context = contextOf({ GITHUB_REPOSITORY: 'acme/gallery', RUNNER_TEMP: temp }, workspace)
  const { runner, lines } = openRecorder({ context, cancelled: options.cancelled })
  const { api, asked } = openReleases(options.answers ?? {})
  const unexpected = () => {
    throw new Error('not for this test')
  }
  const streamed: number[] = []
  const streamAsset: GitHub['streamAsset'] = async (id, receive) => {
    streamed.push(id)
    const content = options.assets?.[id] ?? down
    if (content instanceof Error) throw content
    receive(content)
  }
  const github = { ...api, isGitHub: true, write: unexpected, close: () => {}, streamAsset }
  const inputs = await inputsOf(options.inputs)
  const run: Run = {
    ...{ runner, connect, github, settling: github, inputs },
    facts: readFacts(runner, inputs),
    sleep: () => Promise.resolve(),
    settlingPause: () => Promise.resolve(),
    stopwatch: () => ({ atLeast: () => 0, atMost: () => 0 }),
    failed: new Map(),
    isPrivate: () => Promise.resolve('private' in options ? options.private : true)
  }
  return { run, workspace, temp, notes: lines, asked, streamed }
}

export const subject: Subject = {
  ...{ route: { product: 12, benefit: 34 }, versionName: '1.2.3', title: 'Spring' },
  ...{ changelog: '- New', file: 'dist/app.zip', size: 1_500_000, sha256: 'ab'.repeat(32) }
}

export const published: Report = {
  ...{ outcome: 'published', reason: '', message: 'Published. Version id: 7.', advice: '' },
  fields: {
    ...{ id: 7, product_id: '12', option_id: null, version_number: '3', title: 'Spring' },
    download_url: 'https://shop.example.com/d/7?a=1&b=2',
    extra: { deep: [1, null] }
  },
  ...{ subject, complaints: [], showLink: true }
}
