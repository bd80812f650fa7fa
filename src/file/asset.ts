// A file that is attached to the release: chosen by its name, downloaded, and compared with its digest.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Minimatch } from 'minimatch'
import { FileFault } from './artifact.ts'

/** An attached file as GitHub describes it. */
export interface Asset {
  readonly id: number
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** `uploaded`, or another word while the upload is unfinished. */
  readonly state: string
  /** Such as `sha256:…`; empty when GitHub gives none. */
  readonly digest: string
}

/** The rules of `@actions/glob`, which matches paths with the same library. */
const RULES = {
  dot: true,
  nobrace: true,
  nocase: sep === '\\',
  nocomment: true,
  noext: true,
  nonegate: true
}

/** The only asset whose name matches. Throws a `FileFault` for none, several, or an unfinished one. */
export async function chooseAsset(
  patterns: readonly string[],
  assets: readonly Asset[],
  tag: string
): Promise<Asset> {
  const { Minimatch } = await import('minimatch')
  const matchers = patterns.map(pattern => {
    const negated = pattern.startsWith('!')
    // A filled-in template may start like a path.
    const glob = (negated ? pattern.slice(1).trim() : pattern).replace(/^(?:\.\/)+/, '')
    return { negated, rule: new Minimatch(glob, RULES) }
  })
  const chosen = assets.filter(({ name }) => isChosen(matchers, name))
  const [asset, ...others] = chosen
  if (asset === undefined) throw new FileFault('no-file', explainNone(patterns, assets, tag))
  if (others.length > 0) throw new FileFault('several-files', explainSeveral(chosen))
  if (asset.state !== 'uploaded') {
    const message = `The upload of "${asset.name}" to the release is not finished (its state is "${asset.state}"). Run this job again when it is.`
    throw new FileFault('bad-file', message)
  }
  // It becomes the name of a file in a folder of ours.
  if (/^\.{0,2}$|[\\/\0]/.test(asset.name)) {
    const message = `The attached file's name ${JSON.stringify(asset.name)} is no plain file name.`
    throw new FileFault('bad-file', message)
  }
  return asset
}

interface Matcher {
  readonly negated: boolean
  readonly rule: Minimatch
}

/** As with paths, the last pattern that matches decides. */
function isChosen(matchers: readonly Matcher[], name: string): boolean {
  return matchers.findLast(({ rule }) => rule.match(name))?.negated === false
}

const SHOWN = 10

function explainNone(patterns: readonly string[], assets: readonly Asset[], tag: string): string {
  const names = assets.map(({ name }) => `  ${name}`)
  return [
    'No attached file matches:',
    ...patterns.map(pattern => `  ${pattern}`),
    ...(names.length === 0
      ? [
          `The release ${tag} has no attached files. Attach the built file before this job runs, or use \`file\`.`
        ]
      : [`Attached to the release ${tag}:`, ...names.slice(0, SHOWN)]),
    ...(names.length > SHOWN ? [`  … and ${names.length - SHOWN} more`] : [])
  ].join('\n')
}

function explainSeveral(assets: readonly Asset[]): string {
  return [
    `${assets.length} attached files match, and exactly one can be published:`,
    ...assets
      .slice(0, SHOWN)
      .map(({ name, size }) => `  ${name}  ${size.toLocaleString('en-US')} bytes`),
    ...(assets.length > SHOWN ? [`  … and ${assets.length - SHOWN} more`] : []),
    'Name one of them, put the version into the pattern as in "*-{version}.zip", or exclude the others with a line such as "!*-debug.zip".'
  ].join('\n')
}

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
