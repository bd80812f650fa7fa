// Finds the release to publish: the event's, a tag's, or one that stands in for the next; and the checked-out commit.
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { type GitHub, GitHubError } from '../github/github.ts'
import { ActionError } from '../runner/action-error.ts'
import type { RunContext } from '../runner/runner.ts'
import { at, numberAt, textAt } from '../runner/values.ts'

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
    throw new ActionError('event-action', `The release event’s action is "${action}".`, {
      advice: `Let the workflow listen to \`types: [${types}]\`, which fires once for a release.`
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

/**
 * The SHA of the commit that a tag names; empty when there is no such tag. `sha` is the run's own commit. Throws a
 * `GitHubError` when GitHub cannot say.
 */
export async function commitOf(
  { tag, ownCommit }: TaggedRelease,
  sha: string,
  api: Api
): Promise<string> {
  if (ownCommit) return sha
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}'
  const answer = await api.read(route, { ref: `tags/${tag}` }).catch((error: unknown) => {
    // GitHub answers 422 for a commit, other servers 404 for a tag or a route, that they do not know.
    const isUnknown = error instanceof GitHubError && [404, 422].includes(error.status ?? 0)
    if (!isUnknown) throw error
  })
  return textAt(answer?.data, 'sha')
}

/** In milliseconds. */
const GIT_LIMIT = 20_000

/** What git gets of this process's variables: none of the inputs, among which are credentials. */
export function environmentOfGit(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !/^INPUT_/i.test(name)))
}

/** The commit that is checked out in a folder, or `why` git cannot say it; both are empty where nothing is. */
export async function readCheckout(folder: string) {
  // Not above it: that may be somebody else's repository.
  const isThere = await stat(join(folder, '.git')).catch(() => undefined)
  if (!isThere) return { commit: '', why: '' }
  // In a container, the workspace belongs to another user.
  const config = ['-c', 'safe.directory=*', '--git-dir', join(folder, '.git')]
  const args = [...config, 'rev-parse', '--verify', 'HEAD']
  // Windows would look for `git.exe` in the workspace first. Node asks its own environment for this, not the child's.
  env.NoDefaultCurrentDirectoryInExePath = '1'
  const options = { timeout: GIT_LIMIT, env: environmentOfGit(env) }
  return promisify(execFile)('git', args, options).then(
    ({ stdout }) => ({ commit: stdout.trim(), why: '' }),
    (error: unknown) => {
      const said = textAt(error, 'stderr').trim().split('\n')[0] || textAt(error, 'message')
      return { commit: '', why: said }
    }
  )
}

/** Whether a checkout can be compared with the release's commit, which one that stands in for the next has not. */
export function isComparable(
  { release, standsIn }: TaggedRelease,
  { eventName, isAct }: Pick<RunContext, 'eventName' | 'isAct'>
): boolean {
  // A pull request only rehearses; act checks nothing out, but works in the user's own folder.
  const isRehearsal = isAct || eventName.startsWith('pull_request')
  return !isRehearsal && !standsIn && release?.draft !== true
}
