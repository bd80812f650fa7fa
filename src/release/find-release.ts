// Finds the release to publish: the event's, a tag's, or one that stands in for the next.
import type { WorkflowEvent } from '../github/event.ts'
import type { GitHub } from '../github/github.ts'
import { GitHubError } from '../github/github-error.ts'
import { listNewestReleases, listReleases, type Release, readRelease } from '../github/releases.ts'
import { readTagCommit } from '../github/tags.ts'
import { ActionError } from '../runner/action-error.ts'
import { type Forge, isMergeQueue, isPullRequest } from '../runner/runner.ts'
import { lookAgain } from './ask-again.ts'
import type { TaggedRelease } from './tagged.ts'

/** GitHub, as this file needs it. */
type Api = Pick<GitHub, 'read' | 'readAll' | 'lag' | 'isGitHub'>

/** The event, the inputs, and GitHub: all that `findRelease` goes by. `tag` is the input, or empty. */
export interface ReleaseQuestion {
  readonly forge: Forge
  /** Under nektos/act, whose events are invented. */
  readonly isAct: boolean
  readonly eventName: string
  readonly ref: string
  readonly event: WorkflowEvent
  readonly tag: string
  /** Whether a pull request may start it: buyers cannot notice a plan, or a shop on this machine. */
  readonly mayRunOnPullRequest: boolean
  /** Whether a draft may be taken for the release of its tag, as a plan does. */
  readonly takesDrafts: boolean
  /** Whether a draft counts at all: a mark is of what the shop has, whatever became of its release. */
  readonly seesDrafts: boolean
  readonly prerelease: 'skip' | 'publish' | 'only'
  readonly api: Api
  notice(text: string): void
  sleep(ms: number): Promise<void>
}

const TAG_REF = 'refs/tags/'

/** The release to publish. Throws a `GitHubError`, or an `ActionError` about one that must not be, or is skipped. */
export async function findRelease(question: ReleaseQuestion): Promise<TaggedRelease> {
  const { eventName, ref, tag, mayRunOnPullRequest, api } = question
  const isOfPullRequest = isPullRequest(question)
  if (isOfPullRequest && !mayRunOnPullRequest) throw explainPullRequest(question)

  // A step may name the tag that the event is about, as one of a called workflow does.
  const isOfEvent = eventName === 'release' && tag === question.event.release?.tag
  if (tag !== '' && !(isOfEvent && isPublished(question.event))) return findOfTag(tag, question)
  if (isOfPullRequest) return findNewest(api)
  if (eventName === 'release') return findOfEvent(question)
  if (ref.startsWith(TAG_REF) && ref !== TAG_REF) {
    return findOfTag(ref.slice(TAG_REF.length), question)
  }

  if (eventName === 'workflow_dispatch') {
    const advice = 'Give its tag in the button’s field `tag`, or set the input `tag`.'
    throw new ActionError('event', 'Which release? No tag was given.', { advice })
  }
  throw new ActionError('event', `The event "${eventName}" on "${ref}" has no tag.`, {
    advice: 'Set the input `tag` to the tag to publish, or start this job on a release or a tag.'
  })
}

function explainPullRequest(question: ReleaseQuestion): ActionError {
  const where = isMergeQueue(question) ? 'in a merge queue' : 'for a pull request'
  const advice = 'Publish on a release or on a tag; here, leave out `mode`, or set `mode: plan`.'
  return new ActionError('event', `A run ${where} publishes nothing.`, { advice })
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
    throw explainPrerelease(tag, question)
  }

  if (!release.prerelease && prerelease === 'only') {
    throw explainNoPrerelease(`${tag} is not a pre-release`)
  }

  return {
    tag,
    release,
    ownCommit,
    standsIn: false
  }
}

function explainPrerelease(tag: string, { forge }: ReleaseQuestion): ActionError {
  // Gitea and Forgejo send nothing then.
  const starts =
    forge === 'GitHub' ? ' (a workflow that listens to `released` is started by that)' : ''
  const advice = `Is it final? Untick *Set as a pre-release* on GitHub, then run this job again${starts}. To publish pre-releases, too, set \`prerelease: publish\`: from then on, every beta goes to buyers.`
  return new ActionError('prerelease', `${tag} is marked as a pre-release.`, { advice })
}

function explainNoPrerelease(what: string): ActionError {
  return new ActionError('not-prerelease', `${what}, and \`prerelease\` is \`only\`.`)
}

/** The release of a release event, as it is now: it may have been edited, withdrawn or deleted since. */
async function findOfEvent(question: ReleaseQuestion): Promise<TaggedRelease> {
  const { event, forge, isAct } = question
  const { action, release: given } = event
  if (!isPublished(event)) throw explainAction(action, question)

  if (!given) {
    const advice = 'Set the input `tag`.'
    throw new ActionError('event', 'The event file has no release with a tag.', { advice })
  }

  // On other servers a job may not be able to read it, and act's event may be invented.
  const mayServe = forge !== 'GitHub' || isAct
  const release = mayServe ? await readOrTake(given, question) : await readNow(given, question)
  if (release.tag === given.tag) {
    const renamedFrom = release.name === given.name ? undefined : given.name
    return { ...admit(release, true, question), renamedFrom }
  }

  const message = `The release’s tag has changed from ${given.tag} to ${release.tag} since this run began.`
  const advice = 'Start a new run for that tag, by a new release or with the input `tag`.'
  throw new ActionError('event', message, { advice })
}

