// The download of a file that is attached to a release, compared with its digest.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Asset } from './asset.ts'
import { FileFault } from './fault.ts'

/** Streams an asset's bytes, once; throws when that breaks. */
export type Stream = (id: number, receive: (chunk: Buffer) => void) => Promise<void>

/** What keeps trying, and when to stop. */
export interface Retry {
  readonly tries: number
  /** Waits before the next try, or throws what must not be tried again. */
  pause(tried: number, error: unknown): Promise<void>
}

/** A downloaded file, in a folder of its own. */
export interface Downloaded {
  readonly path: string
  remove(): Promise<void>
}

/**
 * Downloads an asset into a new folder. A download that breaks is started again. Throws a `FileFault` when
 * the bytes are not those that GitHub describes; nothing is left behind then.
 */
export async function downloadAsset(
  asset: Asset,
  temp: string,
  stream: Stream,
  retry: Retry
): Promise<Downloaded> {
  const folder = await mkdtemp(join(temp, 'publish-version-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const path = join(folder, asset.name)
  try {
    for (let tried = 1; ; tried++) {
      try {
        await save(asset, path, stream)
        return { path, remove }
      } catch (error) {
        if (error instanceof FileFault || tried >= retry.tries) throw error
        await retry.pause(tried, error)
      }
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function save(asset: Asset, path: string, stream: Stream): Promise<void> {
  const file = await open(path, 'w', 0o600)
  const hash = createHash('sha256')
  let size = 0
  try {
    await stream(asset.id, chunk => {
      size += chunk.length
      if (size > asset.size) throw tooLong(asset)
      hash.update(chunk)
      writeFileSync(file.fd, chunk)
    })
  } catch (error) {
    // To the connection, a chunk that is refused is a lost answer; to us it is not.
    throw size > asset.size ? tooLong(asset) : error
  } finally {
    await file.close()
  }
  if (size !== asset.size) throw wrong(asset, `it has ${size} bytes, not ${asset.size}`)
  const digest = `sha256:${hash.digest('hex')}`
  if (asset.digest.startsWith('sha256:') && asset.digest !== digest) {
    throw wrong(asset, `its digest is ${digest}, and GitHub says ${asset.digest}`)
  }
}

function tooLong(asset: Asset): FileFault {
  return wrong(asset, `it is longer than ${asset.size} bytes`)
}

function wrong(asset: Asset, what: string): FileFault {
  const message = `What was downloaded is not the attached file "${asset.name}": ${what}. Run this job again.`
  return new FileFault('bad-file', message)
}
