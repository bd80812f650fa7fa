// A service on the virtual clock, to which the runs of a simulated world publish.
import type { Held } from '../../src/http/exchange.ts'
import type { Sender } from '../../src/ledger/publish-once.ts'
import type { PublishResult } from '../../src/shop/upload.ts'
import type { SimulatedRun } from './simulated-run.ts'
import type { Scheduler, World } from './world.ts'

/** How long a run waits for the service's answer, in milliseconds: longer than any tail is on its way. */
const PATIENCE = 60_000
/** The same for a run that is canceled. */
const CANCELLED_PATIENCE = 5000
/** How long an upload takes at most that outlasts its claim, in milliseconds. */
const SLOWEST_UPLOAD = 1_800_000
/** How long a server keeps a request of which nothing comes, in milliseconds. */
const SERVER_PATIENCE = 120_000

/** A tail that is on its way. */
interface Sent {
  answer: 'none yet' | 'published' | 'refused'
}

/** A version that the service has. */
export interface Arrived {
  readonly versionName: string
  readonly sha256: string
  /** The number of the run that sent it; left out for a version that was uploaded by hand. */
  readonly run?: number
}

/** A version whose tail a run has sent, which the service takes. */
export interface Tail extends Arrived {
  readonly run: number
  /** When it was sent. */
  readonly at: number
}

/** The service of a world, without versions at first: one exists from the moment that its tail arrives. */
export class SimulatedService {
  /** The versions that it has, in the order of their arrival. */
  readonly versions: Arrived[] = []
  readonly #tails: Tail[] = []
  readonly #world: World
  readonly #scheduler: Scheduler

  constructor(world: World, scheduler: Scheduler) {
    this.#world = world
    this.#scheduler = scheduler
  }

  /** The tails that runs have sent, and that the service takes. */
  get tails(): readonly Tail[] {
    return this.#tails
  }

  /** Opens the sender of a run's version; its file has that digest. */
  open(run: SimulatedRun, versionName: string, sha256: string): Sender {
    const { below, turn } = this.#scheduler
    let tried = 0
    return {
      digest: { sha256, size: 5 },
      preflight: () => run.turn(below(this.#world.latency)),
      waitToRetry: async end => {
        if (end !== RESET) return false

        tried += 1
        if (tried === TRIES) return false
        await turn(1000)
        return true
      },
      startUpload: async () => {
        try {
          const isReset = await this.#sendHead(run)
          if (isReset) return RESET
        } catch (error) {
          return notPublished(error instanceof Error ? error.message : '')
        }
        return this.#hold(run, versionName, sha256)
      }
    }
  }

  /** The digest of each version of that name, in the order of their arrival. */
  digestsOf(versionName: string): string[] {
    const named = this.versions.filter(version => version.versionName === versionName)
    return named.map(({ sha256 }) => sha256)
  }

  /** Sends all but the tail; says whether the connection was reset. */
  async #sendHead(run: SimulatedRun): Promise<boolean> {
    const world = this.#world
    const { below } = this.#scheduler
    const isSlow = this.#isUnfortunate(world.slowUpload)
    await run.turn(below(isSlow ? SLOWEST_UPLOAD : world.latency * 4 + world.upload))
    return this.#isUnfortunate(world.failure)
  }

  #hold(run: SimulatedRun, versionName: string, sha256: string): Held<PublishResult> {
    const idleSince = this.#scheduler.now()
    run.held += 1
    return {
      kind: 'held',
      ended: NEVER,
      finish: () => this.#finish(run, versionName, sha256, idleSince),
      withhold: async cause => {
        run.held -= 1
        return notPublished(cause.message)
      }
    }
  }

  /** Sends the tail, and waits for the answer. */
  async #finish(
    run: SimulatedRun,
    versionName: string,
    sha256: string,
    idleSince: number
  ): Promise<PublishResult> {
    const world = this.#world
    const { below, now } = this.#scheduler
    run.held -= 1
    if (this.#isUnfortunate(world.kill)) await run.die()
    // The connection is gone when the tail comes, without a sign of it.
    if (now() - idleSince > SERVER_PATIENCE) return UNKNOWN

    const sent = this.#release({
      versionName,
      sha256,
      run: run.number,
      at: now()
    })

    // The run may never hear the service's answer.
    const patience = this.#isUnfortunate(world.lostServiceAnswer) ? below(6000) : PATIENCE
    if (patience < PATIENCE) run.suffer()
    for (let waited = 0; sent.answer === 'none yet'; waited += 1000) {
      if (waited >= (run.isCancelled() ? CANCELLED_PATIENCE : patience)) return UNKNOWN
      await run.turn(1000, true)
    }

    if (patience < PATIENCE) return UNKNOWN
    if (sent.answer === 'refused') return notPublished('429')
    return PUBLISHED
  }

  /** Sends the tail: it arrives whatever becomes of the run. */
  #release(tail: Tail): Sent {
    const { below, start } = this.#scheduler
    const sent: Sent = { answer: 'none yet' }
    const refuses = this.#isUnfortunate(this.#world.refusal)
    if (!refuses) this.#tails.push(tail)

    start(below(this.#world.transit), async () => {
      if (!refuses) this.versions.push(tail)
      sent.answer = refuses ? 'refused' : 'published'
    })
    return sent
  }

  #isUnfortunate(probability: number): boolean {
    const { chance, isCalm } = this.#scheduler
    return !isCalm() && chance(probability)
  }
}

const NEVER = new AbortController().signal
/** How often an upload is tried. */
const TRIES = 4
/** The one end after which another try may help. */
const RESET = notPublished('reset')
const PUBLISHED: PublishResult = {
  kind: 'published',
  certainty: 'published',
  record: { id: '812', fields: {} }
}
const UNKNOWN: PublishResult = {
  kind: 'noAnswer',
  certainty: 'unknown',
  why: 'reset',
  cause: new Error('reset')
}

function notPublished(why: string): PublishResult {
  return {
    kind: 'notSent',
    certainty: 'not published',
    why,
    cause: new Error(why),
    retry: false
  }
}
