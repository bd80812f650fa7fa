// Tests of src/release/event.ts: which release an event means, and whether it is to be published.
import { describe, expect, test } from '@jest/globals'
import { findSource, gate } from '../../src/release/event.ts'
import { raw, release } from './released.ts'

const start = {
  eventName: 'release',
  payload: {},
  ref: 'refs/tags/v1.2.3',
  tag: '',
  harmless: false
}
const PULL_REQUESTS = ['pull_request', 'pull_request_target', 'pull_request_review']

describe('a release event', () => {
  test.each(['published', 'released', 'prereleased'])('%s means its release', action => {
    const payload = { action, release: raw }
    expect(findSource({ ...start, payload })).toEqual({ kind: 'release', release })
  })

  test.each([
    ...['created', 'edited', 'deleted', 'unpublished', 'Published', ''].map(action => ({ action })),
    ...[null, 'released', { action: 1 }]
  ])('%j is skipped, with the types to listen to', payload => {
    const source = findSource({ ...start, payload })
    expect(source).toMatchObject({ kind: 'skip', reason: 'event-action' })
    const message = /action is "\w*".*`types: \[released\]`.*`types: \[published\]`/
    expect(source).toHaveProperty('message', expect.stringMatching(message))
  })

  test.each([
    ['no release', {}],
    ['a release that is null', { release: null }],
    ['a release without a tag', { release: { ...raw, tag_name: null } }]
  ])('with %s is refused', (_, payload) => {
    const source = findSource({ ...start, payload: { action: 'released', ...payload } })
    expect(source).toMatchObject({ kind: 'refused', reason: 'event' })
  })
})

describe('other events', () => {
  test.each(['push', 'workflow_dispatch', 'workflow_run', 'schedule', 'create'])(
    '%s on a tag means the release of that tag',
    eventName => {
      expect(findSource({ ...start, eventName })).toEqual({ kind: 'tag', tag: 'v1.2.3' })
      const ref = 'refs/tags/release/v1'
      expect(findSource({ ...start, eventName, ref })).toEqual({ kind: 'tag', tag: 'release/v1' })
    }
  )

  test.each(['refs/heads/main', 'refs/heads/refs/tags/v1', 'refs/tags/', 'refs/pull/1/merge', ''])(
    'push on %j has no tag, and says to set one',
    ref => {
      const source = findSource({ ...start, eventName: 'push', ref })
      const message = expect.stringMatching(/"push" on ".*" has no tag.*Set the input `tag`/)
      expect(source).toEqual({ kind: 'refused', reason: 'event', message })
    }
  )

  test.each(PULL_REQUESTS)('%s is refused, even with the input `tag`', eventName => {
    const source = findSource({ ...start, eventName, tag: 'v1' })
    const message = expect.stringContaining(eventName)
    expect(source).toEqual({ kind: 'refused', reason: 'event', message })
  })

  test.each(PULL_REQUESTS)(
    'on a %s that can do no harm the newest release stands in',
    eventName => {
      const given = { ...start, eventName, ref: 'refs/pull/7/merge', harmless: true }
      expect(findSource(given)).toEqual({ kind: 'newest' })
      expect(findSource({ ...given, tag: 'v1' })).toEqual({ kind: 'tag', tag: 'v1' })
    }
  )

  test.each([
    ['a release', 'release', 'refs/tags/v9'],
    ['a push to a branch', 'push', 'refs/heads/main']
  ])('the input `tag` outranks %s', (_, eventName, ref) => {
    const payload = { action: 'deleted', release: raw }
    const source = findSource({ ...start, eventName, payload, ref, tag: 'v1' })
    expect(source).toEqual({ kind: 'tag', tag: 'v1' })
  })
})

test.each([
  ['a release by default', false, 'skip', undefined],
  ['a release beside pre-releases', false, 'publish', undefined],
  ['a release where only pre-releases are wanted', false, 'only', 'not-prerelease'],
  ['a pre-release by default', true, 'skip', 'prerelease'],
  ['a pre-release when asked to', true, 'publish', undefined],
  ['a pre-release where nothing else is wanted', true, 'only', undefined]
] as const)('%s: the gate', (_, prerelease, policy, reason) => {
  const message = expect.stringContaining('v1.2.3')
  const stop = reason && { kind: 'skip', reason, message }
  expect(gate({ ...release, prerelease }, policy)).toEqual(stop)
  const draft = gate({ ...release, prerelease, draft: true }, policy)
  expect(draft).toMatchObject({ kind: 'refused', reason: 'draft' })
})
