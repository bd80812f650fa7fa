// Tags: how GitHub gives them, and what is read of that.
import { textAt } from '../runner/json.ts'
import type { GitHub } from './github.ts'
import { GitHubError } from './github-error.ts'

/** The SHA of the commit that a tag names; empty if there is no such tag. Throws a `GitHubError`. */
export async function readTagCommit(tag: string, api: Pick<GitHub, 'read'>): Promise<string> {
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}'
  const answer = await api.read(route, { ref: `tags/${tag}` }).catch((error: unknown) => {
    // GitHub answers 422 for a tag that it does not know.
    const isUnknown = error instanceof GitHubError && [404, 422].includes(error.status ?? 0)
    if (!isUnknown) throw error
  })
  return textAt(answer?.data, 'sha')
}
