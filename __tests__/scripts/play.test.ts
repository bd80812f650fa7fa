// Tests of scripts/play.ts: a difference is shown under its kind; what differs from run to run of the same code is none.
import { expect, test } from '@jest/globals'
import { compareRecordings } from '../../scripts/play.ts'

const recordingOf = (...takes: readonly Record<string, string>[]) => new Map([['a scene', takes]])

test('lines that differ are shown under what they are part of, and so is a run that is missing', () => {
  const old = recordingOf({ log: 'Sent.\nPublished.', 'exit code': '0' }, { 'exit code': '0' })
  const fresh = recordingOf({ log: 'Sent.\nUnknown.', 'exit code': '1' })

  const lines = [
    '  log',
    '    - Published.',
    '    + Unknown.',
    '  exit code',
    '    - 0',
    '    + 1',
    '    - 0'
  ]
  expect([...compareRecordings(old, fresh)]).toEqual([['a scene', lines.join('\n')]])
  expect([...compareRecordings(old, old)]).toEqual([])
  expect(compareRecordings(old, new Map()).size).toBe(1)
})

test('ports, times, and digests of what was built in the run are no difference; other digests are one', () => {
  const [own, other, third] = ['a', 'b', 'c'].map(letter => letter.repeat(64))
  const textOf = (port: number, time: string, digest = '') =>
    `http://127.0.0.1:${port}/ at ${time}\n${digest} as before: ${digest}`

  const old = recordingOf({ log: textOf(4001, '2026-01-31T10:20:30Z', own) })
  const fresh = recordingOf({ log: textOf(52_002, '2026-01-31T11:00:00.123Z', other) })
  expect([...compareRecordings(old, fresh)]).toEqual([])

  const mixed = recordingOf({
    log: textOf(4001, '2026-01-31T10:20:30Z', other).replace(/b+$/, `${third}`)
  })
  expect(compareRecordings(old, mixed).get('a scene')).toContain('+ DIGEST-1 as before: DIGEST-2')
})
