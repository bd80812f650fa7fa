// Progress of a long upload, in plain lines.
import { sizeText } from '../runner/text.ts'

const QUIET = 3000
const EVERY = 5000

/**
 * The same chunks, with a line told every 5 seconds at most once 3 seconds have passed. A chunk counts
 * when the next one is asked for: then the connection has taken it.
 */
export async function* watchProgress(
  chunks: AsyncIterable<Buffer>,
  size: number,
  tell: (line: string) => void,
  now: () => number
): AsyncGenerator<Buffer> {
  const start = now()
  let told = start + QUIET - EVERY
  let sent = 0
  for await (const chunk of chunks) {
    yield chunk
    sent += chunk.length
    const time = now()
    if (time - told < EVERY || sent >= size) continue
    told = time
    const seconds = (time - start) / 1000
    const rate = sent / seconds
    const percent = Math.floor((sent / size) * 100)
    const left = Math.ceil((size - sent) / rate)
    tell(
      `Sent ${percent} % of ${sizeText(size)}, ${sizeText(Math.round(rate))}/s, about ${left} s left`
    )
  }
}
