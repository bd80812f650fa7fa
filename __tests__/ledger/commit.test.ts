// Tests the commit point: when the last look counts, what withholds the tail, and what the run says then.
import { expect, test } from '@jest/globals'
import type { Claim } from '../../src/ledger/ledger.ts'
import { commit, why } from '../../src/ledger/publish-once.ts'
import type { Deployments } from '../../src/ledger/steps.ts'
import { claimOf, DEADLINE, NOW, SHA } from './claims.ts'

const RESERVE = 360
/** So long after the claim, the answer might come after the deadline. */
const TOO_LATE = (DEADLINE - RESERVE) * 1000
const OWN = claimOf(7, 'in_progress')
const later = (states: string) => claimOf(8, states, { runId: '1002' })
const ended = (id: number) => claimOf(id, 'in_progress failure')

interface Scene {
  /** What the list shows, look for look; the last one repeats itself. */
  readonly looks?: readonly (readonly Claim[])[]
  /** How often the own history does not show the `in_progress` yet. */
  readonly hidden?: number
  /** How long after its claim a run is done with its upload, in milliseconds. */
  readonly after?: number
  /** What the writes of `in_progress` end in, one after another; none left is well. */
  readonly writes?: readonly ('fails' | 'loses its answer')[]
  /** How long a call to GitHub takes, and the machine sleeps at the end of the first look. */
  readonly latency?: number
  readonly sleeps?: number
  readonly failing?: Error
}

/** Commits in a scene, on a clock of its own, and keeps account of what was asked of GitHub, and when. */
async function play(scene: Scene) {
  const { looks = [[OWN]], after = 60_000, latency = 0, failing } = scene
  const calls: string[] = []
  const writes = [...(scene.writes ?? [])]
  let { hidden = 0, sleeps = 0 } = scene
  let clock = NOW + after
  let looked = -1
  let isWritten = false
  const seen = () => looks[Math.min(Math.max(looked, 0), looks.length - 1)] ?? []
  const ask = async (name: string) => {
    calls.push(`${name} ${(clock - NOW) / 1000}`)
    clock += latency
    if (name === 'list' && failing) throw failing
    return Math.floor(clock / 1000) * 1000
  }
  const deployments: Deployments = {
    list: async () => {
      looked++
      return { claims: seen(), now: await ask('list') }
    },
    history: async id => {
      const now = await ask(`history ${id}`)
      if (looked < 0) return { statuses: hidden-- <= 0 && isWritten ? OWN.statuses : [], now }
      clock += sleeps
      sleeps = 0
      return { statuses: seen().find(claim => claim.id === id)?.statuses ?? [], now }
    },
    create: async () => OWN.id,
    record: async (_, state) => {
      const now = await ask(state)
      const fate = writes.shift()
      isWritten ||= fate !== 'fails'
      if (fate) throw new Error('GitHub answered 502')
      return now
    }
  }
  const since = () => {
    const start = clock
    return () => clock - start
  }
  const sleep = async (ms: number) => {
    clock += ms
  }
  const steps = {
    ...{ deployments, claimant: OWN.claimant, reserve: RESERVE, lag: 6000 },
    ...{ stopwatch: since, sleep, tell: () => undefined }
  }
  const entry = { kind: 'claimed', own: claimOf(7, ''), since: () => clock - NOW } as const
  const told = await commit(steps, entry, { sha256: SHA, size: 5 }).then(
    decision => (decision.kind === 'proceed' ? 'sent' : `${decision.kind}: ${why(decision)}`),
    ({ message, cause }) => (cause ? `${message}, ${cause.message}` : message)
  )
  const timesOf = (call: string) =>
    calls.filter(it => it.startsWith(call)).map(it => it.split(' ')[1])
  return { told, calls, lists: timesOf('list').join(' '), written: timesOf('in_progress').length }
}

const beside = { after: 2000, looks: [[ended(6), OWN]] }
const contested = [OWN, later('in_progress')]
const yielding = { looks: [contested, contested, [OWN, ended(8)]] }
test.each<[string, Scene, string, written?: number]>([
  ['when the own claim is 6 seconds old by GitHub’s clock', { after: 2000 }, '2 7'],
  ['which a larger upload does not wait for', { after: 7000 }, '7'],
  ['counted from when it was asked for', { after: 0, latency: 2500 }, '5 12'],
  ['beside another claim, when all see the own one', beside, '2 13'],
  ['and its `in_progress`', { looks: [[OWN, ended(8)]] }, '60 67'],
  ['once that shows', { hidden: 3 }, '63.5'],
  ['of a server that knows it', { looks: [[claimOf(7, '')], [], [OWN]] }, '60 62 64'],
  ['after which the machine did not sleep long', { sleeps: 30_000 }, '60'],
  ['once a later run has made way', yielding, '60 62 64 67'],
  ['though `in_progress` failed once', { writes: ['fails'] }, '61', 2],
  ['late, but not too late', { after: TOO_LATE - 1 }, '539.999'],
  ['though its answer was lost', { writes: ['loses its answer'] }, '61', 1]
])('the tail goes after a look %s', async (_, scene, times, count = 1) => {
  expect(await play(scene)).toMatchObject({ told: 'sent', lists: times, written: count })
})

const published = 'replay: another run has published this version'
const doubt = 'in doubt: another run may have published this version'
const gone = 'this run’s deployment is gone from the list'
const hidden = 'GitHub did not show this run’s deployment as in progress in time'
const tool = 'lost: something else wrote on this run’s deployment'
const lost = 'the record on GitHub could not be read or written, GitHub answered 502'
const late = 'sending took longer than this run had reserved'
const stays = 'contested: run 1002 is publishing this version'
const slept = { sleeps: 31_000, looks: [[OWN], [OWN, later('success')]] }
const earlier = { looks: [[claimOf(6, '', { runId: '1003' }), OWN]] }
test.each<[string, Scene, string, last?: string]>([
  ['a run has published while the machine slept', slept, published],
  ['a run may have', { looks: [[OWN, later('in_progress error')]] }, doubt],
  ['an earlier run lives', earlier, 'yield: run 1003 is publishing this version'],
  ['a later one stays', { looks: [contested] }, stays, 'history 8 80'],
  ['another tool wrote on the own claim', { looks: [[claimOf(7, 'inactive in_progress')]] }, tool],
  ['the own claim is gone', { looks: [[later('')]] }, gone],
  ['the own `in_progress` does not show', { hidden: 9999 }, hidden, 'history 7 75'],
  ['GitHub cannot be asked', { failing: new Error('GitHub answered 502') }, lost],
  ['`in_progress` fails twice', { writes: ['fails', 'fails'] }, lost],
  ['there is no time to try it twice', { writes: ['fails'], latency: 10_000 }, lost],
  ['the answer might come after the deadline', { after: TOO_LATE }, late, 'none'],
  ['it might since recording took long', { after: TOO_LATE - 1, latency: 1000 }, late]
])('the tail stays, and the reason is told, when %s', async (_, scene, expected, last = '') => {
  const { told, calls } = await play(scene)
  expect(told).toBe(expected)
  if (last !== '') expect(calls.at(-1) ?? 'none').toBe(last)
})