const isPublished = ({ action }: WorkflowEvent): boolean =>
  ['published', 'released', 'prereleased'].includes(action)

function explainAction(action: string, { prerelease, forge }: ReleaseQuestion): ActionError {
  // Gitea and Forgejo know no `released`.
  const types = prerelease === 'skip' && forge === 'GitHub' ? 'released' : 'published'

  // A draft that is published later fires no `created`, so a workflow that listens to that alone never publishes.
  const warns = action === 'created'
  const never = warns ? ' A workflow that listens only to this one never publishes.' : ''
  return new ActionError('event-action', `The release event’s action is "${action}".${never}`, {
    advice: `Let the workflow listen to \`types: [${types}]\`, which fires once for a release.`,
    warns
  })
}

/** The release as it is now; or as it was given, with a notice, if the server cannot say. */
function readOrTake(given: Release, { api, notice }: ReleaseQuestion): Promise<Release> {
  return readRelease(api, { release_id: given.id }).catch((error: unknown) => {
    if (!(error instanceof GitHubError)) throw error
    notice(`The release could not be read (${error.message}), so the copy in the event is used.`)
    return given
  })
}

/** The event's release as GitHub has it now. Throws an `ActionError` if it is gone, for this job at least. */
async function readNow(given: Release, question: ReleaseQuestion): Promise<Release> {
  const { api } = question
  const { id, tag } = given
  let release: Release | undefined
  const lookForPublished = async () => {
    release = await readIfThere(api, { release_id: id })
    return release && !isWithdrawn(release, given) ? release : undefined
  }

  // GitHub may still show the state before the event, which would be skipped for good.
  await lookAgain(lookForPublished, question)
  if (release) return release

  // Tools that replace a release delete it first.
  const other = await readIfThere(api, { tag }).catch(() => undefined)
  throw other ? explainReplaced(other) : explainGone(tag)
}

/** Whether it is a draft or a pre-release now, and was none when the event happened. */
function isWithdrawn(now: Release, then: Release): boolean {
  return (now.draft && !then.draft) || (now.prerelease && !then.prerelease)
}

function explainReplaced({ tag, url }: Release): ActionError {
  const message = `The release that started this run is gone, and the tag ${tag} has another one now: ${url}.`
  const advice = `That release’s own run publishes it. If it has none, start this workflow by hand with tag \`${tag}\`.`
  return new ActionError('event', message, { advice })
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
  const { api, ref, takesDrafts, seesDrafts, prerelease } = question
  const ownCommit = ref === `${TAG_REF}${tag}`

  const look = async () => {
    const published = await readIfThere(api, { tag })
    const mayBeDraft = seesDrafts && (takesDrafts || !published)
    const drafts = mayBeDraft ? await findDrafts(tag, api) : []
    const releases = withoutRepeats([...drafts, published])
    return releases.length > 0 ? releases : undefined
  }
  // A tag alone is skipped then, and its release may have been made a moment ago.
  const releases = prerelease === 'only' ? await lookAgain(look, question) : await look()
  const [found, ...others] = releases ?? []

  if (!found) {
    // A tag that does not exist is somebody else's error.
    const isThere = prerelease === 'only' && (await readTagCommit(tag, api)) !== ''
    if (isThere) throw explainNoPrerelease(`The tag ${tag} has no release`)
    return {
      tag,
      release: undefined,
      ownCommit,
      standsIn: false
    }
  }

  if (others.length > 0 && takesDrafts) throw explainSeveralReleases(tag, [found, ...others])
  return admit(found, ownCommit, question)
}

/** The drafts of a tag, which GitHub does not find by it; its list shows them only with `contents: write`. */
async function findDrafts(tag: string, api: Api): Promise<Release[]> {
  const releases = await listReleases(api)
  return releases.filter(release => release.draft && release.tag === tag)
}

/** A list that changes while it is read may repeat a release, or still show it as a draft: the last one counts. */
function withoutRepeats(releases: readonly (Release | undefined)[]): Release[] {
  const byId = new Map<number, Release>()
  for (const release of releases) {
    if (release) byId.set(release.id, release)
  }
  return [...byId.values()]
}

/** GitHub allows several drafts of one tag, and drafts of a tag that has a release. */
function explainSeveralReleases(tag: string, releases: readonly Release[]): ActionError {
  const lines = releases.slice(0, 10).map(({ url }) => `  ${url}`)
  const message = `${releases.length} releases have the tag ${tag}, drafts included:\n${lines.join('\n')}`
  const advice = 'Delete those that are not meant, or give them other tags.'
  return new ActionError('draft', message, { advice })
}

/**
 * A pull request comes before its release, so the newest one's tag and notes are used. Whether that is a pre-release says
 * nothing of the next one.
 */
async function findNewest(api: Api): Promise<TaggedRelease> {
  const releases = await listNewestReleases(api)
  const release = releases.find(it => !it.draft)
  if (!release) {
    const message =
      'This repository has no release yet, so a preview has no tag and no notes to use.'
    throw new ActionError('event', message, { advice: 'Set `tag` and `changelog`.' })
  }

  return {
    tag: release.tag,
    release,
    ownCommit: false,
    standsIn: true
  }
}
