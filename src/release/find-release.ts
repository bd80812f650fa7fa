// The release to publish: the event's, read again on a re-run, that of a tag, or one that stands in.
import type { GitHubError } from '../github/github.ts'
import { findSource, gate, type PrereleasePolicy, type Stop, type Trigger } from './event.ts'
import { parseRelease, type Release, text } from './release.ts'

/** GitHub, as this folder needs it. */
export interface Api {
  read(
    route: string,
    parameters?: Readonly<Record<string, unknown>>
  ): Promise<{ readonly data: unknown }>
  readAll(route: string): Promise<{ readonly items: readonly unknown[] }>
  /** Whether this is an error of a call, as opposed to a mistake of ours. */
  isFailure(error: unknown): error is GitHubError
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

export interface Question extends Trigger {
  readonly prerelease: PrereleasePolicy
  readonly runAttempt: number
  readonly api: Api
  notice(text: string): void
}

/** The release to publish, or why the run ends here. Throws what GitHub failed with. */
export async function findRelease(question: Question): Promise<Tagged | Stop> {
  const source = findSource(question)
  switch (source.kind) {
    case 'skip':
    case 'refused':
      return source
    case 'release':
      return ofEvent(source.release, question)
    case 'tag': {
      const release = await releaseOfTag(source.tag, question.api)
      const ownCommit = question.ref === `refs/tags/${source.tag}`
      const stop = release && gate(release, question.prerelease)
      return stop ?? { tag: source.tag, release, ownCommit, standIn: '' }
    }
    case 'newest':
      return newest(question.api)
  }
}

async function ofEvent(given: Release, question: Question): Promise<Tagged | Stop> {
  const { tag } = given
  const release = question.runAttempt > 1 ? await readAgain(given, question) : given
  if (release.tag === tag) {
    return gate(release, question.prerelease) ?? { tag, release, ownCommit: true, standIn: '' }
  }
  const message =
    `The release had the tag ${tag} when this run began, and has ${release.tag} now. ` +
    'Start a new run for that tag, by a new release or with the input `tag`.'
  return { kind: 'refused', reason: 'event', message }
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
  return parseRelease(data) ?? noRelease()
}

/** Undefined when the tag has no release that this job can see; only a 404 says so. */
async function releaseOfTag(tag: string, api: Api): Promise<Release | undefined> {
  const route = 'GET /repos/{owner}/{repo}/releases/tags/{tag}'
  try {
    const { data } = await api.read(route, { tag })
    return parseRelease(data) ?? noRelease()
  } catch (error) {
    if (api.isFailure(error) && error.status === 404) return draftOf(tag, api)
    throw error
  }
}

/** GitHub does not find a draft by its tag; the list shows it to jobs with `contents: write`. */
async function draftOf(tag: string, api: Api): Promise<Release | undefined> {
  const releases = await listReleases(api)
  return releases.find(release => release.draft && release.tag === tag)
}

/** All releases that this job can see, drafts too, the newest first. */
export async function listReleases(api: Pick<Api, 'readAll'>): Promise<Release[]> {
  const { items } = await api.readAll('GET /repos/{owner}/{repo}/releases')
  return items.map(parseRelease).filter(release => release !== undefined)
}

/** On a pull request the release is still to come: the newest one lends its tag and notes. */
async function newest(api: Api): Promise<Tagged | Stop> {
  const route = 'GET /repos/{owner}/{repo}/releases'
  const { data } = await api.read(route, { per_page: 10 })
  if (!Array.isArray(data))
    throw new ReleaseUnreadable('GitHub answered something other than a list of releases.')
  const release = data.map(parseRelease).find(found => found !== undefined && !found.draft)
  if (release) {
    const { tag } = release
    const standIn = `The tag and the notes of the newest release, ${tag}, stand in for those of the release to come.`
    return { tag, release, ownCommit: false, standIn }
  }
  const message =
    'There is no release yet that could stand in for the one to come. Set `tag` and `changelog` to plan without one.'
  return { kind: 'refused', reason: 'event', message }
}

/** GitHub, or a proxy on the way, answered 200 with something else than a release. */
export class ReleaseUnreadable extends Error {
  override readonly name = 'ReleaseUnreadable'
}

function noRelease(): never {
  throw new ReleaseUnreadable('GitHub answered something other than a release.')
}

/** The commit that a tag names; empty when it cannot be read. `sha` is the run's own. */
export async function commitOf({ tag, ownCommit }: Tagged, sha: string, api: Api): Promise<string> {
  if (ownCommit) return sha
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}'
  try {
    const { data } = await api.read(route, { ref: `tags/${tag}` })
    return text(data, 'sha')
  } catch (error) {
    if (api.isFailure(error)) return ''
    throw error
  }
}
