/** Owns the shapes of releases, repositories and release events, with every field GitHub gives. */
import { createHash } from 'node:crypto'

/** A user or a bot, as it stands in other objects. */
export type Account = ReturnType<typeof account>

/** The repository that the stand-in serves. */
export interface RepositoryParts {
  readonly owner: string
  readonly name: string
  readonly private?: boolean
  readonly defaultBranch?: string
}

/** Where addresses in GitHub's objects point. */
export interface Places {
  readonly api: string
  readonly web: string
}

export interface AssetParts {
  readonly name: string
  readonly content?: Buffer | string
  readonly id?: number
  readonly state?: 'uploaded' | 'open'
  /** The content's own when left out. */
  readonly digest?: string | null
  readonly contentType?: string
}

export interface ReleaseParts {
  readonly tag: string
  readonly repository?: RepositoryParts
  readonly id?: number
  readonly name?: string | null
  readonly body?: string | null
  readonly draft?: boolean
  readonly prerelease?: boolean
  /** A login; null for a release whose author is gone. */
  readonly author?: string | null
  readonly assets?: readonly (AssetParts | null)[]
  /** ISO 8601, to the second. */
  readonly at?: string
}

export type Asset = ReturnType<typeof asset>
export type Release = ReturnType<typeof release>
export type Repository = ReturnType<typeof repository>

const publicPlaces: Places = { api: 'https://api.github.com', web: 'https://github.com' }
const example: RepositoryParts = { owner: 'acme', name: 'plugin' }

/** A number that stays the same for the same text. */
export function idOf(text: string): number {
  return Number.parseInt(createHash('sha1').update(text).digest('hex').slice(0, 8), 16) + 1
}

/** A release as the REST API and the event give it. */
export function release(parts: ReleaseParts, places: Places = publicPlaces) {
  const {
    tag,
    repository: owned = example,
    at = '2026-01-02T03:04:05Z',
    author = 'octocat'
  } = parts
  const { draft = false, prerelease = false, assets = [] } = parts
  const slug = `${owned.owner}/${owned.name}`
  const id = parts.id ?? idOf(`release ${slug} ${tag}`)
  const url = `${places.api}/repos/${slug}/releases/${id}`
  const writer = author === null ? null : account(author, places)
  return {
    url,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    html_url: `${places.web}/${slug}/releases/tag/${tag}`,
    id,
    author: writer,
    node_id: `RE_${id}`,
    tag_name: tag,
    target_commitish: owned.defaultBranch ?? 'main',
    name: parts.name === undefined ? tag : parts.name,
    draft,
    immutable: false,
    prerelease,
    created_at: at,
    updated_at: at,
    published_at: draft ? null : at,
    assets: assets.map(it => (it === null ? null : asset(it, tag, slug, writer, at, places))),
    tarball_url: draft ? null : `${places.api}/repos/${slug}/tarball/${tag}`,
    zipball_url: draft ? null : `${places.api}/repos/${slug}/zipball/${tag}`,
    body: parts.body === undefined ? `Notes of ${tag}` : parts.body
  }
}

function asset(
  parts: AssetParts,
  tag: string,
  slug: string,
  uploader: Account | null,
  at: string,
  places: Places
) {
  const { name, state = 'uploaded', contentType = 'application/octet-stream' } = parts
  const content = Buffer.from(parts.content ?? '')
  const id = parts.id ?? idOf(`asset ${slug} ${tag} ${name}`)
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
  return {
    url: `${places.api}/repos/${slug}/releases/assets/${id}`,
    id,
    node_id: `RA_${id}`,
    name,
    label: '',
    uploader,
    content_type: contentType,
    state,
    size: content.length,
    digest: parts.digest === undefined ? digest : parts.digest,
    download_count: 0,
    created_at: at,
    updated_at: at,
    browser_download_url: `${places.web}/${slug}/releases/download/${tag}/${name}`
  }
}

/** A repository as the REST API and the event give it. */
export function repository(parts: RepositoryParts = example, places: Places = publicPlaces) {
  const { owner, name, private: isPrivate = false, defaultBranch = 'main' } = parts
  const slug = `${owner}/${name}`
  const html = `${places.web}/${slug}`
  const url = `${places.api}/repos/${slug}`
  return {
    id: idOf(slug),
    node_id: `R_${idOf(slug)}`,
    name,
    full_name: slug,
    private: isPrivate,
    owner: account(owner, places),
    html_url: html,
    description: null,
    fork: false,
    url,
    deployments_url: `${url}/deployments`,
    releases_url: `${url}/releases{/id}`,
    tags_url: `${url}/tags`,
    git_url: `git://${new URL(html).host}/${slug}.git`,
    clone_url: `${html}.git`,
    homepage: null,
    archived: false,
    disabled: false,
    visibility: isPrivate ? 'private' : 'public',
    default_branch: defaultBranch,
    created_at: '2025-01-02T03:04:05Z',
    updated_at: '2026-01-02T03:04:05Z',
    pushed_at: '2026-01-02T03:04:05Z'
  }
}

/** The payload of a `release` event, as `GITHUB_EVENT_PATH` holds it. */
export function releaseEvent(
  released: Release,
  action: string,
  parts: RepositoryParts = example,
  places: Places = publicPlaces
) {
  return {
    action,
    release: released,
    repository: repository(parts, places),
    sender: account('octocat', places)
  }
}

/** A user; a login that ends in `[bot]` is a bot. */
export function account(login: string, places: Places = publicPlaces) {
  const url = `${places.api}/users/${encodeURIComponent(login)}`
  return {
    login,
    id: idOf(login),
    node_id: `U_${idOf(login)}`,
    avatar_url: `${places.web}/${login}.png`,
    gravatar_id: '',
    url,
    html_url: `${places.web}/${login}`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    type: login.endsWith('[bot]') ? 'Bot' : 'User',
    user_view_type: 'public',
    site_admin: false
  }
}
