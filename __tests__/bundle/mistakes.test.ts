// Owns what a user is told on dist/ of wrong inputs, files, tags and checkouts, before anything is sent.
import { expect, test } from '@jest/globals'
import {
  BY_HAND,
  FILE,
  openShop,
  type PublishOptions,
  type Shop,
  summaryOf
} from '../support/shop.ts'

const WRONG = {
  'base-url': 'https://user:pass-word-in-an-address@shop.example.com',
  token: 'two words',
  product: '0x12',
  benefit: '-1',
  file: '# only a comment\n!dist/**',
  order: 'falling',
  'tag-pattern': 'plugin-v',
  'version-name': '{nope}',
  title: '{versoin}',
  prerelease: 'yes',
  upload: 'ftp',
  'base64-file': '[]',
  once: 'twice',
  'download-link': 'maybe',
  'stall-timeout': '7days',
  'response-timeout': '0',
  'github-token': 'two words'
}
const UNQUOTED = ['base-url', 'token', 'file', 'github-token']

test('of wrong inputs, ten are on the page, and all in the log and the summary', async () => {
  await using shop = await openShop()
  const credentials = ['pass-word-in-an-address', 'two words']
  const run = await shop.publish({ inputs: WRONG, credentials })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(run.annotations).toHaveLength(10)
  const first =
    /^Nothing was published: 17 problems have to be fixed first\.\n.*Then Actions → Release → Run workflow with/
  expect(run.annotations[0]?.message).toMatch(first)
  const lines = run.log.split('\n').filter(line => /^error: /i.test(line))
  for (const [name, value] of Object.entries(WRONG)) {
    const told = lines.filter(line => line.includes(` ${name}: `))
    expect(told).toEqual([expect.stringContaining(UNQUOTED.includes(name) ? name : value)])
    expect(summaryOf(run)).toContain(`\n- ${name}: `)
  }
  expect([shop.service.requests, shop.github.requests]).toEqual([[], []])
})

test('faults of the release and of the inputs are reported together', async () => {
  await using shop = await openShop({ release: { body: '\r\n ', name: 'x'.repeat(256) } })
  const run = await shop.publish({ inputs: { 'tag-pattern': 'plugin-v{version}' } })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  const said = (text: RegExp) => expect.stringMatching(text)
  const misfit = /: "plugin-v\{version\}" does not match the tag "v1\.4\.2"$/
  expect(run.annotations.slice(1)).toMatchObject([
    { title: 'tag-pattern', message: said(misfit) },
    { title: 'title', message: said(/256 characters.*255/) },
    { title: 'changelog', message: said(/v1\.4\.2 has no notes/) }
  ])
  expect([shop.service.requests, shop.github.requests]).toEqual([[], []])
})

test('several files: a table, and how to narrow', async () => {
  await using shop = await openShop()
  await shop.write('dist/old/gallery-1.4.1.zip', 'old')
  const run = await shop.publish({ inputs: { file: 'dist/**/*.zip' } })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'several-files' })
  const message = run.annotations[0]?.message ?? ''
  expect(message).toMatch(/^file: 2 files match, and exactly one has to:\n/)
  expect(message).toMatch(/1\.4\.2\.zip" +315 bytes +\d{4}-\d\d-\d\dT[\d:]+Z +fits 1\.4\.2\n/)
  expect(message).toMatch(/old\/gallery-1\.4\.1\.zip" +131 bytes .* another version\n/)
  expect(message).toContain('\n  dist/gallery-{version}.zip\n')
})

test.each([
  ['INPUT_BENEFITS', 'benefits: is not an input of this action. Did you mean `benefit`?'],
  ['INPUT_DRY-RUN', 'dry-run: is not an input of this action. Did you mean `mode: plan`?']
])(
  'an input that the action has not, %s, stops it, and another variable does not',
  async (name, text) => {
    await using shop = await openShop()
    const run = await shop.publish({ env: { [name]: 'true', INPUT_BRANCH: 'main' } })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
    expect(run.annotations).toMatchObject([{ message: expect.stringContaining(text) }])
    expect([shop.service.requests, shop.github.requests]).toEqual([[], []])
  }
)

test('a name that people have in `env:`, too, is a warning', async () => {
  await using shop = await openShop({ inputs: { record: 'false' } })
  const run = await shop.publish({ env: { INPUT_VERSION: '9' } })
  expect(run.outputs.outcome).toBe('published')
  const message = expect.stringContaining('`version-name`')
  expect(run.annotations).toMatchObject([{ kind: 'warning', message }])
})

const OTHER = 'c0ffee0000000000000000000000000000000000'
const TAG_SHA = '7d1b31e74ee336d15cbd21741bc88a537ed063a0'
const RUN = { event: BY_HAND, inputs: { tag: 'v1.4.2', file: FILE } }

/** A workspace as `actions/checkout` leaves it on a branch. */
async function checkOut(shop: Shop, commit: string) {
  await shop.write('.git/HEAD', 'ref: refs/heads/main\n')
  await shop.write('.git/refs/heads/main', `${commit}\n`)
}

test.each<[string, string, PublishOptions, string, string[]]>([
  ['a branch, by hand', OTHER, RUN, 'failed commit', ['error']],
  [
    'a branch, in a plan',
    OTHER,
    { ...RUN, inputs: { ...RUN.inputs, mode: 'plan' } },
    'failed commit',
    ['error']
  ],
  [
    'a branch, on purpose',
    OTHER,
    { ...RUN, inputs: { ...RUN.inputs, 'allow-other-version': 'true' } },
    'published ',
    []
  ],
  ['the tag, by hand', TAG_SHA, RUN, 'published ', []],
  ['another commit, on the release', OTHER, {}, 'published ', ['warning']],
  ['the tag, on the release', TAG_SHA, {}, 'published ', []]
])('the workspace holds %s', async (_, commit, options, expected, kinds) => {
  await using shop = await openShop({ inputs: { record: 'false' } })
  shop.addRelease({}, { commit: TAG_SHA })
  await checkOut(shop, commit)
  const { outputs, annotations } = await shop.publish(options)
  expect(`${outputs.outcome} ${outputs.reason}`).toBe(expected)
  expect(annotations.map(({ kind }) => kind)).toEqual(kinds)
  const said = 'has the commit c0ffee0 checked out, and the tag v1.4.2 is the commit 7d1b31e'
  for (const { message } of annotations) expect(message).toContain(said)
  expect(shop.service.versions).toHaveLength(kinds.includes('error') ? 0 : 1)
})

test.each([
  ['plugin-v1.4.2', "Set `tag-pattern: 'plugin-v{version}'`"],
  ['nightly', "If that is the version’s name, set `version-name: '{tag}'`"]
])('the tag %s stops it, and says what to set', async (tag, text) => {
  await using shop = await openShop({ release: { tag } })
  const { outputs, annotations } = await shop.publish({ inputs: { file: FILE } })
  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(annotations).toMatchObject([{ message: expect.stringContaining(text) }])
  expect(shop.service.requests).toEqual([])
})
