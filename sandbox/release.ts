// The shapes of releases, repositories and release events, with the fields of GitHub's that may matter here.
import { createHash } from 'node:crypto'

/** The repository that the stand-in serves. */
export interface RepositoryParts {
  readonly owner: string
  readonly name: string
  readonly private?: boolean
}

/** Where addresses in GitHub's objects point. */
export interface Places {
  readonly api: string
  readonly web: string
}

export interface AssetParts {
  readonly name: string
  readonly content?: Buffer | string
  /** The content's own when left out. */
  readonly digest?: string | null
}

export interface ReleaseParts {
  readonly tag: string
  readonly repository?: RepositoryParts
  readonly id?: number
  readonly name?: string | null
  readonly body?: string | null
  readonly draft?: boolean
  readonly prerelease?: boolean
  readonly assets?: readonly (AssetParts | null)[]
  /** ISO 8601, to the second. */
  readonly at?: string
}

/** A user as the REST API and the event give it. */
export interface Account {
  readonly login: string
  readonly id: number
  readonly html_url: string
  readonly type: string
}

/** An attached file as the REST API and the event give it. */
export interface ReleaseAsset {
  readonly url: string
  readonly id: number
  readonly name: string
  readonly state: 'uploaded'
  /** In bytes. */
  readonly size: number
  readonly content_type: string
  readonly digest: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly browser_download_url: string
}

/** A release as the REST API and the event give it. */
export interface Release {
  readonly url: string
  readonly html_url: string
  readonly id: number
  readonly author: Account
  readonly tag_name: string
  readonly target_commitish: string
  readonly name: string | null
  readonly draft: boolean
  readonly immutable: boolean
  readonly prerelease: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly published_at: string | null
  readonly assets: readonly (ReleaseAsset | null)[]
  readonly body: string | null
}

const GITHUB: Places = { api: 'https://api.github.com', web: 'https://github.com' }
const EXAMPLE: RepositoryParts = { owner: 'acme', name: 'plugin' }

/** A number that stays the same for the same text. */
export function idOf(text: string): number {
  return Number.parseInt(createHash('sha1').update(text).digest('hex').slice(0, 8), 16) + 1
}

/** Such as `octocat/hello`. */
export function slugOf({ owner, name }: RepositoryParts): string {
  return `${owner}/${name}`
}

/** Makes a release; addresses in it are GitHub's without `places`. */
export function release(parts: ReleaseParts, places: Places = GITHUB): Release {
  const {
    tag,
    repository: owned = EXAMPLE,
    draft = false,
    prerelease = false,
    assets = [],
    at = '2026-01-02T03:04:05Z'
  } = parts
  const id = parts.id ?? idOf(`release ${slugOf(owned)} ${tag}`)
  const api = `${places.api}/repos/${slugOf(owned)}/releases`
  const web = `${places.web}/${slugOf(owned)}/releases`

  // The tag of a draft may not exist yet, so GitHub's addresses name another in its place.
  const shown = draft ? `untagged-${id.toString(16)}` : tag
  const attachment: Attachment = {
    releaseId: id,
    api,
    downloads: `${web}/download/${shown}`,
    at
  }

  return {
    url: `${api}/${id}`,
    html_url: `${web}/tag/${shown}`,
    id,
    author: account('octocat', places),
    tag_name: tag,
    target_commitish: 'main',
    name: parts.name === undefined ? tag : parts.name,
    draft,
    immutable: false,
    prerelease,
    created_at: at,
    updated_at: at,
    published_at: draft ? null : at,
    assets: assets.map(it => it && asset(it, attachment)),
    body: parts.body === undefined ? `Notes of ${tag}` : parts.body
  }
}

/** The release that a file is attached to. */
interface Attachment {
  readonly releaseId: number
  /** The address of the repository's releases in the API. */
  readonly api: string
  /** The address below which a browser downloads the files. */
  readonly downloads: string
  readonly at: string
}

function asset(parts: AssetParts, { releaseId, api, downloads, at }: Attachment): ReleaseAsset {
  const { name } = parts
  const content = Buffer.from(parts.content ?? '')
  const id = idOf(`asset ${releaseId} ${name}`)
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
  return {
    url: `${api}/assets/${id}`,
    id,
    name,
    state: 'uploaded',
    size: content.length,
    content_type: 'application/octet-stream',
    digest: parts.digest === undefined ? digest : parts.digest,
    created_at: at,
    updated_at: at,
    browser_download_url: `${downloads}/${name}`
  }
}

/** A repository as the REST API and the event give it. */
export function repository(parts: RepositoryParts = EXAMPLE, places: Places = GITHUB) {
  const { owner, name, private: isPrivate = false } = parts
  const slug = slugOf(parts)
  return {
    id: idOf(slug),
    name,
    full_name: slug,
    private: isPrivate,
    owner: account(owner, places),
    html_url: `${places.web}/${slug}`,
    url: `${places.api}/repos/${slug}`,
    visibility: isPrivate ? 'private' : 'public',
    default_branch: 'main'
  }
}

/** The payload of a `release` event, as `GITHUB_EVENT_PATH` holds it. */
export function releaseEvent(
  released: Release,
  action: string,
  parts: RepositoryParts = EXAMPLE,
  places: Places = GITHUB
) {
  return {
    action,
    release: released,
    repository: repository(parts, places),
    sender: account('octocat', places)
  }
}

/** A user; a login that ends in `[bot]` is a bot. */
export function account(login: string, places: Places = GITHUB): Account {
  return {
    login,
    id: idOf(login),
    html_url: `${places.web}/${login}`,
    type: login.endsWith('[bot]') ? 'Bot' : 'User'
  }
}
