// The release to publish: the event's, read again on a re-run, that of a tag, or one that stands in.
import type { GitHub, GitHubError } from '../github/github.ts'
import { at, textAt } from '../runner/values.ts'
import { parseRelease, type Release } from './release.ts'

/** GitHub, as this folder needs it. */
export interface Api extends Pick<GitHub, 'read' | 'readAll'> {
  /** Whether this is an error of a call, as opposed to a mistake of ours. */
  isFailure(error: unknown): error is GitHubError
}

/** What the runner says about the event, and how to read GitHub. */
export interface Question {
  readonly eventName: string
  readonly payload: unknown
  /** Such as `refs/tags/v1.4.2`. */
  readonly ref: string
  /** The input `tag`. */
  readonly tag: string
  /** No buyer can notice: a plan, or a rehearsal on this machine. Pull requests may do that. */
  readonly harmless: boolean
  /** What to do with a release marked as pre-release, and with the others. */
  readonly prerelease: 'skip' | 'publish' | 'only'
  readonly runAttempt: number
  readonly api: Api
  notice(text: string): void
}

/** A release, or a tag without one. */
export interface Tagged {
  readonly tag: string
  readonly release: Release | undefined
  /** What the user must know when another release stands in for the one to come; else empty. */
  readonly standIn: string
  /** Whether the run's own commit is the tag's. */
  readonly ownCommit: boolean
}

/** Why a run ends without a publication: skipped on purpose, or refused. */
export interface Stop {
  readonly kind: 'skip' | 'refused'
  readonly reason: 'draft' | 'event' | 'event-action' | 'not-prerelease' | 'prerelease'
  readonly message: string
}

const TAG_REF = 'refs/tags/'

/** The release to publish, or why the run ends here. Throws what GitHub failed with. */
export async function findRelease(question: Question): Promise<Tagged | Stop> {
  const { eventName, ref, tag, harmless, api } = question
  const isProposed = eventName.startsWith('pull_request')
  if (isProposed && !harmless) {
    return refuse(
      `A ${eventName} event publishes nothing. Start this job on a release or on a tag, or set \`mode: plan\`.`
    )
  }
  if (tag !== '') return ofTag(tag, question)
  if (isProposed) return newest(api)
  if (eventName === 'release') return ofEvent(question)
  if (ref.startsWith(TAG_REF) && ref !== TAG_REF) return ofTag(ref.slice(TAG_REF.length), question)
  return refuse(
    `The event "${eventName}" on "${ref}" has no tag, so there is no release to publish. ` +
      'Set the input `tag` to the tag to publish, or start this job on a release or a tag.'
  )
}

function refuse(message: string, reason: Stop['reason'] = 'event'): Stop {
  return { kind: 'refused', reason, message }
}

function skip(reason: Stop['reason'], why: string): Stop {
  return { kind: 'skip', reason, message: `Nothing was published: ${why}` }
}

/** The release, or why it is not to be published. */
function gate(release: Release, ownCommit: boolean, { prerelease }: Question): Tagged | Stop {
  const { tag } = release
  if (release.draft) {
    return refuse(`The release ${tag} is a draft. Publish it on GitHub first.`, 'draft')
  }
  if (release.prerelease && prerelease === 'skip') {
    const advice = 'Set `prerelease: publish` to publish pre-releases too.'
    return skip('prerelease', `${tag} is marked as a pre-release. ${advice}`)
  }
  if (!release.prerelease && prerelease === 'only') {
    return skip('not-prerelease', `${tag} is not a pre-release, and \`prerelease\` is \`only\`.`)
  }
  return { tag, release, ownCommit, standIn: '' }
}

