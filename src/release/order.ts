// Which of two versions is higher. The adapter of compare-versions.

/** One to four numbers, such as `1.2`, `v1.2.3.4`, or `1.2.3-rc.1+build`; the hyphen starts a pre-release. */
const BY_NUMBER = /^v?\d+(?:\.\d+){0,3}(?:-[\da-z-]+(?:\.[\da-z-]+)*)?(?:\+[\da-z.-]+)?$/i

/**
 * Returns a function that ranks other versions against this one: by SemVer, or dotted; undefined for those that
 * are equal, or that have another form, such as `Spring` or `1.5-rc1`.
 */
export async function openRanking(version: string) {
  const { compareVersions, validate } = await import('compare-versions')
  // The library throws for any other.
  const takes = (name: string) => BY_NUMBER.test(name) && validate(name)
  return (other: string): 'higher' | 'lower' | undefined => {
    const compared = takes(version) && takes(other) ? compareVersions(other, version) : 0
    if (compared === 0) return undefined
    return compared > 0 ? 'higher' : 'lower'
  }
}
