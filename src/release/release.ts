// Finds the release to publish: the event's, a tag's, or one that stands in for the next; and the checked-out commit.
import { GitHubError } from '../github/errors.ts'
import type { GitHub } from '../github/github.ts'
import { ActionError } from '../runner/action-error.ts'
import { at, numberAt, textAt } from '../runner/json.ts'
import type { RunContext } from '../runner/runner.ts'

/** A release from an event or from GitHub's API; absent texts are empty. */
export type Release = Readonly<NonNullable<ReturnType<typeof parseRelease>>>

/** Narrows a release; undefined when it has no tag or no id. */
export function parseRelease(value: unknown) {
  const [id, tag, assets] = [numberAt(value, 'id'), textAt(value, 'tag_name'), at(value, 'assets')]
  if (tag === '' || id === undefined) return undefined
  return {
    id,
    tag,
    name: textAt(value, 'name').trim(),
    notes: textAt(value, 'body'),
    prerelease: at(value, 'prerelease') === true,
    draft: at(value, 'draft') === true,
    immutable: at(value, 'immutable') === true,
    /** In milliseconds since 1970; NaN if it was never published. */
    publishedAt: Date.parse(textAt(value, 'published_at')),
    url: textAt(value, 'html_url'),
    assets: (Array.isArray(assets) ? assets : []).flatMap(parseAsset)
  }
}

export type Asset = Readonly<ReturnType<typeof parseAsset>[number]>

function parseAsset(value: unknown) {
  const [id, size] = [numberAt(value, 'id'), numberAt(value, 'size')]
  if (id === undefined || size === undefined) return []
  // Any state but `uploaded` means an unfinished upload; servers other than GitHub give no state.
  // The digest is such as `sha256:…`, or empty.
  const [state, digest] = [textAt(value, 'state') || 'uploaded', textAt(value, 'digest')]
  return [{ id, size, name: textAt(value, 'name'), state, digest }]
}

/** Whether the event says that the repository is private; undefined when it does not say. */
export function isPrivate(payload: unknown): boolean | undefined {
  const value = at(at(payload, 'repository'), 'private')
  return typeof value === 'boolean' ? value : undefined
}

/** GitHub, as this folder needs it. */
export type Api = Pick<GitHub, 'read' | 'readAll'>

/** Reads a release, with its attached files, as it is on GitHub now. Throws a `GitHubError`. */
export async function readRelease(
  api: Api,
  by: { release_id: number } | { tag: string }
): Promise<Release> {
  const place = 'tag' in by ? 'tags/{tag}' : '{release_id}'
  const { data } = await api.read(`GET /repos/{owner}/{repo}/releases/${place}`, by)
  const release = parseRelease(data)
  if (release) return release
  throw new GitHubError('GitHub answered something other than a release.')
}

/** All releases that this job can see, drafts too, newest first. Throws a `GitHubError`. */
export async function listReleases(api: Api): Promise<Release[]> {
  const { items } = await api.readAll('GET /repos/{owner}/{repo}/releases')
  return items.map(parseRelease).filter(release => release !== undefined)
}

/** What `findRelease` goes by: the event, the inputs, and GitHub. `tag` is the input, or empty. */
export interface ReleaseQuestion extends Pick<RunContext, 'eventName' | 'ref' | 'runAttempt'> {
  readonly payload: unknown
  readonly tag: string
  /** Buyers cannot notice: a plan, or a shop on this machine. Only this is allowed on pull requests. */
  readonly harmless: boolean
  /** Whether a draft may be taken for the release of its tag, as a plan does. */
  readonly takesDrafts: boolean
  readonly prerelease: 'skip' | 'publish' | 'only'
  readonly api: Api
  notice(text: string): void
}

/** A tag, with its release if it has one. The tag of a draft may not exist yet. */
export interface TaggedRelease {
  readonly tag: string
  readonly release: Release | undefined
  /** On a pull request: it is the newest release, in place of the next one. */
  readonly standsIn: boolean
  /** The tag started the run, so its commit is the run's own. */
  readonly ownCommit: boolean
}

const TAG_REF = 'refs/tags/'

/** The release to publish. Throws a `GitHubError`, or an `ActionError` about one that must not be, or is skipped. */
export async function findRelease(question: ReleaseQuestion): Promise<TaggedRelease> {
  const { eventName, ref, tag, harmless, api } = question
  const isPullRequest = eventName.startsWith('pull_request')
  if (isPullRequest && !harmless) {
    const advice = 'Start this job on a release or on a tag, or set `mode: plan`.'
    throw new ActionError('event', `Runs on a ${eventName} event publish nothing.`, { advice })
  }
  if (tag !== '') return findOfTag(tag, question)
  if (isPullRequest) return findNewest(api)
  if (eventName === 'release') return findOfEvent(question)
  if (ref.startsWith(TAG_REF) && ref !== TAG_REF) {
    return findOfTag(ref.slice(TAG_REF.length), question)
  }
  throw new ActionError('event', `The event "${eventName}" on "${ref}" has no tag.`, {
    advice: 'Set the input `tag` to the tag to publish, or start this job on a release or a tag.'
  })
}

