// A release as GitHub describes it, narrowed to what a publication needs. Pure.
import type { Asset } from '../file/asset.ts'
import { at, textAt } from '../runner/values.ts'

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
  const tag = textAt(value, 'tag_name')
  const id = at(value, 'id')
  if (tag === '' || typeof id !== 'number') return undefined
  return {
    id,
    tag,
    name: textAt(value, 'name').trim(),
    notes: textAt(value, 'body'),
    prerelease: at(value, 'prerelease') === true,
    draft: at(value, 'draft') === true,
    immutable: at(value, 'immutable') === true,
    publishedAt: Date.parse(textAt(value, 'published_at')),
    url: textAt(value, 'html_url'),
    assets: assetsOf(at(value, 'assets'))
  }
}

function assetsOf(value: unknown): Asset[] {
  return (Array.isArray(value) ? value : []).flatMap(entry => {
    const [id, size] = [at(entry, 'id'), at(entry, 'size')]
    if (typeof id !== 'number' || typeof size !== 'number') return []
    const [name, state] = [textAt(entry, 'name'), textAt(entry, 'state')]
    return [{ id, size, name, state, digest: textAt(entry, 'digest') }]
  })
}

/** Whether the event says that the repository is private; undefined when it does not say. */
export function isPrivate(payload: unknown): boolean | undefined {
  const value = at(at(payload, 'repository'), 'private')
  return typeof value === 'boolean' ? value : undefined
}
