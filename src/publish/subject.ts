// Which release is to be published: the event's, read afresh on a re-run, that of a tag, or a stand-in.
import { type GitHub, GitHubError } from '../github/github.ts'
import {
  findSource,
  gate,
  type PrereleasePolicy,
  parseRelease,
  type Release
} from '../release/event.ts'
import type { Log, RunContext } from '../runner/runner.ts'
import type { Tagged } from './naming.ts'
import { endedEarly, type Report } from './report.ts'

/** A release, or a tag without one. */
export interface Subject extends Tagged {
  /** What the user must know when another release stands in for the one to come; else empty. */
  readonly standIn: string
  /** Whether the run's own commit is the tag's. */
  readonly ownCommit: boolean
}

interface Question {
  readonly context: RunContext
  readonly payload: unknown
  readonly tag: string
  readonly planning: boolean
  readonly prerelease: PrereleasePolicy
  readonly github: GitHub
  readonly log: Log
}

/** The release to publish, or the report of a run that ends here. */
export async function findSubject(
  question: Question
): Promise<{ readonly subject: Subject } | { readonly report: Report }> {
  const { context, payload, planning, github } = question
  const { eventName, ref } = context
  const source = findSource({ eventName, payload, ref, tag: question.tag, planning })
  switch (source.kind) {
    case 'skip':
      return { report: endedEarly('skipped', source.reason, source.message) }
    case 'refused':
      return { report: endedEarly('failed', 'event', source.message) }
    case 'release': {
      const { tag } = source.release
      const release =
        context.runAttempt > 1 ? await readAfresh(source.release, question) : source.release
      if (release.tag !== tag) {
        const message = `The release had the tag ${tag} when this run began, and has ${release.tag} now. Start a run of its own for that, by a new release or with the input \`tag\`.`
        return { report: endedEarly('failed', 'event', message) }
      }
      return pass({ tag, release, ownCommit: true, standIn: '' }, question)
    }
    case 'tag': {
      const release = await releaseOfTag(source.tag, github)
      const ownCommit = context.ref === `refs/tags/${source.tag}`
      return pass({ tag: source.tag, release, ownCommit, standIn: '' }, question)
    }
    case 'newest':
      return newest(github)
  }
}

function pass(subject: Subject, { prerelease }: Question) {
  const stop = subject.release && gate(subject.release, prerelease)
  if (!stop) return { subject }
  const outcome = stop.kind === 'skip' ? 'skipped' : 'failed'
  return { report: endedEarly(outcome, stop.reason, stop.message) }
}

/** On a pull request the release is still to come: the newest one lends its tag and notes. */
async function newest(
  github: GitHub
): Promise<{ readonly subject: Subject } | { readonly report: Report }> {
  const { data } = await github.read('GET /repos/{owner}/{repo}/releases', { per_page: 10 })
  if (!Array.isArray(data)) {
    throw new GitHubError('The list of releases answered no list', 200, false, undefined)
  }
  const releases = data.map(parseRelease)
  const release = releases.find(found => found !== undefined && !found.draft)
  if (release) {
    const { tag } = release
    const standIn = `The tag and the notes of the newest release, ${tag}, stand in for those of the release to come.`
    return { subject: { tag, release, ownCommit: false, standIn } }
  }
  const message =
    'There is no release yet that could stand in for the one to come. Set `tag` and `changelog` to plan without one.'
  return { report: endedEarly('failed', 'event', message) }
}

/** A re-run gets the first attempt's payload; the notes may have been edited since. */
async function readAfresh(release: Release, { github, log }: Question): Promise<Release> {
  const route = 'GET /repos/{owner}/{repo}/releases/{release_id}'
  try {
    const { data } = await github.read(route, { release_id: release.id })
    const fresh = parseRelease(data)
    if (fresh) return fresh
    log.notice('GitHub’s answer holds no release; the one in the event is used.')
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error
    log.notice(
      `The release could not be read again (${error.message}), so its notes are those of the first attempt.`
    )
  }
  return release
}

/** Undefined when the tag has no release that this job may see; only a 404 says so. */
async function releaseOfTag(tag: string, github: GitHub): Promise<Release | undefined> {
  const route = 'GET /repos/{owner}/{repo}/releases/tags/{tag}'
  try {
    const { data } = await github.read(route, { tag })
    const release = parseRelease(data)
    if (release) return release
  } catch (error) {
    if (error instanceof GitHubError && error.status === 404) return draftOf(tag, github)
    throw error
  }
  throw new GitHubError(`${route} answered something that is no release`, 200, false, undefined)
}

/** GitHub does not find a draft by its tag; the list has it, if the job may see drafts. */
async function draftOf(tag: string, github: GitHub): Promise<Release | undefined> {
  const { items } = await github.readAll('GET /repos/{owner}/{repo}/releases')
  return items.map(parseRelease).find(release => release?.draft && release.tag === tag)
}

/** The commit that a tag names; empty when it cannot be read. */
export async function commitOf(
  { tag, ownCommit }: Subject,
  context: RunContext,
  github: GitHub
): Promise<string> {
  if (ownCommit) return context.sha
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}'
  try {
    const { data } = await github.read(route, { ref: `tags/${tag}` })
    const sha: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'sha') : ''
    return typeof sha === 'string' ? sha : ''
  } catch (error) {
    if (error instanceof GitHubError) return ''
    throw error
  }
}
