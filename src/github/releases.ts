// Releases and their attached files: how GitHub gives them, and what is read of that.
import { at, numberAt, textAt } from '../runner/json.ts'
import type { GitHub } from './github.ts'
import { GitHubError } from './github-error.ts'

/** A release from an event or from GitHub's API; absent texts are empty. */
export interface Release {
  readonly id: number
  readonly tag: string
  readonly name: string
  /** Its text, in Markdown. */
  readonly notes: string
  readonly prerelease: boolean
  readonly draft: boolean
  /** Nothing can be attached to it anymore. */
  readonly immutable: boolean
  /** Its page's address. */
  readonly url: string
  readonly assets: readonly Asset[]
}

/** A file that is attached to a release. */
export interface Asset {
  readonly id: number
  readonly name: string
  /** In bytes. */
  readonly size: number
  /** Any state but `uploaded` means an unfinished upload. */
  readonly state: string
  /** Such as `sha256:…`, or empty. */
  readonly digest: string
}

/** Narrows a release; undefined when it has no tag or no id. */
export function parseRelease(value: unknown): Release | undefined {
  const id = numberAt(value, 'id')
  const tag = textAt(value, 'tag_name')
  if (tag === '' || id === undefined) return undefined

  const assets = at(value, 'assets')
  return {
    id,
    tag,
    name: textAt(value, 'name').trim(),
    notes: textAt(value, 'body'),
    prerelease: at(value, 'prerelease') === true,
    draft: at(value, 'draft') === true,
    immutable: at(value, 'immutable') === true,
    url: textAt(value, 'html_url'),
    assets: Array.isArray(assets) ? assets.map(parseAsset).filter(it => it !== undefined) : []
  }
}

/** Narrows an attached file; undefined when it has no id or no size. */
function parseAsset(value: unknown): Asset | undefined {
  const id = numberAt(value, 'id')
  const size = numberAt(value, 'size')
  if (id === undefined || size === undefined) return undefined
  return {
    id,
    size,
    name: textAt(value, 'name'),
    state: textAt(value, 'state') || 'uploaded',
    digest: textAt(value, 'digest')
  }
}

/** Reads a release, with its attached files, as it is on GitHub now. Throws a `GitHubError`. */
export async function readRelease(
  api: Pick<GitHub, 'read'>,
  by: { release_id: number } | { tag: string }
): Promise<Release> {
  const place = 'tag' in by ? 'tags/{tag}' : '{release_id}'
  const { data } = await api.read(`GET /repos/{owner}/{repo}/releases/${place}`, by)
  const release = parseRelease(data)
  if (release) return release
  throw new GitHubError('GitHub answered something other than a release')
}

/** All releases that this job can see, drafts too, newest first. Throws a `GitHubError`. */
export async function listReleases(api: Pick<GitHub, 'readAll'>): Promise<Release[]> {
  const { items } = await api.readAll('GET /repos/{owner}/{repo}/releases')
  return items.map(parseRelease).filter(release => release !== undefined)
}
