// Owns a GitHub with deployments on the virtual clock: late lists, lost answers, other tools.
import { GitHubError } from '../../src/github/github-error.ts'
import { describeMark } from '../../src/ledger/claim-format.ts'
import type { Deployments, RecordedState } from '../../src/ledger/deployments.ts'
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

/** The GitHub of a world. */
export interface SimulatedGitHub {
  /** GitHub as one run sees it. */
  open(run: SimulatedRun): Deployments
  /** Another tool writes on a deployment, any of them. */
  meddle(state: RecordedState, description: string): void
  /** When a claim of that run was first marked as in doubt; infinity if it never was. */
  doubtedSince(run: number): number
  /** A person pastes a mark on a claim. */
  paste(id: number, isThere: boolean): void
}

const NOBODY = -1
/** How long a request takes at most when GitHub is slow, with all that is tried again; in milliseconds. */
const SLOWEST = 30_000
const { floor, imul, max, min } = Math

/** Opens a GitHub without deployments. */
export function openGitHub(world: World, scheduler: Scheduler): SimulatedGitHub {
  const { below, chance, isCalm } = scheduler
  const { sight, lag } = world
  const isHidden = sight === 'together' || sight === 'staggered'
  const stored: WrittenClaim[] = []
  let requests = 0
  let written = 100
  let lastShown = 0

  // GitHub gives the time in whole seconds, and each of its nodes has its own.
  const clock = (skew = 0) => floor((scheduler.now() + skew) / 1000) * 1000
  const date = () => clock(world.skew === 0 || isCalm() ? 0 : (below(3) - 1) * world.skew)
  const write = (by: number): Written => {
    const at = scheduler.now()
    if (isHidden) lastShown = max(lastShown, at + below(lag + 1))
    return {
      number: written++,
      by,
      at,
      shows: lastShown
    }
  }

  const shows = ({ number, by, at, shows: first }: Written, reader: number): boolean => {
    const now = scheduler.now()
    const ownDelay = imul(number * 31 + reader + world.seed, 0x9e3779b1) >>> 8
    if (isCalm()) return true

    if (sight === 'together') return first <= now
    if (sight === 'staggered') return first + (ownDelay % BOUND) <= now

    if (at + lag <= now) return true
    if (sight === 'flickering') return at + below(lag) <= now
    return by === reader || at + (ownDelay % lag) <= now
  }

  const find = (id: number) => stored.find(({ value }) => value.id === id)
  const add = (id: number, by: number, state: RecordedState, description = '') => {
    const value = {
      id: written,
      state,
      description,
      createdAt: clock()
    }
    find(id)?.statuses.push({ ...write(by), value })
  }
  const create = (versionName: string, claimant: Claimant, by: number): number => {
    const value = {
      id: written,
      createdAt: clock(),
      versionName,
      tag: `v${versionName}`,
      claimant
    }
    stored.push({ ...write(by), value, statuses: [] })
    return value.id
  }

  /** One request: the run may be killed before it has its effect, and before it sees the answer. */
  const request = async <T>(run: SimulatedRun, effect: () => T, isEnding = false): Promise<T> => {
    const { blow } = world
    const isHere = blow?.at === requests++ && !isCalm()
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
    if (chance(world.lateEffect)) scheduler.start(below(60_000), async () => void effect())
    else effect()
    throw new GitHubError('lost')
  }

  return {
    open: run => ({
      list: () =>
        request(run, () => {
          const seen = stored.filter(it => shows(it, run.number))
          return {
            claims: seen.map(({ value }) => value),
            now: date(),
            lag: world.wait
          }
        }),
      history: id =>
        request(run, () => {
          const claim = find(id)
          const trusts = world.trusting && claim?.by === run.number
          if (!claim || !(trusts || shows(claim, run.number))) return undefined

          const seen = claim.statuses.filter(it => trusts || shows(it, run.number))
          const ours = seen.filter(({ value }) => value.description.startsWith('publish-version: '))
          return { statuses: ours.map(({ value }) => value), now: date() }
        }),
      create: (versionName, _, claimant) =>
        request(run, () => create(versionName, claimant, run.number), true),
      record: (id, state, description) => {
        if (state === 'in_progress') run.commits()
        const effect = () => add(id, run.number, state, description)
        return request(run, effect, state !== 'in_progress')
      }
    }),
    meddle: (state, description) => {
      const claim = stored[below(stored.length)]
      if (claim) add(claim.value.id, NOBODY, state, description)
    },
    doubtedSince: run => {
      const statuses = stored.filter(({ by }) => by === run).flatMap(claim => claim.statuses)
      const errors = statuses.filter(({ value }) => value.state === 'error')
      return min(...errors.map(({ at }) => at))
    },
    paste: (id, isThere) => {
      const mark = describeMark(isThere ? 'published' : 'not published', '1')
      add(id, NOBODY, isThere ? 'success' : 'failure', mark)
    }
  }
}
