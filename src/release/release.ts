// A release as GitHub describes it, narrowed to what a publication needs, from an event or from GitHub's API.
import type { GitHub, GitHubError } from '../github/github.ts'
import { at, textAt } from '../runner/values.ts'

/** A release of an event or of GitHub's API; absent texts are empty. */
export type Release = Readonly<NonNullable<ReturnType<typeof parseRelease>>>

/** Narrows a release; undefined when it has no tag or no id. */
export function parseRelease(value: unknown) {
  const [id, tag, assets] = [at(value, 'id'), textAt(value, 'tag_name'), at(value, 'assets')]
  if (tag === '' || typeof id !== 'number') return undefined
  return {
    id,
    tag,
    name: textAt(value, 'name').trim(),
    notes: textAt(value, 'body'),
    prerelease: at(value, 'prerelease') === true,
    draft: at(value, 'draft') === true,
    immutable: at(value, 'immutable') === true,
    /** In milliseconds since 1970; NaN for a draft. */
    publishedAt: Date.parse(textAt(value, 'published_at')),
    url: textAt(value, 'html_url'),
    assets: (Array.isArray(assets) ? assets : []).flatMap(parseAsset)
  }
}

export type Asset = Readonly<ReturnType<typeof parseAsset>[number]>

function parseAsset(value: unknown) {
  const [id, size] = [at(value, 'id'), at(value, 'size')]
  if (typeof id !== 'number' || typeof size !== 'number') return []
  // Until it is `uploaded`, the upload is unfinished. GitHub need not give a digest such as `sha256:…`.
  // Other servers than GitHub give no state.
  const [state, digest] = [textAt(value, 'state') || 'uploaded', textAt(value, 'digest')]
  return [{ id, size, name: textAt(value, 'name'), state, digest }]
}

/** Whether the event says that the repository is private; undefined when it does not say. */
export function isPrivate(payload: unknown): boolean | undefined {
  const value = at(at(payload, 'repository'), 'private')
  return typeof value === 'boolean' ? value : undefined
}

/** GitHub, as this folder needs it; `isFailure` tells an error of a call from a mistake of ours. */
export interface Api extends Pick<GitHub, 'read' | 'readAll'> {
  isFailure(error: unknown): error is GitHubError
}

/** GitHub, or a proxy on the way, answered 200 with something else than a release. */
export class ReleaseUnreadable extends Error {
  override readonly name = 'ReleaseUnreadable'
}

type Key = { readonly release_id: number } | { readonly tag: string }

/** Reads a release as it is now on GitHub, its attached files included. */
export async function readRelease(api: Pick<Api, 'read'>, by: Key): Promise<Release> {
  const way = 'tag' in by ? 'tags/{tag}' : '{release_id}'
  const { data } = await api.read(`GET /repos/{owner}/{repo}/releases/${way}`, by)
  const release = parseRelease(data)
  if (release) return release
  throw new ReleaseUnreadable('GitHub answered something other than a release.')
}

/** All releases that this job can see, drafts too, the newest first. */
export async function listReleases(api: Pick<Api, 'readAll'>): Promise<Release[]> {
  const { items } = await api.readAll('GET /repos/{owner}/{repo}/releases')
  return items.map(parseRelease).filter(release => release !== undefined)
}
