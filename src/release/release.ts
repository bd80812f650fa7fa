// A release as GitHub describes it, narrowed to what a publication needs. Pure.
import type { Asset } from '../file/asset.ts'

/** A release of an event or of GitHub's API; absent texts are empty. */
export interface Release {
  readonly id: number
  readonly tag: string
  readonly name: string
  readonly notes: string
  readonly prerelease: boolean
  readonly draft: boolean
  /** Its tag and files can no longer change. */
  readonly immutable: boolean
  /** When it was published, in milliseconds since 1970; NaN for a draft. */
  readonly publishedAt: number
  /** Its page on GitHub. */
  readonly url: string
  /** The files attached to it. */
  readonly assets: readonly Asset[]
}

/** Narrows a release; undefined when it has no tag or no id. */
export function parseRelease(value: unknown): Release | undefined {
  const tag = text(value, 'tag_name')
  const id = property(value, 'id')
  if (tag === '' || typeof id !== 'number') return undefined
  return {
    id,
    tag,
    name: text(value, 'name').trim(),
    notes: text(value, 'body'),
    prerelease: property(value, 'prerelease') === true,
    draft: property(value, 'draft') === true,
    immutable: property(value, 'immutable') === true,
    publishedAt: Date.parse(text(value, 'published_at')),
    url: text(value, 'html_url'),
    assets: assetsOf(property(value, 'assets'))
  }
}

function assetsOf(value: unknown): Asset[] {
  const entries: unknown[] = Array.isArray(value) ? value : []
  return entries.flatMap(entry => {
    const [id, size] = [property(entry, 'id'), property(entry, 'size')]
    if (typeof id !== 'number' || typeof size !== 'number') return []
    const [name, state] = [text(entry, 'name'), text(entry, 'state')]
    return [{ id, size, name, state, digest: text(entry, 'digest') }]
  })
}

/** Whether the event says that the repository is private; undefined when it does not say. */
export function isPrivate(payload: unknown): boolean | undefined {
  const value = property(property(payload, 'repository'), 'private')
  return typeof value === 'boolean' ? value : undefined
}

/** A member of outside data; undefined when there is no such member. */
export function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** A text in outside data, or an empty one. */
export function text(value: unknown, key: string): string {
  const found = property(value, key)
  return typeof found === 'string' ? found : ''
}
