// Owns a GitHub with deployments on the virtual clock: late lists, lost answers, other tools.
import { GitHubError } from '../../src/github/github-error.ts'
import { describeMark } from '../../src/ledger/claim-format.ts'
import type { ClaimHistory, Deployments, RecordedState } from '../../src/ledger/deployments.ts'
import type { Claimant, ListedClaim, Status } from '../../src/ledger/rules.ts'
import type { SimulatedRun } from './simulated-run.ts'
import { BOUND, type Scheduler, type World } from './world.ts'

/** Something that was written. */
interface Written {
  readonly number: number
  /** The number of the run that wrote it, or `NOBODY`. */
  readonly by: number
  readonly at: number
  /** From when on the first may see it, where it is hidden before. */
  readonly shows: number
}

interface WrittenStatus extends Written {
  readonly value: Status
}

interface WrittenClaim extends Written {
  readonly value: ListedClaim
  readonly statuses: WrittenStatus[]
}

const NOBODY = -1
/** How long a request takes at most when GitHub is slow, with all that is tried again; in milliseconds. */
const SLOWEST = 30_000
const { floor, imul, max, min } = Math

/** The GitHub of a world: without deployments at first. */
export class SimulatedGitHub {
  readonly #world: World
  readonly #scheduler: Scheduler
  /** Whether something that was written is hidden from all at first. */
  readonly #isHidden: boolean
  readonly #stored: WrittenClaim[] = []
  #requests = 0
  #written = 100
  #lastShown = 0

  constructor(world: World, scheduler: Scheduler) {
    this.#world = world
    this.#scheduler = scheduler
    this.#isHidden = world.sight === 'together' || world.sight === 'staggered'
  }

  /** GitHub as one run sees it. */
  open(run: SimulatedRun): Deployments {
    return {
      list: () => this.#request(run, () => this.#list(run)),
      history: id => this.#request(run, () => this.#readHistory(run, id)),
      create: (versionName, _, claimant) =>
        this.#request(run, () => this.#create(versionName, claimant, run.number), true),
      record: (id, state, description) => {
        const isBeginning = state === 'in_progress'
        if (isBeginning) run.commits()
        const effect = () => this.#add(id, run.number, state, description)
        return this.#request(run, effect, !isBeginning)
      }
    }
  }

  /** Another tool writes on a deployment, any of them. */
  meddle(state: RecordedState, description: string): void {
    const claim = this.#stored[this.#scheduler.below(this.#stored.length)]
    if (claim) this.#add(claim.value.id, NOBODY, state, description)
  }

  /** When a claim of that run was first marked as in doubt; infinity if it never was. */
  doubtedSince(run: number): number {
    const statuses = this.#stored.filter(({ by }) => by === run).flatMap(claim => claim.statuses)
    const errors = statuses.filter(({ value }) => value.state === 'error')
    return min(...errors.map(({ at }) => at))
  }

  /** A person pastes a mark on a claim. */
  paste(id: number, isThere: boolean): void {
    const mark = describeMark(isThere ? 'published' : 'not published', '1')
    this.#add(id, NOBODY, isThere ? 'success' : 'failure', mark)
  }

  #list(run: SimulatedRun) {
    const seen = this.#stored.filter(it => this.#shows(it, run.number))
    return {
      claims: seen.map(({ value }) => value),
      now: this.#date(),
      lag: this.#world.wait
    }
  }

  #readHistory(run: SimulatedRun, id: number): ClaimHistory | undefined {
    const claim = this.#find(id)
    const trusts = this.#world.trusting && claim?.by === run.number
    if (!claim || !(trusts || this.#shows(claim, run.number))) return undefined

    const seen = claim.statuses.filter(it => trusts || this.#shows(it, run.number))
    const ours = seen.filter(({ value }) => value.description.startsWith('publish-version: '))
    return { statuses: ours.map(({ value }) => value), now: this.#date() }
  }

  /** One request: the run may be killed before it has its effect, and before it sees the answer. */
  async #request<T>(run: SimulatedRun, effect: () => T, isEnding = false): Promise<T> {
    const { below, chance, isCalm, start } = this.#scheduler
    const world = this.#world
    const { blow } = world
    const isHere = blow?.at === this.#requests++ && !isCalm()
    if (isHere && blow.kind === 'kill') await run.die()

    const isSlow = !isCalm() && chance(world.slowRequest)
    // Meanwhile the service may give the upload up, without a sign of it.
    if (isSlow) run.suffer()
    await run.turn(below(isSlow ? SLOWEST : world.latency), isEnding)
    if (isCalm()) return effect()

    const fails = (isHere && blow.kind === 'failure') || run.isCutOff() || chance(world.failure)
    if (fails) {
      run.suffer()
      throw new Error('503')
    }

    const losesAnswer = (isHere && blow.kind === 'lost answer') || chance(world.lostAnswer)
    if (!losesAnswer) {
      const result = effect()
      if (world.sleep > 0) await run.turn(below(world.latency), isEnding)
      return result
    }

    run.suffer()
    if (chance(world.lateEffect)) start(below(60_000), async () => void effect())
    else effect()
    throw new GitHubError('lost')
  }

  #create(versionName: string, claimant: Claimant, by: number): number {
    const value = {
      id: this.#written,
      createdAt: this.#clock(),
      versionName,
      tag: `v${versionName}`,
      claimant
    }
    this.#stored.push({ ...this.#write(by), value, statuses: [] })
    return value.id
  }

  #add(id: number, by: number, state: RecordedState, description: string): void {
    const value = {
      id: this.#written,
      state,
      description,
      createdAt: this.#clock()
    }
    this.#find(id)?.statuses.push({ ...this.#write(by), value })
  }

  #write(by: number): Written {
    const at = this.#scheduler.now()
    if (this.#isHidden) {
      this.#lastShown = max(this.#lastShown, at + this.#scheduler.below(this.#world.lag + 1))
    }
    return {
      number: this.#written++,
      by,
      at,
      shows: this.#lastShown
    }
  }

  #shows({ number, by, at, shows: first }: Written, reader: number): boolean {
    const { below, isCalm, now: readClock } = this.#scheduler
    const { sight, lag, seed } = this.#world
    const now = readClock()
    const ownDelay = imul(number * 31 + reader + seed, 0x9e3779b1) >>> 8
    if (isCalm()) return true

    if (sight === 'together') return first <= now
    if (sight === 'staggered') return first + (ownDelay % BOUND) <= now

    if (at + lag <= now) return true
    if (sight === 'flickering') return at + below(lag) <= now
    return by === reader || at + (ownDelay % lag) <= now
  }

  #find(id: number): WrittenClaim | undefined {
    return this.#stored.find(({ value }) => value.id === id)
  }

  /** The date of an answer: each of GitHub's nodes has its own clock. */
  #date(): number {
    const { skew } = this.#world
    const { below, isCalm } = this.#scheduler
    return this.#clock(skew === 0 || isCalm() ? 0 : (below(3) - 1) * skew)
  }

  /** GitHub gives the time in whole seconds. */
  #clock(skew = 0): number {
    return floor((this.#scheduler.now() + skew) / 1000) * 1000
  }
}
