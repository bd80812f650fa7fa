// Holds the pure decisions to the tables of docs/re-runs.md, row by row.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import {
  type Claim,
  type ClaimState,
  type Decision,
  decide,
  endEarlierAttempts,
  type Stage,
  standingOf,
  stateOf
} from '../../src/ledger/ledger.ts'
import { claimOf, DEADLINE, NOW, WHEN } from './claims.ts'

const DOCUMENT = readFileSync(path.join(ROOT, 'docs', 're-runs.md'), 'utf8')

/** The rows of the table between two markers, without its head. */
function tableOf(name: string): string[][] {
  const [, table = ''] =
    new RegExp(`<!-- ${name} -->\n([^]*?)\n<!-- /${name} -->`).exec(DOCUMENT) ?? []
  const lines = table.split('\n').slice(2)
  return lines.map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim())
  )
}

/** The histories, oldest first, that a row of the table of states speaks of. */
const HISTORIES: Readonly<Record<string, readonly string[]>> = {
  'a `success`': [
    'success',
    'in_progress success',
    'in_progress success inactive',
    'in_progress error success',
    'in_progress success failure',
    'in_progress failure success',
    'inactive success error'
  ],
  'a `failure` after every `in_progress` and `error`': [
    'failure',
    'in_progress failure',
    'in_progress error failure',
    'in_progress failure inactive',
    'inactive failure',
    'failure inactive'
  ],
  'an `error`': ['error', 'in_progress error', 'in_progress error inactive', 'failure error'],
  'an `in_progress`': [
    'in_progress',
    'queued in_progress pending',
    'in_progress inactive',
    'inactive in_progress',
    'failure in_progress'
  ],
  'an `inactive`': ['inactive', 'queued inactive', 'inactive pending'],
  'nothing, `queued` or `pending`': ['', 'queued', 'pending', 'queued pending', 'something_new']
}

describe('the state of a claim', () => {
  const rows = tableOf('states')

  test('has a row for every kind of history', () => {
    expect(rows.map(([row]) => row)).toEqual(Object.keys(HISTORIES))
  })

  test.each(
    rows.flatMap(([row = '', before = '', after = '']) =>
      (HISTORIES[row] ?? []).map(states => [states, before, after] as const)
    )
  )('with the history "%s" is %s before the deadline, %s after it', (states, before, after) => {
    const claim = claimOf(7, states)
    const deadline = NOW + DEADLINE * 1000
    expect(stateOf(claim, NOW)).toBe(before)
    expect(stateOf(claim, deadline - 1)).toBe(before)
    expect(stateOf(claim, deadline)).toBe(after)
  })
})

const KINDS: Readonly<Record<string, Decision['kind']>> = {
  'already published': 'replay',
  stops: 'in doubt',
  'goes on': 'proceed',
  'waits for it': 'yield',
  'claims anew': 'lost',
  'lets it give way': 'contested'
}

const OWN = 50
const OWNERS: Readonly<Record<string, number>> = {
  'an earlier run': 49,
  'the run itself': OWN,
  'a later run': 51
}
const STAGES: readonly (readonly [name: string, stage: Stage])[] = [
  ['when it arrives', { kind: 'arriving' }],
  ['with a claim of its own', { kind: 'claimed', own: OWN }],
  ['before the last bytes', { kind: 'committing', own: OWN }]
]
const STATES: readonly ClaimState[] = ['published', 'in doubt', 'committed', 'claimed', 'over']

/** The own claim as it should be at a stage, unless the row speaks of it. */
function ownAt(stage: Stage): Claim[] {
  if (stage.kind === 'arriving') return []
  return [claimOf(OWN, stage.kind === 'committing' ? 'in_progress' : '')]
}

