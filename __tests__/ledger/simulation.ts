// Several runs, GitHub and the service on a virtual clock; a seeded scheduler picks whose step is next.
import type { Claim, Claimant, Look, Status } from '../../src/ledger/ledger.ts'
import { AnswerLost, type Deployments, type Steps } from '../../src/ledger/once.ts'
import { publishOnce, type Try } from '../../src/ledger/publish-once.ts'

/** Small, fast and seeded (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export interface World {
  readonly seed: number
  readonly runs: number
  /** Up to so many requests until something written shows in a list. */
  readonly lag: number
  readonly lagInOrder: boolean
  /** Chances per step. */
  readonly kill: number
  readonly failure: number
  readonly lostAnswer: number
  readonly meddling: number
  readonly lostServiceAnswer: number
  /** Leaves out the last look of step 5, to show that the simulation can find what it looks for. */
  readonly withoutLastLook?: boolean
}

interface Shown<T> {
  readonly value: T
  readonly from: number
}
interface Stored {
  readonly id: number
  readonly createdAt: number
  readonly claimant: Claimant
  readonly statuses: Shown<Status>[]
}
interface Waiting {
  readonly run: number
  readonly at: number
  resume(): void
}

export interface Report {
  readonly versions: number
  /** Whether a request was sent whose answer nobody got to see or to write down. */
  readonly doubtful: boolean
  readonly outcomes: readonly string[]
  readonly rerun: string
  readonly versionsAfterRerun: number
}

const DEADLINE = 900
const RESERVE = 360

