// Holds the pure decisions to the tables of docs/design.md, row by row; and tests what a claim remembers of a version.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ROOT } from '../../scripts/manifest.ts'
import type { Claim, Decision, Stage } from '../../src/ledger/ledger.ts'
import { decide, isEarlierAttempt, stateOf } from '../../src/ledger/ledger.ts'
import * as record from '../../src/ledger/record.ts'
import { claimOf, DEADLINE, NOW, SHA, WHEN } from './claims.ts'

const DOCUMENT = readFileSync(path.join(ROOT, 'docs', 'design.md'), 'utf8')

/** The rows of the table between two markers, without its head. */
function tableOf(name: string): string[][] {
  const [, table = ''] =
    new RegExp(`<!-- ${name} -->\n([^]*?)\n<!-- /${name} -->`).exec(DOCUMENT) ?? []
  const cellsOf = (line: string) => line.split('|').slice(1, -1)
  const rows = table.split('\n').slice(2)
  return rows.map(line => cellsOf(line).map(cell => cell.trim()))
}

/** The histories, oldest first, that a row of the table of states speaks of; a comma apart. */
const HISTORIES: Readonly<Record<string, string>> = {
  'a `success` of ours, or without a description':
    'deployed success,success deployed,failure deployed success,success,in_progress success,in_progress success inactive,in_progress error success,in_progress success failure,in_progress failure success,inactive success error',
  'a `failure` of ours, or without a description, after every `in_progress`, `error` and `success`':
    'deployed failure,in_progress deployed failure,failure,smoked failure,in_progress failure,in_progress error failure,in_progress failure inactive,inactive failure,failure inactive',
  'an `error`':
    'error,in_progress error,in_progress error inactive,failure error,deployed error,error smoked,in_progress error deployed smoked',
  'an `in_progress`':
    'in_progress,in_progress smoked,in_progress deployed smoked,in_progress deployed,deployed failure in_progress,queued in_progress pending,in_progress inactive,inactive in_progress,failure in_progress',
  'a `success` in other words': 'deployed,failure deployed,deployed inactive,queued deployed',
  'an `inactive`': 'inactive,queued inactive,inactive pending',
  'nothing, `queued` or `pending`': ',queued,pending,queued pending,something_new,smoked'
}

const stateRows = tableOf('states')

test('states have a row for every kind of history', () => {
  expect(stateRows.map(([row]) => row)).toEqual(Object.keys(HISTORIES))
})

test.each(stateRows)('a claim with %s is %s, and late it is %s', (row, before, after) => {
  for (const states of (HISTORIES[row] ?? '').split(',')) {
    const claim = claimOf(7, states)
    const deadline = NOW + DEADLINE * 1000
    const seen = [NOW, deadline - 1, deadline].map(now => stateOf(claim, now))
    expect([states, ...seen]).toEqual([states, before, before, after])
  }
})

const KINDS: Readonly<Record<string, Decision['kind']>> = {
  ...{ 'already published': 'replay', stops: 'in doubt', 'goes on': 'proceed' },
  ...{ 'waits for it': 'yield', 'claims anew': 'lost', 'lets it give way': 'contested' },
  fails: 'contradicted'
}
const OWN = 50
const OWNERS: Readonly<Record<string, number>> = {
  ...{ 'an earlier run': 49, 'the run itself': OWN, 'a later run': 51 }
}
const STATES = ['published', 'in doubt', 'committed', 'claimed', 'over']
const STAGES: readonly Stage[] = [
  { kind: 'arriving' },
  { kind: 'claimed', own: OWN },
  { kind: 'committing', own: OWN }
]

/** The own claim as it should be at a stage. */
function ownAt(stage: Stage): Claim[] {
  if (stage.kind === 'arriving') return []
  return [claimOf(OWN, stage.kind === 'committing' ? 'in_progress' : '')]
}

const rows = tableOf('decisions')
const cells = rows.flatMap(([state = '', owner = '', ...row]) =>
  row.flatMap((cell, index) => {
    const stage = STAGES[index]
    return stage && cell !== '–' ? [{ state, id: OWNERS[owner] ?? 0, cell, stage }] : []
  })
)

test('decisions have a row for every state and owner', () => {
  const combinations = STATES.flatMap(state => Object.keys(OWNERS).map(it => `${state}, ${it}`))
  const named = rows.map(([state, owner]) => `${state}, ${owner}`)
  expect(named.toSorted()).toEqual(combinations.toSorted())
})

test.each(cells)('the decision about claim $id, $state, at $stage.kind: $cell', row => {
  const { state, id, cell, stage } = row
  for (const history of WHEN[state] ?? []) {
    const claim = claimOf(id, history)
    const others = id === OWN ? [] : ownAt(stage)
    const decision = decide({ claims: [...others, claim], now: NOW }, stage)
    expect(decision).toEqual({ kind: KINDS[cell], ...('claim' in decision ? { claim } : {}) })
  }
})

test('of two claims, the one in the higher row counts', () => {
  const seen = new Set<string>()
  for (const [above, upper] of cells.entries()) {
    for (const lower of cells.slice(above + 1)) {
      if (upper.stage !== lower.stage || upper.id === lower.id) continue
      const claims = [upper, lower].map(({ state, id }) => claimOf(id, WHEN[state]?.[0] ?? ''))
      const own = claims.some(({ id }) => id === OWN) ? [] : ownAt(upper.stage)
      const { kind } = decide({ claims: [...own, ...claims], now: NOW }, upper.stage)
      // What goes on for the upper claim is for the lower one to decide.
      const expected = upper.cell === 'goes on' ? lower.cell : upper.cell
      expect([upper, lower, kind]).toEqual([upper, lower, KINDS[expected]])
      seen.add(expected)
    }
  }
  expect(seen).toEqual(new Set(Object.keys(KINDS)))
})

