// Whether the file that was found may be published, and is the one to be published, in the order of asking. Pure.
import type { Stats } from 'node:fs'
import { sep } from 'node:path'
import { ActionError } from '../runner/action-error.ts'
import { quoteName } from '../runner/words.ts'
import { hasWildcard, isExclusion } from './patterns.ts'
import { otherVersionIn, snapshotIn, states } from './stated-version.ts'

/** `gallery.jar` next to `gallery-all.jar`, which has its libraries in it: the plain one does not start at buyers. */
export function faultInThinJar(path: string, fuller: string): ActionError | undefined {
  if (fuller === '') return undefined

  const message = `${quoteName(fuller)} lies next to ${quoteName(path)}: by its name, it has the libraries in it, too.`
  return new ActionError('several-files', message, {
    advice: `Let \`file\` match the one that buyers need; if that is the plain one, exclude the other with the line ${quoteName(`!${fuller}`)}.`
  })
}

/** `a"b.zip`, `a%22b.zip`, `a;filename*=b.zip`: servers disagree on how to read these in the name of a file. */
const RISKY = /["\\\p{Cc}\p{Zl}\p{Zp}]|%22|;\s*(?:file)?name\*?=/iu

/** `a"b.zip`. In this and the next ones, `shown` begins the message, such as `The file "a.zip"`. */
export function faultInName(name: string, shown: string): ActionError | undefined {
  if (!RISKY.test(name)) return undefined

  const risks = 'a quote, a backslash, a control character, "%22" or "; name="'
  return badFile(`${shown} has ${risks} in its name, which servers read differently.`, 'Rename it.')
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
    return badFile(`${place} ${outside}`, 'Copy the file itself into the workspace.')
  }

  if (!belongsToGit(real.slice(start.length))) return undefined
  return badFile(`${place} where Git keeps credentials.`, 'Name the file that was built.')
}

/** Whether Git and `actions/checkout` keep credentials there; as Windows reads names, `.git.` and `GIT~1` are `.git`, too. */
function belongsToGit(path: string): boolean {
  const names = path.split(/[\\/]/)
  return names.some(name => /^(?:\.git[. ]*|git~\d+|git-credentials-.*\.config)$/i.test(name))
}

/** A folder called `gallery.zip`, or a file of no bytes. */
export function faultInKind(stats: Stats, shown: string): ActionError | undefined {
  if (!stats.isFile()) return badFile(`${shown} is not a regular file.`, 'Name the file itself.')
  if (stats.size > 0) return undefined
  return badFile(`${shown} is empty.`, 'Check the step that builds it.')
}

/** `version https://git-lfs.github.com/spec/v1`, the first line of what `actions/checkout` leaves without `lfs: true`. */
export function faultInPointer(head: Buffer, shown: string): ActionError | undefined {
  if (!/^version https:\/\/git-lfs\.github\.com\/spec\//.test(head.toString('latin1'))) {
    return undefined
  }
  const advice = 'Set `lfs: true` under `actions/checkout` in the job that builds it.'
  return badFile(`${shown} is a Git LFS pointer, not the file itself.`, advice)
}

function badFile(message: string, advice: string): ActionError {
  return new ActionError('bad-file', message, { advice })
}

/**
 * `gallery-1.4.1.zip`, an old build, which `dist/*.zip` chose for the release 1.4.2. A name that is spelled out is
 * meant.
 * @param patterns Those that chose the file.
 * @param versions The names of the release's version, its own first.
 */
export function faultInNameVersion(
  name: string,
  patterns: readonly string[],
  versions: readonly string[]
): ActionError | undefined {
  const wild = patterns.filter(pattern => !isExclusion(pattern) && hasWildcard(pattern))
  const other = otherVersionIn(name, versions) || snapshotIn(name, versions)
  const isMeant = wild.length === 0 || wild.some(pattern => states(pattern, [other]))
  if (other === '' || isMeant) return undefined

  const message = `The name of the file ${quoteName(name)} says version "${other}", but this release is "${versions[0]}".`
  const advice =
    `Build or attach the file of "${versions[0]}", and write {version} in the pattern; if "${other}" is not this ` +
    'product’s version, set `allow-other-version: true`.'
  return new ActionError('file-version', message, { advice })
}
