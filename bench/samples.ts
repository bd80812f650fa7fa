// The files that are uploaded, and the proof that they arrive.
import { createHash, randomFillSync } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Kind } from './clients.ts'
import type { Contestant } from './measure.ts'
import type { Sink } from './sink-process.ts'

/** A file to upload. */
export interface Sample {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

export const MIB = 1024 * 1024

/** Writes a file of random bytes, as a packed archive is. */
export async function writeSample(file: string, size: number): Promise<Sample> {
  const hash = createHash('sha256')
  const handle = await open(file, 'w')
  for (let left = size; left > 0; left -= MIB) {
    const bytes = randomFillSync(Buffer.allocUnsafe(Math.min(left, MIB)))
    hash.update(bytes)
    await handle.write(bytes)
  }
  await handle.close()
  return { path: file, size, sha256: hash.digest('hex') }
}

/**
 * Runs a contestant once, unmeasured, and throws unless the file arrived unchanged. Of every later run
 * the bytes are counted.
 */
export async function checked(
  sink: Sink,
  { size, sha256 }: Sample,
  kind: Kind,
  contestant: Contestant
): Promise<Contestant> {
  const atLeast = kind === 'base64' ? Math.ceil(size / 3) * 4 : size
  await sink.expect(size)
  await contestant.run()
  const received = await sink.received(atLeast)
  await sink.expect(0)
  if (received.sha256 !== sha256) throw new Error(`Another file arrived from ${contestant.name}`)
  return {
    name: contestant.name,
    run: async () => {
      const result = await contestant.run()
      await sink.received(atLeast)
      return result
    }
  }
}