test('a run that is late claims anew, or stops after its `in_progress`', () => {
  const now = NOW + DEADLINE * 1000
  const kinds = STAGES.slice(1).map(stage => decide({ claims: ownAt(stage), now }, stage).kind)
  expect(kinds).toEqual(['lost', 'in doubt'])
})

test.each([
  ['an earlier attempt of the same run', '1001', 1, true],
  ['the same attempt', '1001', 2, false],
  ['a later attempt', '1001', 3, false],
  ['an earlier attempt of another run', '1002', 1, false]
])('%s has ended for sure: %s, %i, %s', (_, runId, runAttempt, expected) => {
  expect(isEarlierAttempt({ runId, runAttempt }, { runId: '1001', runAttempt: 2 })).toBe(expected)
})

const description = record.describeSending({ sha256: SHA, size: 5_000_000_000 })
const sending = { state: 'in_progress', description }

type Told = Pick<Claim['statuses'][number], 'state' | 'description'>

function claimTold(...told: readonly Told[]): Claim {
  const environmentUrl = 'https://shop.example.com/d/1'
  const statuses = told.map((status, id) => ({ id, environmentUrl, ...status }))
  return { ...claimOf(7, ''), statuses }
}

function published(versionName: string, versionId: string) {
  const description = record.describePublished(versionName, SHA, versionId)
  return claimTold(sending, { state: 'success', description })
}

const present = { runId: '1001', runAttempt: 1, commit: 'c0ffee', sha256: 'cd34'.repeat(16) }

test.each([
  ['in a later attempt, of a tag that moved', { runAttempt: 2, commit: 'beef' }, 'rebuilt'],
  ['under act, on another commit', { isAct: true, commit: 'beef' }, 'different'],
  ['in an earlier attempt', { runAttempt: 0 }, 'different'],
  ['on a commit that is not known', { runId: '1002', commit: '' }, 'different']
] as const)('other bytes than those that are published, %s', (_, over, verdict) => {
  expect(record.judgeReplay(published('1.4.2', '812'), { ...present, ...over })).toBe(verdict)
})

test('other bytes than those that are published are taken for the same when no digest is recorded', () => {
  expect(record.judgeReplay(claimOf(7, 'success'), present)).toBe('same')
})

test.each([
  ['published', record.describePublished('1.4.2', SHA, '812')],
  [
    'published, with words in its name that look like that',
    record.describePublished(`sha256:${'0'.repeat(64)} published as version 1`, SHA, '812')
  ],
  ['settled by hand', record.describeFinding('published', SHA, '1001')]
])(
  'a file with other bytes is different from the one %s, whose `in_progress` does not show yet',
  (_, description) => {
    const claim = claimTold({ state: 'success', description })
    expect(record.recordOf(claim)).toMatchObject({ sha256: SHA, size: '' })
    expect(record.judgeReplay(claim, { ...present, commit: 'beef' })).toBe('different')
  }
)

test.each<[string, Told]>([
  ['a digest of something else', { ...sending, description: `docs of sha256:${SHA}, 5 bytes` }],
  ['a digest of part of it', { ...sending, description: `sha256:${SHA}, 5 bytes and more` }],
  ['a digest in another state', { ...sending, state: 'queued' }],
  ['a digest of what was built', { state: 'success', description: `sha256:${SHA} published` }],
  ['a version of a dependency', { state: 'success', description: 'published as version 9 of x' }],
  ['a version in another state', { state: 'failure', description: 'published as version 9' }]
])('the record of a claim does not hold another tool’s words: %s', (_, status) => {
  const { sha256, size, versionId, downloadUrl } = record.recordOf(claimTold(status))
  expect([sha256, size, versionId, downloadUrl]).toEqual(['', '', '', ''])
})

test.each([
  ['published', 'already published'],
  ['not published', 'fails']
])('what `settle` wrote on the run’s own claim counts, if it is %s: %s', (kind, cell) => {
  const description = kind === 'published' ? record.describeFinding(kind, '', '7') : ''
  const own = { ...claimTold({ state: 'success', description }), id: OWN }
  const kinds = STAGES.slice(1).map(stage => decide({ claims: [own], now: NOW }, stage).kind)
  expect(kinds).toEqual([KINDS[cell], KINDS[cell]])
})

test('the record of a claim is read back for any version name, in 140 characters, none of them cut in two', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 })
  const like = fc.constantFrom('1.0 published as version 9', 'published as version 9')
  fc.assert(
    fc.property(fc.oneof(text, like), fc.bigInt(), (name, id) => {
      const claim = published(name, String(id))
      expect(record.recordOf(claim)).toMatchObject({ versionId: String(id), sha256: SHA })
      expect(stateOf(claim, NOW)).toBe('published')
      const { description = '' } = claim.statuses[1] ?? {}
      expect([description.length <= 140, description.isWellFormed()]).toEqual([true, true])
    })
  )
  expect(record.cutToFit('r'.repeat(140))).toBe('r'.repeat(140))
  expect(record.cutToFit('r'.repeat(141))).toBe(`${'r'.repeat(139)}…`)
})