describe('the decision of a run', () => {
  const rows = tableOf('decisions')
  const cells = rows.flatMap(([state = '', owner = '', ...cells]) =>
    cells.map((cell, index) => ({ state, owner, cell, index }))
  )

  test('has a row for every state and owner', () => {
    const combinations = STATES.flatMap(state => Object.keys(OWNERS).map(it => `${state}, ${it}`))
    const named = rows.map(([state, owner]) => `${state}, ${owner}`)
    expect(named.toSorted()).toEqual(combinations.toSorted())
  })

  test.each(
    cells
      .filter(({ cell }) => cell !== '–')
      .map(({ state, owner, cell, index }) => {
        const [when = '', stage] = STAGES[index] ?? []
        return { state, owner, cell, when, stage }
      })
  )('about a claim that is $state and belongs to $owner, $when: $cell', row => {
    const { state, owner, cell, stage } = row
    if (!stage) throw new Error('The table has a column too many')
    const id = OWNERS[owner] ?? 0
    for (const history of WHEN[state] ?? []) {
      const claim = claimOf(id, history)
      const others = id === OWN ? [] : ownAt(stage)
      const decision = decide({ claims: [...others, claim], now: NOW }, stage)
      expect(decision.kind).toBe(KINDS[cell])
      if ('claim' in decision) expect(decision.claim).toBe(claim)
    }
  })

  test('of two claims, the one in the higher row counts', () => {
    const seen: string[] = []
    for (const [above, upper] of cells.entries()) {
      for (const lower of cells.slice(above + 1)) {
        const [, stage] = STAGES[upper.index] ?? []
        if (!stage || upper.index !== lower.index || upper.owner === lower.owner) continue
        if (upper.cell === '–' || lower.cell === '–') continue
        const claims = [upper, lower].map(({ state, owner }) =>
          claimOf(OWNERS[owner] ?? 0, WHEN[state]?.[0] ?? '')
        )
        const hasOwn = claims.some(({ id }) => id === OWN)
        const look = { claims: hasOwn ? claims : [...ownAt(stage), ...claims], now: NOW }
        // What goes on for the upper claim is for the lower one to decide.
        const expected = upper.cell === 'goes on' ? lower.cell : upper.cell
        expect([upper, lower, decide(look, stage).kind]).toEqual([upper, lower, KINDS[expected]])
        seen.push(expected)
      }
    }
    expect(new Set(seen)).toEqual(new Set(Object.keys(KINDS)))
  })

  test('without any claim: goes on', () => {
    expect(decide({ claims: [], now: NOW }, { kind: 'arriving' })).toEqual({ kind: 'proceed' })
    for (const [, stage] of STAGES) {
      expect(decide({ claims: ownAt(stage), now: NOW }, stage).kind).toBe('proceed')
    }
  })
})

test('of several claims the strongest counts: published, in doubt, committed, claimed, none', () => {
  const claims = STATES.map((state, index) => claimOf(index, WHEN[state]?.[0] ?? ''))
  for (const [index, state] of STATES.entries()) {
    const left = claims.slice(index).toReversed()
    const expected = state === 'over' ? { state: 'none' } : { state, claim: claims[index] }
    expect(standingOf({ claims: left, now: NOW })).toEqual(expected)
  }
  expect(standingOf({ claims: [], now: NOW })).toEqual({ state: 'none' })
})

test('a claim that is late after its `in_progress` stops its own run, too', () => {
  const own = claimOf(OWN, 'in_progress')
  const late = NOW + DEADLINE * 1000
  const stage = { kind: 'committing', own: OWN } as const
  expect(decide({ claims: [own], now: late }, stage).kind).toBe('in doubt')
  const waiting = claimOf(OWN, '')
  expect(decide({ claims: [waiting], now: late }, { kind: 'claimed', own: OWN }).kind).toBe('lost')
})

test.each([
  ['an earlier attempt of the same run', '1001', 1, 'over', 'in doubt'],
  ['the same attempt', '1001', 2, 'claimed', 'committed'],
  ['a later attempt', '1001', 3, 'claimed', 'committed'],
  ['an earlier attempt of another run', '1002', 1, 'claimed', 'committed']
])('a living claim of %s', (_, runId, runAttempt, claimed, committed) => {
  const histories = ['', 'in_progress', 'in_progress success']
  const claims = histories.map((states, id) => claimOf(id, states, { runId, runAttempt }))
  const ended = endEarlierAttempts(claims, { runId: '1001', runAttempt: 2 })
  const states = ended.map(claim => stateOf(claim, NOW))
  expect(states).toEqual([claimed, committed, 'published'])
})