async function ofEvent(question: Question): Promise<Tagged | Stop> {
  const { payload, runAttempt } = question
  const action = textAt(payload, 'action')
  if (!['published', 'released', 'prereleased'].includes(action)) {
    const advice =
      'Let the workflow listen to `types: [released]`, which fires once for a release, ' +
      'or to `types: [published]` to publish pre-releases too.'
    return skip('event-action', `the release event's action is "${action}". ${advice}`)
  }
  const given = parseRelease(at(payload, 'release'))
  if (!given) return refuse('The event file has no release with a tag. Set the input `tag`.')
  const release = runAttempt > 1 ? await readAgain(given, question) : given
  if (release.tag === given.tag) return gate(release, true, question)
  return refuse(
    `The release had the tag ${given.tag} when this run began, and has ${release.tag} now. ` +
      'Start a new run for that tag, by a new release or with the input `tag`.'
  )
}

/** A re-run gets the first attempt's payload; the notes may have been edited since. */
async function readAgain(release: Release, { api, notice }: Question): Promise<Release> {
  try {
    return await readRelease(release.id, api)
  } catch (error) {
    if (!(error instanceof ReleaseUnreadable) && !api.isFailure(error)) throw error
    notice(
      `The release could not be read again (${error.message}), so the one in the event is used.`
    )
    return release
  }
}

/** The release as it is now on GitHub, its attached files included. */
export async function readRelease(id: number, api: Pick<Api, 'read'>): Promise<Release> {
  const route = 'GET /repos/{owner}/{repo}/releases/{release_id}'
  const { data } = await api.read(route, { release_id: id })
  return parseRelease(data) ?? unreadable()
}

/** A tag may have no release that this job can see; only a 404 says so. */
async function ofTag(tag: string, question: Question): Promise<Tagged | Stop> {
  const { api, ref } = question
  const route = 'GET /repos/{owner}/{repo}/releases/tags/{tag}'
  const ownCommit = ref === `${TAG_REF}${tag}`
  try {
    const { data } = await api.read(route, { tag })
    return gate(parseRelease(data) ?? unreadable(), ownCommit, question)
  } catch (error) {
    if (!api.isFailure(error) || error.status !== 404) throw error
    // GitHub does not find a draft by its tag; the list shows it to jobs with `contents: write`.
    const draft = (await listReleases(api)).find(release => release.draft && release.tag === tag)
    if (draft) return gate(draft, ownCommit, question)
    return { tag, release: undefined, ownCommit, standIn: '' }
  }
}

/** All releases that this job can see, drafts too, the newest first. */
export async function listReleases(api: Pick<Api, 'readAll'>): Promise<Release[]> {
  const { items } = await api.readAll('GET /repos/{owner}/{repo}/releases')
  return items.map(parseRelease).filter(release => release !== undefined)
}

/** On a pull request the release is still to come: the newest one lends its tag and notes. */
async function newest(api: Api): Promise<Tagged | Stop> {
  const { data } = await api.read('GET /repos/{owner}/{repo}/releases', { per_page: 10 })
  if (!Array.isArray(data)) return unreadable()
  const release = data.map(parseRelease).find(found => found && !found.draft)
  if (!release) {
    return refuse(
      'This repository has no release yet, so there are no tag and notes to preview with. Set `tag` and `changelog`.'
    )
  }
  const { tag } = release
  const standIn = `This uses the tag and the notes of the newest release, ${tag}, in place of those of the next one.`
  return { tag, release, ownCommit: false, standIn }
}

/** GitHub, or a proxy on the way, answered 200 with something else than a release. */
export class ReleaseUnreadable extends Error {
  override readonly name = 'ReleaseUnreadable'
}

function unreadable(): never {
  throw new ReleaseUnreadable('GitHub answered something other than a release.')
}

/** The commit that a tag names; empty when it cannot be read. `sha` is the run's own. */
export async function commitOf({ tag, ownCommit }: Tagged, sha: string, api: Api): Promise<string> {
  if (ownCommit) return sha
  try {
    const { data } = await api.read('GET /repos/{owner}/{repo}/commits/{ref}', {
      ref: `tags/${tag}`
    })
    return textAt(data, 'sha')
  } catch (error) {
    if (api.isFailure(error)) return ''
    throw error
  }
}
