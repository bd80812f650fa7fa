// Tests of src/publish/naming.ts: names and patterns of targets, from their inputs and the release.
import { expect, test } from '@jest/globals'
import { nameTargets } from '../../src/publish/naming.ts'
import type { Tagged } from '../../src/release/release.ts'
import { describeFault } from '../../src/runner/values.ts'
import { release } from '../release/released.ts'
import { type Given, inputsOf, tagged } from './running.ts'

/** The first target's names, and every problem. */
async function name(given: Given = {}, over: Partial<Tagged> = {}) {
  const { named, problems } = nameTargets(await inputsOf(given), { ...tagged, ...over })
  return { named: named[0], problems: problems.map(describeFault) }
}

const PLAIN = {
  route: { product: 12 },
  ...{ versionName: '1.2.3', title: 'Spring', changelogFallback: '' },
  ...{ source: 'file', patterns: ['dist/*.zip'], rules: [] }
}
const TEMPLATES = {
  ...{ 'version-name': '{version} for {tag}', title: '{name} {version}', benefit: '34' },
  ...{ 'changelog-fallback': 'See {name}', file: 'dist/{tag}-{version}.zip\n!dist/{name}.zip' }
}
const FILLED = {
  route: { product: 12, benefit: 34 },
  ...{ versionName: '1.2.3 for v1.2.3', title: 'Spring 1.2.3', changelogFallback: 'See Spring' },
  patterns: ['dist/v1.2.3-1.2.3.zip', '!dist/{name}.zip']
}
const ASSET = { file: '', asset: 'a-{tag}.zip' }
test.each<[string, Given, Partial<Tagged>, object]>([
  ['as inputs and release say', {}, {}, PLAIN],
  ['with templates filled in', TEMPLATES, {}, FILLED],
  [
    'with texts taken literally',
    ASSET,
    { tag: 'v[1]*' },
    { source: 'asset', patterns: ['a-v[[]1][*].zip'] }
  ],
  ['with any version for a stand-in', ASSET, { standIn: 'It is.' }, { patterns: ['a-*.zip'] }],
  ['by pattern', { 'tag-pattern': 'p-v{version}' }, { tag: 'p-v2' }, { versionName: '2' }],
  ['by the tag without a name', {}, { release: { ...release, name: '' } }, { title: 'v1.2.3' }],
  ['by the tag without a release', {}, { release: undefined }, { title: 'v1.2.3' }]
])('a target is named %s', async (_, given, over, expected) => {
  const { named, problems } = await name(given, over)
  expect(problems).toEqual([])
  expect(named).toMatchObject(expected)
})

const LONG = { 'version-name': `{version}${'🎉'.repeat(251)}` }
const TOO_LONG = 'version-name: is 256 characters long, and the shop accepts at most 255: '
test.each<[string, Given, string[]]>([
  ['not another product', { targets: '- product: 12\n- product: 13' }, []],
  ['not a benefit beside the product itself', { targets: '- product: 12\n- benefit: 3' }, []],
  ['not another version', { targets: '- product: 12\n- version-name: "{version}-lts"' }, []],
  ['not 255 characters of two UTF-16 units', { title: '🎉'.repeat(255) }, []],
  ['more of them', LONG, [`${TOO_LONG}"1.2.3${'🎉'.repeat(55)}…"`]]
])('a problem is %s', async (_, given, expected) => {
  expect((await name(given)).problems).toEqual(expected)
})

const WHOLE = "set `version-name: '{tag}'`"
test.each<[string, Given, string[]]>([
  [
    'plugin-v1.4.2',
    {},
    [`plugin-v{version}'\`; or, if the whole tag is the version’s name, ${WHOLE}`]
  ],
  ['plugin-v1.4.2', { 'tag-pattern': 'plugin-v{version}' }, []],
  ['plugin-v1.4.2', { 'version-name': '{tag}' }, []],
  ['latest', {}, ['no version in the tag "latest". If that is the version’s name, set']],
  ['latest', { 'version-name': '{tag}' }, []],
  ['latest', { 'version-name': 'Nightly {version}' }, ['no version in the tag "latest"']],
  ['latest', { 'version-name': 'Spring' }, []],
  ['mc1.20-v2', {}, []]
])('the tag %s with %j has these problems: %j', async (tag, given, expected) => {
  const { problems } = await name(given, { tag })
  expect(problems).toEqual(expected.map(text => expect.stringContaining(text)))
  for (const problem of problems) expect(problem).toMatch(/^version-name: /)
})

test('of targets, the one that needs the version is named, and one without it is not', async () => {
  const targets = "- version-name: '{tag}'\n- product: 13"
  const { problems } = await name({ targets }, { tag: 'latest' })
  expect(problems).toEqual([expect.stringMatching(/^entry 2, version-name: /)])
})
