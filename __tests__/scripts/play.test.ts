// Tests of scripts/play.ts: a difference is shown under its kind; what differs from run to run of the same code is none.
import { expect, test } from '@jest/globals'
import { compareRecordings, describeDifferences } from '../../scripts/play.ts'

const recordingOf = (...takes: readonly Record<string, string>[]) => new Map([['a scene', takes]])

test('lines that differ are shown once, under what they are part of, with their scenes', () => {
  const old = recordingOf({ log: 'Sent.\nPublished.', 'exit code': '0' }, { 'exit code': '0' })
  const fresh = recordingOf({ log: 'Sent.\nUnknown.', 'exit code': '1' })

  const log = 'log\n- Published.\n+ Unknown.'
  const codes = 'exit code\n- 0\n+ 1\n- 0'
  const differences = compareRecordings(old, fresh)
  expect([...differences]).toEqual([['a scene', [log, codes]]])
  expect(describeDifferences(new Map([...differences, ['b', [codes]]]))).toBe(
    `${codes}\n  in a scene\n  in b\n\n${log}\n  in a scene\n\n`
  )

  expect([...compareRecordings(old, old)]).toEqual([])
  expect(compareRecordings(old, new Map()).size).toBe(1)
})

test('ports, times, and digests of what was built in the run are no difference; other digests are one', () => {
  const own = 'a'.repeat(64)
  const other = 'b'.repeat(64)
  const third = 'c'.repeat(64)
  const textOf = (port: number, time: string, digest = '') =>
    `http://127.0.0.1:${port}/ at ${time}\n${digest} as before: ${digest}`

  const old = recordingOf({ log: textOf(4001, '2026-01-31T10:20:30Z', own) })
  const fresh = recordingOf({ log: textOf(52_002, '2026-01-31T11:00:00.123Z', other) })
  expect([...compareRecordings(old, fresh)]).toEqual([])

  const mixed = recordingOf({
    log: textOf(4001, '2026-01-31T10:20:30Z', other).replace(/b+$/, third)
  })
  expect(compareRecordings(old, mixed).get('a scene')?.join()).toContain(
    '+ DIGEST-1 as before: DIGEST-2'
  )
})
