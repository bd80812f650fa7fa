// A file that is attached to the release: which one is meant, the wait until it is there, and its download.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { GitHub } from '../github/github.ts'
import type { Asset, Release } from '../release/release.ts'
import { ActionError } from '../runner/action-error.ts'
import { counted, sizeText } from '../runner/text.ts'
import { textAt } from '../runner/values.ts'
import { hasWildcard, includes, inTime, matcherOf } from './glob.ts'
import { listed, NAMES_SHOWN, quoteName } from './names.ts'

interface AttachedOptions {
  readonly patterns: readonly string[]
  readonly tag: string
  /** In milliseconds; 0 does not wait at all. */
  readonly timeout: number
  look(): Promise<Pick<Release, 'assets' | 'immutable'>>
  /** Throws when the run is cancelled. */
  sleep(ms: number): Promise<void>
  tell(message: string): void
}

/** Finds the one attached file that matches, and waits for it. Throws an `ActionError` for none or several. */
export async function findAttached(options: AttachedOptions): Promise<Asset> {
  const { patterns, tag, timeout, look, sleep, tell } = options
  const matches = await matcherOf(patterns)
  // In milliseconds: every three seconds for a timeout of a minute.
  const pause = Math.min(timeout / 20, 5000)
  // Names are unique in a release: no second file can match a name that is spelled out.
  const isWild = patterns.some(pattern => includes(pattern) && hasWildcard(pattern))
  let before = ''
  for (let waited = 0; ; waited += pause) {
    const { assets, immutable } = await look()
    const chosen = inTime('asset', () => assets.filter(({ name }) => matches(name)))
    const [asset, ...others] = chosen
    if (others.length > 0) throw explainSeveral(chosen)
    const seen = JSON.stringify(chosen)
    const isReady = asset?.state === 'uploaded'
    const isFinal = immutable || timeout === 0
    // With a wildcard, a second file may follow: two looks must find the same.
    if (asset && isReady && (isFinal || !isWild || seen === before)) return asset
    if (isFinal || (!isReady && waited >= timeout)) {
      throw explainEnd(options, assets, asset, immutable)
    }
    if (before === '' && !isReady) {
      const what = asset ? `the upload of ${quoteName(asset.name)}` : patterns.join(' ')
      tell(`Waiting up to ${counted(timeout / 1000, 'second')} for ${what} at the release ${tag}.`)
    }
    before = seen
    await sleep(pause)
  }
}

function explainSeveral(chosen: readonly Asset[]): ActionError {
  const lines = chosen.slice(0, NAMES_SHOWN).map(({ name, size }) => {
    return `\n  ${quoteName(name)}  ${sizeText(size)}`
  })
  const message = `asset: ${chosen.length} attached files match, and exactly one has to:${lines.join('')}`
  const advice =
    'Put {version} into the pattern, or exclude files with a line that starts with "!".'
  return new ActionError('several-files', message, { advice })
}

function explainEnd(
  { patterns, tag }: AttachedOptions,
  assets: readonly Asset[],
  unfinished: Asset | undefined,
  immutable: boolean
): ActionError {
  if (unfinished) {
    const { name, state } = unfinished
    const message = `asset: the upload of ${quoteName(name)} to the release ${tag} is not finished (${state}).`
    const advice = 'Run this job again when it is; if the upload broke, attach the file again.'
    return new ActionError('bad-file', message, { advice })
  }
  const there = assets.length === 0 ? 'no attached files' : listed(assets.map(({ name }) => name))
  const message = `asset: no file that is attached to the release ${tag} matches ${patterns.join(' ')}. There: ${there}.`
  const advice = immutable
    ? 'The release is immutable, so nothing can be attached any more: attach files to the draft of the next one.'
    : 'Attach the file before this job runs, or raise `asset-timeout`; “Source code (zip)” is not an attached file.'
  return new ActionError('no-file', message, { advice })
}

type Stream = GitHub['streamAsset']
/** Waits after so many tries, or throws the error if there must not be another. */
type Retry = (tried: number, error: unknown) => Promise<void>

interface DownloadOptions {
  readonly temp: string
  readonly stream: Stream
  readonly retry: Retry
  notice(message: string): void
}

/** Downloads into a new folder, deleted by `remove` or on any error. Throws an `ActionError` for wrong bytes. */
export async function downloadAsset(
  asset: Asset,
  { temp, stream, retry, notice }: DownloadOptions
) {
  const folder = await mkdtemp(join(temp, 'publish-version-')).catch(cause => {
    throw unsaved(asset, cause)
  })
  const remove = () => rm(folder, { recursive: true, force: true })
  // GitHub's names hold no folders; this makes sure.
  const path = join(folder, basename(asset.name))
  for (let tried = 1; ; tried++) {
    try {
      const digest = await save(asset, path, stream)
      checkDigest(asset, digest, notice)
      return { path, remove }
    } catch (error) {
      await retry(tried, error).catch(async last => {
        await remove()
        throw last
      })
    }
  }
}

/** Returns the SHA-256, in hexadecimal digits, of what was saved. */
async function save(asset: Asset, path: string, stream: Stream): Promise<string> {
  const file = await open(path, 'w', 0o600).catch(cause => {
    throw unsaved(asset, cause)
  })
  const hash = createHash('sha256')
  const misfit = otherFile(asset, `it is not ${counted(asset.size, 'byte')} long`)
  let size = 0
  // The connection, which gets what is thrown here, would take it for its own failure.
  let fault: ActionError | undefined
  const receive = (chunk: Buffer) => {
    size += chunk.length
    hash.update(chunk)
    try {
      if (size > asset.size) throw misfit
      writeFileSync(file.fd, chunk)
    } catch (cause) {
      fault = cause === misfit ? misfit : unsaved(asset, cause)
      throw fault
    }
  }
  try {
    await stream(asset.id, receive)
  } catch (error) {
    throw fault ?? error
  } finally {
    await file.close()
  }
  if (size !== asset.size) throw misfit
  return hash.digest('hex')
}

/** The SHA-256 that GitHub gives of an asset, in lower case; undefined if its digest is none, or another one. */
function sha256Of({ digest }: Asset): string | undefined {
  return /^sha-?256:(.*)$/is.exec(digest)?.[1]?.trim().toLowerCase()
}

function checkDigest(asset: Asset, sha256: string, notice: (message: string) => void): void {
  const given = sha256Of(asset)
  if (given !== undefined) {
    if (given === sha256) return
    throw otherFile(asset, `its digest is sha256:${sha256}, and GitHub says ${asset.digest}`)
  }
  const unknown = `GitHub gives a digest of ${quoteName(asset.name)} that cannot be compared, ${quoteName(asset.digest)}; its size is as it should be.`
  if (asset.digest !== '') notice(unknown)
}

function otherFile({ name }: Asset, why: string): ActionError {
  const message = `What was downloaded is not the attached file ${quoteName(name)}: ${why}.`
  return new ActionError('bad-file', message, { advice: 'Run this job again.' })
}

function unsaved({ name }: Asset, cause: unknown): ActionError {
  const [code, said] = [textAt(cause, 'code'), textAt(cause, 'message')]
  const why = /^(?:ENOSPC|EDQUOT)$/.test(code) ? `the disk is full (${said})` : said
  const message = `The attached file ${quoteName(name)} cannot be saved in RUNNER_TEMP: ${why}.`
  const advice = 'Free space in a step before this one, or take a runner with a larger disk.'
  return new ActionError('bad-file', message, { advice, cause })
}
