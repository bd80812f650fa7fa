// Tests of src/publish/memory.ts: what the memory makes a run say, where no whole run shows it.
import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import type { Claim, Claimant } from '../../src/ledger/ledger.ts'
import { startStopwatch } from '../../src/publish/adapters.ts'
import { replayReport, settleCommand } from '../../src/publish/memory.ts'
import { checkTime } from '../../src/publish/notices.ts'
import { outputsOf } from '../../src/publish/report.ts'
import { claimOf, SHA } from '../ledger/claims.ts'
import { openTestRun, subject } from './running.ts'

const place = { serverUrl: 'https://github.com', repository: 'o/r' }
const present = { ...subject, sha256: 'cd'.repeat(32) }

function claimTold(success: string, over: Partial<Claimant> = {}): Claim {
  const descriptions = [`sha256:${SHA}, 42 bytes`, success]
  const claim = claimOf(99, 'in_progress success', over)
  const statuses = claim.statuses.map((status, index) => {
    return { ...status, description: descriptions[index] ?? '' }
  })
  return { ...claim, statuses }
}

test.each([
  ['an id that no number holds', '9007199254740993', 'Gallery 1.4.2'],
  ['nothing where it is not recorded', '', '']
])('the outputs of what is already published are %s', (_, id, title) => {
  const claim = claimTold(id === '' ? '' : `1.2.3 published as version ${id}`, { title })
  const report = replayReport(claim, 'same', present, true, place)
  expect(report).toMatchObject({ showLink: true, subject: { title, changelog: '' } })
  expect(Object.fromEntries(outputsOf([report]))).toMatchObject({
    ...{ outcome: 'skipped', version_id: id, id, download_url: '', sha256: SHA, size: '42' },
    ...{ title: 'Spring', changelog: '- New', file_name: 'gallery-1.4.2.zip', created_at: '' }
  })
})

test.each([
  [1, 'run 1001 (https://github.com/o/r/actions/runs/1001) recorded. Nothing was sent.'],
  [3, 'run 1001, attempt 3 (https://github.com/']
])('what is already published by attempt %i tells by whom', (runAttempt, text) => {
  const claim = claimTold('', { runAttempt })
  const { message } = replayReport(claim, 'same', present, false, place)
  expect(message).toContain(text)
})

test('a command to paste names another GitHub', () => {
  const other = { ...place, serverUrl: 'https://ghe.example:8443' }
  const expected = 'gh api --hostname ghe.example:8443 repos/o/r/deployments/99/statuses '
  expect(settleCommand(99, 'success', other)).toContain(expected)
})

test('a stopwatch counts at least by a clock that nobody sets, and at most by the one that shows more', () => {
  const [wall, steady] = [Date.now, performance.now]
  const after = (ofWall: number, ofSteady: number) => {
    const { atLeast, atMost } = startStopwatch()
    const [start, begun] = [wall(), steady.call(performance)]
    Date.now = () => start + ofWall
    performance.now = () => begun + ofSteady
    const counted = [atLeast(), atMost()].map(ms => Math.round(ms / 10_000))
    Object.assign(Date, { now: wall })
    performance.now = steady.bind(performance)
    return counted
  }
  // The machine slept, and one clock stopped; or the other was set back.
  expect([after(60_000, 0), after(-60_000, 30_000)]).toEqual([
    [0, 6],
    [3, 3]
  ])
})

test.each([
  ['is not told for a usual file', 1024 ** 2, []],
  [
    'is told for a large one',
    100 * 1024 ** 2,
    ['info: The upload has 31 minutes. If it is slower than 55.2 kB/s,']
  ],
  [
    'is given notice of when a day is short',
    8 * 1024 ** 3,
    ['notice: The upload has 21 hours. If it is slower than 110 kB']
  ]
])('the time for an upload %s', async (_, size, lines) => {
  const { run, notes } = await openTestRun()
  expect(checkTime(run, size)).toBeUndefined()
  expect(notes).toEqual(lines.map(line => expect.stringContaining(line)))
})

test.each(['$(id) `id` "x" \\ ! *', "'", 'a\nb', '🎉'])('a command hands %j on whole', text => {
  const command = settleCommand(99, 'success', place, text)
  const script = `gh() { printf '%s|' "$@"; }; ${command}`
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('|')
  expect(words).toEqual(expect.arrayContaining([`description=${text}`, 'state=success']))
})
