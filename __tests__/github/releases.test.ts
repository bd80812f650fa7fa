// Tests of src/github/releases.ts: the parts of a release, and of its attached files, that are read or left out.
import { expect, test } from '@jest/globals'
import { parseEvent } from '../../src/github/event.ts'
import { parseRelease } from '../../src/github/releases.ts'
import { raw, release } from '../release/released.ts'

const asset = {
  id: 5,
  name: 'a.zip',
  size: 9,
  state: 'uploaded',
  digest: 'sha256:ab'
}

test.each<[string, unknown, unknown[]]>([
  ['as GitHub gives it', { ...asset, label: null, url: 'x' }, [asset]],
  ['without texts', { id: 5, size: 9, digest: null }, [{ ...asset, name: '', digest: '' }]],
  ['that is null', null, []],
  ['without a size', { ...asset, size: '9' }, []]
])('an attached file %s', (_, given, expected) => {
  const assets = [null, given, asset]
  expect(parseRelease({ ...raw, assets })?.assets).toEqual([...expected, asset])
})

test.each(['draft', 'prerelease', 'immutable'])('a release is %s by `true` alone', mark => {
  expect(parseRelease({ ...raw, [mark]: true })).toEqual({ ...release, [mark]: true })
  expect(parseRelease({ ...raw, [mark]: 'true' })).toEqual(release)
})

test('a release may have null texts, and no marks', () => {
  const bare = {
    id: 7,
    tag_name: 'v1.2.3',
    name: null,
    body: null,
    html_url: null,
    assets: null
  }
  const texts = {
    name: '',
    notes: '',
    url: ''
  }
  expect(parseRelease(bare)).toEqual({ ...release, ...texts })
})

test.each([null, 7, {}, { ...raw, id: '7' }, { ...raw, tag_name: '' }])('%j is no release', it => {
  expect(parseRelease(it)).toBeUndefined()
})

test('a repository is private, or not, or it is not said', () => {
  const values = [{ private: true }, { private: false }, null]
  const answers = values.map(repository => parseEvent({ repository }).isPrivate)
  expect(answers).toEqual([true, false, undefined])
})
