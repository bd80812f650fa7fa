// Where Git keeps credentials. Pure.

/**
 * Whether a path below the workspace or RUNNER_TEMP is where Git and `actions/checkout` keep credentials; in any
 * case, and as Windows reads names: `.git.` and `GIT~1` are `.git`, too.
 */
export function belongsToGit(path: string): boolean {
  const names = path.split(/[\\/]/)
  return names.some(name => /^(?:\.git[. ]*|git~\d+|git-credentials-.*\.config)$/i.test(name))
}
