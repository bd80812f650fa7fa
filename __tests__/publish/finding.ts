// Owns the search for what is published, for tests: an event, and a GitHub of canned answers.
import { findSubject } from '../../src/publish/subject.ts'
import { contextOf } from '../../src/runner/context.ts'
import { listen, openFake } from './errands.ts'

/** A release as GitHub gives it. */
export const raw = {
  id: 7,
  tag_name: 'v1.2.3',
  name: 'Spring',
  body: '- New',
  draft: false,
  prerelease: false
}
export const EVENT = {
  GITHUB_EVENT_NAME: 'release',
  GITHUB_REF: 'refs/tags/v1.2.3',
  GITHUB_SHA: 'c0ffee'
}
export const PUSH = { ...EVENT, GITHUB_EVENT_NAME: 'push', GITHUB_REF: 'refs/heads/main' }

export const BY_TAG = '/releases/tags/{tag}'
export const BY_ID = '/releases/{release_id}'

interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly payload?: unknown
  readonly tag?: string
  readonly planning?: boolean
  readonly prerelease?: 'skip' | 'publish' | 'only'
  readonly answers?: Readonly<Record<string, unknown>>
}

/** Finds the subject; `notices` is all that was logged. */
export async function find(given: Given) {
  const { log, lines } = listen()
  const { github, asked } = openFake(given.answers ?? {})
  const found = await findSubject({
    context: contextOf(given.env ?? EVENT, '/'),
    payload: given.payload ?? { action: 'released', release: raw },
    tag: given.tag ?? '',
    prerelease: given.prerelease ?? 'skip',
    planning: given.planning ?? false,
    github,
    log
  })
  return { ...found, notices: lines, asked }
}
