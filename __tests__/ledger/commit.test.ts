// Tests the commit point: when the last look counts, what withholds the tail, and what the run says then.
import { describe, expect, test } from '@jest/globals'
import { commit } from '../../src/ledger/commit.ts'
import type { Claim } from '../../src/ledger/ledger.ts'
import type { Deployments, Steps } from '../../src/ledger/steps.ts'
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
  /** How long a call to GitHub takes. */
  readonly latency?: number
  /** How long the machine sleeps at the end of the first look. */
  readonly sleeps?: number
  readonly failing?: Error
}

/** Commits in a scene, on a clock of its own, and keeps account of what was asked of GitHub, and when. */
function play(scene: Scene) {
  const { looks = [[OWN]], after = 60_000, latency = 0, failing } = scene
  const calls: string[] = []
  const writes = [...(scene.writes ?? [])]
  let { hidden = 0, sleeps = 0 } = scene
  let clock = NOW + after
  let looked = -1
  let isWritten = false
  const ask = async (name: string) => {
    calls.push(`${name} ${(clock - NOW) / 1000}`)
    clock += latency
    if (name === 'list' && failing) throw failing
    return Math.floor(clock / 1000) * 1000
  }
  const deployments: Deployments = {
    list: async () => {
      looked++
      return { claims: looks[Math.min(looked, looks.length - 1)] ?? [], now: await ask('list') }
    },
    history: async id => {
      const now = await ask(`history ${id}`)
      const claims = looks[Math.min(Math.max(looked, 0), looks.length - 1)] ?? []
      if (looked < 0) return { statuses: hidden-- <= 0 && isWritten ? OWN.statuses : [], now }
      clock += sleeps
      sleeps = 0
      return { statuses: claims.find(claim => claim.id === id)?.statuses ?? [], now }
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
  const steps: Steps = {
    ...{ deployments, claimant: OWN.claimant, reserve: RESERVE, lag: 6000, versionName: '1.4.2' },
    nonce: () => 'n',
    stopwatch: () => {
      const start = clock
      return () => clock - start
    },
    sleep: async ms => {
      clock += ms
    },
    tell: () => undefined
  }
  const entry = { kind: 'claimed', own: claimOf(7, ''), since: () => clock - NOW } as const
  return { committed: commit(steps, entry, { sha256: SHA, size: 5 }), calls }
}

describe('a look is the last one', () => {
  test('when GitHub’s clock says that the own claim is 6 seconds old, to the whole second', async () => {
    const { committed, calls } = play({ after: 2000 })
    await committed
    const looks = ['list 2', 'history 7 2', 'list 7', 'history 7 7']
    expect(calls).toEqual(['in_progress 2', 'history 7 2', ...looks])
  })

  test('which a larger upload does not wait for', async () => {
    const { committed, calls } = play({ after: 7000 })
    await committed
    expect(calls).toEqual(['in_progress 7', 'history 7 7', 'list 7', 'history 7 7'])
  })

  test('counted from when it was asked for, however long GitHub takes', async () => {
    const { committed, calls } = play({ after: 0, latency: 2500 })
    await committed
    expect(calls.filter(call => call.startsWith('list'))).toEqual(['list 5', 'list 12'])
  })

  test('beside another claim, when all see both the own one and its `in_progress`', async () => {
    const beside = play({ after: 2000, looks: [[ended(6), OWN]] })
    await beside.committed
    expect(beside.calls.filter(call => call.startsWith('list'))).toEqual(['list 2', 'list 13'])
    const long = play({ after: 60_000, looks: [[OWN, ended(8)]] })
    await long.committed
    expect(long.calls.filter(call => call.startsWith('list'))).toEqual(['list 60', 'list 67'])
  })

  test('once the own `in_progress` shows', async () => {
    const { committed, calls } = play({ hidden: 3 })
    await committed
    const waits = ['history 7 60', 'history 7 60.5', 'history 7 61.5', 'history 7 63.5']
    expect(calls).toEqual(['in_progress 60', ...waits, 'list 63.5', 'history 7 63.5'])
  })

  test('and not one that a server answers which knows less', async () => {
    const { committed, calls } = play({ looks: [[claimOf(7, '')], [], [OWN]] })
    await committed
    expect(calls.filter(call => call.startsWith('list'))).toEqual(['list 60', 'list 62', 'list 64'])
  })

  test('and not one after which the machine slept', async () => {
    const looks = [[OWN], [OWN, later('success')]]
    const { committed } = play({ sleeps: 31_000, looks })
    await expect(committed).rejects.toThrow('another run has published this version')
    await expect(play({ sleeps: 30_000, looks }).committed).resolves.toBeUndefined()
  })
})

describe('an `in_progress` that fails', () => {
  test.each([
    ['and was not written is written again', ['fails'], 2],
    ['and was written is found', ['loses its answer'], 1]
  ] as const)('once %s', async (_, writes, count) => {
    const { committed, calls } = play({ writes })
    await committed
    expect(calls.filter(call => call.startsWith('in_progress'))).toHaveLength(count)
  })

  test.each<[string, Scene]>([
    ['twice', { writes: ['fails', 'fails'] }],
    ['when there is no time for a second try', { writes: ['fails'], latency: 10_000 }]
  ])('%s withholds the tail', async (_, scene) => {
    await expect(play(scene).committed).rejects.toMatchObject({
      message: 'the memory on GitHub could not be read or written',
      cause: { message: 'GitHub answered 502' }
    })
  })
})

describe('the tail stays, and the reason is told, when', () => {
  test.each<[string, Claim[], RegExp, string | undefined]>([
    ['a run has published', [claimOf(6, 'success'), OWN], /has published this version/, 'replay'],
    ['a run may have', [OWN, later('in_progress error')], /may have published/, 'in doubt'],
    [
      'an earlier run lives',
      [claimOf(6, '', { runId: '1003' }), OWN],
      /run 1003 is publishing/,
      'yield'
    ],
    [
      'another tool wrote on the own claim',
      [claimOf(7, 'inactive in_progress')],
      /something else wrote/,
      'lost'
    ],
    ['the own claim is gone', [later('')], /is gone from the list/, undefined]
  ])('%s', async (_, claims, message, kind) => {
    await expect(play({ looks: [claims] }).committed).rejects.toMatchObject({
      name: 'Withheld',
      message: expect.stringMatching(message),
      decision: kind && { kind }
    })
  })

  test('the own `in_progress` does not show within 15 seconds', async () => {
    const { committed, calls } = play({ hidden: 9999 })
    await expect(committed).rejects.toThrow('did not show as in progress')
    expect(calls.at(-1)).toBe('history 7 75')
  })

  test('GitHub cannot be asked, whose answer is kept as the cause', async () => {
    const cause = new Error('GitHub answered 503')
    const message = expect.stringContaining('memory on GitHub could not be read')
    await expect(play({ failing: cause }).committed).rejects.toMatchObject({ message, cause })
  })
})

describe('a later run that is about to send its tail, too,', () => {
  test('is given time to make way, and then the own tail goes', async () => {
    const contested = [OWN, later('in_progress')]
    const { committed, calls } = play({ looks: [contested, contested, [OWN, ended(8)]] })
    await committed
    const looks = calls.filter(call => call.startsWith('list'))
    expect(looks).toEqual(['list 60', 'list 62', 'list 64', 'list 67'])
  })

  test('is waited for no longer than 20 seconds, and then the own tail stays', async () => {
    const { committed, calls } = play({ looks: [[OWN, later('in_progress')]] })
    await expect(committed).rejects.toThrow('run 1002 is publishing this version')
    expect(calls.at(-1)).toBe('history 8 80')
  })
})

describe('when the answer might come after the deadline', () => {
  test('nothing is recorded', async () => {
    const { committed, calls } = play({ after: TOO_LATE })
    await expect(committed).rejects.toThrow('longer than the claim allows')
    expect(calls).toEqual([])
  })

  test('and all is recorded, the tail stays', async () => {
    const { committed } = play({ after: TOO_LATE - 1, latency: 1000 })
    await expect(committed).rejects.toThrow('longer than the claim allows')
  })

  test('but only just will not, the tail goes', async () => {
    await expect(play({ after: TOO_LATE - 1 }).committed).resolves.toBeUndefined()
  })
})
