// Tests of src/publish/inputs.ts: every input, right and wrong, all problems at once, and no credential quoted.
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ROOT, readManifest } from '../../scripts/manifest.ts'
import {
  answerTimeout,
  INPUT_NAMES,
  type InputName,
  parsePublishInputs
} from '../../src/publish/inputs.ts'
import { type Given, GOOD, inputsOf, parse, problemsOf } from './running.ts'

const DEFAULTS = {
  ...{ baseUrl: 'https://shop.example.com', token: 'pat_123', githubToken: 'ghs_1' },
  ...{ tag: '', tagPattern: '', prerelease: 'skip', mode: 'publish', fileVersion: 'agree' },
  ...{ assetTimeout: 60_000, auditSince: '', order: 'rising', settleAs: undefined },
  ...{ base64File: { before: '{"name":"{file_name}","content":"', after: '"}' } },
  ...{ once: 'require', downloadLink: 'auto', stallTimeout: 60_000, responseTimeout: undefined }
}
const TARGET_DEFAULTS = {
  ...{ place: '', route: { product: 12 }, product: 12, benefit: undefined, asset: [] },
  ...{ file: ['dist/*.zip'], contents: [], versionName: '{version}', title: '{name}' },
  ...{ upload: 'multipart', changelog: '', changelogFile: '', changelogFallback: '' },
  ...{ changelogFormat: 'markdown', changelogLinks: 'auto', changelogSection: 'version' }
}

test('the least that can be given has the defaults of action.yml; blank is the same as none', async () => {
  const { inputs } = readManifest(join(ROOT, 'action.yml'))
  expect([...inputs.keys()].toSorted()).toEqual(INPUT_NAMES.toSorted())
  const defaults = [...inputs].map(([name, input]) => [name, input.default ?? ' \n'])
  for (const given of [{}, Object.fromEntries(defaults)]) {
    const expected = { ...DEFAULTS, targets: [TARGET_DEFAULTS] }
    expect(await inputsOf({ ...given, ...GOOD })).toEqual(expected)
  }
})

test.each<[InputName, string, object]>([
  ['base-url', ' http://127.0.0.1:8080/shop/ ', { baseUrl: 'http://127.0.0.1:8080/shop' }],
  ['token', ' pat_123\n', { token: 'pat_123' }],
  ['file', '# a\r\na/*.zip\r\n!a/*-b.zip\r\n', { targets: [{ file: ['a/*.zip', '!a/*-b.zip'] }] }],
  ['tag', ' refs/tags/v1.2.3 ', { tag: 'v1.2.3' }],
  ['changelog', ' - New ', { targets: [{ changelog: '- New' }] }],
  ['prerelease', ' only ', { prerelease: 'only' }],
  ['base64-file', '{"data": "{base64}"}', { base64File: { before: '{"data":"' } }],
  ['stall-timeout', ' 0.5 ', { stallTimeout: 500 }],
  ['response-timeout', ' 86400 ', { responseTimeout: 86_400_000 }]
])('%s may be %j', async (input, text, expected) => {
  expect(await inputsOf({ [input]: text })).toMatchObject(expected)
})

test('an asset may be in the place of a file, and is waited for as long as is said', async () => {
  const inputs = await inputsOf({ file: '', asset: '*-{version}.zip', 'asset-timeout': '0' })
  const targets = [{ file: [], asset: ['*-{version}.zip'] }]
  expect(inputs).toMatchObject({ targets, assetTimeout: 0 })
})

