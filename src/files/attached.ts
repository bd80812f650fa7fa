// A file that is attached to the release: which one is meant, the wait until it is there, and its download.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { GitHub } from '../github/github.ts'
import type { Asset, Release } from '../release/release.ts'
import { ActionError } from '../runner/action-error.ts'
import { counted } from '../runner/text.ts'
import { textAt } from '../runner/values.ts'
import { hasWildcard, isExclusion, matcherOf } from './glob.ts'
import { explainSeveral, listLines, listNames, quoteName } from './naming.ts'

interface Choice {
  /** Patterns of names; the last one that matches a name decides. */
  readonly patterns: readonly string[]
  readonly tag: string
  /** In milliseconds; 0 does not wait at all. */
  readonly timeout: number
  /** Reads the release as it is now. */
  look(): Promise<Pick<Release, 'assets' | 'immutable'>>
  /** Throws when the run is cancelled. */
  sleep(ms: number): Promise<void>
  log(message: string): void
}

/**
 * The one attached file that matches, its upload finished. Waits while there is none, unless the release is immutable.
 * Throws an `ActionError`: `no-file`, `several-files`, `bad-file` for an unfinished upload, or what `look` throws.
 */
export async function findAttached(choice: Choice): Promise<Asset> {
  const { patterns, tag, timeout, look, sleep, log } = choice
  const matches = await matcherOf(patterns)
  // Names are unique in a release: no second file can match a name that is spelled out.
  const isWild = patterns.some(pattern => !isExclusion(pattern) && hasWildcard(pattern))
  // In milliseconds: every three seconds for a timeout of a minute.
  const pause = Math.min(timeout / 20, 5000)
  let before = ''
  for (let waited = 0; ; waited += pause) {
    const { assets, immutable } = await look()
    const chosen = assets.filter(({ name }) => matches(name))
    const [asset, ...others] = chosen
    if (others.length > 0) throw explainSeveral('attached files', chosen)
    const seen = JSON.stringify(chosen)
    const isReady = asset?.state === 'uploaded'
    const isFinal = immutable || timeout === 0
    // Several files are uploaded one after another: of those that a wildcard matches, a second one may follow.
    if (asset && isReady && (isFinal || !isWild || seen === before)) return asset
    if (isFinal || (!isReady && waited >= timeout)) {
      if (asset) throw explainUnfinished(asset, tag, waited)
      throw explainNone(choice, assets, immutable, waited)
    }
    if (before === '' && !isReady) {
      const names = listNames(assets.map(({ name }) => name)) || 'no file'
      const time = counted(timeout / 1000, 'second')
      const what = `a complete file that matches ${patterns.join(' ')}`
      log(`Waiting up to ${time} for ${what} on the release ${tag}. Attached now: ${names}.`)
    }
    before = seen
    await sleep(pause)
  }
}

function afterText(waited: number): string {
  return waited > 0 ? ` after ${counted(Math.round(waited / 100) / 10, 'second')}` : ''
}

function explainUnfinished({ name, state }: Asset, tag: string, waited: number): ActionError {
  const what = `The upload of ${quoteName(name)} to the release ${tag} is not finished${afterText(waited)}`
  const advice =
    'Run this job again when it is; if the upload broke, delete the file from the release and attach it again.'
  return new ActionError('bad-file', `${what} (its state is "${state}").`, { advice })
}

function explainNone(
  { patterns, tag }: Choice,
  assets: readonly Asset[],
  immutable: boolean,
  waited: number
): ActionError {
  const names = assets.map(({ name }) => quoteName(name))
  const there =
    names.length === 0 ? `The release ${tag} has no attached files` : `The release ${tag} has these`
  const message = `No attached file matches \`asset\`${afterText(waited)}:${listLines(patterns)}\n`
  const end = names.length === 0 ? `${there} (its source code is none).` : `${there}:`
  const advice = immutable
    ? 'The release is immutable, so nothing can be attached to it any more: correct `asset`.'
    : 'Correct `asset`, attach the file before this job runs (`needs:`), or raise `asset-timeout`.'
  return new ActionError('no-file', `${message}${end}${listLines(names)}`, { advice })
}

interface Download {
  /** RUNNER_TEMP. */
  readonly temp: string
  readonly stream: GitHub['streamAsset']
  /** Waits after so many broken tries, or throws the error if there must not be another. */
  retry(tried: number, error: unknown): Promise<void>
}

/**
 * Downloads into a new folder; returns the file’s path, and what deletes the folder, which is gone after any error.
 * A download that breaks starts again. Throws an `ActionError` (`bad-file`) for other bytes than GitHub has, and for
 * a disk that does not take them, or what `retry` throws.
 */
export async function downloadAsset(asset: Asset, { temp, stream, retry }: Download) {
  const folder = await mkdtemp(join(temp, 'publish-version-')).catch(cause => {
    throw explainUnsaved(asset, cause)
  })
  const remove = () => rm(folder, { recursive: true, force: true })
  // GitHub’s names hold no folders; this makes sure.
  const path = join(folder, basename(asset.name))
  try {
    for (let tried = 1; ; tried++) {
      try {
        checkDigest(asset, await save(asset, path, stream))
        return { path, remove }
      } catch (error) {
        if (error instanceof ActionError) throw error
        await retry(tried, error)
      }
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Returns the SHA-256, in hexadecimal digits, of what was saved. */
async function save(asset: Asset, path: string, stream: Download['stream']): Promise<string> {
  const file = await open(path, 'w', 0o600).catch(cause => {
    throw explainUnsaved(asset, cause)
  })
  const hash = createHash('sha256')
  let size = 0
  // The connection, which gets what is thrown here, would take it for its own failure.
  let own: ActionError | undefined
  const receive = (chunk: Buffer) => {
    size += chunk.length
    hash.update(chunk)
    try {
      if (size > asset.size) throw explainOther(asset, lengthText(asset))
      writeFileSync(file.fd, chunk)
    } catch (cause) {
      own = cause instanceof ActionError ? cause : explainUnsaved(asset, cause)
      throw own
    }
  }
  try {
    await stream(asset.id, receive)
  } catch (error) {
    throw own ?? error
  } finally {
    await file.close()
  }
  if (size !== asset.size) throw explainOther(asset, lengthText(asset))
  return hash.digest('hex')
}

/** The SHA-256 that GitHub gives of an asset, in lower case; undefined if its digest is none, or another one. */
export function sha256Of({ digest }: Asset): string | undefined {
  return /^sha-?256:(.*)$/is.exec(digest)?.[1]?.trim().toLowerCase()
}

function checkDigest(asset: Asset, sha256: string): void {
  // Servers other than GitHub’s own may give none.
  const given = sha256Of(asset)
  if (given !== undefined && given !== sha256) {
    throw explainOther(asset, `its digest is sha256:${sha256}, and GitHub says ${asset.digest}`)
  }
}

function lengthText({ size }: Asset): string {
  return `it is not ${counted(size, 'byte')} long`
}

function explainOther({ name }: Asset, why: string): ActionError {
  const message = `What was downloaded is not the attached file ${quoteName(name)}: ${why}.`
  return new ActionError('bad-file', message, { advice: 'Run this job again.' })
}

function explainUnsaved({ name }: Asset, cause: unknown): ActionError {
  const advice = 'Free space in a step before this one, or take a runner with a larger disk.'
  const why = textAt(cause, 'message')
  const message = `The attached file ${quoteName(name)} cannot be saved in RUNNER_TEMP: ${why}.`
  return new ActionError('bad-file', message, { advice, cause })
}
