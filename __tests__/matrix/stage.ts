// Owns a stage: both stand-ins, one release, one built file, and runs of the publish action in this process.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GitHub, startGitHub } from '../../sandbox/github.ts'
import { release, releaseEvent } from '../../sandbox/release.ts'
import { type Service, startService } from '../../sandbox/service.ts'
import { connect } from '../../src/http/connection.ts'
import { CancelledError, type Connect } from '../../src/http/exchange.ts'
import type { Adapters } from '../../src/publish/adapters.ts'
import { publish } from '../../src/publish/run.ts'
import { packed } from '../support/archives.ts'
import { makeFolder } from '../support/folders.ts'
import { openRecorder, type Recording } from './recorder.ts'

export const TOKEN = 'shop|token/that+opens=nothing~here'
export const GITHUB_TOKEN = 'github-token-of-the-stand-in-that-opens-nothing'

const repository = { owner: 'acme', name: 'gallery', private: true }
const PRODUCTS = [{ id: 12, yours: true, benefits: [] }]
/** More than one read and than one packet. */
const CONTENT = packed(Buffer.alloc(300_000, 'All of this is the plugin. '))
/** More than a connection takes that nobody reads from. */
const LARGE = packed(Buffer.alloc(7_000_000, 'All of this is the plugin. '))
const WORKSPACE = makeFolder({
  'dist/gallery-1.4.2.zip': CONTENT,
  'large/gallery-1.4.2.zip': LARGE
})

export interface StageRun extends Recording {
  /** False when it had to be given up: then it may still go on, so no run may follow it. */
  readonly ended: boolean
  /** How many versions the service had before and after. */
  readonly before: number
  readonly after: number
  /** What is left in the folder for temporary files. */
  readonly leftovers: readonly string[]
}

export interface StageOptions {
  readonly inputs?: Readonly<Record<string, string>>
  readonly attempt?: number
  readonly apiUrl?: string
  readonly connect?: Connect
  /** For a call to GitHub, in milliseconds. */
  readonly patience?: number
  readonly cancelled?: AbortSignal
  /** The run is given up when this resolves: its machine has died. */
  readonly death?: Promise<void>
}

export interface Stage extends AsyncDisposable {
  readonly service: Service
  readonly github: GitHub
  run(options?: StageOptions): Promise<StageRun>
  /** Whether a run has said that it goes on without the memory. */
  unremembered(): boolean
}

/** Longer than any run in which every limit of time is kept, on a machine that has much else to do. */
const ENDLESS = 60_000

/** Opens a stage; pauses take no time, but GitHub's clock goes on by them. */
export async function openStage(): Promise<Stage> {
  const service = await startService({ token: TOKEN, sparesChecks: true, products: PRODUCTS })
  const github = await startGitHub({ token: GITHUB_TOKEN, repository })
  const parts = {
    ...{ tag: 'v1.4.2', name: 'Gallery 1.4.2', body: '- Albums can be sorted.', repository },
    assets: [{ name: 'gallery-1.4.2.zip', content: CONTENT }]
  }
  const made = release(parts, github.places)
  github.addRelease(made, { contents: { 'gallery-1.4.2.zip': CONTENT } })
  const temp = await mkdtemp(join(tmpdir(), 'matrix-'))
  const payload = releaseEvent(made, 'released', repository, github.places)

  let forgetful = false
  const run: Stage['run'] = async (options = {}) => {
    const { attempt = 1, patience = 300 } = options
    const { runner, recording } = openRecorder({
      inputs: {
        ...{ 'base-url': service.url, token: TOKEN, product: '12', file: 'dist/*.zip' },
        ...{ 'github-token': GITHUB_TOKEN, 'stall-timeout': '20', 'response-timeout': '20' },
        ...options.inputs
      },
      env: {
        ...{ GITHUB_EVENT_NAME: 'release', GITHUB_REF: 'refs/tags/v1.4.2', GITHUB_JOB: 'publish' },
        ...{ GITHUB_REPOSITORY: 'acme/gallery', GITHUB_RUN_ID: '9000001', RUNNER_TEMP: temp },
        GITHUB_API_URL: options.apiUrl ?? github.url,
        GITHUB_RUN_ATTEMPT: String(attempt),
        GITHUB_SHA: 'a'.repeat(40)
      },
      workspace: WORKSPACE,
      payload,
      ...(options.cancelled ? { cancelled: options.cancelled } : {})
    })
    const pass = async (ms: number, signal: AbortSignal) => {
      if (signal.aborted) throw new CancelledError()
      github.clock.advance(ms)
      await turn(1)
    }
    const before = service.versions.length
    const adapters: Adapters = {
      ...{ runner, connect: options.connect ?? connect, sleep: pass, patience },
      now: () => performance.now()
    }
    const ended = await Promise.race([
      publish(adapters).then(() => true),
      (options.death ?? new Promise<void>(() => {})).then(() => false),
      turn(ENDLESS).then(() => false)
    ])
    // What was sent may still be on its way into the shelf.
    await turn(15)
    const leftovers = await readdir(temp)
    forgetful ||= recording().stdout.includes('Publishing without the memory')
    return { ...recording(), ended, before, after: service.versions.length, leftovers }
  }
  return {
    ...{ service, github, run, unremembered: () => forgetful },
    async [Symbol.asyncDispose]() {
      await Promise.all([service.close(), github.close()])
      await rm(temp, { recursive: true, force: true })
    }
  }
}

function turn(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
