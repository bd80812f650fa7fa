// Finds the release to publish: the event's, a tag's, or, on a pull request, the newest one as a stand-in.
import type { GitHub } from '../github/github.ts'
import type { RunContext } from '../runner/runner.ts'
import { at, textAt } from '../runner/values.ts'

/** A release from an event or from GitHub's API; absent texts are empty. */
export type Release = Readonly<NonNullable<ReturnType<typeof parseRelease>>>

/** Narrows a release; undefined when it has no tag or no id. */
export function parseRelease(value: unknown) {
  const [id, tag, assets] = [at(value, 'id'), textAt(value, 'tag_name'), at(value, 'assets')]
  if (tag === '' || typeof id !== 'number') return undefined
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
  const [id, size] = [at(value, 'id'), at(value, 'size')]
  if (typeof id !== 'number' || typeof size !== 'number') return []
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
export type Api = Pick<GitHub, 'read' | 'readAll' | 'isFailure' | 'failure'>

type Key = { readonly release_id: number } | { readonly tag: string }

/** Reads a release, with its attached files, as it is on GitHub now. Throws a `GitHubError`. */
export async function readRelease(api: Api, by: Key): Promise<Release> {
  const way = 'tag' in by ? 'tags/{tag}' : '{release_id}'
  const { data } = await api.read(`GET /repos/{owner}/{repo}/releases/${way}`, by)
  const release = parseRelease(data)
  if (release) return release
  throw api.failure('GitHub answered something other than a release.')
}

/** All releases that this job can see, drafts too, newest first. Throws a `GitHubError`. */
async function listReleases(api: Api): Promise<Release[]> {
  const { items } = await api.readAll('GET /repos/{owner}/{repo}/releases')
  return items.map(parseRelease).filter(release => release !== undefined)
}

/** What `findRelease` goes by: the event, the inputs, and GitHub. `tag` is the input, or empty. */
export interface Question extends Pick<RunContext, 'eventName' | 'ref' | 'runAttempt'> {
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

/** A release, or a tag without one. The tag of a draft may not exist yet. */
export interface Tagged {
  readonly tag: string
  readonly release: Release | undefined
  /** What to tell the user when another release stands in for the next one; else empty. */
  readonly standIn: string
  readonly ownCommit: boolean
}

interface Stop {
  readonly outcome: 'skipped' | 'failed'
  readonly reason: 'draft' | 'event' | 'event-action' | 'not-prerelease' | 'prerelease'
  readonly message: string
}

const TAG_REF = 'refs/tags/'

/** The release to publish, or why the run ends here. Throws a `GitHubError`. */
export async function findRelease(question: Question): Promise<Tagged | Stop> {
  const { eventName, ref, tag, harmless, api } = question
  const isProposed = eventName.startsWith('pull_request')
  const nothing = `A ${eventName} event publishes nothing. Start this job on a release or on a tag, or set \`mode: plan\`.`
  if (isProposed && !harmless) return refuse(nothing)
  if (tag !== '') return findOfTag(tag, question)
  if (isProposed) return findNewest(api)
  if (eventName === 'release') return findOfEvent(question)
  if (ref.startsWith(TAG_REF) && ref !== TAG_REF)
    return findOfTag(ref.slice(TAG_REF.length), question)
  return refuse(
    `The event "${eventName}" on "${ref}" has no tag, so there is no release to publish. ` +
      'Set the input `tag` to the tag to publish, or start this job on a release or a tag.'
  )
}

function refuse(message: string, reason: Stop['reason'] = 'event'): Stop {
  return { outcome: 'failed', reason, message }
}

function skip(reason: Stop['reason'], why: string): Stop {
  return { outcome: 'skipped', reason, message: `Nothing was published: ${why}` }
}

function admit(release: Release, ownCommit: boolean, question: Question): Tagged | Stop {
  const { prerelease, takesDrafts } = question
  const { tag, draft } = release
  const message = `The release ${tag} is a draft. Plan it now with \`mode: plan\`. For anything else, publish the release on GitHub first, and run this again.`
  if (draft && !takesDrafts) return refuse(message, 'draft')
  if (release.prerelease && prerelease === 'skip') {
    const marked = `${tag} is marked as a pre-release.`
    return skip('prerelease', `${marked} Set \`prerelease: publish\` to publish pre-releases too.`)
  }
  if (!release.prerelease && prerelease === 'only') {
    return skip('not-prerelease', `${tag} is not a pre-release, and \`prerelease\` is \`only\`.`)
  }
  return { tag, release, ownCommit, standIn: '' }
}

async function findOfEvent(question: Question): Promise<Tagged | Stop> {
  const { payload, runAttempt, api, notice } = question
  const action = textAt(payload, 'action')
  if (!['published', 'released', 'prereleased'].includes(action)) {
    const advice =
      'Let the workflow listen to `types: [released]`, which fires once for a release, ' +
      'or to `types: [published]` to publish pre-releases too.'
    return skip('event-action', `the release event's action is "${action}". ${advice}`)
  }
  const given = parseRelease(at(payload, 'release'))
  if (!given) return refuse('The event file has no release with a tag. Set the input `tag`.')
  if (runAttempt === 1) return admit(given, true, question)
  // A re-run gets the first attempt's payload, and the notes may have been edited since.
  const release = await readRelease(api, { release_id: given.id }).catch((error: unknown) => {
    if (!api.isFailure(error)) throw error
    const used = 'so the one in the event is used.'
    notice(`The release could not be read again (${error.message}), ${used}`)
    return given
  })
  if (release.tag === given.tag) return admit(release, true, question)
  return refuse(
    `The release had the tag ${given.tag} when this run began, and has ${release.tag} now. ` +
      'Start a new run for that tag, by a new release or with the input `tag`.'
  )
}

/** The tag's release; or the tag alone, if it has no release that this job can see (404). */
async function findOfTag(tag: string, question: Question): Promise<Tagged | Stop> {
  const { api, ref, takesDrafts } = question
  const ownCommit = ref === `${TAG_REF}${tag}`
  const published = await readRelease(api, { tag }).catch((error: unknown) => {
    if (!api.isFailure(error) || error.status !== 404) throw error
  })
  // GitHub does not find a draft by its tag; the list has it if the job has `contents: write`.
  const listed = published && !takesDrafts ? [] : await listReleases(api)
  const drafts = listed.filter(release => release.draft && release.tag === tag)
  // By id: a list that changes while it is read repeats a release, or shows one as it was.
  const all = [...drafts, ...(published ? [published] : [])].map(it => [it.id, it] as const)
  const [found, ...others] = new Map(all).values()
  if (!found) return { tag, release: undefined, ownCommit, standIn: '' }
  if (others.length > 0 && takesDrafts) return refuseSeveral(tag, [found, ...others])
  return admit(found, ownCommit, question)
}

/** GitHub allows drafts of a tag beside each other, and beside its release: nobody knows which is meant. */
function refuseSeveral(tag: string, found: readonly Release[]): Stop {
  const lines = found.slice(0, 10).map(({ name, draft, url }) => {
    return `  ${draft ? 'draft' : 'published'}  ${JSON.stringify(name)}  ${url}`
  })
  const message = `${found.length} releases have the tag ${tag}, so it does not say which one to plan:`
  const more = found.length > 10 ? [`  … and ${found.length - 10} more`] : []
  const advice = 'Delete those that are not meant, or give them other tags. Then run this again.'
  return refuse([message, ...lines, ...more, advice].join('\n'), 'draft')
}

/** A pull request comes before its release, so the newest one's tag and notes are used. */
async function findNewest(api: Api): Promise<Tagged | Stop> {
  const { data } = await api.read('GET /repos/{owner}/{repo}/releases', { per_page: 100 })
  if (!Array.isArray(data)) throw api.failure('GitHub answered something other than releases.')
  const release = data.map(parseRelease).find(it => it && !it.draft)
  const none =
    'This repository has no release yet, so there are no tag and notes to preview with. Set `tag` and `changelog`.'
  if (!release) return refuse(none)
  const { tag } = release
  const standIn = `This uses the tag and the notes of the newest release, ${tag}, in place of those of the next one.`
  return { tag, release, ownCommit: false, standIn }
}

/**
 * The SHA of the commit that a tag names; empty when there is no such tag. `sha` is the run's own commit. Throws a
 * `GitHubError` when GitHub cannot say.
 */
export async function commitOf({ tag, ownCommit }: Tagged, sha: string, api: Api): Promise<string> {
  if (ownCommit) return sha
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}'
  const answer = await api.read(route, { ref: `tags/${tag}` }).catch((error: unknown) => {
    // GitHub answers 422 for a commit, other servers 404 for a tag or a route, that they do not know.
    if (!api.isFailure(error) || (error.status !== 404 && error.status !== 422)) throw error
  })
  return textAt(answer?.data, 'sha')
}
