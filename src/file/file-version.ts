// Whether a file's name speaks of another version than the one to be published. Pure.

const PRERELEASE =
  '(?:[-.]?(?:alpha|beta|canary|dev|nightly|pre|preview|rc|snapshot)(?:[-.]?\\d+)*)?'
const TOKEN = new RegExp(
  `(?<![0-9A-Za-z]|\\d\\.)v?(\\d+(?:\\.\\d+)+${PRERELEASE})(?![0-9A-Za-z])`,
  'gi'
)

/**
 * Why the file is not taken: its name speaks of another version than the release's and the one to be
 * published, and a wildcard chose it. Undefined where nothing is wrong.
 */
export function explainForeignVersion(
  fileName: string,
  patterns: readonly string[],
  version: string,
  versionName: string
): string | undefined {
  if (!patterns.some(pattern => !pattern.startsWith('!') && hasWildcard(pattern))) return undefined
  const found = findForeignVersions(fileName, [version, versionName])
  if (!found) return undefined
  const versions = found.map(other => `"${other}"`).join(', ')
  return (
    `the file "${fileName}" speaks of ${versions}, and the version to be published is "${version}". ` +
    'Build the file of this version, or name it without a wildcard; `file-version: any` turns this check off.'
  )
}

/**
 * The versions that a file name holds, if it holds some and none is one of those to be published; else
 * undefined. Only what stands apart counts: `php8.2` is no version, and neither is a lone number.
 */
export function findForeignVersions(
  fileName: string,
  versions: readonly string[]
): readonly string[] | undefined {
  const found = Array.from(fileName.matchAll(TOKEN), match => match[1] ?? '')
  if (found.length === 0 || versions.some(version => isIn(fileName, found, version)))
    return undefined
  return found
}

/** As one of the tokens, or, for versions of other forms, standing apart in the name. */
function isIn(fileName: string, tokens: readonly string[], version: string): boolean {
  const bare = version.replace(/^v(?=\d)/i, '')
  if (tokens.some(token => token.toLowerCase() === bare.toLowerCase())) return true
  // Semantic versions may go on in ways that a token does not: 1.4.2-hotfix, 1.4.2+build.7.
  if (/^\d+(\.\d+)+$/.test(bare)) return false
  const at = fileName.toLowerCase().indexOf(bare.toLowerCase())
  if (bare === '' || at < 0) return false
  const before = fileName[at - 1] ?? ''
  const after = fileName.slice(at + bare.length)
  return !/[0-9.]/.test(before) && !/^(?:\d|\.\d)/.test(after)
}

/** Whether a pattern has a wildcard, so that the file's name is not spelt out in it. */
export function hasWildcard(pattern: string): boolean {
  return /[*?[]/.test(pattern.replace(/\[[^\]]\]/g, ''))
}