const WORDS = 'allowed are {tag}, {version} and {name}'
test.each<[InputName, string, string]>([
  ['tag-pattern', 'v', '"v" must contain {version} exactly once'],
  ['prerelease', 'Skip', '"Skip" is not one of "skip", "publish", "only"'],
  ['base64-file', '{', 'is not JSON'],
  ['github-token', '', 'is empty; leave it out to use the job’s own token'],
  [
    'token',
    '',
    'needs `environment:` in the job, a reusable workflow needs the secret passed under `secrets:`'
  ],
  [
    'token',
    'Bearer pat_123',
    'begins with "Bearer", which is added: save the secret again without it'
  ],
  ['product', 'gallery', '"gallery" is not a positive integer; it is the number in the address'],
  ['benefit', 'x', '"x" is not a positive integer; it is the number `id` in the shop’s list'],
  ['asset-timeout', '-1', '"-1" is not a number of seconds (from 0, up to 86400)'],
  ['asset-timeout', '5', 'works only with `asset`'],
  ['file', '', 'is required; give it, or `asset`'],
  ['file', '!dist/*-debug.zip\ndist/*.zip', '"!dist/*-debug.zip" selects no file: add a line'],
  ['file', '# nothing\n\n', '"# nothing" selects no file: add a line'],
  ['version-name', '{versoin}', `"{versoin}"; ${WORDS}`],
  ['title', '{ name }', `"{ name }"; ${WORDS}`],
  ['changelog', 'docs/CHANGES.md', '"docs/CHANGES.md" names a file: use `changelog-file`'],
  ['changelog', 'New in {version}', 'would be sent as it is: {version} is not filled'],
  ['changelog-fallback', '{nmae}', `"{nmae}"; ${WORDS}`]
])('what is wrong with %s (%j) is told with what is accepted', async (input, value, text) => {
  const problems = await problemsOf({ [input]: value })
  expect(problems).toEqual([expect.stringMatching(`^${input}: `)])
  expect(problems.join().slice(`${input}: `.length)).toContain(text)
})

test.each<[string, Given, string[]]>([
  ['publish', { token: '', file: '' }, ['token', 'file']],
  ['publish', { asset: 'a', changelog: 'b', 'changelog-file': 'c' }, ['file', 'changelog']],
  ['publish', { 'changelog-section': 'whole' }, ['changelog-section']],
  ['publish', { benefit: '3', upload: 'base64' }, ['upload']],
  ['plan', { token: '', file: '', 'github-token': '' }, ['file']],
  ['check', { token: '', file: '', product: '', 'github-token': '' }, ['token', 'product']],
  ['check', { file: 'dist/*.zip' }, []],
  ['publish', { 'github-token': '', once: 'off' }, []],
  ['publish', { 'github-token': '', once: 'auto' }, []],
  ['settle', { token: '', file: '', 'settle-as': 'published' }, []],
  ['settle', { 'github-token': '', once: 'auto' }, ['github-token', 'settle-as']],
  ['audit', { token: '', file: '', 'audit-since': 'v1' }, []],
  ['audit', { file: '', targets: '- asset: a\n- benefit: 3' }, ['entry 1, asset']],
  ['audit', { file: '', asset: 'a', tag: 'v1', once: 'off' }, ['once', 'asset', 'tag']],
  ['plan', { 'approved-plan': 'a'.repeat(64) }, ['approved-plan']],
  ['check', { 'settle-as': 'published', 'audit-since': 'v1' }, ['settle-as', 'audit-since']],
  ['Plan', { token: '', file: '', product: 'x' }, ['mode', 'token', 'product', 'file']],
  ['setle', { 'settle-as': 'published' }, ['mode']]
])('in mode %s, given %j, wrong are %j', async (mode, given, wrong) => {
  const { problems } = await parse({ ...GOOD, mode, ...given })
  expect(problems.map(({ place }) => place)).toEqual(wrong)
})

test.each([
  ['as long as it is told to', '7', 5 * 1024 ** 3, 7000],
  ['five minutes for a small file', '', 0, 300_000],
  ['a second more for each MiB that is begun', '', 100 * 1024 ** 2 + 1, 401_000]
])('the shop gets %s', async (_, given, bytes, expected) => {
  expect(answerTimeout(await inputsOf({ 'response-timeout': given }), bytes)).toBe(expected)
})

test('an input under another name is refused, and the right one is not called missing', async () => {
  const given = new Map(Object.entries({ ...GOOD, token: '', file: '' }))
  const names = ['tokens', 'fiel', 'version', ...INPUT_NAMES]
  const { inputs, problems, warnings } = await parsePublishInputs(
    name => given.get(name) ?? '',
    names
  )
  expect(inputs).toBeUndefined()
  expect(problems).toMatchObject([{ place: 'tokens' }, { place: 'fiel' }])
  expect(warnings).toEqual([expect.stringContaining('"version" is not an input of this action')])
})
