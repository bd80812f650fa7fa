// Tests of src/http/pause.ts: how long a pause is, and that a cancelled run does not sit it out.
import { getEventListeners } from 'node:events'
import { describe, expect, test } from '@jest/globals'
import { CancelledError } from '../../src/http/exchange.ts'
import { canWait, pauseBefore, sleep } from '../../src/http/pause.ts'

describe('a pause', () => {
  test.each([
    ['doubles with each try', [0, 1, 2], undefined, 0, [500, 1000, 2000]],
    ['is what the service asks for', [0, 3], 7000, 0, [7000, 7000]],
    ['is no shorter than it would be without', [0, 3], 0, 0, [500, 4000]],
    ['is up to half as long again', [0, 1], 2000, 1, [3000, 3000]]
  ])('%s', (_, tries, after, random, expected) => {
    expect(tries.map(tried => pauseBefore(tried, after, random))).toEqual(expected)
  })
})

test.each([
  ['is not said', undefined, true],
  ['is two minutes', 120_000, true],
  ['is longer', 120_001, false]
])('what a service asks for is waited for or not, where it %s', (_, after, waits) => {
  expect(canWait(after)).toBe(waits)
})

describe('sleeping', () => {
  test('ends by itself, and leaves no listener behind', async () => {
    const { signal } = new AbortController()
    await sleep(1, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('ends when the run is cancelled', async () => {
    const cancelling = new AbortController()
    const sleeping = sleep(1_000_000, cancelling.signal)
    cancelling.abort()
    await expect(sleeping).rejects.toBeInstanceOf(CancelledError)
  })

  test('does not begin in a run that is cancelled', async () => {
    await expect(sleep(1_000_000, AbortSignal.abort())).rejects.toBeInstanceOf(CancelledError)
  })
})
