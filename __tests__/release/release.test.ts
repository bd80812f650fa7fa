// Tests of src/release/release.ts: what is read of a release and its attached files, and what is left out.
import { describe, expect, test } from '@jest/globals'
import { isPrivate, parseRelease } from '../../src/release/release.ts'
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
    const assets = [null, given, asset]
    expect(parseRelease({ ...raw, assets })?.assets).toEqual([...expected, asset])
  })

  test.each([null, undefined, 'a.zip', {}])('%j in the place of the list is none', assets => {
    expect(parseRelease({ ...raw, assets })?.assets).toEqual([])
  })
})

describe('a release', () => {
  test.each(['draft', 'prerelease', 'immutable'])('is marked as %s by `true` alone', mark => {
    expect(parseRelease({ ...raw, [mark]: true })).toEqual({ ...release, [mark]: true })
    expect(parseRelease({ ...raw, [mark]: 'true' })).toEqual(release)
  })

  test('may have null texts, and no marks', () => {
    expect(parseRelease({ id: 1, tag_name: 'v1', name: null, body: null, html_url: null })).toEqual(
      {
        ...{ id: 1, tag: 'v1', name: '', notes: '', url: '', assets: [], publishedAt: Number.NaN },
        ...{ draft: false, prerelease: false, immutable: false }
      }
    )
  })

  test.each([null, undefined, 'v1', 7, [], {}, { ...raw, id: '7' }, { ...raw, tag_name: '' }])(
    '%j is none',
    value => {
      expect(parseRelease(value)).toBeUndefined()
    }
  )
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
