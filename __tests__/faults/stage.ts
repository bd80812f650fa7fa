// Owns a stage: a shop with one release and built files, and runs of the publish action in this process.
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GitHub, GitHubOptions } from '../../sandbox/github.ts'
import type { ServiceOptions } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import type { Connect } from '../../src/http/exchange.ts'
import { environmentOf, publicationKeyOf } from '../../src/ledger/claim-format.ts'
import type { Adapters } from '../../src/publish/environment.ts'
import { publishRelease } from '../../src/publish/run.ts'
import { CancelledError } from '../../src/runner/cancellation.ts'
import { contextOf, type Runner } from '../../src/runner/runner.ts'
import { packed } from '../support/archives.ts'
import { makeFolder } from '../support/folders.ts'
import { openRecorder } from '../support/recorder.ts'
import { GITHUB_TOKEN, openShop, RUN_ID, TOKEN } from '../support/shop.ts'

/** More than one read and than one packet. */
const CONTENT = packed(Buffer.alloc(300_000, 'All of this is the plugin. '))
const WORKSPACE = makeFolder({
  'dist/gallery-1.4.2.zip': CONTENT,
  'rebuilt/gallery-1.4.2.zip': packed('Another build of the plugin.'),
  'medium/gallery-1.4.2.zip': packed(Buffer.alloc(1_048_576, 'All of this is the plugin. ')),
  // More than a connection takes that nobody reads from.
  'large/gallery-1.4.2.zip': packed(Buffer.alloc(7_000_000, 'All of this is the plugin. '))
})

type Texts = Readonly<Record<string, string>>

export interface StageOptions {
  readonly inputs?: Texts
  readonly attempt?: number
  readonly runId?: string
  readonly env?: Texts
  readonly connect?: Connect
  /** For a call to GitHub, in milliseconds; `PATIENCE` when left out. */
  readonly patience?: number | undefined
  readonly cancelled?: AbortSignal
  /** The run is given up when this resolves: its machine has died. */
  readonly death?: Promise<void>
  /** Called before a run sleeps. */
  readonly pausing?: () => void
  /** Called with each line of the log. */
  readonly onLine?: (line: string) => void
}

export type Stage = Awaited<ReturnType<typeof openStage>>

/** What a run did. */
export type StageRun = Awaited<ReturnType<Stage['run']>>

/** More than any call takes that is answered, on a machine that has much else to do. */
const PATIENCE = 10_000
/** Longer than any run in which every limit of time is kept, on a machine that has much else to do. */
const ENDLESS = 60_000

/** Opens a stage; pauses take no time, but GitHub's clock goes on by them. */
export async function openStage(
  options: Partial<GitHubOptions> = {},
  behavior: Partial<ServiceOptions> = {}
) {
  const shop = await openShop({ github: options, service: behavior, workspace: WORKSPACE })
  const { service, github } = shop
  const assets = [{ name: 'gallery-1.4.2.zip', content: CONTENT }]
  shop.addRelease({ assets }, { contents: { 'gallery-1.4.2.zip': CONTENT } })
  const { payload } = shop.event({ assets })
  const temp = makeFolder()
  const run = async (given: StageOptions = {}) => {
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
      ...{ benefit: 'none', 'approved-plan': 'none' },
      ...{ 'github-token': GITHUB_TOKEN, 'stall-timeout': '20', 'response-timeout': '20' },
      ...given.inputs
    }
    const context = contextOf(env, WORKSPACE)
    const { cancelled, onLine = () => {} } = given
    const { runner, recording } = openRecorder({ context, inputs, payload, cancelled, onLine })
    const before = service.versions.length
    const { counting, held } = openCounting(given.connect ?? connect)
    const { death = new Promise<void>(() => {}) } = given
    const ended = await Promise.race([
      publishRelease(adaptersOf(runner, github, counting, given)).then(() => true),
      Promise.race([death, turn(ENDLESS)]).then(() => false)
    ])
    // What was sent may still be on its way into the shelf.
    await turn(15)
    const recorded = recording()
    return {
      ...recorded,
      /** How many uploads are neither finished nor withheld. */
      held: held(),
      /** False when it had to be given up: then it may still go on, so no run may follow it. */
      ended,
      /** How many versions the service had before and after. */
      ...{ before, after: service.versions.length },
      /** What is left in the folder for temporary files. */
      leftovers: await readdir(temp)
    }
  }
  const claim = (versionName: string, runId: string, ...states: readonly string[]): number => {
    const product = { baseUrl: service.url, route: { product: 12 } }
    const claimed = {
      ...{ publication: publicationKeyOf(product, versionName), run_id: runId, run_attempt: 1 },
      ...{ job: 'publish', commit: 'b'.repeat(40), title: 'Other', file_name: 'other.zip' }
    }
    const environment = environmentOf(product)
    const about = { ref: 'v1.4.2', task: 'publish-version', environment, payload: claimed }
    github.createDeployment({ ...about, auto_merge: false, required_contexts: [] })
    const { id = 0 } = github.deployments.at(-1) ?? {}
    const description = 'publish-version: unknown (a test)'
    for (const state of states) github.addStatus(id, { state, description })
    return id
  }
  return {
    ...{ service, github, run },
    /** A claim of another run on the stage's version, with these statuses; gives its id. */
    claim: (runId: string, ...states: readonly string[]) => claim('1.4.2', runId, ...states),
    /** The same on another version. */
    claimOther: claim,
    addRelease: shop.addRelease,
    histories: shop.histories,
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]()
  }
}

/** A way to everything that counts the uploads that are held: neither finished nor withheld. */
function openCounting(dial: Connect) {
  let held = 0
  const counting: Connect = (origin, options) => {
    const connection = dial(origin, options)
    return {
      ...connection,
      startUpload: async request => {
        const started = await connection.startUpload(request)
        if (started.kind !== 'held') return started
        held += 1
        let isOpen = true
        const release = () => {
          if (isOpen) held -= 1
          isOpen = false
        }
        return {
          ...started,
          finish: () => {
            release()
            return started.finish()
          },
          withhold: cause => {
            release()
            return started.withhold(cause)
          }
        }
      }
    }
  }
  return { counting, held: () => held }
}

function adaptersOf(
  runner: Runner,
  github: GitHub,
  dial: Connect,
  { patience = PATIENCE, pausing }: StageOptions
): Adapters {
  const pass = async (ms: number, signal: AbortSignal) => {
    if (signal.aborted) throw new CancelledError()
    github.clock.advance(ms)
    pausing?.()
    await turn(1)
  }
  const stopwatch = () => {
    const start = github.clock.now().getTime()
    const since = () => github.clock.now().getTime() - start
    return { atLeast: since, atMost: since }
  }
  return { runner, connect: dial, sleep: pass, patience, stopwatch }
}

const turn = (ms: number) => sleep(ms, undefined, { ref: false })

/** What the page of a run says first. */
export function told({ annotations }: StageRun): string {
  return annotations[0]?.message ?? ''
}

/** The outputs of a failure, among others. */
export function failed(reason: string) {
  return { outcome: 'failed', reason }
}
