// A GitHub with deployments on the virtual clock: late lists, lost answers, other tools.
import { GitHubError } from '../../src/github/github-error.ts'
import { describeMark } from '../../src/ledger/claim-format.ts'
import type {
  ClaimHistory,
  CreatedClaim,
  Deployments,
  NewClaim,
  RecordedState
} from '../../src/ledger/deployments.ts'
import type { Claim, Claimant, ListedClaim, Status } from '../../src/ledger/rules.ts'
import type { SimulatedRun } from './simulated-run.ts'
import { type Blow, BOUND, type Scheduler, type World } from './world.ts'

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
/** Claims are numbered from it on, and apart from statuses. */
const FIRST_ID = 10
/** How long a request takes at most when GitHub is slow, with all that is tried again; in milliseconds. */
const SLOWEST = 30_000

/** Whether it is a status of the action's, not another tool's. */
const isOurs = ({ description }: Status) => description.startsWith('publish-version: ')

/** The GitHub of a world: without deployments at first. */
export class SimulatedGitHub {
  readonly #world: World
  readonly #scheduler: Scheduler
  /** Whether something that was written is hidden from all at first. */
  readonly #isHidden: boolean
  readonly #stored: WrittenClaim[] = []
  /** What each wrote: `create`, or such as `10 success`. */
  readonly #log: { readonly by: number; readonly text: string }[] = []
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
    const inTurn = takeTurns(this.#scheduler)
    return {
      list: () => this.#request(run, () => this.#list(run)),
      history: id => inTurn(() => this.#request(run, () => this.#readHistory(run, id))),
      create: claim => {
        const effect = () => this.#create(claim, run.number)
        return this.#request(run, effect, true)
      },
      record: (id, state, description) => {
        const isBeginning = state === 'in_progress'
        if (isBeginning) run.commits()
        const effect = () => this.#add(id, run.number, state, description)
        return this.#request(run, effect, !isBeginning)
      }
    }
  }

  /** All claims, oldest first, whoever may see them yet. */
  get claims(): Claim[] {
    return this.#stored.map(({ value, statuses }) => {
      return { ...value, statuses: statuses.map(status => status.value) }
    })
  }

  /** What a run has written, in that order. */
  writtenBy(run: number): string[] {
    return this.#log.filter(({ by }) => by === run).map(({ text }) => text)
  }

  /** Somebody other than the runs of this world claims a version; returns the claim's id. */
  addClaim(versionName: string, tag: string, claimant: Claimant): number {
    return this.#create({ versionName, tag, claimant }, NOBODY).id
  }

  /** Somebody other than the runs of this world writes on a claim. */
  addStatus(id: number, state: string, description: string): void {
    this.#add(id, NOBODY, state, description)
  }

  /** Another tool writes on a deployment, any of them. */
  meddle(state: RecordedState, description: string): void {
    const claim = this.#stored[this.#scheduler.below(this.#stored.length)]
    if (claim) this.addStatus(claim.value.id, state, description)
  }

  /** When a claim of that run was first marked as in doubt; infinity if it never was. */
  doubtedSince(run: number): number {
    const claims = this.#stored.filter(({ by }) => by === run)
    const statuses = claims.flatMap(claim => claim.statuses)
    const errors = statuses.filter(({ value }) => isOurs(value) && value.state === 'error')
    return Math.min(...errors.map(({ at }) => at))
  }

  /** A person pastes a mark on a claim. */
  paste(id: number, isThere: boolean): void {
    const mark = describeMark(isThere ? 'published' : 'not published', '1')
    this.addStatus(id, isThere ? 'success' : 'failure', mark)
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
    const statuses = seen.map(({ value }) => value)
    return { statuses: statuses.filter(isOurs), now: this.#date() }
  }

  /** One request: the run may be killed before it has its effect, and before it sees the answer. */
  async #request<T>(run: SimulatedRun, effect: () => T, isEnding = false): Promise<T> {
    const { below, isCalm } = this.#scheduler
    const world = this.#world
    const blow = this.#nextBlow()
    if (blow === 'kill') await run.die()

    await this.#travel(run, isEnding)
    if (isCalm()) return effect()

    if (this.#fails(run, blow)) {
      run.misses()
      throw this.#failure()
    }

    if (this.#losesAnswer(blow)) {
      run.misses()
      this.#takeEffect(effect)
      throw new GitHubError('lost')
    }

    const result = effect()
    run.hears()
    // A machine may sleep before it reads the answer.
    if (world.sleep > 0) await run.turn(below(world.latency), isEnding)
    return result
  }

  /** Counts a request; returns the blow that strikes at it, if any. */
  #nextBlow(): Blow['kind'] | undefined {
    const { blow } = this.#world
    const number = this.#requests++
    return blow?.at === number && !this.#scheduler.isCalm() ? blow.kind : undefined
  }

  /** Lets the time of a request pass. */
  #travel(run: SimulatedRun, isEnding: boolean): Promise<void> {
    const { below, chance, isCalm } = this.#scheduler
    const { slowRequest, latency } = this.#world
    const isSlow = !isCalm() && chance(slowRequest)
    // Meanwhile the service may give the upload up, without a sign of it.
    if (isSlow) run.suffer()
    return run.turn(below(isSlow ? SLOWEST : latency), isEnding)
  }

  #fails(run: SimulatedRun, blow: Blow['kind'] | undefined): boolean {
    return blow === 'failure' || run.isCutOff() || this.#scheduler.chance(this.#world.failure)
  }

  /** An outage, a refusal, or a limit. */
  #failure(): GitHubError {
    const { below } = this.#scheduler
    const limit = { status: 403, limited: true, pause: below(60_000) }
    const kinds = [{ status: 503 }, { status: 403, denied: true }, limit]
    return new GitHubError('failed', kinds[below(kinds.length)])
  }

  #losesAnswer(blow: Blow['kind'] | undefined): boolean {
    return blow === 'lost answer' || this.#scheduler.chance(this.#world.lostAnswer)
  }

  /** A request whose answer is lost has its effect now, or within a minute. */
  #takeEffect(effect: () => unknown): void {
    const { below, chance, start } = this.#scheduler
    if (!chance(this.#world.lateEffect)) {
      effect()
      return
    }

    start(below(60_000), async () => {
      effect()
    })
  }

  #create({ versionName, tag, claimant }: Omit<NewClaim, 'ref'>, by: number): CreatedClaim {
    const value = {
      id: FIRST_ID + this.#stored.length,
      createdAt: this.#clock(),
      versionName,
      tag,
      claimant
    }
    this.#stored.push({ ...this.#write(by, 'create'), value, statuses: [] })
    return { id: value.id, createdAt: value.createdAt }
  }

  #add(id: number, by: number, state: string, description: string): void {
    const value = {
      id: this.#written,
      state,
      description,
      createdAt: this.#clock()
    }
    this.#find(id)?.statuses.push({ ...this.#write(by, `${id} ${state}`), value })
  }

  #write(by: number, text: string): Written {
    this.#log.push({ by, text })
    const at = this.#scheduler.now()
    if (this.#isHidden) {
      this.#lastShown = Math.max(this.#lastShown, at + this.#scheduler.below(this.#world.lag + 1))
    }
    return {
      number: this.#written++,
      by,
      at,
      shows: this.#lastShown
    }
  }

  /** Whether a run sees something that was written: see `Sight`. */
  #shows({ number, by, at, shows }: Written, reader: number): boolean {
    const { below, isCalm, now: readClock } = this.#scheduler
    if (isCalm()) return true

    const { sight, lag } = this.#world
    const now = readClock()
    // By then, all see it that see it by themselves.
    const isOld = at + lag <= now
    switch (sight) {
      case 'together':
        return shows <= now
      case 'staggered':
        return shows + (this.#delayOf(number, reader) % BOUND) <= now
      case 'flickering':
        return isOld || at + below(lag) <= now
      case 'each':
        return isOld || by === reader || at + (this.#delayOf(number, reader) % lag) <= now
    }
  }

  /** Any number, the same whenever that reader looks for what was written under that number. */
  #delayOf(number: number, reader: number): number {
    return Math.imul(number * 31 + reader + this.#world.seed, 0x9e3779b1) >>> 8
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
    return Math.floor((this.#scheduler.now() + skew) / 1000) * 1000
  }
}

/** A request that waits for another one of the same run. */
interface Waiting {
  begin(): void
  drop(error: unknown): void
}

/**
 * Lets the requests that a run makes at once go one after the other, in any order: in a world, one moves at a time. When one
 * fails, the run moves on, and those that wait are dropped.
 */
function takeTurns({ below }: Scheduler) {
  const waiting: Waiting[] = []
  let isBusy = false

  const pass = () => {
    const [next] = waiting.splice(below(waiting.length), 1)
    isBusy = next !== undefined
    next?.begin()
  }

  return async <T>(request: () => Promise<T>): Promise<T> => {
    if (isBusy) await new Promise<void>((begin, drop) => waiting.push({ begin, drop }))
    isBusy = true

    try {
      const result = await request()
      pass()
      return result
    } catch (error) {
      isBusy = false
      for (const it of waiting.splice(0)) it.drop(error)
      throw error
    }
  }
}
