// Whether the file that was found is the one to be published, by its name and by what lies next to it. Pure.
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

/**
 * `gallery-1.4.1.zip` that `dist/*.zip` chose, an old build, for the release 1.4.2, the first of the `versions`. A name
 * that is spelled out is meant.
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
