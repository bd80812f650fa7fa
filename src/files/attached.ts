// A file that is attached to the release: which one is meant, the wait until it is there, and its download.
import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { GitHub } from '../github/github.ts'
import { GitHubError } from '../github/github-error.ts'
import type { Asset, Release } from '../github/releases.ts'
import { ActionError } from '../runner/action-error.ts'
import { poll } from '../runner/retry.ts'
import { counted, listLines, listNames, quoteName, quoteText, visible } from '../runner/words.ts'
import { explainSeveral } from './find.ts'
import { hasWildcard, isExclusion, matcherOf, pathOf, takeExactly } from './patterns.ts'

interface Choice {
  /** Patterns of names; the last one that matches a name decides. */
  readonly patterns: readonly string[]
  readonly tag: string
  /** In milliseconds; 0 does not wait at all. */
  readonly timeout: number
  /** Reads the release as it is now. */
  look(): Promise<Pick<Release, 'assets' | 'immutable'>>
  /** Throws when the run is canceled. */
  sleep(ms: number): Promise<void>
  log(message: string): void
}

/** The release as one look shows it. */
interface View {
  readonly assets: readonly Asset[]
  readonly immutable: boolean
  /** The file that matches, its upload perhaps unfinished. */
  readonly asset: Asset | undefined
  /** The file as text, to see whether it has changed. */
  readonly seen: string
  /** Whether a wildcard chose it. */
  readonly isWild: boolean
}

/** Before the first look. */
const UNSEEN: View = {
  assets: [],
  immutable: false,
  asset: undefined,
  seen: '',
  isWild: false
}

/**
 * The one attached file that matches, its upload finished. Waits while there is none, unless the release is immutable.
 * Throws an `ActionError`, `no-file` or `several-files`, or what `look` throws.
 */
export async function findAttached(choice: Choice): Promise<Asset> {
  const { timeout, sleep } = choice
  // In milliseconds: every three seconds for a timeout of a minute.
  const pause = Math.min(timeout / 20, 5000)
  let view = UNSEEN
  let waited = 0

  const found = await poll(
    async () => {
      const before = view
      view = await takeView(choice)
      return isSettled(view, before, timeout) ? view.asset : undefined
    },
    {
      pauseAfter: looked => {
        const isOver = !isUploaded(view.asset) && waited >= timeout
        if (isOver || isFinal(view, timeout)) return undefined
        if (looked === 1 && !isUploaded(view.asset)) announceWait(choice, view)
        return pause
      },
      sleep: async ms => {
        await sleep(ms)
        waited += ms
      }
    }
  )
  if (found) return found
  throw explainNoAsset(choice, view, waited)
}

/** Looks which file matches. Throws an `ActionError` (`several-files`), or what `look` throws. */
async function takeView({ patterns, look }: Choice): Promise<View> {
  const { assets, immutable } = await look()
  // A name that is there with its brackets means that file.
  const names = new Set(assets.map(({ name }) => name))
  const exact = patterns.map(it => (names.has(pathOf(it)) ? takeExactly(it) : it))

  const matches = await matcherOf(exact)
  const chosen = assets.filter(({ name }) => matches(name))
  if (chosen.length > 1) throw explainSeveral('attached files', chosen)
  return {
    assets,
    immutable,
    asset: chosen[0],
    seen: JSON.stringify(chosen),
    isWild: exact.some(pattern => !isExclusion(pattern) && hasWildcard(pattern))
  }
}

function isUploaded(asset: Asset | undefined): boolean {
  return asset?.state === 'uploaded'
}

/** Whether there is no second look: nothing can change, or it is not to be waited for. */
function isFinal({ immutable }: View, timeout: number): boolean {
  return immutable || timeout === 0
}

/** Whether the file that matches is the one that is meant. */
function isSettled(view: View, before: View, timeout: number): boolean {
  if (!isUploaded(view.asset)) return false
  // Names are unique in a release: no second file can match a name that is spelled out. But several files are uploaded
  // one after another: of those that a wildcard matches, a second one may follow.
  return isFinal(view, timeout) || !view.isWild || view.seen === before.seen
}

