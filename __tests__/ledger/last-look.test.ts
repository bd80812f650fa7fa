// Tests the last look before the tail: what a run may see then, and what it says when its tail stays.
import { describe, expect, test } from '@jest/globals'
import { commit } from '../../src/ledger/commit.ts'
import type { Claim } from '../../src/ledger/ledger.ts'
import type { Deployments, Steps } from '../../src/ledger/steps.ts'
import { claimOf, DEADLINE, NOW, SHA } from './claims.ts'

const RESERVE = 360
/** From here on, the answer might come after the deadline. */
const TOO_LATE = NOW + (DEADLINE - RESERVE) * 1000
const OWN = claimOf(7, 'in_progress')
const FOREIGN = claimOf(7, 'queued')
const later = (states: string) => claimOf(8, states, { runId: '1002' })

interface Scene {
  /** What the list shows, look for look; the last one repeats itself. */
  readonly looks: readonly (readonly Claim[])[]
  /** How often the own history still holds nothing but what another tool wrote. */
  readonly hidden?: number
  readonly recordedAt?: number
  readonly lookedAt?: number
  /** What every look ends in. */
  readonly failing?: Error
}

/** Commits in a scene, and keeps account of what was asked of GitHub, and how long was slept. */
function play({ looks, hidden = 1, recordedAt = NOW, lookedAt = NOW, failing }: Scene) {
  const calls: string[] = []
  let slept = 0
  let looked = 0
  let left = hidden
  const deployments: Deployments = {
    look: async () => {
      calls.push('look')
      if (failing) throw failing
      return {
        claims: looks[Math.min(looked++, looks.length - 1)] ?? [],
        now: NOW,
        until: lookedAt
      }
    },
    history: async () => {
      calls.push('history')
      return { statuses: (left-- > 0 ? FOREIGN : OWN).statuses, now: recordedAt }
    },
    create: async () => OWN.id,
    record: async (_, state) => void calls.push(state)
  }
  const sleep = async (ms: number) => {
    calls.push('sleep')
    slept += ms
  }
  const rest = { nonce: () => 'n', sleep, tell: () => undefined }
  const { claimant } = OWN
  const steps: Steps = { deployments, claimant, reserve: RESERVE, versionName: '1.4.2', ...rest }
  const committed = commit(steps, claimOf(7, ''), { sha256: SHA, size: 5 })
  return { committed, calls, slept: () => slept }
}

test('it begins only when the own `in_progress` shows', async () => {
  const { committed, calls } = play({ looks: [[OWN]], hidden: 3 })
  await committed
  const waits = ['history', 'sleep', 'history', 'sleep', 'history']
  expect(calls).toEqual(['history', 'in_progress', ...waits, 'look'])
})

test('it never comes when the own `in_progress` does not show', async () => {
  const { committed, calls } = play({ looks: [[OWN]], hidden: 9999 })
  await expect(committed).rejects.toThrow('did not show as in progress')
  expect(calls).not.toContain('look')
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
    const { committed, slept } = play({ looks: [claims], hidden: 0 })
    await expect(committed).rejects.toMatchObject({
      name: 'Withheld',
      message: expect.stringMatching(message),
      decision: kind && { kind }
    })
    expect(slept()).toBe(0)
  })

  test('GitHub cannot be asked, whose answer is kept as the cause', async () => {
    const cause = new Error('GitHub answered 503')
    const { committed } = play({ looks: [], failing: cause })
    const message = expect.stringContaining('memory on GitHub could not be read')
    await expect(committed).rejects.toMatchObject({ name: 'Withheld', message, cause })
  })
})

describe('a later run that is about to send its tail, too,', () => {
  test('is given time to make way, and then the own tail goes', async () => {
    const contested = [OWN, later('in_progress')]
    const looks = [contested, contested, [OWN, later('in_progress failure')]]
    const { committed, calls } = play({ looks, hidden: 0 })
    await committed
    const waits = ['look', 'sleep', 'look', 'sleep', 'look']
    expect(calls.slice(calls.indexOf('look'))).toEqual(waits)
  })

  test('is waited for no longer than 20 seconds, and then the own tail stays', async () => {
    const { committed, slept } = play({ looks: [[OWN, later('in_progress')]], hidden: 0 })
    await expect(committed).rejects.toThrow('run 1002 is publishing this version')
    expect(slept()).toBe(20_000)
  })
})

describe('when the answer might come after the deadline', () => {
  test('nothing is recorded', async () => {
    const { committed, calls } = play({ looks: [[OWN]], recordedAt: TOO_LATE })
    await expect(committed).rejects.toThrow('longer than the claim allows')
    expect(calls).toEqual(['history'])
  })

  test('and all is recorded, the tail stays', async () => {
    const { committed } = play({ looks: [[OWN]], lookedAt: TOO_LATE })
    await expect(committed).rejects.toThrow('longer than the claim allows')
  })

  test('but only just will not, the tail goes', async () => {
    const justInTime = { recordedAt: TOO_LATE - 1, lookedAt: TOO_LATE - 1 }
    await expect(play({ looks: [[OWN]], ...justInTime }).committed).resolves.toBeUndefined()
  })
})
