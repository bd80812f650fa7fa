// Tests of src/report/record.ts and notices.ts: what the record makes a run say, where no whole run shows it.
import { execFileSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import type { Claim, Claimant } from '../../src/ledger/ledger.ts'
import { sendingTimeOf, startStopwatch } from '../../src/publish/adapters.ts'
import { describeTime } from '../../src/report/notices.ts'
import { outputsOf } from '../../src/report/outcome.ts'
import { reportReplay, settleCommand } from '../../src/report/record.ts'
import { readFacts } from '../../src/report/ways.ts'
import { contextOf } from '../../src/runner/runner.ts'
import { claimOf, SHA } from '../ledger/claims.ts'
import { inputsOf, subject } from '../publish/running.ts'

const place = contextOf({ GITHUB_REPOSITORY: 'o/r' }, '/')
const facts = readFacts({ context: place, input: () => '' })

/** The report of a version whose file is this run's. */
const replay = (claim: Claim) => {
  const end = { kind: 'replay', claim, commit: '', sha256: SHA, showLink: true } as const
  return reportReplay(end, subject, facts)
}

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
  const report = replay(claimTold(id && `1.2.3 published as version ${id}`, { title }))
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
  const { message } = replay(claimTold('', { runAttempt }))
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
  ['usual, and not told', 1024 ** 2, 'usual', ''],
  ['long, and told', 100 * 1024 ** 2, 'long', '31 minutes. If it is slower than 55.2 kB/s,'],
  ['cut to a day', 8 * 1024 ** 3, 'long', '21 hours. If it is slower than 110 kB']
])('the time for an upload is %s', async (_, size, kind, text) => {
  const time = sendingTimeOf(await inputsOf(), size)
  expect(time).toMatchObject({ kind, isCut: size > 1e9 })
  expect(describeTime(time, size)).toContain(`The upload has ${text}`)
})

test.each(['$(id) `id` "x" \\ ! *', "'", 'a\nb', '🎉'])('a command hands %j on whole', text => {
  const command = settleCommand(99, 'success', place, text)
  const script = `gh() { printf '%s|' "$@"; }; ${command}`
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('|')
  expect(words).toEqual(expect.arrayContaining([`description=${text}`, 'state=success']))
})
