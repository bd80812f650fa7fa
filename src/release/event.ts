// From what started the workflow to the release that is meant, or why there is none. Pure.
import type { Asset } from '../file/asset.ts'

/** A release as GitHub describes it, narrowed; absent texts are empty. */
export interface Release {
  readonly id: number
  readonly tag: string
  readonly name: string
  readonly notes: string
  readonly prerelease: boolean
  readonly draft: boolean
  /** Neither its tag nor its files can change any more. */
  readonly immutable?: boolean
  /** Its page on GitHub. */
  readonly url: string
  /** The files attached to it. */
  readonly assets: readonly Asset[]
}

/** What the runner says about the event. */
export interface Trigger {
  readonly eventName: string
  readonly payload: unknown
  /** Such as `refs/tags/v1.4.2`. */
  readonly ref: string
  /** The input `tag`. */
  readonly tag: string
  /** Nothing will be published: pull requests may ask, too. */
  readonly planning: boolean
}

export type Source =
  /** The release of the event itself. */
  | { readonly kind: 'release'; readonly release: Release }
  /** The release of this tag is to be read from GitHub. */
  | { readonly kind: 'tag'; readonly tag: string }
  /** The newest release stands in for the one to come. */
  | { readonly kind: 'newest' }
  | { readonly kind: 'skip'; readonly reason: 'event-action'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string }

const ACTIONS = ['published', 'released', 'prereleased']
const TAG_REF = 'refs/tags/'

/** Which release is meant. */
export function findSource({ eventName, payload, ref, tag, planning }: Trigger): Source {
  const proposed = eventName.startsWith('pull_request')
  if (proposed && !planning) {
    const message = `A ${eventName} event publishes nothing: start this job on a release, or on a tag.`
    return { kind: 'refused', message }
  }
  if (tag !== '') return { kind: 'tag', tag }
  if (proposed) return { kind: 'newest' }
  if (eventName === 'release') return releaseOf(payload)
  if (ref.startsWith(TAG_REF) && ref !== TAG_REF)
    return { kind: 'tag', tag: ref.slice(TAG_REF.length) }
  const message =
    `The event "${eventName}" on "${ref}" has no tag, so no release is known. ` +
    'Set the input `tag` to the tag to publish, or start this job on a release or a tag.'
  return { kind: 'refused', message }
}

function releaseOf(payload: unknown): Source {
  const action = text(payload, 'action')
  if (!ACTIONS.includes(action)) {
    const message =
      `Nothing was published: the release event's action is "${action}". ` +
      'Let the workflow listen to `types: [released]`, which fires once for a release, ' +
      'or to `types: [published]` when pre-releases are published, too.'
    return { kind: 'skip', reason: 'event-action', message }
  }
  const release = parseRelease(property(payload, 'release'))
  if (release) return { kind: 'release', release }
  return { kind: 'refused', message: 'The event file holds no release with a tag.' }
}

/** Narrows a release of an event or of GitHub's API; undefined when it has no tag. */
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

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

function text(value: unknown, key: string): string {
  const found = property(value, key)
  return typeof found === 'string' ? found : ''
}

/** What to do with a release marked as pre-release, and with the others. */
export type PrereleasePolicy = 'skip' | 'publish' | 'only'

export type GateReason = 'draft' | 'prerelease' | 'not-prerelease'

/** Why the release is not for publishing, or undefined. */
export function gate(
  release: Release,
  policy: PrereleasePolicy
):
  | { readonly kind: 'skip' | 'refused'; readonly reason: GateReason; readonly message: string }
  | undefined {
  if (release.draft) {
    const message = `The release ${release.tag} is a draft. Publish it on GitHub first.`
    return { kind: 'refused', reason: 'draft', message }
  }
  if (release.prerelease && policy === 'skip') {
    const message =
      `Nothing was published: ${release.tag} is marked as a pre-release. ` +
      'Set `prerelease: publish` to publish pre-releases, too.'
    return { kind: 'skip', reason: 'prerelease', message }
  }
  if (!release.prerelease && policy === 'only') {
    const message = `Nothing was published: ${release.tag} is no pre-release, and \`prerelease\` is \`only\`.`
    return { kind: 'skip', reason: 'not-prerelease', message }
  }
  return undefined
}
