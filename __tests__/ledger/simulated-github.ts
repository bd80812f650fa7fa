// Owns a GitHub that remembers deployments on the virtual clock: late lists, lost answers, other tools.
import type { Claim, Claimant, Status } from '../../src/ledger/ledger.ts'
import { AnswerLost, type Deployments, type Recorded } from '../../src/ledger/steps.ts'
import type { Actor, Scheduler } from './scheduler.ts'
import type { World } from './world.ts'

interface Shown<T> {
  readonly value: T
  /** The number of the first request that sees it, … */
  readonly from: number
  /** … and the time from which all do: who waits asks seldom, and lists do not lag for ever. */
  readonly latest: number
}

interface Stored extends Omit<Claim, 'statuses'> {
  readonly statuses: Shown<Status>[]
}

type Fate = 'fine' | 'failure' | 'lost answer' | 'late effect'

export interface SimulatedGitHub {
  /** GitHub as one run sees it; `suffered` is called when a request of its fails or loses its answer. */
  open(actor: Actor, suffered: () => void): Deployments
  /** Another tool marks a deployment `inactive`. */
  meddle(): void
  /** From now on nothing fails, and lists are up to date. */
  calmDown(): void
  /** What a person pastes in to settle a claim. */
  settle(id: number, state: Recorded): void
}

const LONGEST_LAG = 120_000

/** Opens an empty memory. */
export function openGitHub(world: World, scheduler: Scheduler): SimulatedGitHub {
  const { below, chance } = scheduler
  const stored: Shown<Stored>[] = []
  let requests = 0
  let lastShown = 0
  let ids = 100
  let calm = false

  const show = <T>(value: T): Shown<T> => {
    const at = requests + below(world.lag + 1)
    lastShown = world.lagInOrder ? Math.max(lastShown, at) : at
    return { value, from: lastShown, latest: scheduler.now() + LONGEST_LAG }
  }
  const visible = <T>(items: readonly Shown<T>[]): T[] =>
    items
      .filter(({ from, latest }) => calm || from <= requests || latest <= scheduler.now())
      .map(({ value }) => value)
  const history = (claim: Stored) => visible(claim.statuses).toSorted((a, b) => a.id - b.id)
  const find = (id: number) => stored.find(({ value }) => value.id === id)?.value
  const add = (claim: Stored | undefined, state: Recorded, description = '', link = '') => {
    claim?.statuses.push(show({ id: ids++, state, description, environmentUrl: link }))
  }
  const create = (claimant: Claimant): number => {
    const claim = { id: ids++, createdAt: scheduler.now(), claimant, statuses: [] }
    stored.push(show(claim))
    return claim.id
  }
  const fateOf = (request: number): Fate => {
    if (calm) return 'fine'
    if (world.blow?.at === request && world.blow.kind !== 'kill') return world.blow.kind
    if (chance(world.failure)) return 'failure'
    if (!chance(world.lostAnswer)) return 'fine'
    return chance(world.lateEffect) ? 'late effect' : 'lost answer'
  }

  const open = (actor: Actor, suffered: () => void): Deployments => {
    /** The run may be killed before the request has its effect, and before it sees the answer. */
    const request = async <T>(effect: () => T): Promise<T> => {
      await scheduler.turn(actor, below(1500))
      const fate = fateOf(requests++)
      if (fate !== 'fine') suffered()
      if (fate === 'failure') throw new Error('503')
      if (fate === 'late effect') {
        const delay = below(60_000)
        scheduler.start('packet', false, async packet => {
          await scheduler.turn(packet, delay)
          effect()
        })
        throw new AnswerLost('lost')
      }
      const result = effect()
      await scheduler.turn(actor, below(500))
      if (fate === 'lost answer') throw new AnswerLost('lost')
      return result
    }
    return {
      look: async () => {
        const { listed, now } = await request(() => ({
          listed: visible(stored).toSorted((a, b) => a.id - b.id),
          now: scheduler.now()
        }))
        const claims: Claim[] = []
        let until = now
        for (const claim of listed) {
          const read = () => ({ statuses: history(claim), at: scheduler.now() })
          const { statuses, at } = await request(read)
          claims.push({ ...claim, statuses })
          until = at
        }
        return { claims, now, until }
      },
      history: id =>
        request(() => {
          const claim = find(id)
          return { statuses: claim ? history(claim) : [], now: scheduler.now() }
        }),
      create: claimant => request(() => create(claimant)),
      record: (id, state, description, link) =>
        request(() => add(find(id), state, description, link))
    }
  }
  return {
    open,
    meddle: () => add(stored[below(stored.length)]?.value, 'inactive'),
    calmDown: () => {
      calm = true
    },
    settle: (id, state) => add(find(id), state)
  }
}
