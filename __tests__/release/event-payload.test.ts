// Tests of what src/release/event.ts reads from a payload: releases, attached files, and what is left out.
import { describe, expect, test } from '@jest/globals'
import { isPrivate, parseRelease } from '../../src/release/event.ts'
import { raw, release } from './released.ts'

describe('attached files', () => {
  const asset = { id: 5, name: 'a.zip', size: 9, state: 'uploaded', digest: 'sha256:ab' }
  test.each<[string, unknown, unknown[]]>([
    ['as GitHub gives it', { ...asset, label: null, url: 'x' }, [asset]],
    ['without a digest', { ...asset, digest: null }, [{ ...asset, digest: '' }]],
    ['without texts', { id: 5, size: 9 }, [{ id: 5, size: 9, name: '', state: '', digest: '' }]],
    ['that is null', null, []],
    ['without an id', { ...asset, id: null }, []],
    ['without a size', { ...asset, size: '9' }, []]
  ])('one %s', (_, given, expected) => {
    expect(parseRelease({ ...raw, assets: [given] })?.assets).toEqual(expected)
    expect(parseRelease({ ...raw, assets: [null, given, asset] })?.assets).toEqual([
      ...expected,
      asset
    ])
  })

  test.each([null, undefined, 'a.zip', {}])('%j in the place of the list is none', assets => {
    expect(parseRelease({ ...raw, assets })?.assets).toEqual([])
  })
})

test.each(['draft', 'prerelease'])('a release is marked as %s by `true` alone', mark => {
  expect(parseRelease({ ...raw, [mark]: true })).toEqual({ ...release, [mark]: true })
  expect(parseRelease({ ...raw, [mark]: 'true' })).toEqual(release)
})

describe('what GitHub leaves out', () => {
  test('null texts become empty', () => {
    const bare = { ...raw, name: null, body: null, html_url: null, author: null, assets: [null] }
    expect(parseRelease(bare)).toEqual({ ...release, name: '', notes: '', url: '' })
  })

  test('absent marks mean neither draft nor pre-release', () => {
    expect(parseRelease({ id: 1, tag_name: 'v1' })).toMatchObject({
      draft: false,
      prerelease: false
    })
  })

  test.each([null, undefined, 'v1', 7, [], {}])('%j is no release', value => {
    expect(parseRelease(value)).toBeUndefined()
  })

  test.each([
    ['private', { repository: { private: true } }, true],
    ['public', { repository: { private: false } }, false],
    ['of an unknown kind', { repository: { private: 'yes' } }, undefined],
    ['not named', {}, undefined],
    ['null', { repository: null }, undefined]
  ])('a repository that is %s', (_, payload, expected) => {
    expect(isPrivate(payload)).toBe(expected)
  })
})
