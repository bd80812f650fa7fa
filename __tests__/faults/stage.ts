// A stage: a shop with one release and built files, and runs of the publish action in this process.
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GitHub, GitHubOptions } from '../../sandbox/github.ts'
import type { Service, ServiceOptions } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import type { Connect, Exchange, Held } from '../../src/http/exchange.ts'
import { environmentOf, publicationKeyOf } from '../../src/ledger/claim-format.ts'
import type { Adapters } from '../../src/publish/run.ts'
import { publishRelease } from '../../src/publish/run.ts'
import { CancelledError } from '../../src/runner/cancellation.ts'
import { contextOf, type Runner } from '../../src/runner/runner.ts'
import { packed } from '../support/archives.ts'
import { makeFolder } from '../support/folders.ts'
import { openRecorder, type Recording } from '../support/recorder.ts'
import { IS_PLAY } from '../support/recording.ts'
import { runAction } from '../support/runner.ts'
import { GITHUB_TOKEN, openShop, RUN_ID, type Shop, TOKEN } from '../support/shop.ts'

/** The file that is published when nothing else is said: more than one read, and more than one packet. */
export const CONTENT = packed(Buffer.alloc(300_000, 'All of this is the plugin. '))
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
  /** Called before a run starts a stopwatch. */
  readonly measuring?: () => void
  /** Called with each line of the log. */
  readonly onLine?: (line: string) => void
}

/** Everything that a run did and left. */
export interface StageRun extends Recording {
  /** How many uploads are neither finished nor withheld. */
  readonly held: number
  /** False when it had to be given up: then it may still go on, so no run may follow it. */
  readonly ended: boolean
  /** How many versions the service had before it. */
  readonly before: number
  /** How many it has now. */
  readonly after: number
  /** The files that are left in the folder for temporary files. */
  readonly leftovers: readonly string[]
}

/** What the runner gives to inputs that a step leaves out. */
const DEFAULTS: Texts = {
  benefit: 'none',
  'version-name': '{version}',
  sha256: 'none',
  'github-token': GITHUB_TOKEN
}
/** More than any call takes that is answered, on a machine that has much else to do; in milliseconds. */
const PATIENCE = 10_000
/** Longer than any run in which every limit of time is kept, on a machine that has much else to do; in milliseconds. */
const ENDLESS = 60_000
/** What a run of dist/ can be given, but for the patience, which is then the action's own. */
const PLAYED_OPTIONS = ['inputs', 'attempt', 'runId', 'env', 'patience']
/** How long a run waits for another one's claim at most, in milliseconds. */
const LONGEST_WAIT = 900_000
/** In milliseconds: a version that was sent has arrived by then. */
const ARRIVAL = 15

/** Opens a stage; pauses take no time, but GitHub's clock goes on by them. */
export async function openStage(
  options: Partial<GitHubOptions> = {},
  behavior: Partial<ServiceOptions> = {}
): Promise<Stage> {
  const shop = await openShop({
    github: options,
    service: behavior,
    workspace: WORKSPACE,
    // Nothing in it may change, so that no worker has to read it in each of thousands of runs.
    release: { body: 'Albums can be sorted by date' }
  })
  return new Stage(shop)
}

/** A shop with one release, whose file is attached to it, and the publish action to run there. */
export class Stage {
  readonly service: Service
  readonly github: GitHub
  readonly #shop: Shop
  readonly #payload: unknown
  readonly #temp = makeFolder()

  constructor(shop: Shop) {
    this.service = shop.service
    this.github = shop.github
    this.#shop = shop

    const assets = [{ name: 'gallery-1.4.2.zip', content: CONTENT }]
    shop.addRelease({ assets }, { contents: { 'gallery-1.4.2.zip': CONTENT } })
    this.#payload = shop.event({ assets }).payload
  }

