// Holds the promises of the memory in simulated worlds: what may happen at any step, and one version at most.
import { describe, expect, test } from '@jest/globals'
import { simulate } from './simulation.ts'
import { play } from './tally.ts'
import { type Blow, CALM, sample, type World } from './world.ts'

const PORTION = 12_000
const LIMIT = 120_000

function worldsFrom(first: number, count: number): World[] {
  return Array.from({ length: count }, (_, index) => sample(first + index))
}

describe('in 60,000 sampled worlds of 2 to 5 runs every promise is kept', () => {
  test.each([0, 1, 2, 3, 4])(
    'portion %i',
    async portion => {
      const { broken, endings } = await play(worldsFrom(portion * PORTION, PORTION))
      expect(broken).toEqual([])
      // The worlds are wild enough to see every ending.
      expect([...endings.keys()]).toEqual(
        expect.arrayContaining([
          ...['published', 'killed', 'unknown', 'in doubt', 'stopped: 503', 'stopped: lost'],
          ...['already published: different', 'already published: rebuilt'],
          ...['not published: 429', 'not published: sending took longer than the claim allows'],
          ...['again: published', 'again: already published: rebuilt', 'again: in doubt']
        ])
      )
    },
    LIMIT
  )
})

/** Two runs of every kind, in each of which one thing goes wrong at one place. */
function struckWorlds(kind: Blow['kind']): World[] {
  const places = Array.from({ length: 90 }, (_, at) => at)
  const kinds = [1, 2, 3, 4, 5, 6, 7, 8].map(seed => ({
    ...{ ...CALM, seed, oneAttempt: seed % 2 === 0 },
    ...{ lag: seed > 4 ? 12 : 0, lagInOrder: seed % 4 < 2, lateEffect: seed % 3 === 0 ? 1 : 0 }
  }))
  return kinds.flatMap(world => places.map(at => ({ ...world, blow: { kind, at } })))
}

describe('at every step of two runs', () => {
  test.each([
    ['a run is killed', 'kill'],
    ['a request to GitHub fails', 'failure'],
    ['a request to GitHub loses its answer', 'lost answer']
  ] as const)('%s, and every promise is kept', async (_, kind) => {
    const { broken, endings } = await play(struckWorlds(kind))
    expect(broken).toEqual([])
    const struck = [...endings].filter(([ending]) =>
      /^(killed|stopped: (503|lost)|not published: the memory)/.test(ending)
    )
    const blows = struck.reduce((sum, [, count]) => sum + count, 0)
    // What is lost while a claim is created, or while its end is written, changes no ending.
    expect(blows).toBeGreaterThan(kind === 'lost answer' ? 20 : 200)
  })
})

test('without misfortunes one run publishes, and the others are told so', async () => {
  for (const runs of [1, 2, 3, 4, 5]) {
    for (let seed = 0; seed < 50; seed++) {
      const { outcomes, rerun, excused } = await simulate({ ...CALM, seed, runs })
      const others = Array.from({ length: runs - 1 }, () => 'already published: rebuilt')
      expect(outcomes.toSorted()).toEqual([...others, 'published'])
      expect([rerun, excused]).toEqual(['already published: rebuilt', false])
    }
  }
})

test('jobs of one attempt with different files are told that the content differs', async () => {
  const { outcomes } = await simulate({ ...CALM, oneAttempt: true, runs: 3 })
  const others = ['already published: different', 'already published: different']
  expect(outcomes.toSorted()).toEqual([...others, 'published'])
})

test('the same seed gives the same history', async () => {
  for (const world of worldsFrom(0, 200)) {
    expect(await simulate(world)).toEqual(await simulate(world))
  }
})

describe('the simulation finds a version published twice', () => {
  test.each([
    ['the last look of step 5 is left out', 'last look'],
    ['the own `in_progress` need not show for it', 'own status shown']
  ] as const)(
    'when %s',
    async (_, without) => {
      let doubles = 0
      for (let seed = 0; doubles === 0 && seed < 20_000; seed++) {
        const { versions } = await simulate({ ...sample(seed), without })
        if (versions > 1) doubles++
      }
      expect(doubles).toBe(1)
    },
    LIMIT
  )
})
