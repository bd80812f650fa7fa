// The commit of a tag, the commit that is checked out, and whether the two can be compared.
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import type { GitHub } from '../github/github.ts'
import { GitHubError } from '../github/github-error.ts'
import { at, textAt } from '../runner/json.ts'
import { isPullRequest, type RunContext } from '../runner/runner.ts'
import type { TaggedRelease } from './release.ts'

/**
 * The SHA of the commit that a tag names; empty when there is no such tag. `sha` is the run's own commit. Throws a
 * `GitHubError` when GitHub cannot say.
 */
export async function commitOf(
  { tag, ownCommit }: TaggedRelease,
  sha: string,
  api: Api
): Promise<string> {
  if (ownCommit) return sha

  const commit = await readKnown(api, 'GET /repos/{owner}/{repo}/commits/{ref}', {
    ref: `tags/${tag}`
  })
  if (commit !== undefined || api.isGitHub) return textAt(commit, 'sha')

  // Gitea and Forgejo do not know `tags/…` among commits.
  const found = await readKnown(api, 'GET /repos/{owner}/{repo}/tags/{tag}', { tag })
  return textAt(at(found, 'commit'), 'sha')
}

/** GitHub, as this file needs it. */
type Api = Pick<GitHub, 'read' | 'isGitHub'>

/** The data of a route's answer; undefined if the server does not know what is asked for. */
async function readKnown(
  api: Api,
  route: string,
  parameters: Readonly<Record<string, string>>
): Promise<unknown> {
  const answer = await api.read(route, parameters).catch((error: unknown) => {
    // GitHub answers 422 for a commit, other servers 404 for a tag or a route, that they do not know.
    const isUnknown = error instanceof GitHubError && [404, 422].includes(error.status ?? 0)
    if (!isUnknown) throw error
  })
  return answer?.data
}

/** In milliseconds: how long git may take. */
const GIT_LIMIT = 20_000

/** The variables of this process for git: without the inputs, among which are credentials. */
export function environmentOfGit(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^INPUT_/i.test(name)))
}

/** The state of a folder; both texts are empty if nothing is checked out in it. */
export interface Checkout {
  /** The SHA of the commit that is checked out; empty if git cannot say it. */
  readonly commit: string
  /** Why git cannot. */
  readonly why: string
}

/** Asks git which commit is checked out in a folder. */
export async function readCheckout(folder: string): Promise<Checkout> {
  // Not above it: that may be somebody else's repository.
  const gitFolder = join(folder, '.git')
  const isThere = await stat(gitFolder).catch(() => undefined)
  if (!isThere) return { commit: '', why: '' }

  // In a container, the workspace belongs to another user.
  const config = ['-c', 'safe.directory=*', '--git-dir', gitFolder]
  const args = [...config, 'rev-parse', '--verify', 'HEAD']
  // Windows would look for `git.exe` in the workspace first. Node asks its own environment for this, not the child's.
  env.NoDefaultCurrentDirectoryInExePath = '1'
  const options = { timeout: GIT_LIMIT, env: environmentOfGit(env) }

  return promisify(execFile)('git', args, options).then(
    ({ stdout }) => ({ commit: stdout.trim(), why: '' }),
    (error: unknown) => {
      const [line] = textAt(error, 'stderr').trim().split('\n')
      return { commit: '', why: line || textAt(error, 'message') }
    }
  )
}

/** Whether the checkout should be the tag's commit: not on a pull request, under act, for a draft, or for a stand-in. */
export function isComparable(
  { release, standsIn }: TaggedRelease,
  context: Pick<RunContext, 'eventName' | 'isAct'>
): boolean {
  // A pull request only rehearses; act checks nothing out, but works in the user's own folder.
  const hasOtherCode = isPullRequest(context) || context.isAct
  return !hasOtherCode && !standsIn && release?.draft !== true
}
