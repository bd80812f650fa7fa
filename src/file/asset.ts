// A file that is attached to the release: which one is meant, the wait until it is there, and its download.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { GitHub } from '../github/github.ts'
import type { Asset, Release } from '../release/release.ts'
import { counted, sizeText } from '../runner/text.ts'
import { textAt } from '../runner/values.ts'
import {
  explainSeveral,
  FileFault,
  hintAlike,
  hintsFor,
  inTime,
  listed,
  noFile,
  quoteName
} from './fault.ts'
import { hasWildcard, includes, matcherOf } from './glob.ts'
import type { Choice } from './versions.ts'

type ReleaseFiles = Pick<Release, 'assets' | 'immutable'>

interface AttachedOptions {
  readonly tag: string
  /** In milliseconds; 0 does not wait at all. */
  readonly timeout: number
  look(): Promise<ReleaseFiles>
  /** Throws when the run is cancelled. */
  sleep(ms: number): Promise<void>
  tell(message: string): void
}

/** Returns a function that finds the one matching file or throws a `FileFault`; its calls share the wait. */
export function openAttached({ tag, timeout, look, sleep, tell }: AttachedOptions) {
  // In milliseconds: every three seconds for a timeout of a minute.
  const pause = Math.min(timeout / 20, 5000)
  let attached: Promise<ReleaseFiles> | undefined
  let waited = 0
  return async (choice: Choice): Promise<Asset> => {
    const { patterns } = choice
    const matches = await matcherOf(patterns)
    // Names are unique in a release: no second file can match a name that is spelled out.
    const isWild = patterns.some(pattern => includes(pattern) && hasWildcard(pattern))
    let before = ''
    for (;;) {
      attached ??= look()
      const files = await attached
      const chosen = inTime('asset', () => files.assets.filter(({ name }) => matches(name)))
      const [asset, ...others] = chosen
      if (others.length > 0) {
        const rows = chosen.map(({ name, size }) => [name, sizeText(size)] as const)
        throw explainSeveral(choice, 'attached files', rows)
      }
      const seen = JSON.stringify(chosen)
      const isReady = asset?.state === 'uploaded'
      const isFinal = files.immutable || timeout === 0
      // With a wildcard, a second file may follow: two looks must find the same.
      if (asset && isReady && (isFinal || !isWild || seen === before)) return asset
      if (isFinal || (!isReady && waited >= timeout)) {
        throw await explainEnd(choice, files, asset, tag, waited)
      }
      if (before === '' && !isReady) {
        const what = asset
          ? `the upload of ${quoteName(asset.name)} to the release ${tag} to be finished`
          : `a file that matches ${patterns.join(' ')} to be attached to the release ${tag}`
        const names = listed(files.assets.map(({ name }) => name)) || 'no file'
        const time = counted(timeout / 1000, 'second')
        tell(`Waiting up to ${time} for ${what}. Attached now: ${names}.`)
      }
      before = seen
      await sleep(pause)
      waited += pause
      attached = undefined
    }
  }
}

const IMMUTABLE = 'The release is immutable: nothing can be attached to it any more.'
const ATTACH =
  'Attach the built file before this job runs (`needs:`), raise `asset-timeout`, or use `file`. If it is attached by now, run this job again.'
const FINISH =
  'Run this job again when it is; for an upload that broke, delete the file from the release and attach it again.'
const SOURCES =
  '“Source code (zip)” and “Source code (tar.gz)” on the release’s page are not attached files.'

/** Why no file is taken after so many milliseconds: the one that matches is not there, or not finished. */
async function explainEnd(
  choice: Choice,
  { assets, immutable }: ReleaseFiles,
  unfinished: Asset | undefined,
  tag: string,
  waited: number
): Promise<FileFault> {
  const { patterns } = choice
  const after = waited > 0 ? ` after ${counted(Math.round(waited / 100) / 10, 'second')}` : ''
  if (unfinished) {
    const what = `The upload of ${quoteName(unfinished.name)} to the release ${tag} is not finished${after}`
    return new FileFault('bad-file', `${what} (its state is "${unfinished.state}"). ${FINISH}`)
  }
  const names = assets.map(({ name }) => name)
  const inAnyCase = await matcherOf(patterns, { nocase: true })
  const fitting = inTime('asset', () => names.find(inAnyCase))
  const hints = hintsFor(patterns, 'asset')
  if (fitting) {
    hints.push(`Is it ${quoteName(fitting)}? Correct \`asset\`; upper and lower case differ.`)
  } else hints.push(...hintAlike(names, choice, 'asset'))
  if (immutable) hints.push(IMMUTABLE)
  else if (hints.length === 0) hints.push(ATTACH)
  const meansSources = patterns.some(pattern => /source.?code/i.test(pattern))
  if (meansSources || names.length === 0) hints.push(SOURCES)
  const there = names.length === 0 ? 'no attached files.' : 'these attached files:'
  hints.push(`The release ${tag} has ${there}`)
  return noFile(choice, `No attached file matches${after}:`, hints, names)
}

export type Stream = GitHub['streamAsset']
/** Waits after so many tries, or throws the error if there must not be another. */
export type Retry = (tried: number, error: unknown) => Promise<void>

interface DownloadOptions {
  readonly temp: string
  readonly stream: Stream
  readonly retry: Retry
  notice(message: string): void
}

/** Downloads into a new folder, deleted by `remove` or on any error. Throws a `FileFault` for wrong bytes. */
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
  let fault: FileFault | undefined
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
export function sha256Of({ digest }: Asset): string | undefined {
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

function otherFile({ name }: Asset, why: string): FileFault {
  const message = `What was downloaded is not the attached file ${quoteName(name)}: ${why}. Run this job again.`
  return new FileFault('bad-file', message)
}

function unsaved({ name }: Asset, cause: unknown): FileFault {
  const [code, said] = [textAt(cause, 'code'), textAt(cause, 'message')]
  const why = /^(?:ENOSPC|EDQUOT)$/.test(code) ? `the disk is full (${said})` : said
  const advice = 'Free space in a step before this one, or take a runner with a larger disk.'
  const message = `The attached file ${quoteName(name)} cannot be saved in RUNNER_TEMP: ${why}. ${advice}`
  return new FileFault('bad-file', message, cause)
}