function announceWait({ patterns, tag, timeout, log }: Choice, { assets }: View): void {
  const names = new Set(assets.map(({ name }) => name))
  const attached = listNames([...names]) || 'no file'
  const time = counted(timeout / 1000, 'second')
  const what = `a complete file that matches ${patterns.join(' ')}`
  log(`Waiting up to ${time} for ${what} on the release ${tag}. Attached now: ${attached}.`)
}

function explainNoAsset(
  { patterns, tag }: Choice,
  { assets, immutable }: View,
  waited: number
): ActionError {
  const after = waited > 0 ? ` after ${counted(Math.round(waited / 100) / 10, 'second')}` : ''
  const there =
    assets.length === 0
      ? `The release ${tag} has no attached files (source code archives do not count).`
      : `The release ${tag} has these:${listLines(assets.map(describeAsset))}`
  const message = `No attached file matches \`asset\`${after}:${listLines(patterns.map(visible))}\n${there}`

  const isBroken = !assets.every(isUploaded)
  const again = isBroken ? ' If an upload broke, delete the file, and attach it again.' : ''
  const advice = immutable
    ? 'Nothing can be attached to this release anymore, since it is immutable: if the file is missing, make a new release from a draft that has it. If `asset` is wrong, correct it.'
    : `If the file is still to come, attach it, then press *Re-run failed jobs* (if a job attaches it, name that job in \`needs:\`).${again} If \`asset\` is wrong, correct it.`
  return new ActionError('no-file', message, { advice, remedy: 'correct workflow' })
}

/** Such as `"app.zip"`, or `"app.zip" (its upload is not finished: "open")`. */
function describeAsset(asset: Asset): string {
  const state = isUploaded(asset) ? '' : ` (its upload is not finished: ${quoteText(asset.state)})`
  return `${quoteName(asset.name)}${state}`
}

/** A file that was downloaded. */
export interface Download {
  readonly path: string
  /** Deletes it, with its folder. */
  remove(): Promise<void>
}

/**
 * Downloads an asset into a new folder, which is gone after any error.
 * @param temp The folder for the new one.
 * @throws {ActionError} `bad-file` for other bytes than GitHub has.
 * @throws {GitHubError}
 */
export async function downloadAsset(
  asset: Asset,
  temp: string,
  github: Pick<GitHub, 'streamAsset'>
): Promise<Download> {
  const folder = await mkdtemp(join(temp, 'publish-version-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  // GitHub’s names hold no folders; this makes sure.
  const path = join(folder, basename(asset.name))
  try {
    const sha256 = await save(asset, path, github)

    // Such as `sha256:ab…`; servers other than GitHub’s own may give no digest.
    const [, given = sha256] = /^sha-?256:(.*)$/is.exec(asset.digest) ?? []
    if (given.trim().toLowerCase() === sha256) return { path, remove }

    const message = `What was downloaded is not the attached file ${quoteName(asset.name)}: its digest is sha256:${sha256}, and GitHub says ${quoteText(asset.digest)}.`
    throw new ActionError('bad-file', message, { advice: 'Press *Re-run failed jobs*.' })
  } catch (error) {
    await remove()
    throw error
  }
}

/** Returns the SHA-256, in hexadecimal digits, of what was saved. */
async function save(
  asset: Asset,
  path: string,
  github: Pick<GitHub, 'streamAsset'>
): Promise<string> {
  const file = await open(path, 'w', 0o600).catch((cause: Error) => {
    // Other servers may give a name that no file can have.
    throw new GitHubError(`${quoteName(asset.name)} cannot be saved: ${cause.message}`, { cause })
  })

  const requireSize = (isRight: boolean) => {
    if (!isRight) throw new GitHubError(`${quoteName(asset.name)} is not ${asset.size} bytes long`)
  }

  let hash = createHash('sha256')
  let size = 0
  // A download that breaks starts again from its first byte.
  const start = () => {
    hash = createHash('sha256')
    size = 0
    return (chunk: Buffer) => {
      requireSize(size + chunk.length <= asset.size)
      hash.update(chunk)
      size += writeSync(file.fd, chunk, 0, chunk.length, size)
    }
  }

  try {
    await github.streamAsset(asset.id, start)
  } finally {
    await file.close()
  }

  requireSize(size === asset.size)
  return hash.digest('hex')
}
