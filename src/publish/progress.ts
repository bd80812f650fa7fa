// The progress of an upload, for the log.
import { sizeText } from '../runner/text.ts'

/** In milliseconds: when progress is logged first, and how often after that. */
const QUIET = 3000
const EVERY = 5000

/** Passes chunks on and logs the progress. A chunk is sent once the next is asked for. `size`: in bytes. */
export async function* watchProgress(
  chunks: AsyncIterable<Buffer>,
  size: number,
  log: (line: string) => void,
  now: () => number
): AsyncGenerator<Buffer> {
  const start = now()
  let logged = start + QUIET - EVERY
  let sent = 0
  for await (const chunk of chunks) {
    yield chunk
    sent += chunk.length
    const time = now()
    if (time - logged < EVERY || sent >= size) continue
    logged = time
    const rate = (sent / (time - start)) * 1000
    const percent = Math.floor((sent / size) * 100)
    const [total, speed, left] = [sizeText(size), sizeText(Math.round(rate)), (size - sent) / rate]
    log(`Sent ${percent} % of ${total}, ${speed}/s, about ${Math.ceil(left)} s left`)
  }
}
