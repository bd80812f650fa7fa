// Whether the workspace holds the sources of the release: the commit that is checked out there, and the tag's.
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RunContext } from '../runner/runner.ts'
import { textAt } from '../runner/values.ts'
import type { TaggedRelease } from './release.ts'

/** In milliseconds. */
const GIT_LIMIT = 20_000

/** The commit that is checked out in a folder, or `why` git cannot say it; both are empty where nothing is. */
export async function readCheckout(folder: string) {
  // Not above it: that may be somebody else's repository.
  const isThere = await stat(join(folder, '.git')).catch(() => undefined)
  if (!isThere) return { commit: '', why: '' }
  // In a container, the workspace belongs to another user.
  const config = ['-c', 'safe.directory=*', '--git-dir', join(folder, '.git')]
  const args = [...config, 'rev-parse', '--verify', 'HEAD']
  const options = { timeout: GIT_LIMIT }
  return promisify(execFile)('git', args, options).then(
    ({ stdout }) => ({ commit: stdout.trim(), why: '' }),
    (error: unknown) => {
      const said = textAt(error, 'stderr').trim().split('\n')[0] || textAt(error, 'message')
      return { commit: '', why: said }
    }
  )
}

/** Whether there is a commit to compare a checkout with: that of a release, and not of one that stands in for the next. */
export function isComparable(
  { release, standsIn }: TaggedRelease,
  { eventName, isAct }: Pick<RunContext, 'eventName' | 'isAct'>
): boolean {
  // A pull request only rehearses; act checks nothing out, but works in the user's own folder.
  const isRehearsal = isAct || eventName.startsWith('pull_request')
  return !isRehearsal && !standsIn && release?.draft !== true
}
