// Which versions come after another: the adapter of compare-versions. Pure.
import { compareVersions } from 'compare-versions'

/** One to four numbers, as SemVer or dotted; what follows a hyphen is a pre-release. */
const BY_NUMBER = /^v?\d+(?:\.\d+){0,3}(?:-[\da-z-]+(?:\.[\da-z-]+)*)?(?:\+[\da-z.-]+)?$/i

/**
 * Those of the versions that are higher than this one, the highest first. Only versions by number are
 * compared, pre-releases as in SemVer; of any other kind none is higher.
 */
export function higherThan(version: string, others: readonly string[]): string[] {
  if (!BY_NUMBER.test(version)) return []
  return others
    .filter(other => BY_NUMBER.test(other) && compareVersions(other, version) > 0)
    .toSorted((a, b) => compareVersions(b, a))
}