  /** Runs the action to its end, or until it is given up. */
  async run(given: StageOptions = {}): Promise<StageRun> {
    if (IS_PLAY) return this.#play(given)
    const { cancelled, onLine = () => {}, death = new Promise<void>(() => {}) } = given
    const recorder = openRecorder({
      context: contextOf(this.#variables(given), WORKSPACE),
      inputs: { ...DEFAULTS, ...this.#inputs(given) },
      payload: this.#payload,
      cancelled,
      onLine
    })
    const before = this.service.versions.length
    const { counting, held } = openCounting(given.connect ?? connect)

    const ended = await Promise.race([
      publishRelease(adaptersOf(recorder.runner, this.github, counting, given)).then(() => true),
      Promise.race([death, turn(ENDLESS)]).then(() => false)
    ])

    // A version that was sent may still be on its way to the service.
    await turn(ARRIVAL)
    return {
      ...recorder.recording(),
      held: held(),
      ended,
      before,
      after: this.service.versions.length,
      leftovers: await readdir(this.#temp)
    }
  }

  /** Runs dist/ in place of the sources, past the time in which others wait for an earlier run. */
  async #play(given: StageOptions): Promise<StageRun> {
    const needsSources = Object.keys(given).some(name => !PLAYED_OPTIONS.includes(name))
    if (needsSources) throw new Error('A play has no adapters to replace.')

    const before = this.service.versions.length
    const run = await runAction({
      workspace: WORKSPACE,
      temp: this.#temp,
      event: { name: 'release', payload: this.#payload },
      githubToken: GITHUB_TOKEN,
      inputs: this.#inputs(given),
      env: this.#variables(given)
    })
    this.github.clock.advance(LONGEST_WAIT)
    return {
      ...run,
      failed: run.exitCode !== 0,
      held: 0,
      ended: run.exitCode !== null,
      before,
      after: this.service.versions.length,
      leftovers: []
    }
  }

  /** Makes a claim of another run on the stage's version, with these statuses; returns its id. */
  claim(runId: string, ...states: readonly string[]): number {
    return this.claimOther('1.4.2', runId, ...states)
  }

  /** Makes a claim of another run on any version. */
  claimOther(versionName: string, runId: string, ...states: readonly string[]): number {
    const product = { baseUrl: this.service.url, route: { product: 12 } }
    this.github.createDeployment({
      ref: 'v1.4.2',
      task: 'publish-version',
      environment: environmentOf(product),
      payload: {
        publication: publicationKeyOf(product, versionName),
        run_id: runId,
        run_attempt: 1,
        job: 'publish',
        commit: 'b'.repeat(40),
        title: 'Other',
        file_name: 'other.zip'
      },
      auto_merge: false,
      required_contexts: []
    })

    const { id = 0 } = this.github.deployments.at(-1) ?? {}
    const description = 'publish-version: unknown (a test)'
    for (const state of states) this.github.addStatus(id, { state, description })
    return id
  }

  /** Puts a release on GitHub, in the place of the one with the same tag. */
  addRelease(...given: Parameters<Shop['addRelease']>): void {
    this.#shop.addRelease(...given)
  }

  /** The states of every claim, oldest first: one text a claim. */
  histories(): string[] {
    return this.#shop.histories()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#shop[Symbol.asyncDispose]()
  }

  #variables(given: StageOptions): Texts {
    return {
      GITHUB_EVENT_NAME: 'release',
      GITHUB_REF: 'refs/tags/v1.4.2',
      GITHUB_JOB: 'publish',
      GITHUB_REPOSITORY: 'acme/gallery',
      RUNNER_TEMP: this.#temp,
      GITHUB_API_URL: this.github.url,
      GITHUB_RUN_ID: given.runId ?? RUN_ID,
      GITHUB_RUN_ATTEMPT: String(given.attempt ?? 1),
      GITHUB_SHA: this.github.commitOf('v1.4.2') ?? '',
      ...given.env
    }
  }

  #inputs(given: StageOptions): Texts {
    return {
      'base-url': this.service.url,
      token: TOKEN,
      product: '12',
      file: 'dist/*.zip',
      'stall-timeout': '20',
      'response-timeout': '20',
      ...given.inputs
    }
  }
}

interface Counting {
  readonly counting: Connect
  /** How many uploads are held: neither finished nor withheld. */
  held(): number
}

/** Counts the uploads that are held over the connections that `dial` makes. */
function openCounting(dial: Connect): Counting {
  let held = 0

  const count = (upload: Held<Exchange>): Held<Exchange> => {
    let isOpen = true
    held += 1
    const release = () => {
      if (isOpen) held -= 1
      isOpen = false
    }
    return {
      ...upload,
      finish: () => {
        release()
        return upload.finish()
      },
      withhold: cause => {
        release()
        return upload.withhold(cause)
      }
    }
  }

  const counting: Connect = (origin, options) => {
    const connection = dial(origin, options)
    return {
      exchange: request => connection.exchange(request),
      close: () => connection.close(),
      startUpload: async request => {
        const started = await connection.startUpload(request)
        return started.kind === 'held' ? count(started) : started
      }
    }
  }
  return { counting, held: () => held }
}

function adaptersOf(
  runner: Runner,
  github: GitHub,
  dial: Connect,
  { patience = PATIENCE, pausing, measuring }: StageOptions
): Adapters {
  return {
    runner,
    connect: dial,
    async sleep(ms, signal) {
      if (signal.aborted) throw new CancelledError()
      github.clock.advance(ms)
      pausing?.()
      await turn(1)
    },
    patience,
    stopwatch() {
      measuring?.()
      const start = github.clock.now().getTime()
      const since = () => github.clock.now().getTime() - start
      return { atLeast: since, atMost: since }
    }
  }
}

const turn = (ms: number) => sleep(ms, undefined, { ref: false })

/** The first note on the page of a run. */
export function firstNote({ annotations }: StageRun): string {
  return annotations[0]?.message ?? ''
}
