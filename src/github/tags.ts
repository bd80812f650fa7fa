// Tags and branches: how GitHub gives them, and what is read of that.
import { at, textAt } from '../runner/json.ts'
import type { GitHub } from './github.ts'
import { GitHubError } from './github-error.ts'

/** The SHA of the commit that a tag names; empty if there is no such tag. Throws a `GitHubError`. */
export async function readTagCommit(
  tag: string,
  api: Pick<GitHub, 'read' | 'isGitHub'>
): Promise<string> {
  const commit = await readKnown(api, 'GET /repos/{owner}/{repo}/commits/{ref}', {
    ref: `tags/${tag}`
  })
  if (commit !== undefined || api.isGitHub) return textAt(commit, 'sha')

  // Gitea and Forgejo do not know `tags/…` among commits.
  const found = await readKnown(api, 'GET /repos/{owner}/{repo}/tags/{tag}', { tag })
  return textAt(at(found, 'commit'), 'sha')
}

/** The data of a route's answer; undefined if the server does not know what is asked for. */
async function readKnown(
  api: Pick<GitHub, 'read'>,
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

/** The names of all tags. Throws a `GitHubError`. */
export async function listTags(api: Pick<GitHub, 'readAll'>): Promise<string[]> {
  const { items } = await api.readAll('GET /repos/{owner}/{repo}/tags')
  return items.map(item => textAt(item, 'name')).filter(Boolean)
}

/** Whether a branch has that name: who presses the button chooses a branch there, too. False if GitHub cannot say. */
export async function hasBranch(name: string, api: Pick<GitHub, 'read'>): Promise<boolean> {
  const answer = await api
    .read('GET /repos/{owner}/{repo}/branches/{branch}', { branch: name })
    .catch(() => undefined)
  return textAt(answer?.data, 'name') === name
}
