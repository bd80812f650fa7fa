// Tests the commit point: when the last look counts, what withholds the tail, and what the run says then.
import { expect, test } from '@jest/globals'
import { describeObstacle, passCommitPoint } from '../../src/ledger/commit-point.ts'
import type { Claim } from '../../src/ledger/ledger.ts'
import type { Deployments } from '../../src/ledger/steps.ts'
import type { Rank } from '../../src/release/tag.ts'
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
  /** What it shows of the version 1.5, in the same way. */
  readonly higher?: readonly (readonly Claim[])[]
  readonly lower?: readonly (readonly Claim[])[]
  /** How long after its claim a run is done with its upload, in milliseconds. */
  readonly after?: number
  /** What the writes of `in_progress` end in, one after another; none left is well. */
  readonly writes?: readonly ('fails' | 'loses its answer')[]
  /** How long a call to GitHub takes, and the machine sleeps at the end of the first look. */
  readonly latency?: number
  readonly sleeps?: number
  /** Its monotonic clock stops while it sleeps. */
  readonly stops?: boolean
  /** How far GitHub's clock is ahead of the one that dates deployments. */
  readonly ahead?: number
  /** How late its lists are, as a stand-in says. */
  readonly lag?: number
  readonly failing?: Error
  /** The request ends before the commit point, or while it sleeps there. */
  readonly ends?: 'before' | 'in sleep'
}

/** Commits in a scene, on a clock of its own, and keeps account of what was asked of GitHub, and when. */
async function play(scene: Scene) {
  const { looks = [[OWN]], higher = [[]], lower = [[]], after = 60_000, latency = 0 } = scene
  const calls: string[] = []
  const writes = [...(scene.writes ?? [])]
  let { sleeps = 0 } = scene
  let clock = NOW + after
  let stopped = 0
  let looked = -1
  let isWritten = false
  const at = <T>(all: readonly (readonly T[])[]) =>
    all[Math.min(Math.max(looked, 0), all.length - 1)] ?? []
  const seen = () => at(looks)
  const ask = async (name: string) => {
    calls.push(`${name} ${Math.round((clock - NOW) / 100) / 10}`)
    clock += latency
    if (name === 'list' && scene.failing) throw scene.failing
    return Math.floor((clock + (scene.ahead ?? 0)) / 1000) * 1000
  }
  const deployments: Deployments = {
    versionName: OWN.versionName,
    list: async () => {
      looked++
      const now = await ask('list')
      const claims = [
        ...seen(),
        ...at(higher).map(claim => ({ ...claim, versionName: '1.5' })),
        ...at(lower).map(claim => ({ ...claim, versionName: '1.3' })),
        { ...later('in_progress'), versionName: 'latest' }
      ]
      return { claims, now, lag: scene.lag }
    },
    history: async id => {
      const now = await ask(`history ${id}`)
      if (looked < 0) return { statuses: isWritten ? OWN.statuses : [], now }
      clock += sleeps
      if (scene.stops) stopped += sleeps
      sleeps = 0
      const all = [...seen(), ...at(higher), ...at(lower)]
      return { statuses: all.find(claim => claim.id === id)?.statuses ?? [], now }
    },
    create: async () => OWN.id,
    record: async (_, state) => {
      await ask(state)
      const fate = writes.shift()
      isWritten ||= fate !== 'fails'
      if (fate) throw new Error('GitHub answered 502')
    }
  }
  const since = (start: number, before = stopped) => ({
    atLeast: () => clock - start - (stopped - before),
    atMost: () => clock - start
  })
  const request = new AbortController()
  const end = () => request.abort(new Error('it ended'))
  if (scene.ends === 'before') end()
  const sleep = async (ms: number, until?: AbortSignal) => {
    if (scene.ends) end()
    until?.throwIfAborted()
    clock += ms
  }
  const ranks: ReadonlyMap<string, Rank> = new Map([
    ['1.5', 'higher'],
    ['1.3', 'lower']
  ])
  const steps = {
    ...{ deployments, claimant: OWN.claimant, failed: new Map(), reserve: RESERVE, lag: 6000 },
    rankOf: (name: string) => ranks.get(name),
    ...{ stopwatch: () => since(clock), sleep, settlingPause: sleep, tell: () => undefined }
  }
  const ages = { sinceAsked: since(NOW), sinceAnswered: since(NOW + latency) }
  const entry = { kind: 'claimed', own: claimOf(7, ''), ...ages, lag: 6000 } as const
  const file = { sha256: SHA, size: 5 }
  const told = await passCommitPoint(steps, entry, file, request.signal).then(
    decision =>
      decision.kind === 'proceed' ? 'sent' : `${decision.kind}: ${describeObstacle(decision)}`,
    ({ message, cause }) => (cause ? `${message}, ${cause.message}` : message)
  )
  const timesOf = (call: string) =>
    calls.filter(it => it.startsWith(call)).map(it => it.split(' ')[1])
  return { told, calls, lists: timesOf('list').join(' '), written: timesOf('in_progress').length }
}

