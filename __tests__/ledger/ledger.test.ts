// Tests of src/ledger/ledger.ts: which histories a look reads.
import { expect, test } from '@jest/globals'
import { openLook } from '../../src/ledger/ledger.ts'
import type { ListedClaim, Rank } from '../../src/ledger/rules.ts'
import { CLAIMANT } from './calm-record.ts'
import { START } from './world.ts'

const HOUR = 3_600_000

/** A claim of one of the last days, with its statuses. */
interface Recorded {
  readonly version: string
  /** Oldest first, with spaces between them. */
  readonly states: string
  readonly hoursAgo?: number
}

/** Looks at these claims, the oldest first, for version 5; returns what it found, and the histories that it read. */
async function look(recorded: readonly Recorded[], times = 1) {
  const claims = recorded.map(
    ({ version, hoursAgo = 0 }, index): ListedClaim => ({
      id: index + 1,
      createdAt: START - hoursAgo * HOUR,
      versionName: version,
      tag: `v${version}`,
      claimant: CLAIMANT
    })
  )
  const read: number[] = []
  const history = async (id: number) => {
    read.push(id)
    const states = recorded[id - 1]?.states.split(' ') ?? []
    const statuses = states.map((state, at) => {
      return {
        id: at,
        state,
        description: '',
        createdAt: START
      }
    })
    return { statuses, now: START }
  }

  const rankOf = (other: string): Rank => {
    if (other === 'Spring') return undefined
    return other > '5' ? 'higher' : 'lower'
  }
  const once = openLook({
    deployments: { list: async () => ({ claims, now: START }), history },
    versionName: '5',
    rankOf
  })
  for (let looked = 1; looked < times; looked++) await once()
  return { found: await once(), read }
}

test('of the own version, every look reads all histories again, whatever they say', async () => {
  const { found, read } = await look(
    [
      { version: '5', states: 'in_progress failure', hoursAgo: 900 },
      { version: '5', states: 'in_progress success', hoursAgo: 800 },
      { version: '5', states: 'in_progress error', hoursAgo: 700 }
    ],
    2
  )
  expect(found.claims.map(({ id }) => id)).toEqual([1, 2, 3])
  expect(read).toEqual([1, 2, 3, 1, 2, 3])
})

test.each<[string, readonly Recorded[], readonly number[]]>([
  [
    'the newest is published',
    [
      { version: '6', states: 'in_progress success' },
      { version: '7', states: 'in_progress success' }
    ],
    [2, 1]
  ],
  [
    'the newest failed, and an older one is in doubt',
    [
      { version: '6', states: 'in_progress success' },
      { version: '8', states: 'in_progress error' },
      { version: '7', states: 'in_progress failure' }
    ],
    [3, 2, 1]
  ],
  [
    'a person has marked the newest as not published',
    [
      { version: '7', states: 'in_progress' },
      { version: '7', states: 'in_progress error failure' }
    ],
    [2, 1]
  ],
  [
    'an older claim on the same version may have sent it',
    [
      { version: '6', states: 'in_progress error' },
      { version: '7', states: '' }
    ],
    [2, 1]
  ],
  [
    'the fifth is not read',
    ['6', '7', '8', '9', '10'].map(version => ({
      version: `5${version}`,
      states: 'in_progress error'
    })),
    [5, 4, 3, 2]
  ],
  [
    'all have failed',
    [
      { version: '6', states: 'in_progress failure' },
      { version: '7', states: 'failure in_progress' }
    ],
    [2, 1]
  ]
])(
  'higher claims are read newest first, four at a time, until one stops the run: %s',
  async (_, claims, ids) => {
    const { found, read } = await look(claims)
    expect(read).toEqual(ids)
    expect(found.others.map(({ id, rank }) => [id, rank])).toEqual(ids.map(id => [id, 'higher']))
  }
)

test('of lower versions, those of the last day are read; of names without an order, none', async () => {
  const { found, read } = await look([
    { version: '1', states: 'in_progress', hoursAgo: 25 },
    { version: '2', states: 'in_progress', hoursAgo: 23 },
    { version: 'Spring', states: 'in_progress' },
    { version: '3', states: 'in_progress' }
  ])
  expect(read).toEqual([2, 4])
  expect(found.others.map(({ rank }) => rank)).toEqual(['lower', 'lower'])
})

test('the last date of a look is the latest that GitHub said, whichever history came last', async () => {
  const claims = [3, 1, 2].map((late, index) => ({
    id: index + 1,
    createdAt: START,
    versionName: '5',
    tag: 'v5',
    claimant: CLAIMANT,
    late
  }))
  const once = openLook({
    deployments: {
      list: async () => ({ claims, now: START }),
      history: async id => {
        return { statuses: [], now: START + (claims[id - 1]?.late ?? 0) * 1000 }
      }
    },
    versionName: '5'
  })
  expect(await once()).toMatchObject({ now: START, lastDate: START + 3000 })
})
