// Owns a GitHub that remembers deployments on the virtual clock: late lists, lost answers, other tools.
import { GitHubError } from '../../src/github/errors.ts'
import { describeMark } from '../../src/ledger/claim-format.ts'
import type { Deployments, RecordedState } from '../../src/ledger/deployments.ts'
import type { Claimant, ListedClaim, Status } from '../../src/ledger/rules.ts'
import type { SimulatedRun } from './simulated-run.ts'
import { BOUND, type Scheduler, type World } from './world.ts'

/** What was written, by whom and when. */
interface Written {
  readonly number: number
  readonly by: number
  readonly at: number
  /** From when on the first may see it, where it is hidden before. */
  readonly shows: number
}

interface Stored extends Written {
  readonly value: ListedClaim
  readonly statuses: (Written & { readonly value: Status })[]
}

const NOBODY = -1
/** How long a request takes at most when GitHub is slow, with all that is tried again. */
const SLOWEST = 30_000
const { floor, imul, max, min } = Math

/** Opens an empty memory. */
export function openGitHub(world: World, scheduler: Scheduler) {
  const { below, chance, isCalm } = scheduler
  const { sight, lag } = world
  const isHidden = sight === 'together' || sight === 'staggered'
  const stored: Stored[] = []
  let requests = 0
  let written = 100
  let lastShown = 0

  // GitHub tells the time in whole seconds, and each of its nodes has its own.
  const clock = (skew = 0) => floor((scheduler.now() + skew) / 1000) * 1000
  const date = () => clock(world.skew === 0 || isCalm() ? 0 : (below(3) - 1) * world.skew)
  const write = (by: number): Written => {
    const at = scheduler.now()
    if (isHidden) lastShown = max(lastShown, at + below(lag + 1))
    return { number: written++, by, at, shows: lastShown }
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
    const value = { id: written, state, description, createdAt: clock() }
    find(id)?.statuses.push({ ...write(by), value })
  }
  const create = (versionName: string, claimant: Claimant, by: number): number => {
    const about = { versionName, tag: `v${versionName}`, claimant }
    const value = { id: written, createdAt: clock(), ...about }
    stored.push({ ...write(by), value, statuses: [] })
    return value.id
  }

  /** One request: the run may be killed before it has its effect, and before it sees the answer. */
  const request = async <T>(run: SimulatedRun, effect: () => T, settles = false): Promise<T> => {
    const { blow } = world
    const isHere = blow?.at === requests++ && !isCalm()
    if (isHere && blow.kind === 'kill') await run.die()
    const isSlow = !isCalm() && chance(world.slowRequest)
    // Meanwhile the service may give the request up, and nobody says so.
    if (isSlow) run.suffer()
    await run.turn(below(isSlow ? SLOWEST : world.latency), settles)
    if (isCalm()) return effect()
    if ((isHere && blow.kind === 'failure') || run.isCutOff() || chance(world.failure)) {
      run.suffer()
      throw new Error('503')
    }
    if (!(isHere && blow.kind === 'lost answer') && !chance(world.lostAnswer)) {
      const result = effect()
      if (world.sleep > 0) await run.turn(below(world.latency), settles)
      return result
    }
    run.suffer()
    if (chance(world.lateEffect)) scheduler.start(below(60_000), async () => void effect())
    else effect()
    throw new GitHubError('lost')
  }

  return {
    /** GitHub as one run sees it. */
    open: (run: SimulatedRun): Deployments => ({
      list: () =>
        request(run, () => {
          const seen = stored.filter(it => shows(it, run.number))
          return { claims: seen.map(({ value }) => value), now: date(), lag: world.wait }
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
    /** Another tool writes on a deployment. */
    meddle: (state: RecordedState, description: string) => {
      const claim = stored[below(stored.length)]
      if (claim) add(claim.value.id, NOBODY, state, description)
    },
    /** When a claim of that run was first marked as in doubt. */
    doubtedSince: (run: number): number => {
      const statuses = stored.filter(({ by }) => by === run).flatMap(claim => claim.statuses)
      const errors = statuses.filter(({ value }) => value.state === 'error')
      return min(...errors.map(({ at }) => at))
    },
    /** What a person pastes in to mark a claim. */
    paste: (id: number, isThere: boolean) => {
      const mark = describeMark(isThere ? 'published' : 'not published', '1')
      add(id, NOBODY, isThere ? 'success' : 'failure', mark)
    }
  }
}
