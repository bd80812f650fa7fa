// Tests of src/ledger: in simulated worlds, in which anything may happen at any step, every promise is kept.
import { afterAll, expect, test } from '@jest/globals'
import { LIFETIME_MS } from '../../src/ledger/rules.ts'
import { pick } from '../support/deep.ts'
import { endLanes, playSampled } from './lanes.ts'
import { play } from './play.ts'
import { simulate } from './simulation.ts'
import { type Blow, BOUND, CALM, sample, type World } from './world.ts'

const LIMIT = pick(120_000, 600_000)

const sampled = (count: number, over: Partial<World> = {}) => playSampled({ first: 0, count, over })

/** Every ending that the worlds have to reach. */
const ENDINGS = [
  'published',
  'killed',
  'unknown',
  'in doubt',
  'lower',
  'stopped: failed',
  'stopped: lost',
  'stopped: cancelled',
  'already published: different',
  'already published: same',
  'already published: rebuilt',
  'not published: 429',
  'not published: cancelled',
  'again: published',
  'again: lower',
  'again: already published: same',
  'again: in doubt',
  'mark: marked',
  'mark: known',
  'mark: busy',
  'mark: overtaken'
]

afterAll(endLanes)

test(
  'in sampled worlds of 2 to 4 runs every promise is kept',
  async () => {
    const { broken, endings } = await sampled(pick(5000, 200_000))
    expect(broken).toEqual([])
    // The worlds are wild enough to see every ending.
    expect([...endings.keys()]).toEqual(expect.arrayContaining(ENDINGS))
  },
  LIMIT
)

/** Readers as late as they may be, and uploads that outlast that. */
const late = { sight: 'each', lag: BOUND, upload: 20_000 } as const

test(
  'without the wait, or with half of it, the simulation finds versions that came twice',
  async () => {
    expect((await sampled(1000, { ...late, wait: 0 })).failures).toBeGreaterThan(10)

    const crowded = { ...late, spread: 1000 }
    expect((await sampled(3000, { ...crowded, wait: BOUND / 2 })).failures).toBeGreaterThan(0)
    expect((await sampled(1500, crowded)).broken).toEqual([])
  },
  LIMIT
)

test(
  'the wait counts from when the own in_progress shows: from its answer, versions come twice',
  async () => {
    // Whatever is written shows to all at the same time, but long after the answer.
    const hidden = {
      sight: 'together',
      lag: 40_000,
      upload: 0,
      spread: 3000
    } as const
    const trusting = await sampled(4000, { ...hidden, trusting: true })
    expect(trusting.failures).toBeGreaterThan(0)
    expect((await sampled(4000, hidden)).broken).toEqual([])

    // Here the claim shows long before its in_progress does.
    expect((await sampled(4000, { ...hidden, upload: 120_000 })).broken).toEqual([])

    // And here it shows to one after the other, so that the own claim shows, but not yet its in_progress.
    const apart = {
      sight: 'staggered',
      lag: 8000,
      upload: 20_000,
      spread: 500
    } as const
    expect((await sampled(4000, { ...apart, runs: 4, latency: 30 })).broken).toEqual([])
  },
  LIMIT
)

/** Two runs of two versions, to which nothing else happens. */
const slow: Partial<World> = {
  versions: 2,
  runs: 2,
  kind: 'jobs',
  sight: 'each',
  lag: BOUND,
  spread: 500,
  latency: 30,
  upload: 0,
  transit: 59_000,
  slowRequest: 0.03,
  kill: 0,
  cancel: 0,
  cut: 0,
  sleep: 0,
  failure: 0,
  lostAnswer: 0,
  refusal: 0,
  slowUpload: 0,
  uploader: false,
  meddling: 0,
  lostServiceAnswer: 0,
  app: 0
}

test.each<[string, Partial<World>]>([
  ['GitHub’s clocks are a minute apart', { skew: 60_000, lag: BOUND, sight: 'each' }],
  ['a person marks while runs are young', { uploader: true, spread: 3000, lag: BOUND }],
  ['two versions are published at once', { versions: 2, ...late }],
  ['steps of one job run side by side', { kind: 'steps', ...late, spread: 1000 }],
  ['one of two versions is long on its way, and GitHub is slow', slow],
  ['an app marks deployments as a success', { app: 0.05 }],
  ['a person lifts a doubt by a slip, and corrects it', { person: true, slip: 1 }],
  ['machines sleep, and no clock shows it', { sleep: 0.03, asleep: 'is lost', person: true }]
])(
  'where %s, every promise is kept',
  async (_, over) => {
    expect((await sampled(pick(1000, 40_000), over)).broken).toEqual([])
  },
  LIMIT
)

/** Two runs of every kind, in each of which one thing goes wrong at one place. */
function* struckWorlds(kind: Blow['kind']): Iterable<World> {
  for (let seed = 1; seed <= 8; seed++) {
    const sight = seed > 4 ? 'each' : 'together'
    const runs = seed % 2 === 0 ? 'attempts' : 'jobs'
    const calm: World = {
      ...CALM,
      seed,
      sight,
      kind: runs,
      lateEffect: seed % 3 === 0 ? 1 : 0,
      lag: 3000,
      spread: 2000
    }
    for (let at = 0; at < 45; at++) yield { ...calm, blow: { kind, at } }
  }
}

test.each([
  ['a run is killed', 'kill'],
  ['it fails', 'failure'],
  ['its answer is lost', 'lost answer']
] as const)('at every request of two runs %s, and every promise is kept', async (_, kind) => {
  const { broken, endings } = await play(struckWorlds(kind))
  expect(broken).toEqual([])

  // Such as `stopped: failed` or `not published: lost`.
  const struck = /^(killed|stopped: (failed|lost)|not published: (failed|lost))/
  let blows = 0
  for (const [ending, count] of endings) {
    if (struck.test(ending)) blows += count
  }
  // An answer that is lost while a claim is created, or while its end is written, changes no ending.
  expect(blows).toBeGreaterThan(kind === 'kill' ? 150 : 50)
})

test('without misfortunes one run publishes, and the others say so', async () => {
  for (const runs of [1, 2, 3, 4, 5]) {
    for (let seed = 0; seed < 50; seed++) {
      const { outcomes, stories, excused } = await simulate({ ...CALM, seed, runs })
      const others = Array.from({ length: runs - 1 }, () => 'already published: rebuilt')
      expect(outcomes.toSorted()).toEqual([...others, 'published'])
      expect([stories[0]?.rerun, excused]).toEqual(['already published: rebuilt', false])
    }
  }
})

test('a later attempt waits for a killed one until its 15 minutes are over, if that reached its last bytes', async () => {
  const reruns: string[] = []
  for (let at = 0; at < 7; at++) {
    const { outcomes, stories, took } = await simulate({
      ...CALM,
      kind: 'attempts',
      runs: 1,
      blow: { kind: 'kill', at }
    })
    const rerun = stories[0]?.rerun ?? ''
    const hasWaited = took >= LIFETIME_MS
    expect([outcomes, hasWaited]).toEqual([['killed'], rerun === 'in doubt'])
    reruns.push(rerun)
  }
  expect(reruns.join()).toMatch(/^(published,){3}(in doubt,?){4}$/)
})

test('the same seed gives the same history', async () => {
  for (let seed = 0; seed < 200; seed++) {
    const world = sample(seed)
    expect(await simulate(world)).toEqual(await simulate(world))
  }
})
