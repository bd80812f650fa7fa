// Which release is to be published: the event's, read afresh on a re-run, or that of a tag.
import { type GitHub, GitHubError } from '../github/github.ts'
import {
  findSource,
  gate,
  type PrereleasePolicy,
  parseRelease,
  type Release
} from '../release/event.ts'
import type { Log, RunContext } from '../runner/runner.ts'
import { endedEarly, type Report } from './report.ts'

/** What is published under which tag; a tag may have no release on GitHub. */
export interface Subject {
  readonly tag: string
  readonly release: Release | undefined
  /** Whether the run's own commit is the tag's. */
  readonly ownCommit: boolean
}

interface Question {
  readonly context: RunContext
  readonly payload: unknown
  readonly tag: string
  readonly prerelease: PrereleasePolicy
  readonly github: GitHub
  readonly log: Log
}

/** The release to publish, or the report of a run that ends here. */
export async function findSubject(
  question: Question
): Promise<{ readonly subject: Subject } | { readonly report: Report }> {
  const { context, payload, tag, github } = question
  const source = findSource({ eventName: context.eventName, payload, ref: context.ref, tag })
  switch (source.kind) {
    case 'skip':
      return { report: endedEarly('skipped', source.reason, source.message) }
    case 'refused':
      return { report: endedEarly('failed', 'event', source.message) }
    case 'release': {
      const release =
        context.runAttempt > 1 ? await readAfresh(source.release, question) : source.release
      return pass({ tag: release.tag, release, ownCommit: true }, question)
    }
    case 'tag': {
      const release = await releaseOfTag(source.tag, github)
      const ownCommit = context.ref === `refs/tags/${source.tag}`
      return pass({ tag: source.tag, release, ownCommit }, question)
    }
  }
}

function pass(subject: Subject, { prerelease }: Question) {
  const stop = subject.release && gate(subject.release, prerelease)
  if (!stop) return { subject }
  const outcome = stop.kind === 'skip' ? 'skipped' : 'failed'
  return { report: endedEarly(outcome, stop.reason, stop.message) }
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

/** Undefined when the tag has no published release. */
async function releaseOfTag(tag: string, github: GitHub): Promise<Release | undefined> {
  const route = 'GET /repos/{owner}/{repo}/releases/tags/{tag}'
  try {
    const { data } = await github.read(route, { tag })
    return parseRelease(data)
  } catch (error) {
    if (error instanceof GitHubError && error.status === 404) return undefined
    throw error
  }
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
