// Finds the release of a run: the event's, or a tag's.
import type { WorkflowEvent } from '../github/event.ts'
import type { GitHub } from '../github/github.ts'
import { GitHubError } from '../github/github-error.ts'
import { listReleases, type Release, readRelease } from '../github/releases.ts'
import { readTagCommit } from '../github/tags.ts'
import { ActionError, throwIf } from '../runner/action-error.ts'
import { listLines, quoteName } from '../runner/words.ts'
import { lookAgain } from './ask-again.ts'
import { readTag } from './tag.ts'

/** A tag, with its release if it has one. The tag of a draft may not exist yet. */
export interface TaggedRelease {
  readonly tag: string
  readonly release: Release | undefined
  /** The tag started the run, so its commit is the run's own. */
  readonly ownCommit: boolean
}

/** GitHub, as this file needs it. */
type Api = Pick<GitHub, 'read' | 'readAll' | 'lag'>

/** The event, the inputs, and GitHub: all that `findRelease` goes by. `tag` is the input, or empty. */
export interface ReleaseQuestion {
  readonly eventName: string
  readonly ref: string
  readonly event: WorkflowEvent
  readonly tag: string
  /** Whether a draft may be taken for the release of its tag, as a plan does. */
  readonly takesDrafts: boolean
  /** Whether a tag has to exist; a mark is of what the shop has, whatever became of its tag or its release. */
  readonly needsTag: boolean
  readonly prerelease: 'skip' | 'publish' | 'only'
  /** Where this repository's tags hold the version; empty for the usual forms. */
  readonly tagPattern: string
  readonly api: Api
  sleep(ms: number): Promise<void>
}

const TAG_REF = 'refs/tags/'

/** The release to publish. Throws a `GitHubError`, or an `ActionError` about one that must not be, or is skipped. */
export async function findRelease(question: ReleaseQuestion): Promise<TaggedRelease> {
  const { eventName, ref, tag, event } = question

  // A step may name the tag that the event is about, as one of a called workflow does.
  const namesOwn = tag === event.release?.tag && isPublished(event)
  if (eventName === 'release' && (tag === '' || namesOwn)) return findOfEvent(question)
  if (tag !== '') return findOfTag(tag, question)
  if (ref.startsWith(TAG_REF) && ref !== TAG_REF) {
    return findOfTag(ref.slice(TAG_REF.length), question)
  }

  if (eventName === 'workflow_dispatch') {
    const advice = 'Give its tag in the button’s field `tag`.'
    throw new ActionError('event', 'Which release? No tag was given.', { advice })
  }
  throw new ActionError('event', `The event "${eventName}" on "${ref}" has no tag.`, {
    advice: 'Set the input `tag` to the tag to publish, or start this job on a release or a tag.'
  })
}

/** The release, if the inputs take one of its kind. Throws an `ActionError` that says why it is skipped. */
function admit(release: Release, ownCommit: boolean, question: ReleaseQuestion): TaggedRelease {
  const { prerelease, takesDrafts } = question
  const { tag, draft } = release
  if (draft && !takesDrafts) {
    const advice = 'Publish the release on GitHub first; `mode: plan` takes a draft, too.'
    throw new ActionError('draft', `The release ${tag} is a draft.`, { advice })
  }

  if (release.prerelease && prerelease === 'skip') {
    throw explainPrerelease(tag)
  }

  if (!release.prerelease) {
    throwIf(faultInVersion(release, question))
    if (prerelease === 'only') throw explainNoPrerelease(`${tag} is not a pre-release`)
  }

  return {
    tag,
    release,
    ownCommit
  }
}

function explainPrerelease(tag: string): ActionError {
  const advice =
    'Is it final? Untick *Set as a pre-release* on GitHub, then press *Re-run all jobs* (a workflow that listens to `released` is started by that). To publish pre-releases, too, set `prerelease: publish`: from then on, every beta goes to buyers.'
  return new ActionError('prerelease', `${tag} is marked as a pre-release.`, { advice })
}

/** A version that calls itself a pre-release, such as `1.5.0-beta.1`, `1.5.0-rc1` and `2.0.0_dev`, but not `1.4.2-development`. */
const SELF_STYLED =
  /^\d+(?:\.\d+)*[-._ ]?(?:alpha|beta|rc|pre|pre-?release|preview|dev|snapshot|nightly|canary)(?![a-z])/i

/** A version that calls itself a pre-release, and is not marked as one: most often the box was forgotten. */
function faultInVersion(
  { tag, id }: Pick<Release, 'tag'> & Partial<Pick<Release, 'id'>>,
  { prerelease, tagPattern }: ReleaseQuestion
): ActionError | undefined {
  const { version } = readTag(tag, tagPattern)
  if (prerelease === 'publish' || !SELF_STYLED.test(version)) return undefined

  const message = `The version ${quoteName(version)} calls itself a pre-release, and ${tag} is not marked as one.`
  // A tag alone has no box.
  const tick =
    id === undefined
      ? ''
      : 'If it is for testers, tick *Set as a pre-release* on GitHub, then press *Re-run failed jobs*. '
  return new ActionError('unmarked-prerelease', message, {
    advice: `${tick}If all buyers should have it, set \`prerelease: publish\`; releases that are marked then go out, too.`,
    remedy: 'correct workflow'
  })
}

function explainNoPrerelease(what: string): ActionError {
  return new ActionError('not-prerelease', `${what}, and \`prerelease\` is \`only\`.`)
}