function admit(release: Release, ownCommit: boolean, question: ReleaseQuestion): TaggedRelease {
  const { prerelease, takesDrafts } = question
  const { tag, draft } = release
  if (draft && !takesDrafts) {
    const advice = 'Publish the release on GitHub first; `mode: plan` takes a draft, too.'
    throw new ActionError('draft', `The release ${tag} is a draft.`, { advice })
  }
  if (release.prerelease && prerelease === 'skip') {
    const advice = 'Set `prerelease: publish` to publish pre-releases, too.'
    throw new ActionError('prerelease', `${tag} is marked as a pre-release.`, { advice })
  }
  if (!release.prerelease && prerelease === 'only') {
    const message = `${tag} is not a pre-release, and \`prerelease\` is \`only\`.`
    throw new ActionError('not-prerelease', message)
  }
  return { tag, release, ownCommit, standsIn: false }
}

async function findOfEvent(question: ReleaseQuestion): Promise<TaggedRelease> {
  const { payload, runAttempt, api, notice } = question
  const action = textAt(payload, 'action')
  if (!['published', 'released', 'prereleased'].includes(action)) {
    const types = question.prerelease === 'skip' ? 'released' : 'published'
    // A draft that is published later fires no `created`, so whoever listens to that alone never publishes.
    const warns = action === 'created'
    const never = warns ? ' A workflow that listens to nothing else never publishes.' : ''
    throw new ActionError('event-action', `The release event’s action is "${action}".${never}`, {
      advice: `Let the workflow listen to \`types: [${types}]\`, which fires once for a release.`,
      warns
    })
  }
  const given = parseRelease(at(payload, 'release'))
  if (!given) {
    const advice = 'Set the input `tag`.'
    throw new ActionError('event', 'The event file has no release with a tag.', { advice })
  }
  if (runAttempt === 1) return admit(given, true, question)
  // A re-run gets the first attempt's payload, and the notes may have been edited since.
  const release = await readRelease(api, { release_id: given.id }).catch((error: unknown) => {
    if (!(error instanceof GitHubError)) throw error
    notice(
      `The release could not be read again (${error.message}), so the copy in the event is used.`
    )
    return given
  })
  if (release.tag === given.tag) return admit(release, true, question)
  const message = `The release had the tag ${given.tag} when this run began, and has ${release.tag} now.`
  const advice = 'Start a new run for that tag, by a new release or with the input `tag`.'
  throw new ActionError('event', message, { advice })
}

/** The tag's release; or the tag alone, if it has no release that this job can see (404). */
async function findOfTag(tag: string, question: ReleaseQuestion): Promise<TaggedRelease> {
  const { api, ref, takesDrafts } = question
  const ownCommit = ref === `${TAG_REF}${tag}`
  const published = await readRelease(api, { tag }).catch((error: unknown) => {
    if (!(error instanceof GitHubError) || error.status !== 404) throw error
  })
  // GitHub does not find a draft by its tag; the list has it if the job has `contents: write`.
  const listed = published && !takesDrafts ? [] : await listReleases(api)
  const drafts = listed.filter(release => release.draft && release.tag === tag)
  // By id: a list that changes while it is read repeats a release, or shows one as it was.
  const all = [...drafts, ...(published ? [published] : [])].map(it => [it.id, it] as const)
  const [found, ...others] = new Map(all).values()
  if (!found) return { tag, release: undefined, ownCommit, standsIn: false }
  if (others.length > 0 && takesDrafts) {
    // GitHub allows several drafts of one tag, and drafts of a tag that has a release.
    const lines = [found, ...others].slice(0, 10).map(it => `  ${it.url}`)
    const message = `${others.length + 1} releases have the tag ${tag}, drafts included:\n${lines.join('\n')}`
    const advice = 'Delete those that are not meant, or give them other tags.'
    throw new ActionError('draft', message, { advice })
  }
  return admit(found, ownCommit, question)
}

/** A pull request comes before its release, so the newest one's tag and notes are used. */
async function findNewest(api: Api): Promise<TaggedRelease> {
  const { data } = await api.read('GET /repos/{owner}/{repo}/releases', { per_page: 100 })
  if (!Array.isArray(data)) {
    throw new GitHubError('GitHub answered something other than releases.')
  }
  const release = data.map(parseRelease).find(it => it && !it.draft)
  if (release) return { tag: release.tag, release, ownCommit: false, standsIn: true }
  const message = 'This repository has no release yet, whose tag and notes a preview could use.'
  throw new ActionError('event', message, { advice: 'Set `tag` and `changelog`.' })
}