/** Plays one world to its end, then runs the job once more with everything working. */
export async function simulate(world: World): Promise<Report> {
  const next = random(world.seed)
  const chance = (p: number) => next() < p
  const stored: Shown<Stored>[] = []
  let waiting: Waiting[] = []
  let clock = 1_700_000_000_000
  let requests = 0
  let lastShown = 0
  let ids = 100
  let versions = 0
  let doubtful = false
  let calm = false

  const shows = () => {
    if (calm) return 0
    const at = requests + Math.floor(next() * (world.lag + 1))
    lastShown = world.lagInOrder ? Math.max(lastShown, at) : at
    return lastShown
  }
  const turn = (run: number, ms: number) =>
    new Promise<void>(resume => waiting.push({ run, at: clock + ms, resume }))

  /** One request to GitHub: it may fail before it has an effect, or lose its answer after. */
  const request = async <T>(run: number, effect: () => T): Promise<T> => {
    await turn(run, Math.floor(next() * 1500))
    requests++
    if (!calm && chance(world.failure)) throw new Error('503')
    const result = effect()
    await turn(run, Math.floor(next() * 500))
    if (!calm && chance(world.lostAnswer)) throw new AnswerLost('lost')
    return result
  }
  const visible = <T>(items: readonly Shown<T>[]) =>
    items.filter(item => item.from <= requests || calm).map(item => item.value)
  const history = (claim: Stored) => visible(claim.statuses).toSorted((a, b) => a.id - b.id)

  const deployments = (run: number): Deployments => ({
    look: async (): Promise<Look> => {
      const listed = await request(run, () => ({ claims: visible(stored), now: clock }))
      const claims: Claim[] = []
      for (const claim of listed.claims.toSorted((a, b) => a.id - b.id)) {
        claims.push({ ...claim, statuses: await request(run, () => history(claim)) })
      }
      return { claims, now: listed.now }
    },
    history: id =>
      request(run, () => {
        const claim = stored.find(({ value }) => value.id === id)
        return claim ? history(claim.value) : []
      }),
    create: claimant =>
      request(run, () => {
        const value: Stored = { id: ids++, createdAt: clock, claimant, statuses: [] }
        stored.push({ value, from: shows() })
        return value.id
      }),
    record: (id, state, description, link) =>
      request(run, () => {
        const claim = stored.find(({ value }) => value.id === id)
        const status = { id: ids++, state, description, environmentUrl: link ?? '' }
        claim?.value.statuses.push({ value: status, from: shows() })
      })
  })

  const steps = (run: number): Steps => {
    const real = deployments(run)
    let committing = false
    const blind: Deployments = {
      ...real,
      look: async () => {
        const look = await real.look()
        const own = (claim: Claim) => claim.claimant.runId === String(run)
        return committing ? { ...look, claims: look.claims.filter(own) } : look
      },
      record: (id, state, ...rest) => {
        committing = state === 'in_progress'
        return real.record(id, state, ...rest)
      }
    }
    return {
      deployments: world.withoutLastLook ? blind : real,
      claimant: {
        runId: String(run),
        runAttempt: 1,
        job: 'publish',
        commit: 'c0ffee',
        fileName: 'plugin.zip',
        deadline: DEADLINE
      },
      reserve: RESERVE,
      versionName: '1.4.2',
      nonce: () => `${run}-${ids++}`,
      sleep: ms => turn(run, ms),
      tell: () => undefined
    }
  }

  /** The service: a version exists from the moment that the tail arrives. */
  const attempt =
    (run: number) =>
    async (
      permit: (sealed: { sha256: string; size: number }) => Promise<void>
    ): Promise<Try<string>> => {
      await turn(run, Math.floor(next() * 4000))
      if (!calm && chance(world.failure)) {
        return { result: 'not published', ending: { kind: 'failure', reason: 'reset' }, again: {} }
      }
      try {
        await permit({ sha256: 'a'.repeat(64), size: 5 })
      } catch {
        return { result: 'not published', ending: { kind: 'failure', reason: 'withheld' } }
      }
      doubtful = true
      await turn(run, Math.floor(next() * 1000))
      versions++
      await turn(run, Math.floor(next() * 2000))
      if (!calm && chance(world.lostServiceAnswer)) {
        return { result: 'unknown', ending: { kind: 'unknown', reason: 'reset' } }
      }
      return { result: 'published', ending: { kind: 'success', versionId: '812' } }
    }

  const outcomes: string[] = []
  const start = async (run: number) => {
    const repetition = { tries: 4, pause: () => turn(run, 1000) }
    const end = await publishOnce(steps(run), attempt(run), repetition).then(
      once => (once.kind === 'tried' ? once.result : once.kind),
      (error: unknown) => `stopped: ${error instanceof Error ? error.message : String(error)}`
    )
    outcomes[run] = end
    alive.delete(run)
  }

  const alive = new Set<number>()
  const settleMicrotasks = () => new Promise<void>(resolve => setImmediate(resolve))
  const play = async () => {
    for (let idle = 0; alive.size > 0 && idle < 3; ) {
      await settleMicrotasks()
      waiting = waiting.filter(({ run }) => alive.has(run))
      if (waiting.length === 0) {
        idle++
        continue
      }
      idle = 0
      step()
    }
  }
  const step = () => {
    let ready = waiting.filter(({ at }) => at <= clock)
    if (ready.length === 0) {
      clock = Math.min(...waiting.map(({ at }) => at))
      ready = waiting.filter(({ at }) => at <= clock)
    }
    const chosen = ready[Math.floor(next() * ready.length)]
    if (!chosen) return
    clock += Math.floor(next() * 300)
    waiting = waiting.filter(item => item !== chosen)
    if (!calm && chance(world.meddling)) {
      const victim = stored[Math.floor(next() * stored.length)]
      const status = { id: ids++, state: 'inactive', description: '', environmentUrl: '' }
      victim?.value.statuses.push({ value: status, from: shows() })
    }
    if (!calm && chance(world.kill)) {
      alive.delete(chosen.run)
      outcomes[chosen.run] = 'killed'
    } else chosen.resume()
  }

  for (let run = 0; run < world.runs; run++) {
    alive.add(run)
    void start(run)
  }
  await play()
  const versionsBefore = versions
  const doubtfulBefore = doubtful
  calm = true
  alive.add(world.runs)
  void start(world.runs)
  await play()
  return {
    versions: versionsBefore,
    doubtful: doubtfulBefore,
    outcomes: outcomes.slice(0, world.runs),
    rerun: outcomes[world.runs] ?? 'stuck',
    versionsAfterRerun: versions
  }
}
