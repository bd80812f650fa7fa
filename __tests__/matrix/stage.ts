// Owns a stage: both stand-ins, one release, built files, and runs of the publish action in this process.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GitHub, type GitHubOptions, startGitHub } from '../../sandbox/github.ts'
import { type ReleaseParts, release, releaseEvent } from '../../sandbox/release.ts'
import { type Service, startService } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import { CancelledError, type Connect } from '../../src/http/exchange.ts'
import { environmentOf, keyOf } from '../../src/ledger/deployments.ts'
import type { Adapters } from '../../src/publish/adapters.ts'
import { publish } from '../../src/publish/run.ts'
import { contextOf, type Log, type Runner } from '../../src/runner/runner.ts'
import { harmless, oneLine, openSecrets, quoted } from '../../src/runner/text.ts'
import { packed } from '../support/archives.ts'
import { makeFolder } from '../support/folders.ts'
import { type Log as PrintedLog, parseLog } from '../support/log.ts'

export const TOKEN = 'shop|token/that+opens=nothing~here'
export const GITHUB_TOKEN = 'github-token-of-the-stand-in-that-opens-nothing'
export const RUN_ID = '9000001'

const repository = { owner: 'acme', name: 'gallery', private: true }
const PRODUCTS = [
  { id: 12, yours: true, benefits: [{ id: 34, optionId: 5, name: 'Gallery for studios' }] }
]
/** More than one read and than one packet. */
const CONTENT = packed(Buffer.alloc(300_000, 'All of this is the plugin. '))
const WORKSPACE = makeFolder({
  'dist/gallery-1.4.2.zip': CONTENT,
  'rebuilt/gallery-1.4.2.zip': packed('Another build of the plugin.'),
  // More than a connection takes that nobody reads from.
  'large/gallery-1.4.2.zip': packed(Buffer.alloc(7_000_000, 'All of this is the plugin. '))
})

type Texts = Readonly<Record<string, string>>

/** What a run did. */
export interface StageRun extends PrintedLog {
  /** As printed; nothing that the runner prints for itself is missing. */
  readonly stdout: string
  readonly outputs: Texts
  readonly summary: string
  readonly failed: boolean
  /** False when it had to be given up: then it may still go on, so no run may follow it. */
  readonly ended: boolean
  /** How many versions the service had before and after. */
  readonly before: number
  readonly after: number
  /** What is left in the folder for temporary files. */
  readonly leftovers: readonly string[]
}

export interface StageOptions {
  readonly inputs?: Texts
  readonly attempt?: number
  readonly runId?: string
  readonly env?: Texts
  readonly connect?: Connect
  /** For a call to GitHub, in milliseconds. */
  readonly patience?: number
  readonly cancelled?: AbortSignal
  /** The run is given up when this resolves: its machine has died. */
  readonly death?: Promise<void>
  /** Called with what a run tells before it sleeps. */
  readonly pausing?: (told: string) => void
}

export interface Stage extends AsyncDisposable {
  readonly service: Service
  readonly github: GitHub
  /** Puts another release on GitHub. */
  addRelease(parts: Partial<ReleaseParts> & { readonly tag: string }): void
  run(options?: StageOptions): Promise<StageRun>
  /** A claim of another run on the stage's version, with these statuses; gives its id. */
  claim(runId: string, ...states: readonly string[]): number
  /** The states of every claim, oldest first: one text a claim. */
  histories(): string[]
  /** Whether a run has said that it goes on without the memory. */
  unremembered(): boolean
}

/** Longer than any run in which every limit of time is kept, on a machine that has much else to do. */
const ENDLESS = 60_000

