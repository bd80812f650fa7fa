// Tests of src/publish/shop-sender.ts: the log has nothing of a fast upload; of others a line after 3 seconds, and
// every 5 seconds after that.
import { expect, test } from '@jest/globals'
import { logProgress } from '../../src/publish/shop-sender.ts'

const CHUNK = Buffer.alloc(1_000_000)

/** The lines of an upload of so many chunks, each of which takes so many milliseconds. */
async function linesOf(count: number, ms: number): Promise<string[]> {
  const lines: string[] = []
  let time = 0

  async function* chunks() {
    for (let at = 0; at < count; at++) yield CHUNK
  }

  const log = (line: string) => lines.push(line)
  const progress = logProgress(chunks(), count * CHUNK.length, log, () => time)
  for await (const chunk of progress) time += chunk.length > 0 ? ms : 0

  return lines
}

interface Upload {
  readonly name: string
  /** Of chunks of 1 MB. */
  readonly count: number
  /** How long each of them takes, in milliseconds. */
  readonly ms: number
  readonly lines: readonly string[]
}

test.each<Upload>([
  {
    name: 'nothing of a fast one',
    count: 29,
    ms: 100,
    lines: []
  },
  {
    name: 'one line of a slow one',
    count: 7,
    ms: 1000,
    lines: ['Sent 42 % of 7.00 MB, 1.00 MB/s, about 4 s left']
  },
  {
    name: 'a line every 5 seconds',
    count: 20,
    ms: 1000,
    lines: [
      'Sent 15 % of 20.0 MB, 1.00 MB/s, about 17 s left',
      'Sent 40 % of 20.0 MB, 1.00 MB/s, about 12 s left',
      'Sent 65 % of 20.0 MB, 1.00 MB/s, about 7 s left',
      'Sent 90 % of 20.0 MB, 1.00 MB/s, about 2 s left'
    ]
  }
])('$name', async ({ count, ms, lines }) => {
  expect(await linesOf(count, ms)).toEqual(lines)
})
