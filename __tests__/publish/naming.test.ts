// Tests of src/publish/naming.ts: names and patterns of targets, from their inputs and the release.
import { describe, expect, test } from '@jest/globals'
import { nameTargets, placeIn, routeOf } from '../../src/publish/naming.ts'
import type { Tagged } from '../../src/release/find-release.ts'
import { describeFault } from '../../src/runner/values.ts'
import { release } from '../release/released.ts'
import { type Given, inputsOf } from './given.ts'

const subject: Tagged = { tag: 'v1.2.3', release, standIn: '', ownCommit: true }

/** The targets of the inputs, named; the first one's names apart. */
async function name(given: Given = {}, over: Partial<Tagged> = {}) {
  const { named, problems, warnings } = nameTargets(await inputsOf(given), { ...subject, ...over })
  const [first] = named
  if (!first) throw new Error('there is no target')
  return { named: first.named, problems: problems.map(describeFault), warnings }
}

describe('a target', () => {
  test('of a product, with what inputs and release say', async () => {
    expect(await name()).toEqual({
      named: {
        route: { product: 12 },
        names: { tag: 'v1.2.3', version: '1.2.3', name: 'Spring' },
        ...{ versionName: '1.2.3', title: 'Spring', changelogFallback: '' },
        ...{ file: ['dist/*.zip'], asset: [], contents: [] }
      },
      ...{ problems: [], warnings: [] }
    })
  })

  test('with templates filled in', async () => {
    const { named } = await name({
      'version-name': '{version} for {tag}',
      title: '{name} {version}',
      'changelog-fallback': 'See {name}, {version}, {tag}',
      file: 'dist/{tag}-{version}.zip\n!dist/{name}.zip',
      benefit: '34'
    })
    expect(named).toMatchObject({
      route: { product: 12, benefit: 34 },
      versionName: '1.2.3 for v1.2.3',
      title: 'Spring 1.2.3',
      changelogFallback: 'See Spring, 1.2.3, v1.2.3',
      file: ['dist/v1.2.3-1.2.3.zip', '!dist/{name}.zip']
    })
  })

  test('with what is put into patterns taken literally', async () => {
    const { named } = await name({ file: '', asset: 'a-{tag}.zip' }, { tag: 'v[1]*' })
    expect(named.asset).toEqual(['a-v[[]1][*].zip'])
  })

  test('with any version in patterns where another release stands in', async () => {
    const { named } = await name({ file: 'a-{version}.zip' }, { standIn: 'v1.2.3 stands in.' })
    expect(named.file).toEqual(['a-*.zip'])
  })

  test('with a version by pattern', async () => {
    const { named } = await name({ 'tag-pattern': 'plugin-v{version}' }, { tag: 'plugin-v2' })
    expect(named.versionName).toBe('2')
  })

  test.each([
    ['a release without a name', { ...release, name: '' }],
    ['no release', undefined]
  ])('of %s has the tag for a name', async (_, given) => {
    expect((await name({}, { release: given })).named.title).toBe('v1.2.3')
  })
})

describe('a problem', () => {
  test('is two targets that are the same publication', async () => {
    const targets = `- benefit: 3\n- product: 13\n- benefit: 3\n  title: Other\n- title: ${'x'.repeat(256)}`
    expect((await name({ targets })).problems).toEqual([
      expect.stringMatching(/^entry 4 \(line 5\), title: is 256 characters long/),
      'entry 3 (line 3): is the same publication as entry 1 (line 1): product 12, benefit 3, version "1.2.3"'
    ])
  })

  test.each([
    ['another product', '- product: 12\n- product: 13'],
    ['another benefit', '- benefit: 3\n- benefit: 4'],
    ['a benefit beside the product itself', '- product: 12\n- benefit: 3'],
    ['another version', '- product: 12\n- version-name: "{version}-lts"']
  ])('is not %s', async (_, targets) => {
    expect((await name({ targets })).problems).toEqual([])
  })
})

describe.each(['version-name', 'title'] as const)('the length of %s', input => {
  test.each([
    ['255 letters', 'x'.repeat(255), 0, 0],
    ['256 letters', 'x'.repeat(256), 1, 0],
    ['255 letters of two bytes', 'é'.repeat(255), 0, 0],
    ['127 characters of two UTF-16 units', '🎉'.repeat(127), 0, 0],
    ['128 characters of two UTF-16 units', '🎉'.repeat(128), 0, 1],
    ['256 characters of two UTF-16 units', '🎉'.repeat(256), 1, 0],
    ['what the template comes to', `{version}${'x'.repeat(251)}`, 1, 0]
  ])('%s', async (_, text, problems, warnings) => {
    const found = await name({ [input]: text })
    expect([found.problems.length, found.warnings.length]).toEqual([problems, warnings])
    if (warnings > 0) {
      expect(found.warnings[0]).toMatch(
        new RegExp(`^${input}: has 128 characters, but 256 .* over 255 it may be refused`)
      )
    }
  })
})

test('a place names the input, after that of the target where there is one', async () => {
  const [alone] = (await inputsOf()).targets
  const [listed] = (await inputsOf({ targets: '- benefit: 3' })).targets
  if (!alone || !listed) throw new Error('there is no target')
  expect(placeIn(alone, 'file')).toBe('file')
  expect(placeIn(listed, 'file')).toBe('entry 1 (line 1), file')
  expect([routeOf(alone), routeOf(listed)]).toEqual([{ product: 12 }, { product: 12, benefit: 3 }])
})
