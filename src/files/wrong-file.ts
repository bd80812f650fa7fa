// Whether the file that was found may be published, and is the one to be published, in the order of asking. Pure.
import type { Stats } from 'node:fs'
import { sep } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { quoteName } from '../runner/words.ts'
import { hasWildcard, isExclusion } from './patterns.ts'
import { otherVersionIn } from './stated-version.ts'

/** Where a file comes from: how to get another one depends on it. */
export interface Origin {
  readonly source: 'workspace' | 'release'
  /** Whether neither the files nor the tag of its release can change anymore. */
  readonly isImmutable: boolean
}

/** A file of this job, whatever its release. */
export const BUILT: Origin = { source: 'workspace', isImmutable: false }

/** The beginning of a sentence about a file, such as `The attached file "a.zip"`. */
export function describeFile(name: string, { source }: Origin): string {
  return `The ${source === 'release' ? 'attached file' : 'file'} ${quoteName(name)}`
}

/** How to get a whole file, as a sentence. */
export function describeRepair({ source, isImmutable }: Origin): string {
  if (source === 'workspace') return 'Check the step that builds or downloads it.'
  return isImmutable
    ? 'Make a new release with the right file: nothing can be attached to this one anymore.'
    : 'Replace the attached file, then press *Re-run failed jobs*.'
}

/** How to get a file of the right version, as a sentence. */
export function describeOwnVersion({ source, isImmutable }: Origin, own: string): string {
  if (source === 'release') {
    return isImmutable
      ? 'Make a new release with the right file and the right tag: this one cannot change anymore.'
      : 'Replace the attached file, then press *Re-run failed jobs*; or, if the tag is wrong, make the release again with the right one.'
  }
  const move = isImmutable
    ? ''
    : `set the version "${own}" there and move the tag to that commit, or `
  return `Nothing was sent: ${move}release the next version; if the tag has it already, build from the tag.`
}

/** Characters in a file’s name on which servers disagree: `a"b.zip`, `a%22b.zip`, `a;filename*=b.zip` */
const RISKY = /["\\\p{Cc}\p{Zl}\p{Zp}]|%22|;\s*(?:file)?name\*?=/iu

/**
 * The error of a name that some servers would read as another: `a"b.zip`. In this and the next ones, `shown` begins the
 * message: `The file "a.zip"`.
 */
export function faultInName(name: string, shown: string): ActionError | undefined {
  if (!RISKY.test(name)) return undefined

  const risks = 'a quote, a backslash, a control character, "%22" or "; name="'
  return explainBadFile(
    `${shown} has ${risks} in its name, which servers read differently.`,
    'Rename it.'
  )
}

/**
 * A link to `/etc/passwd`, or to `.git/config`, where Git keeps credentials.
 * @param real A path without links.
 * @param roots The folders that may hold it.
 * @param place The beginning of the message, such as `The file "a.zip" is`.
 */
export function faultInPlace(
  real: string,
  roots: readonly string[],
  place: string
): ActionError | undefined {
  const starts = roots.filter(Boolean).map(root => (root.endsWith(sep) ? root : root + sep))
  const start = starts.find(each => real.startsWith(each))
  if (start === undefined) {
    const outside = 'outside of the workspace and of the runner’s temporary folder (RUNNER_TEMP).'
    return explainBadFile(`${place} ${outside}`, 'Copy the file itself into the workspace.')
  }

  if (!belongsToGit(real.slice(start.length))) return undefined
  return explainBadFile(`${place} where Git keeps credentials.`, 'Name the file that was built.')
}

/** Whether Git and `actions/checkout` keep credentials there; as Windows reads names, `.git.` and `GIT~1` are `.git`, too. */
function belongsToGit(path: string): boolean {
  const names = path.split(/[\\/]/)
  return names.some(name => /^(?:\.git[. ]*|git~\d+|git-credentials-.*\.config)$/i.test(name))
}

/** A folder called `gallery.zip`, or a file of no bytes. */
export function faultInKind(stats: Stats, shown: string, origin: Origin): ActionError | undefined {
  if (!stats.isFile())
    return explainBadFile(`${shown} is not a regular file.`, 'Name the file itself.')
  if (stats.size > 0) return undefined
  return explainBadFile(`${shown} is empty.`, describeRepair(origin))
}

/** Whether it begins like `version https://git-lfs.github.com/spec/v1`, the first line of what Git LFS has not fetched. */
export function isPointer(head: Buffer): boolean {
  return /^version https:\/\/git-lfs\.github\.com\/spec\//.test(head.toString('latin1', 0, 64))
}

/** The error of a pointer, which `actions/checkout` leaves in place of a file without `lfs: true`. */
export function faultInPointer(
  head: Buffer,
  shown: string,
  origin: Origin
): ActionError | undefined {
  if (!isPointer(head)) return undefined

  const advice =
    origin.source === 'release'
      ? describeRepair(origin)
      : 'Set `lfs: true` under `actions/checkout` in the job that builds it.'
  return explainBadFile(`${shown} is a Git LFS pointer, not the file itself.`, advice)
}

/** The start of a web page, perhaps behind a byte order mark: `<!DOCTYPE html>` */
const WEB_PAGE = /^\s*<(?:!doctype html|html)/i

/** The error of a web page that is not called one: some download got it in place of the file. */
export function faultInPage(name: string, head: Buffer, origin: Origin): ActionError | undefined {
  if (/\.x?html?$/i.test(name) || !WEB_PAGE.test(head.toString())) return undefined

  const advice =
    origin.source === 'release'
      ? describeRepair(origin)
      : 'Check the step that downloads it, and what that address answers.'
  return explainBadFile(`${describeFile(name, origin)} is a web page.`, advice)
}

function explainBadFile(message: string, advice: string): ActionError {
  return new ActionError('bad-file', message, { advice })
}

/**
 * The error of a file whose name states another version, such as the `gallery-1.4.1.zip` of an old build, which
 * `dist/*.zip` chose for the release 1.4.2. A name that is spelled out is
 * meant, and so is a version that stands in the pattern.
 * @param patterns Those that chose the file.
 * @param versions The names of the release's version, its own first.
 */
export function faultInNameVersion(
  name: string,
  patterns: readonly string[],
  versions: readonly string[],
  origin: Origin = BUILT
): ActionError | undefined {
  const other = otherVersionIn(name, versions)
  if (other === '') return undefined

  const wild = patterns.filter(pattern => !isExclusion(pattern) && hasWildcard(pattern))
  const isMeant = wild.length === 0 || wild.some(pattern => pattern.includes(other))
  if (isMeant) return undefined

  const [own = ''] = versions
  const message = `The name of the file ${quoteName(name)} says version "${other}", but this release is "${own}".`
  const mend =
    origin.source === 'release'
      ? describeOwnVersion(origin, own)
      : `Build the file of "${own}", and write {version} in the pattern.`
  return new ActionError('file-version', message, {
    advice: `${mend} If "${other}" is not this product’s version, spell the file’s name out in place of the wildcard.`
  })
}
