// Tests of src/release/event.ts: which release an event means, and whether it is for publishing.
import { describe, expect, test } from '@jest/globals'
import { findSource, gate } from '../../src/release/event.ts'
import { raw, release } from './released.ts'

const start = {
  eventName: 'release',
  payload: {},
  ref: 'refs/tags/v1.2.3',
  tag: '',
  planning: false
}

describe('a release event', () => {
  test.each(['published', 'released', 'prereleased'])('%s means its release', action => {
    const payload = { action, release: raw }
    expect(findSource({ ...start, payload })).toEqual({ kind: 'release', release })
  })

  test.each(['created', 'edited', 'deleted', 'unpublished', 'Published', ''])(
    '%j is skipped, with the types to listen to',
    action => {
      const source = findSource({ ...start, payload: { action, release: raw } })
      expect(source).toMatchObject({ kind: 'skip', reason: 'event-action' })
      expect(source).toHaveProperty('message', expect.stringContaining(`is "${action}"`))
      expect(source).toHaveProperty('message', expect.stringContaining('`types: [released]`'))
      expect(source).toHaveProperty('message', expect.stringContaining('`types: [published]`'))
    }
  )

  test.each([
    ['no payload', null],
    ['a payload that is a text', 'released'],
    ['an action that is no text', { action: 1 }]
  ])('%s is skipped', (_, payload) => {
    expect(findSource({ ...start, payload })).toMatchObject({ kind: 'skip' })
  })

  test.each([
    ['no release', {}],
    ['a release that is null', { release: null }],
    ['a release without a tag', { release: { ...raw, tag_name: null } }],
    ['a release with an empty tag', { release: { ...raw, tag_name: '' } }],
    ['a release without an id', { release: { ...raw, id: '7' } }]
  ])('with %s is refused', (_, payload) => {
    const source = findSource({ ...start, payload: { action: 'released', ...payload } })
    expect(source).toEqual({
      kind: 'refused',
      message: 'The event file holds no release with a tag.'
    })
  })
})

describe('other events', () => {
  test.each([
    'push',
    'workflow_dispatch',
    'workflow_run',
    'schedule',
    'create',
    'repository_dispatch'
  ])('%s on a tag means the release of that tag', eventName => {
    expect(findSource({ ...start, eventName })).toEqual({ kind: 'tag', tag: 'v1.2.3' })
  })

  test('a tag with slashes stays whole', () => {
    const ref = 'refs/tags/release/v1'
    expect(findSource({ ...start, eventName: 'push', ref })).toEqual({
      kind: 'tag',
      tag: 'release/v1'
    })
  })

  test.each(['refs/heads/main', 'refs/heads/refs/tags/v1', 'refs/tags/', 'refs/pull/1/merge', ''])(
    'push on %j has no tag, and says to set one',
    ref => {
      const source = findSource({ ...start, eventName: 'push', ref })
      expect(source).toMatchObject({ kind: 'refused' })
      expect(source).toHaveProperty('message', expect.stringContaining(`"push" on "${ref}"`))
      expect(source).toHaveProperty('message', expect.stringContaining('Set the input `tag`'))
    }
  )

  test.each(['pull_request', 'pull_request_target', 'pull_request_review'])(
    '%s is refused, even with the input `tag`',
    eventName => {
      const source = findSource({ ...start, eventName, tag: 'v1' })
      expect(source).toMatchObject({ kind: 'refused' })
      expect(source).toHaveProperty('message', expect.stringContaining(eventName))
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

describe('planning', () => {
  const planning = { ...start, planning: true }
  test.each(['pull_request', 'pull_request_target', 'pull_request_review'])(
    'on a %s the newest release stands in',
    eventName => {
      const ref = 'refs/pull/7/merge'
      expect(findSource({ ...planning, eventName, ref })).toEqual({ kind: 'newest' })
    }
  )

  test('on a pull request the input `tag` outranks the newest release', () => {
    const source = findSource({ ...planning, eventName: 'pull_request', tag: 'v1' })
    expect(source).toEqual({ kind: 'tag', tag: 'v1' })
  })

  test('on any other event is like publishing', () => {
    const payload = { action: 'released', release: raw }
    expect(findSource({ ...planning, payload })).toEqual({ kind: 'release', release })
    expect(findSource({ ...planning, payload: { action: 'edited' } }).kind).toBe('skip')
    expect(findSource({ ...planning, eventName: 'push', ref: 'refs/heads/main' }).kind).toBe(
      'refused'
    )
  })
})

describe('the gate', () => {
  const pre = { ...release, prerelease: true }
  test.each([
    ['lets a release pass by default', release, 'skip', undefined],
    ['lets a release pass beside pre-releases', release, 'publish', undefined],
    ['lets a pre-release pass when asked to', pre, 'publish', undefined],
    ['lets a pre-release pass when nothing else is wanted', pre, 'only', undefined],
    ['skips a pre-release by default', pre, 'skip', { kind: 'skip', reason: 'prerelease' }],
    [
      'skips a release among pre-releases',
      release,
      'only',
      { kind: 'skip', reason: 'not-prerelease' }
    ]
  ] as const)('%s', (_, given, policy, expected) => {
    const stop = gate(given, policy)
    if (expected === undefined) expect(stop).toBeUndefined()
    else expect(stop).toMatchObject({ ...expected, message: expect.stringContaining('v1.2.3') })
  })

  test.each(['skip', 'publish', 'only'] as const)('refuses a draft with `%s`', policy => {
    for (const prerelease of [true, false]) {
      const stop = gate({ ...release, draft: true, prerelease }, policy)
      expect(stop).toMatchObject({ kind: 'refused', reason: 'draft' })
      expect(stop?.message).toContain('v1.2.3 is a draft')
    }
  })

  test('says how to publish pre-releases', () => {
    expect(gate(pre, 'skip')?.message).toContain('`prerelease: publish`')
  })
})
