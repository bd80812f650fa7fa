// Tests of src/publish/memory-reports.ts: what the memory makes a run say.
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { GitHubError } from '../../src/github/github.ts'
import type { Claim } from '../../src/ledger/ledger.ts'
import {
  doubtReport,
  explainMemory,
  replayReport,
  settleCommand
} from '../../src/publish/memory-reports.ts'
import { permissionAdvice } from '../../src/publish/messages.ts'
import { outputsOf } from '../../src/publish/outputs.ts'
import type { Report } from '../../src/publish/report.ts'
import { openTestRun } from './running.ts'

const place = { serverUrl: 'https://github.com', repository: 'o/r' }
const [OLD, NEW] = ['ab'.repeat(32), 'cd'.repeat(32)]
const claim: Claim = {
  id: 99,
  createdAt: 0,
  claimant: {
    nonce: 'n',
    runId: '123',
    runAttempt: 1,
    job: 'publish',
    commit: 'c0ffee',
    fileName: 'old.zip',
    deadline: 600
  },
  statuses: [
    { id: 1, state: 'in_progress', description: `sha256:${OLD}, 42 bytes`, environmentUrl: '' },
    {
      id: 2,
      state: 'success',
      description: '1.2.3 published as version 7',
      environmentUrl: 'https://shop.example.com/d/7'
    }
  ]
}
const subject = {
  route: { product: 12 },
  versionName: '1.2.3',
  title: 'Spring',
  changelog: '- New',
  file: 'dist/new.zip',
  size: 50,
  sha256: NEW
}
const outputs = (report: Report): Record<string, string> => Object.fromEntries(outputsOf([report]))

describe('already published', () => {
  test('is skipped, with what the record holds and this run’s texts', () => {
    const report = replayReport(claim, 'same', { ...subject, sha256: OLD }, true, place)
    expect(report).toMatchObject({
      outcome: 'skipped',
      reason: 'already-published',
      showLink: true
    })
    expect(report.message).toBe(
      'The version "1.2.3" is already published, by run 123 (https://github.com/o/r/actions/runs/123). Nothing was sent.'
    )
    expect(outputs(report)).toMatchObject({
      version_id: '7',
      id: '7',
      title: 'Spring',
      changelog: '- New',
      file_name: 'old.zip',
      download_url: 'https://shop.example.com/d/7',
      sha256: OLD,
      size: '42',
      product_id: '',
      version_number: '',
      created_at: ''
    })
  })

  test('with other bytes of the same source names both digests', () => {
    const report = replayReport(claim, 'rebuilt', subject, false, place)
    expect(report).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
    expect(report.message).toContain(OLD)
    expect(report.message).toContain(NEW)
    expect(outputs(report)).toMatchObject({ sha256: OLD, size: '42' })
  })

  test('with other content is a failure that names both digests', () => {
    const report = replayReport(claim, 'different', subject, false, place)
    expect(report).toMatchObject({ outcome: 'failed', reason: 'different-content' })
    expect(report.message).toContain(OLD)
    expect(report.message).toContain(NEW)
    expect(report.advice).toContain('a new version')
  })

  test('and settled by hand leaves empty what is not recorded', () => {
    const byHand = {
      ...claim,
      statuses: [{ id: 3, state: 'success', description: '', environmentUrl: '' }]
    }
    const report = replayReport(byHand, 'same', subject, true, place)
    expect(outputs(report)).toMatchObject({
      outcome: 'skipped',
      version_id: '',
      sha256: '',
      size: '',
      download_url: ''
    })
  })

  test('names a later attempt of a run', () => {
    const later = { ...claim, claimant: { ...claim.claimant, runAttempt: 3 } }
    expect(replayReport(later, 'same', subject, true, place).message).toContain('123, attempt 3 (')
  })
})

describe('in doubt', () => {
  test.each([
    ['a product', { product: 12 }, 'product 12:'],
    ['a benefit', { product: 12, benefit: 34 }, 'product 12, benefit 34:']
  ])('says where to look for %s, and gives both commands', (_, route, where) => {
    const report = doubtReport(claim, { ...subject, route }, place)
    expect(report).toMatchObject({ outcome: 'unknown', reason: 'in-doubt', fields: {} })
    expect(report.message).toContain('"1.2.3"')
    expect(report.message).toContain('https://github.com/o/r/actions/runs/123')
    expect(report.advice).toContain(where)
    for (const state of ['success', 'failure'] as const) {
      expect(report.advice).toContain(settleCommand(99, state, place))
    }
    expect(report.advice.split('\n').at(-1)).toContain('Run this job again.')
  })
})

describe('a command to paste', () => {
  test('records a state for good', () => {
    expect(settleCommand(99, 'failure', place)).toBe(
      'gh api repos/o/r/deployments/99/statuses -f state=failure -F auto_inactive=false'
    )
  })

  test('names another GitHub', () => {
    const other = { ...place, serverUrl: 'https://ghe.example:8443' }
    expect(settleCommand(99, 'success', other)).toContain(
      'gh api --hostname ghe.example:8443 repos/'
    )
  })

  test.each(["it's", '$(id) `id` "x" \\ ! *', "'", 'a\nb', '🎉'])(
    'hands the description %j on whole',
    description => {
      const command = settleCommand(99, 'success', place, description)
      const script = `gh() { printf '%s|' "$@"; }; ${command}`
      const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('|')
      expect(words).toContain(`description=${description}`)
      expect(words).toContain('state=success')
    }
  )
})

describe('no permission', () => {
  test('says which lines to add', async () => {
    const { run } = await openTestRun()
    const message = 'GitHub answered 403: Resource not accessible by integration'
    const denied = new GitHubError(message, 403, true, undefined)
    const report = explainMemory(denied, run, subject)
    expect(report).toMatchObject({ outcome: 'failed', reason: 'permission', subject })
    expect(report.message).toContain('Nothing was sent')
    expect(report.message).toContain('(GitHub answered 403: ')
    expect(report.advice).toContain(permissionAdvice())
    expect(report.advice).toContain('`once: off`')
    expect(permissionAdvice()).toMatch(
      /^ {4}permissions:\n {6}contents: read\n {6}deployments: write$/m
    )
  })
})