const beside = { after: 2000, looks: [[ended(6), OWN]] }
const contested = [OWN, later('in_progress')]
const yielding = { looks: [contested, contested, [OWN, ended(8)]] }
const sending = claimOf(9, 'in_progress', { runId: '1009' })
const preparing = claimOf(9, '', { runId: '1009' })
test.each<[string, Scene, string, written?: number]>([
  ['when the own claim is 6 seconds old', { after: 2000 }, '6'],
  ['which a larger upload does not wait for', { after: 7000 }, '7'],
  ['counted from the answer to it', { after: 2500, latency: 2500 }, '8.5'],
  ['whatever GitHub’s clock says', { after: 2000, ahead: 60_000 }, '6'],
  ['beside another claim, when all see the own one', beside, '6 12'],
  ['and its `in_progress`', { looks: [[OWN, ended(8)]] }, '60 66'],
  ['not sooner for what a stand-in says to be later', { after: 2000, lag: 9000 }, '6'],
  ['sooner beside one whose lists are less late', { ...beside, after: 6000, lag: 300 }, '6 6.3'],
  ['of a server that knows it', { looks: [[claimOf(7, '')], [], [OWN]] }, '60 62 64'],
  ['after which the machine did not sleep long', { sleeps: 30_000 }, '60'],
  ['once a later run has made way', yielding, '60 62 64 66'],
  ['though `in_progress` failed once', { writes: ['fails'] }, '61', 2],
  ['late, but not too late', { after: TOO_LATE - 1 }, '540'],
  ['though its answer was lost', { writes: ['loses its answer'] }, '61', 1],
  ['beside a higher version that is prepared', { higher: [[preparing]] }, '60 66'],
  ['beside one that has failed', { higher: [[ended(9)]] }, '60'],
  ['once a higher version has failed', { higher: [[sending], [ended(9)]] }, '60 62'],
  ['after a lower version', { lower: [[sending], [claimOf(9, 'success')]] }, '60 62'],
  ['once that is in doubt', { lower: [[sending], [claimOf(9, 'in_progress error')]] }, '60 62 66']
])('the tail goes after a look %s', async (_, scene, times, count = 1) => {
  expect(await play(scene)).toMatchObject({ told: 'sent', lists: times, written: count })
})

const published = 'replay: another run has published this version'
const doubt = 'in doubt: another run may have published this version'
const gone = 'this run’s deployment is gone from the list'
const hidden = 'GitHub did not show this run’s deployment as in progress in time'
const tool = 'lost: something else wrote on this run’s deployment'
const lost = 'the record on GitHub could not be read or written, GitHub answered 502'
const over = 'the request ended before its last bytes'
const meanwhile = 'the record on GitHub could not be read or written, it ended'
const late = 'sending took longer than this run had reserved'
const stays = 'contested: run 1002 is publishing this version'
const higher = 'run 1009 is publishing the higher version "1.5"'
const last = 'beside: run 1009 is publishing the lower version "1.3"'
const lower = 'outranked: the higher version "1.5" is published, or may be'
const slept = { sleeps: 31_000, looks: [[OWN], [OWN, later('success')]] }
const earlier = { looks: [[claimOf(6, '', { runId: '1003' }), OWN]] }
const overtaken = { higher: [[sending], [claimOf(9, 'success')]] }
test.each<[string, Scene, string, final?: string]>([
  ['a run has published while the machine slept', slept, published],
  ['and one of its clocks stopped', { ...slept, stops: true }, published],
  ['a run may have', { looks: [[OWN, later('in_progress error')]] }, doubt],
  ['an earlier run lives', earlier, 'yield: run 1003 is publishing this version'],
  ['a later one stays', { looks: [contested] }, stays, 'history 8 80'],
  ['another tool wrote on the own claim', { looks: [[claimOf(7, 'inactive in_progress')]] }, tool],
  ['the own claim is gone', { looks: [[later('')]] }, gone],
  ['the own `in_progress` does not show', { looks: [[claimOf(7, '')]] }, hidden, 'history 7 80'],
  ['GitHub cannot be asked', { failing: new Error('GitHub answered 502') }, lost],
  ['`in_progress` fails twice', { writes: ['fails', 'fails'] }, lost],
  ['the request has ended', { ends: 'before' }, over, 'none'],
  ['it ends meanwhile', { ends: 'in sleep', after: 2000 }, meanwhile, 'in_progress 2'],
  ['it ends, and is not asked for again', { ends: 'in sleep', writes: ['fails'] }, meanwhile],
  ['there is no time to try it twice', { writes: ['fails'], latency: 10_000 }, lost],
  ['the answer might come after the deadline', { after: TOO_LATE }, late, 'none'],
  ['it might since recording took long', { after: TOO_LATE - 1, latency: 1000 }, late],
  ['a higher version is published', { higher: [[claimOf(9, 'success')]] }, lower],
  ['it is published in the meantime', overtaken, lower],
  ['it may be published', { higher: [[claimOf(9, 'in_progress error')]] }, lower],
  ['it is sent for more than 20 seconds', { higher: [[sending]] }, higher, 'history 9 80'],
  ['a lower one is sent for more than 30', { lower: [[sending]] }, last, 'history 9 90']
])('the tail stays, and the reason is told, when %s', async (_, scene, expected, final = '') => {
  const { told, calls } = await play(scene)
  expect(told).toBe(expected)
  if (final !== '') expect(calls.at(-1) ?? 'none').toBe(final)
})