/** The release of a release event, as it is now: it may have been edited, withdrawn or deleted since. */
async function findOfEvent(question: ReleaseQuestion): Promise<TaggedRelease> {
  const { event } = question
  const { action, release: given } = event
  if (!isPublished(event)) throw explainAction(action, question)

  if (!given) {
    const advice = 'Set the input `tag`.'
    throw new ActionError('event', 'The event file has no release with a tag.', { advice })
  }

  const release = await readNow(given, question)
  if (release.tag === given.tag) return admit(release, true, question)

  const message = `The release’s tag has changed from ${given.tag} to ${release.tag} since this run began.`
  const advice = 'Start a new run for that tag, by a new release or with the input `tag`.'
  throw new ActionError('event', message, { advice })
}

const isPublished = ({ action }: WorkflowEvent): boolean =>
  ['published', 'released', 'prereleased'].includes(action)

function explainAction(action: string, { prerelease }: ReleaseQuestion): ActionError {
  const types = prerelease === 'skip' ? 'released' : 'published'
  return new ActionError('event-action', `The release event’s action is "${action}".`, {
    advice: `Let the workflow listen to \`types: [${types}]\`, which fires once for a release.`
  })
}

/** The event's release as GitHub has it now. Throws an `ActionError` if it is gone, for this job at least. */
async function readNow(given: Release, question: ReleaseQuestion): Promise<Release> {
  const { api } = question
  const { id, tag } = given

  // GitHub may still show the state before the event, which would be skipped for good.
  const release = await lookAgain(
    () => readIfThere(api, { release_id: id }),
    it => it !== undefined && !isWithdrawn(it, given),
    question
  )
  if (release) return release
  throw explainGone(tag)
}

/** Whether it is a draft or a pre-release now, and was none when the event happened. */
function isWithdrawn(now: Release, then: Release): boolean {
  return (now.draft && !then.draft) || (now.prerelease && !then.prerelease)
}

/** Withdrawn to a draft while the job waited for an approval; or a private repository, which hides what is not allowed. */
function explainGone(tag: string): ActionError {
  const message = `GitHub does not show this job the release ${tag} that started it: it was deleted or made a draft again, or the job lacks a permission.`
  const advice =
    'Nothing was sent. If the release is still there, the repository is private, and the job needs these lines:\n    permissions:\n      contents: read'
  return new ActionError('event', message, { advice })
}

/** The release; undefined if GitHub does not know it, or hides it from this job (404). */
function readIfThere(
  api: Api,
  by: { release_id: number } | { tag: string }
): Promise<Release | undefined> {
  return readRelease(api, by).catch((error: unknown) => {
    if (error instanceof GitHubError && error.isNotFound) return undefined
    throw error
  })
}

/** The tag's release; or the tag alone, if it has no release that this job can see (404). */
async function findOfTag(tag: string, question: ReleaseQuestion): Promise<TaggedRelease> {
  const { api, ref, needsTag, takesDrafts, prerelease } = question
  const ownCommit = ref === `${TAG_REF}${tag}`
  const exists = async () => ownCommit || !needsTag || (await readTagCommit(tag, api)) !== ''

  const look = async () => {
    const releases = await findReleases(tag, question)
    return { releases, isKnown: releases.length > 0 || (await exists()) }
  }

  // With `only`, a tag alone is skipped, and its release may have been made a moment ago.
  const { releases, isKnown } = await lookAgain(
    look,
    it => it.isKnown && (prerelease !== 'only' || it.releases.length > 0),
    question
  )
  if (!isKnown) throw explainUnknown(tag)

  const [release, ...others] = releases
  if (release) {
    if (others.length > 0 && takesDrafts) throw explainSeveralReleases(tag, releases)
    return admit(release, ownCommit, question)
  }

  throwIf(faultInVersion({ tag }, question))
  if (prerelease === 'only') throw explainNoPrerelease(`The tag ${tag} has no release`)
  return {
    tag,
    release: undefined,
    ownCommit
  }
}

function explainUnknown(tag: string): ActionError {
  const message = `GitHub knows neither a release nor a tag "${tag}".`
  const advice =
    'Correct `tag`. A draft shows only to a job with `contents: write`; once it is published, that starts this workflow by itself.'
  return new ActionError('event', message, { advice })
}

/** The releases of a tag, drafts included where they count. */
async function findReleases(
  tag: string,
  { api, needsTag, takesDrafts }: ReleaseQuestion
): Promise<readonly Release[]> {
  const published = await readIfThere(api, { tag })
  const mayBeDraft = needsTag && (takesDrafts || !published)
  const drafts = mayBeDraft ? await findDrafts(tag, api) : []

  // A list that changes while it is read may repeat a release, or still show it as a draft: the last one counts.
  const byId = new Map<number, Release>()
  for (const release of [...drafts, published]) {
    if (release) byId.set(release.id, release)
  }
  return [...byId.values()]
}

/** The drafts of a tag, which GitHub does not find by it; its list shows them only with `contents: write`. */
async function findDrafts(tag: string, api: Api): Promise<Release[]> {
  const releases = await listReleases(api)
  return releases.filter(release => release.draft && release.tag === tag)
}

/** GitHub allows several drafts of one tag, and drafts of a tag that has a release. */
function explainSeveralReleases(tag: string, releases: readonly Release[]): ActionError {
  const message = `${releases.length} releases have the tag ${tag}, drafts included:${listLines(releases.map(({ url }) => url))}`
  const advice = 'Delete those that are not meant, or give them other tags.'
  return new ActionError('draft', message, { advice })
}
