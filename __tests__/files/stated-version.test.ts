// Tests of src/files/stated-version.ts: which other version a text states.
import { expect, test } from '@jest/globals'
import { otherVersionIn } from '../../src/files/stated-version.ts'

test.each([
  ['', 'the version itself', 'plugin-1.4.2.zip', '1.4.2'],
  ['', 'with a v', 'old-1.4.1/plugin_v1.4.2.zip', '1.4.2'],
  ['', 'a pre-release', 'plugin-1.4.2-beta.1.zip', '1.4.2-beta.1'],
  ['', 'the number alone of a pre-release', 'plugin-1.4.2.zip', '1.4.2-beta.1'],
  ['', 'build metadata', 'plugin-1.4.2+7.zip', '1.4.2+7'],
  ['', 'a tag that is no version', 'plugin-mc1.20-v2.zip', 'mc1.20-v2'],
  ['', 'upper case', 'plugin-1.4.2-RC1.zip', '1.4.2-rc1'],
  ['', 'an ending with a digit', 'plugin-1.4.2.7z', '1.4.2'],
  ['', 'points between all words', 'Gallery.Pro.1.4.2.nupkg', '1.4.2'],
  ['', 'a version with a v of its own', 'plugin-1.4.2.zip', 'v1.4.2'],
  ['', 'no version at all', 'plugin.zip', '1.4.2'],
  ['', 'a lone number', 'plugin2.zip', '1.4.2'],
  ['', 'fewer parts', 'plugin-shopware-6.5.zip', '1.2.3'],
  ['', 'an empty version', 'plugin-1.4.2.zip', ''],
  ['', 'a version next to it', 'plugin-1.4.2-mc-1.20.4.zip', '1.4.2'],
  ['', 'part of the version', 'plugin-1.4.2.jar', '1.4.2-1.20.4'],
  ['', 'a date without zeros', 'plugin-2026.6.4.zip', '2026.06.04'],
  ['', 'a version where ours is a word', 'plugin-1.4.2.zip', 'Spring'],
  ['6.5.1', 'of another product', 'plugin-shopware-6.5.1.zip', '1.2.3'],
  ['5.3.2', 'of a library', 'gallery-bootstrap-5.3.2.zip', '1.4.2'],
  ['1.20.4', 'the first of two', 'plugin-1.20.4-1.4.1.zip', '1.4.2'],
  ['2026.1.3', 'a date', 'plugin-2026.1.3.zip', '1.4.2'],
  ['1.6-SNAPSHOT', 'a snapshot, of other parts', 'plugin-1.6-SNAPSHOT-all.jar', '1.6.0'],
  ['1.4.1', 'the one before', 'plugin-1.4.1.zip', '1.4.2'],
  ['1.4.20', 'a longer number', 'plugin-v1.4.20.zip', '1.4.2'],
  ['1.4.2-Beta.1', 'a pre-release of it', 'plugin-1.4.2-Beta.1.zip', '1.4.2'],
  ['1.4.1', 'next to a shorter one', 'plugin-8.2-1.4.1.zip', '1.4.2'],
  ['1.4.1', 'next to the one that it is for', 'plugin-1.4.1-for-8.2.1.zip', '1.4.2'],
  ['2026.1', 'another date', 'plugin-2026.1.zip', '2026.2']
])('the other version in a name is "%s": %s', (expected, _, name, version) => {
  expect(otherVersionIn(name, [version])).toBe(expected)
})

test('any of several versions counts', () => {
  expect(otherVersionIn('plugin-1.4.2.zip', ['2026.1', '1.4.2'])).toBe('')
  expect(otherVersionIn('plugin-1.4.2.zip', ['2026.1', '1.4.3'])).toBe('1.4.2')
})
