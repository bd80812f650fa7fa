// Tests of src/publish/naming.ts: names and patterns of a target, from its inputs and the release.
import { describe, expect, test } from '@jest/globals'
import { nameRelease, nameTarget, placeIn, routeOf } from '../../src/publish/naming.ts'
import type { Release } from '../../src/release/event.ts'
import { describeFault } from '../../src/runner/values.ts'
import { type Given, inputsOf } from './given.ts'

const release: Release = {
  id: 7,
  tag: 'v1.2.3',
  name: 'Spring',
  notes: '',
  prerelease: false,
  draft: false,
  url: '',
  assets: []
}
const subject = { tag: 'v1.2.3', release }

/** The only target of the inputs, named for the release. */
async function name(given: Given = {}, tagged: Parameters<typeof nameRelease>[1] = subject) {
  const inputs = await inputsOf(given)
  const [target] = inputs.targets
  if (!target) throw new Error('there is no target')
  const { names, faults } = nameRelease(inputs, tagged)
  const { named, ...rest } = nameTarget(target, names)
  return { named, faults: [...faults, ...rest.faults], warnings: rest.warnings }
}

describe('a target', () => {
  test('of a product, with what inputs and release say', async () => {
    const { named, faults, warnings } = await name()
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] })
    expect(named).toEqual({
      route: { product: 12 },
      names: { tag: 'v1.2.3', version: '1.2.3', name: 'Spring' },
      versionName: '1.2.3',
      title: 'Spring',
      changelogFallback: '',
      file: ['dist/*.zip'],
      asset: []
    })
    expect(named.route).not.toHaveProperty('benefit')
  })

  test('of a benefit', async () => {
    expect((await name({ benefit: '34' })).named.route).toEqual({ product: 12, benefit: 34 })
  })

  test('with templates filled in', async () => {
    const { named } = await name({
      'version-name': '{version} for {tag}',
      title: '{name} {version}',
      'changelog-fallback': 'See {name}, {version}, {tag}',
      file: 'dist/{tag}-{version}.zip\n!dist/{name}.zip'
    })
    expect(named).toMatchObject({
      versionName: '1.2.3 for v1.2.3',
      title: 'Spring 1.2.3',
      changelogFallback: 'See Spring, 1.2.3, v1.2.3',
      file: ['dist/v1.2.3-1.2.3.zip', '!dist/{name}.zip']
    })
  })

  test('with what is put into patterns taken literally', async () => {
    const tagged = { tag: 'v[1]*', release: undefined }
    const { named } = await name({ file: '', asset: 'a-{tag}.zip' }, tagged)
    expect(named.asset).toEqual(['a-v[[]1][*].zip'])
  })

  test('with a version by pattern', async () => {
    const tagged = { tag: 'plugin-v2', release: { ...release, tag: 'plugin-v2' } }
    const { named } = await name({ 'tag-pattern': 'plugin-v{version}' }, tagged)
    expect(named.versionName).toBe('2')
  })

  test.each([
    ['a release without a name', { ...release, name: '' }],
    ['no release', undefined]
  ])('of %s has the tag for a name', async (_, given) => {
    const { named } = await name({}, { tag: 'v1.2.3', release: given })
    expect(named.title).toBe('v1.2.3')
  })
})

describe('a target is faulty', () => {
  test('when the tag does not fit', async () => {
    const { faults } = await name({ 'tag-pattern': 'theme-{version}' })
    expect(faults.map(describeFault)).toEqual([
      'tag-pattern: "theme-{version}" does not fit the tag "v1.2.3"'
    ])
  })

  test('with everything that is wrong at once', async () => {
    const given = {
      'tag-pattern': 'x{version}',
      'version-name': 'v'.repeat(256),
      title: 't'.repeat(256)
    }
    const { faults } = await name(given, { tag: 'v1', release: undefined })
    expect(faults.map(({ place }) => place).toSorted()).toEqual([
      'tag-pattern',
      'title',
      'version-name'
    ])
  })

  test('at its place in the list', async () => {
    const { faults } = await name({ targets: `- title: ${'x'.repeat(256)}` })
    expect(faults.map(({ place }) => place)).toEqual(['targets[0] (line 1), title'])
  })
})

describe.each(['version-name', 'title'] as const)('the length of %s', input => {
  const measure = async (text: string) => {
    const { faults, warnings } = await name({ [input]: text })
    return { faults: faults.map(({ place }) => place), warnings: warnings.length }
  }
  test.each([
    ['255 letters', 'x'.repeat(255), { faults: [], warnings: 0 }],
    ['256 letters', 'x'.repeat(256), { faults: [input], warnings: 0 }],
    ['255 letters of two bytes', 'é'.repeat(255), { faults: [], warnings: 0 }],
    ['127 characters of two UTF-16 units', '🎉'.repeat(127), { faults: [], warnings: 0 }],
    ['128 characters of two UTF-16 units', '🎉'.repeat(128), { faults: [], warnings: 1 }],
    ['255 characters of two UTF-16 units', '🎉'.repeat(255), { faults: [], warnings: 1 }],
    ['256 characters of two UTF-16 units', '🎉'.repeat(256), { faults: [input], warnings: 0 }]
  ])('%s', async (_, text, expected) => {
    expect(await measure(text)).toEqual(expected)
  })

  test('counts what the template comes to', async () => {
    expect(await measure(`{version}${'x'.repeat(250)}`)).toEqual({ faults: [], warnings: 0 })
    expect(await measure(`{version}${'x'.repeat(251)}`)).toEqual({ faults: [input], warnings: 0 })
  })

  test('the fault says how long it is, the warning why it may be refused', async () => {
    const { faults } = await name({ [input]: 'x'.repeat(300) })
    expect(faults.map(describeFault)).toEqual([
      expect.stringContaining(`${input}: is 300 characters long`)
    ])
    expect(faults[0]?.message).toContain(`"${'x'.repeat(60)}…"`)
    const { warnings } = await name({ [input]: '🎉'.repeat(200) })
    expect(warnings).toEqual([expect.stringContaining(`${input}: has 200 characters, but 400`)])
    expect(warnings[0]).toContain('over 255 it may be refused')
  })
})

test('a name that comes out empty is a fault', async () => {
  const tagged = { tag: ' ', release: undefined }
  const { faults } = await name({ 'version-name': '{tag}' }, tagged)
  expect(faults.map(describeFault)).toContain('version-name: comes out empty')
})

test('a place names the input, after that of the target where there is one', async () => {
  const [alone] = (await inputsOf()).targets
  const [listed] = (await inputsOf({ targets: '- benefit: 3' })).targets
  if (!alone || !listed) throw new Error('there is no target')
  expect(placeIn(alone, 'file')).toBe('file')
  expect(placeIn(listed, 'file')).toBe('targets[0] (line 1), file')
  expect([routeOf(alone), routeOf(listed)]).toEqual([{ product: 12 }, { product: 12, benefit: 3 }])
})