/** Opens a stage; pauses take no time, but GitHub's clock goes on by them. */
export async function openStage(options: Partial<GitHubOptions> = {}): Promise<Stage> {
  const service = await startService({ token: TOKEN, sparesChecks: true, products: PRODUCTS })
  const github = await startGitHub({ token: GITHUB_TOKEN, repository, ...options })
  const parts = {
    ...{ tag: 'v1.4.2', name: 'Gallery 1.4.2', body: '- Albums can be sorted.', repository },
    assets: [{ name: 'gallery-1.4.2.zip', content: CONTENT }]
  }
  const made = release(parts, github.places)
  github.addRelease(made, { contents: { 'gallery-1.4.2.zip': CONTENT } })
  const temp = await mkdtemp(join(tmpdir(), 'matrix-'))
  const payload = releaseEvent(made, 'released', repository, github.places)
  let forgetful = false
  const run: Stage['run'] = async (given = {}) => {
    const env = {
      ...{ GITHUB_EVENT_NAME: 'release', GITHUB_REF: 'refs/tags/v1.4.2', GITHUB_JOB: 'publish' },
      ...{ GITHUB_REPOSITORY: 'acme/gallery', RUNNER_TEMP: temp, GITHUB_API_URL: github.url },
      GITHUB_RUN_ID: given.runId ?? RUN_ID,
      GITHUB_RUN_ATTEMPT: String(given.attempt ?? 1),
      GITHUB_SHA: 'a'.repeat(40),
      ...given.env
    }
    const inputs = {
      ...{ 'base-url': service.url, token: TOKEN, product: '12', file: 'dist/*.zip' },
      ...{ 'github-token': GITHUB_TOKEN, 'stall-timeout': '20', 'response-timeout': '20' },
      ...given.inputs
    }
    const { runner, recording } = openRecorder({ ...given, inputs, env, payload })
    const before = service.versions.length
    const { death = new Promise<void>(() => {}) } = given
    const ended = await Promise.race([
      publish(adaptersOf(runner, github, given, recording)).then(() => true),
      Promise.race([death, turn(ENDLESS)]).then(() => false)
    ])
    // What was sent may still be on its way into the shelf.
    await turn(15)
    const leftovers = await readdir(temp)
    const recorded = recording()
    forgetful ||= recorded.stdout.includes('Publishing without a record on GitHub')
    const { length: after } = service.versions
    return { ...recorded, ...parseLog(recorded.stdout), ended, before, after, leftovers }
  }
  return {
    ...{ service, github, run, unremembered: () => forgetful },
    claim(runId, ...states) {
      const publication = { baseUrl: service.url, product: 12, versionName: '1.4.2' }
      const payload = {
        ...{ publication: keyOf(publication), nonce: runId, run_id: runId, run_attempt: 1 },
        ...{ job: 'publish', commit: 'b'.repeat(40), file_name: 'other.zip', deadline_seconds: 900 }
      }
      const environment = environmentOf(publication)
      const about = { ref: 'v1.4.2', task: 'publish-version', environment, payload }
      github.createDeployment({ ...about, auto_merge: false, required_contexts: [] })
      const { id = 0 } = github.deployments.at(-1) ?? {}
      for (const state of states) github.addStatus(id, { state })
      return id
    },
    addRelease: more => void github.addRelease(release({ repository, ...more }, github.places)),
    histories: () =>
      github.deployments.map(({ statuses }) => statuses.map(({ state }) => state).join(' ')),
    async [Symbol.asyncDispose]() {
      await Promise.all([service.close(), github.close()])
      await rm(temp, { recursive: true, force: true })
    }
  }
}

function adaptersOf(
  runner: Runner,
  github: GitHub,
  { connect: dial = connect, patience = 300, pausing }: StageOptions,
  recording: () => { readonly stdout: string }
): Adapters {
  const pass = async (ms: number, signal: AbortSignal) => {
    if (signal.aborted) throw new CancelledError()
    github.clock.advance(ms)
    pausing?.(recording().stdout)
    await turn(1)
  }
  return { runner, connect: dial, sleep: pass, patience, now: () => performance.now() }
}

interface RecorderOptions {
  readonly inputs: Texts
  readonly env: Texts
  readonly payload: unknown
  readonly cancelled?: AbortSignal
}

/** A runner that writes down what a run printed, set and summed up, in the form that the real one prints. */
function openRecorder({ inputs, env, payload, cancelled }: RecorderOptions) {
  const lines: string[] = []
  const outputs: Record<string, string> = {}
  let [summary, failed] = ['', false]
  const { add, conceal } = openSecrets()
  const annotate = (kind: string) => (text: string, title?: string) => {
    const heading = title === undefined ? '' : ` title=${property(oneLine(conceal(title)))}`
    lines.push(`::${kind}${heading}::${data(harmless(conceal(text)))}`)
  }
  const log: Log = {
    info: text => void lines.push(harmless(conceal(text))),
    block: text => void lines.push(quoted(conceal(text))),
    debug: annotate('debug'),
    notice: annotate('notice'),
    warning: annotate('warning'),
    error: annotate('error'),
    group: async (name, body) => {
      lines.push(`::group::${data(oneLine(conceal(name)))}`)
      return await body().finally(() => lines.push('::endgroup::'))
    }
  }
  const runner: Runner = {
    ...log,
    context: contextOf(env, WORKSPACE),
    cancelled: cancelled ?? new AbortController().signal,
    input: name => (inputs[name] ?? '').trim(),
    payload: () => Promise.resolve(payload),
    ...{ mask: add, conceal },
    output: (name, value) => {
      outputs[name] = conceal(value)
    },
    summary: async text => {
      summary = conceal(text)
    },
    fail: () => {
      failed = true
    }
  }
  return {
    runner,
    recording: () => ({ stdout: `${lines.join('\n')}\n`, outputs, summary, failed })
  }
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

function turn(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}

/** What the page of a run says first. */
export function told({ annotations }: StageRun): string {
  return annotations[0]?.message ?? ''
}

/** The outputs of a failure, among others. */
export function failed(reason: string) {
  return { outcome: 'failed', reason }
}
