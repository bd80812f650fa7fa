// From what started the workflow to the release that is meant, or why nothing is published. Pure.
import { parseRelease, property, type Release, text } from './release.ts'

/** What the runner says about the event. */
export interface Trigger {
  readonly eventName: string
  readonly payload: unknown
  /** Such as `refs/tags/v1.4.2`. */
  readonly ref: string
  /** The input `tag`. */
  readonly tag: string
  /** No buyer can notice: a plan, or a rehearsal on this machine. Pull requests may do that. */
  readonly harmless: boolean
}

/** Why a run ends without a publication: skipped on purpose, or refused. */
export interface Stop {
  readonly kind: 'skip' | 'refused'
  readonly reason: 'draft' | 'event' | 'event-action' | 'not-prerelease' | 'prerelease'
  readonly message: string
}

export type Source =
  /** The release of the event itself. */
  | { readonly kind: 'release'; readonly release: Release }
  /** The release of this tag has to be read from GitHub. */
  | { readonly kind: 'tag'; readonly tag: string }
  /** The newest release stands in for the one to come. */
  | { readonly kind: 'newest' }
  | Stop

const ACTIONS = ['published', 'released', 'prereleased']
const TAG_REF = 'refs/tags/'

/** Which release is meant. */
export function findSource({ eventName, payload, ref, tag, harmless }: Trigger): Source {
  const proposed = eventName.startsWith('pull_request')
  if (proposed && !harmless) {
    return refuse(
      `A ${eventName} event publishes nothing. Start this job on a release or on a tag, or set \`mode: plan\`.`
    )
  }
  if (tag !== '') return { kind: 'tag', tag }
  if (proposed) return { kind: 'newest' }
  if (eventName === 'release') return releaseOf(payload)
  if (ref.startsWith(TAG_REF) && ref !== TAG_REF) {
    return { kind: 'tag', tag: ref.slice(TAG_REF.length) }
  }
  return refuse(
    `The event "${eventName}" on "${ref}" has no tag, so there is no release to publish. ` +
      'Set the input `tag` to the tag to publish, or start this job on a release or a tag.'
  )
}

function refuse(message: string): Stop {
  return { kind: 'refused', reason: 'event', message }
}

function releaseOf(payload: unknown): Source {
  const action = text(payload, 'action')
  if (!ACTIONS.includes(action)) {
    const message =
      `Nothing was published: the release event's action is "${action}". ` +
      'Let the workflow listen to `types: [released]`, which fires once for a release, ' +
      'or to `types: [published]` to publish pre-releases too.'
    return { kind: 'skip', reason: 'event-action', message }
  }
  const release = parseRelease(property(payload, 'release'))
  return release
    ? { kind: 'release', release }
    : refuse('The event file has no release with a tag. Set the input `tag`.')
}

/** What to do with a release marked as pre-release, and with the others. */
export type PrereleasePolicy = 'skip' | 'publish' | 'only'

/** Why the release is not to be published, or undefined. */
export function gate(release: Release, policy: PrereleasePolicy): Stop | undefined {
  const { tag, draft, prerelease } = release
  if (draft) {
    const message = `The release ${tag} is a draft. Publish it on GitHub first.`
    return { kind: 'refused', reason: 'draft', message }
  }
  if (prerelease && policy === 'skip') {
    const message =
      `Nothing was published: ${tag} is marked as a pre-release. ` +
      'Set `prerelease: publish` to publish pre-releases too.'
    return { kind: 'skip', reason: 'prerelease', message }
  }
  if (!prerelease && policy === 'only') {
    const message = `Nothing was published: ${tag} is not a pre-release, and \`prerelease\` is \`only\`.`
    return { kind: 'skip', reason: 'not-prerelease', message }
  }
  return undefined
}
