// A file that is attached to the release: which one is meant, the wait until it is there, and its download.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Asset, Release } from '../release/release.ts'
import { counted, sizeText } from '../runner/text.ts'
import { explainSeveral, FileFault, hintsFor, listed, noFile, quoted } from './fault.ts'
import { hasWildcard, includes, matcherOf } from './glob.ts'
import type { Choice } from './versions.ts'

interface Looking {
  readonly tag: string
  /** In milliseconds; 0 does not wait at all. */
  readonly timeout: number
  look(): Promise<Pick<Release, 'assets' | 'immutable'>>
  /** Throws when the run is cancelled. */
  sleep(ms: number): Promise<void>
  tell(message: string): void
}

/** Gives a function that finds the one matching file or throws a `FileFault`; its calls share the wait. */
export function openAttached({ tag, timeout, look, sleep, tell }: Looking) {
  // In milliseconds: every three seconds for a timeout of a minute.
  const pause = Math.min(timeout / 20, 5000)
  let attached: ReturnType<typeof look> | undefined
  let waited = 0
  return async (choice: Choice): Promise<Asset> => {
    const { patterns } = choice
    const matches = await matcherOf(patterns)
    // Names are unique in a release: no second file can match a name that is spelled out.
    const wild = patterns.some(pattern => includes(pattern) && hasWildcard(pattern))
    for (let before = ''; ; waited += pause) {
      attached ??= look()
      const { assets, immutable } = await attached
      const chosen = assets.filter(({ name }) => matches(name))
      const [asset, ...others] = chosen
      if (others.length > 0) {
        const files = chosen.map(({ name, size }) => [name, sizeText(size)] as const)
        throw explainSeveral(choice, 'attached files', files)
      }
      const seen = JSON.stringify(chosen)
      const isReady = asset?.state === 'uploaded'
      const isFinal = immutable || timeout === 0
      // With a wildcard, a second file may follow: two looks must find the same.
      if (asset && isReady && (isFinal || !wild || seen === before)) return asset
      const names = assets.map(({ name }) => name)
      if (isFinal || (!isReady && waited >= timeout)) {
        const after = waited > 0 ? ` after ${counted(Math.round(waited / 100) / 10, 'second')}` : ''
        if (asset) {
          const what = `The upload of ${quoted(asset.name)} to the release ${tag} is not finished${after}`
          throw new FileFault('bad-file', `${what} (its state is "${asset.state}"). ${FINISH}`)
        }
        const there = names.length === 0 ? 'no attached files.' : 'these attached files:'
        const fitting = names.find(await matcherOf(patterns, { nocase: true }))
        const correct = 'Correct `asset`; upper and lower case differ.'
        const hints = hintsFor(patterns, 'asset')
        if (fitting) hints.push(`Is it ${quoted(fitting)}? ${correct}`)
        if (immutable) hints.push(IMMUTABLE)
        else if (hints.length === 0) hints.push(ATTACH)
        hints.push(`The release ${tag} has ${there}`)
        throw noFile(choice, `No attached file matches${after}:`, hints, names)
      }
      if (before === '' && !isReady) {
        const what = asset
          ? `the upload of ${quoted(asset.name)} to the release ${tag} to be finished`
          : `a file that matches ${patterns.join(' ')} to be attached to the release ${tag}`
        const time = counted(timeout / 1000, 'second')
        tell(`Waiting up to ${time} for ${what}. Attached now: ${listed(names) || 'no file'}.`)
      }
      before = seen
      await sleep(pause)
      attached = undefined
    }
  }
}

const IMMUTABLE = 'The release is immutable: nothing can be attached to it any more.'
const ATTACH =
  'Attach the built file before this job runs (`needs:`), raise `asset-timeout`, or use `file`. If it is attached by now, run this job again.'
const FINISH =
  'Run this job again when it is; for an upload that broke, delete the file from the release and attach it again.'

/** Streams an asset's bytes once; throws when that breaks. */
export type Stream = (id: number, receive: (chunk: Buffer) => void) => Promise<void>
/** Waits after so many tries, or throws the error if there must not be another. */
export type Retry = (tried: number, error: unknown) => Promise<void>

/** Downloads into a new folder, deleted by `remove` or on any error. Throws a `FileFault` for wrong bytes. */
export async function downloadAsset(asset: Asset, temp: string, stream: Stream, retry: Retry) {
  const folder = await mkdtemp(join(temp, 'publish-version-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  // GitHub's names hold no folders; this makes sure.
  const path = join(folder, basename(asset.name))
  for (let tried = 1; ; tried++) {
    try {
      await save(asset, path, stream)
      return { path, remove }
    } catch (error) {
      await retry(tried, error).catch(async last => {
        await remove()
        throw last
      })
    }
  }
}

async function save(asset: Asset, path: string, stream: Stream): Promise<void> {
  const file = await open(path, 'w', 0o600)
  const hash = createHash('sha256')
  let size = 0
  try {
    await stream(asset.id, chunk => {
      size += chunk.length
      if (size > asset.size) throw new Error('The answer is longer than the attached file')
      hash.update(chunk)
      writeFileSync(file.fd, chunk)
    })
  } catch (error) {
    // An answer that we found too long is a `FileFault` below; anything else may be tried again.
    if (size <= asset.size) throw error
  } finally {
    await file.close()
  }
  const digest = `sha256:${hash.digest('hex')}`
  const isOther = asset.digest.startsWith('sha256:') && asset.digest !== digest
  const other = isOther ? `its digest is ${digest}, and GitHub says ${asset.digest}` : ''
  const wrong = size === asset.size ? other : `it is not ${counted(asset.size, 'byte')} long`
  const message = `What was downloaded is not the attached file "${asset.name}": ${wrong}. Run this job again.`
  if (wrong !== '') throw new FileFault('bad-file', message)
}
