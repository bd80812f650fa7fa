// Tests of src/publish/send.ts: when a long upload tells how far it is, and in which words.
import { expect, test } from '@jest/globals'
import { watchProgress } from '../../src/publish/send.ts'

const LONG = [3000, 1000, 3999, 1, 1, 5000, 1]
const SAID = [
  'Sent 14 % of 7.00 MB, 333 kB/s, about 18 s left',
  'Sent 57 % of 7.00 MB, 500 kB/s, about 6 s left',
  'Sent 85 % of 7.00 MB, 462 kB/s, about 3 s left'
]
test.each([
  ['of 3 seconds says nothing', [1000, 1000, 999, 1], []],
  ['says nothing once all is sent', [1000, 9000], []],
  ['says every 5 seconds where it is, from 3 seconds on', LONG, SAID]
])('an upload %s', async (_, times, expected) => {
  let now = 1000
  const lines: string[] = []
  const taken: number[] = []
  async function* source() {
    for (const index of times.keys()) yield Buffer.alloc(1_000_000, index)
  }
  const size = times.length * 1_000_000
  const tell = (line: string) => lines.push(line)
  for await (const chunk of watchProgress(source(), size, tell, () => now)) {
    now += times[taken.length] ?? 0
    taken.push(chunk[0] ?? -1)
  }
  expect(lines).toEqual(expected)
  expect(taken).toEqual([...times.keys()])
})
