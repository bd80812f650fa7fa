// Tests of src/files/wrong-file.ts: which file is not the one to be published, by its name.
import { describe, expect, test } from '@jest/globals'
import { faultInNameVersion } from '../../src/files/wrong-file.ts'

describe('a file of another version', () => {
  const check = (...patterns: string[]) => {
    const versions = ['1.4.2', 'Spring']
    return faultInNameVersion('plugin-8.2-1.4.1.zip', patterns, versions)
  }

  test.each([
    ['by a wildcard', ['dist/*.zip']],
    ['by one of several patterns', ['dist/plugin-8.2.zip', 'build/plugin-?.*.zip']]
  ])('that was chosen %s is refused', (_, patterns) => {
    expect(check(...patterns)).toMatchObject({
      reason: 'file-version',
      message:
        'The name of the file "plugin-8.2-1.4.1.zip" says version "1.4.1", but this release is "1.4.2".',
      advice:
        'Build the file of "1.4.2", and write {version} in the pattern. If "1.4.1" is not this product’s version, ' +
        'spell the file’s name out in place of the wildcard.'
    })
  })

  test('that is attached is replaced', () => {
    const origin = { source: 'release', isImmutable: false } as const
    const fault = faultInNameVersion('a-1.4.1.zip', ['*.zip'], ['1.4.2'], origin)
    expect(fault?.advice).toMatch(
      /^Replace the attached file, .*; or, if the tag is wrong, make the release again with the right one\. If/
    )
  })

  test('that stands in the pattern is meant', () => {
    const name = 'gallery-bootstrap-5.3.2.zip'
    const judge = (pattern: string) => faultInNameVersion(name, [pattern], ['1.4.2'])
    expect(judge('dist/*.zip')).toMatchObject({ reason: 'file-version' })
    expect(judge('dist/*-bootstrap-5.3.2.zip')).toBeUndefined()
    expect(judge(`dist/${name}`)).toBeUndefined()
  })

  test.each([
    ['whole', ['dist/plugin-8.2-1.4.1.zip', '!dist/*-debug.zip']],
    ['next to a wildcard', ['*/plugin-8.2-1.4.1.zip']],
    ['with an escaped character', ['dist/plugin-8.2-1.4.1[.]zip']]
  ])('whose version is spelled out is meant: %s', (_, patterns) => {
    expect(check(...patterns)).toBeUndefined()
  })
})
