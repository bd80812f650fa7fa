// Releases for tests: one as GitHub gives it, the same as we read it, and a GitHub of canned answers.
import { parseEvent } from '../../src/github/event.ts'
import { GitHubError } from '../../src/github/github-error.ts'
import { findRelease, type ReleaseQuestion } from '../../src/release/find-release.ts'
import { ActionError } from '../../src/runner/action-error.ts'

export const raw = {
  id: 7,
  tag_name: 'v1.2.3',
  name: ' Spring ',
  body: '- New\r\n',
  prerelease: false,
  draft: false,
  immutable: false,
  published_at: '2026-01-02T03:04:05Z',
  html_url: 'https://github.com/o/r/releases/tag/v1.2.3'
}

export const release = {
  id: 7,
  tag: 'v1.2.3',
  name: 'Spring',
  notes: '- New\r\n',
  url: raw.html_url,
  assets: [],
  prerelease: false,
  draft: false,
  immutable: false
}

export const missing = new GitHubError('GitHub answered 404', { status: 404, denied: true })
export const down = new GitHubError('GitHub answered 502', { status: 502 })

/** Answers that are given one after another, and the last one from then on. */
export function inTurn(...answers: readonly unknown[]): () => unknown {
  const left = [...answers]
  return () => (left.length > 1 ? left.shift() : left[0])
}

/** A GitHub of canned answers, by their routes below the repository; `asked` has its requests. */
export function openReleases(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = []

  const read = async (route: string, parameters: Readonly<Record<string, unknown>> = {}) => {
    const path = route.split('/{repo}')[1] ?? ''
    asked.push([path, ...Object.values(parameters)].join(' '))
    const given = path in answers ? answers[path] : missing
    const data = typeof given === 'function' ? given() : given
    if (data instanceof Error) throw data
    return { data, now: 0 }
  }

  const readAll = async (route: string) => {
    const { data } = await read(route)
    if (!Array.isArray(data)) throw new GitHubError('answered no list', { status: 200 })
    return { items: data, now: 0 }
  }

  return {
    api: {
      read,
      readAll,
      lag: undefined
    },
    asked
  }
}

export const BY_TAG = '/releases/tags/{tag}'
export const BY_ID = '/releases/{release_id}'

/** The words of an error that stops a run. Throws an error that is no `ActionError`. */
function wordsOf(error: unknown) {
  if (!(error instanceof ActionError)) throw error
  const { reason, message, advice } = error
  return { reason, message: `${message} ${advice}`.trim() }
}

/** The differences from a `released` event of the example. */
export interface Question extends Partial<ReleaseQuestion> {
  /** GitHub's answers, by their routes below the repository. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** Of the event. */
  readonly payload?: unknown
}

/** Finds the release of a `released` event, or of what is given instead. */
export async function find({
  answers = {},
  payload = { action: 'released', release: raw },
  ...given
}: Question) {
  let waited = 0
  const { api, asked } = openReleases(answers)

  const found = await findRelease({
    eventName: 'release',
    event: parseEvent(payload),
    ref: 'refs/tags/v1.2.3',
    tag: '',
    takesDrafts: false,
    needsTag: true,
    prerelease: 'skip',
    tagPattern: '',
    api,
    sleep: async ms => {
      waited += ms
    },
    ...given
  }).catch(wordsOf)
  return {
    found,
    asked,
    waited
  }
}
