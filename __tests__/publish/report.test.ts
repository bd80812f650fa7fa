// Tests of src/publish/report.ts: the worst of several, problems told together, and what the log says at the end.
import { describe, expect, test } from '@jest/globals'
import {
  endedEarly,
  logReport,
  problemReport,
  type Reason,
  type Report,
  worstOf
} from '../../src/publish/report.ts'
import { published as whole } from './reported.ts'
import { listen } from './running.ts'

function linesOf(report: Report): string[] {
  const { log, lines } = listen()
  logReport(log, report)
  return lines
}

test.each([
  ['unknown', ['failed', 'unknown', 'published']],
  ['failed', ['skipped', 'failed', 'published']],
  ['published', ['skipped', 'published', 'skipped']],
  ['skipped', ['planned', 'skipped', 'checked']],
  ['planned', ['checked', 'planned']]
] as const)('%s is the worst of %j, and of two the first', (worst, [first, ...others]) => {
  const of = (outcome: Report['outcome']) => endedEarly(outcome, '', outcome)
  const found = worstOf([of(first), ...others.map(of), of(worst)])
  expect(found.outcome).toBe(worst)
})

describe('what has to be fixed first', () => {
  test.each<[string, (Reason | undefined)[], Reason]>([
    ['one with a word of its own', ['no-file'], 'no-file'],
    ['several with the same', ['no-file', 'no-file'], 'no-file'],
    ['several with different ones', ['no-file', 'no-changelog'], 'bad-input'],
    ['several, one of them without', ['no-file', undefined], 'bad-input'],
    ['one without', [undefined], 'bad-input']
  ])('has the reason of %s', (_, reasons, expected) => {
    const given = reasons.map((reason, index) => {
      return { place: `p${index}`, message: 'm', ...(reason === undefined ? {} : { reason }) }
    })
    expect(problemReport(given).reason).toBe(expected)
  })
})

describe('the end, in the log', () => {
  const sha256 = `info:   sha256     ${'ab'.repeat(32)}`
  const download = 'info:   download   https://shop.example.com/d/7?a=1&b=2'
  const said = 'info: Published as version 7.'
  test.each<[string, Report, string[]]>([
    ['published, and a link', whole, [said, sha256, download]],
    ['published, no link shown', { ...whole, showLink: false }, [said, sha256]],
    [
      'published, and a link that is null',
      { ...endedEarly('published', '', 'Published as version 7.'), showLink: true },
      [said]
    ],
    ['planned', endedEarly('planned', '', 'Not published yet.'), ['info: Not published yet.']],
    ['checked', endedEarly('checked', '', 'Good.'), ['info: Good.']],
    ['skipped', endedEarly('skipped', 'prerelease', 'Pre.'), ['notice: Skipped: Pre.']],
    [
      'failed, with advice',
      endedEarly('failed', 'event', 'No tag.', 'Set one.'),
      ['error: Not published: No tag.\nSet one.']
    ],
    [
      'failed, and not while publishing',
      { ...endedEarly('failed', 'rejected', 'No.'), heading: 'Check failed' },
      ['error: Check failed: No.']
    ],
    [
      'unknown',
      endedEarly('unknown', 'in-doubt', 'Who knows.', 'Look.'),
      ['error: Outcome unknown: Who knows.\nLook.']
    ]
  ])('%s', (_, report, expected) => {
    expect(linesOf(report)).toEqual(expected)
  })
})
