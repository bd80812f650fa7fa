// Tests of src/publish/progress.ts: when a long upload tells how far it is, and in which words.
import { describe, expect, test } from '@jest/globals'
import { watchProgress } from '../../src/publish/progress.ts'

/** Sends chunks of 1 MB, each within so many milliseconds of a clock of its own, and gives the lines. */
async function send(times: readonly number[], take = Number.POSITIVE_INFINITY) {
  const clock = { now: 1000 }
  const lines: string[] = []
  const taken: number[] = []
  const ended = { early: false }
  const source = async function* () {
    try {
      for (const [index] of times.entries()) yield Buffer.alloc(1_000_000, index)
    } finally {
      ended.early = true
    }
  }
  const size = times.length * 1_000_000
  for await (const chunk of watchProgress(
    source(),
    size,
    line => lines.push(line),
    () => clock.now
  )) {
    taken.push(chunk[0] ?? -1)
    if (taken.length >= take) break
    clock.now += times[taken.length - 1] ?? 0
  }
  return { lines, taken, ended }
}

describe('an upload', () => {
  test('hands on every chunk as it is', async () => {
    const { taken } = await send([1, 1, 1])
    expect(taken).toEqual([0, 1, 2])
  })

  test.each([
    ['of 3 seconds says nothing', [1000, 1000, 999, 1], []],
    ['says nothing once all is sent', [1000, 9000], []],
    [
      'says where it is after 3 seconds',
      [1000, 2000, 1],
      ['Sent 66 % of 3.00 MB, 667 kB/s, about 2 s left']
    ],
    [
      'says it every 5 seconds at most',
      [3000, 1000, 3999, 1, 1, 5000, 1],
      [
        'Sent 14 % of 7.00 MB, 333 kB/s, about 18 s left',
        'Sent 57 % of 7.00 MB, 500 kB/s, about 6 s left',
        'Sent 85 % of 7.00 MB, 462 kB/s, about 3 s left'
      ]
    ],
    ['is slow', [60_000, 1], ['Sent 50 % of 2.00 MB, 16.7 kB/s, about 60 s left']]
  ])('%s', async (_, times, expected) => {
    expect((await send(times)).lines).toEqual(expected)
  })

  test('that ends early closes what it reads from', async () => {
    const { ended } = await send([1, 1, 1], 1)
    expect(ended.early).toBe(true)
  })

  test('that fails hands the failure on', async () => {
    const source = async function* () {
      yield Buffer.from('a')
      throw new Error('changed')
    }
    const drain = async () => {
      for await (const _ of watchProgress(
        source(),
        9,
        () => {},
        () => 0
      ));
    }
    await expect(drain()).rejects.toThrow('changed')
  })
})
