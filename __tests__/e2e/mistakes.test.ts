// Tests of dist/: the words for wrong inputs, files, tags and checkouts, before anything is sent.
import { expect, test } from '@jest/globals'
import { expectNothingAsked } from '../support/asked.ts'
import { makeCommit } from '../support/git.ts'
import {
  BY_HAND,
  FILE,
  GITHUB_TOKEN,
  openShop,
  type PublishOptions,
  press,
  summaryOf
} from '../support/shop.ts'

const WRONG = {
  'base-url': 'https://user:pass-word-in-an-address@shop.example.com',
  token: 'two words',
  product: '0x12',
  benefit: '-1',
  'allow-lower': 'perhaps',
  'tag-pattern': 'plugin-v',
  'version-name': '{nope}',
  title: '{versoin}',
  prerelease: 'yes',
  upload: 'ftp',
  'base64-file': '[]',
  sha256: 'v1',
  'stall-timeout': '7days',
  'response-timeout': '721',
  'github-token': 'three more words'
}
const UNQUOTED = ['base-url', 'token', 'github-token']

test('of wrong inputs, ten are on the page, and all in the log and the summary', async () => {
  await using shop = await openShop()
  const credentials = ['pass-word-in-an-address', 'two words', 'three more words']
  const run = await shop.publish({ inputs: WRONG, credentials })

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(run.annotations).toHaveLength(10)
  expect(run.annotations[0]?.message).toMatch(/^15 inputs are wrong\.\n.*Run workflow with/)

  const lines = run.log.split('\n').filter(line => /^error: /i.test(line))
  for (const [name, value] of Object.entries(WRONG)) {
    const complaints = lines.filter(line => line.includes(` ${name}: `))
    expect(complaints).toEqual([expect.stringContaining(UNQUOTED.includes(name) ? name : value)])
    expect(summaryOf(run)).toContain(`\n- ${name}: `)
  }
  expectNothingAsked(shop)
  expect(shop.github.requests).toEqual([])
})

test.each<[string, Record<string, string>, RegExp]>([
  ['an empty benefit', { benefit: '' }, /^benefit: is empty.*write `none` only/],
  ['an empty version name', { 'version-name': '' }, /^version-name: is empty.*Leave the input out/],
  [
    'the release’s name for a version’s',
    { 'version-name': '{name}' },
    /allowed are \{tag\}, \{version\}/
  ],
  ['GitHub’s token for the shop’s', { token: GITHUB_TOKEN }, /^token: is GitHub’s own token/],
  ['a token that begins as GitHub’s do', { token: 'ghp_x1y2z3' }, /^token: is a GitHub token/],
  ['two files', { asset: '*.zip' }, /^file: contradicts `asset`/],
  ['an exclusion first', { file: '!a*\n*.zip' }, /^file: [\s\S]*excludes before it names anything/],
  ['a comment alone', { file: '#build/*.bin' }, /^file: "#build\/\*\.bin" is a comment/],
  ['quotes', { file: '"dist/a.zip"' }, /^file: "dist\/a\.zip" has quotes around it/],
  ['quotes of a name', { file: '', asset: "'a.zip'" }, /^asset: 'a\.zip' has quotes around it/],
  ['quotes of a rule', { contents: '!“*.map”' }, /^contents: !“\*\.map” has quotes around it/],
  [
    'backslashes in a rule, which would exclude nothing',
    { contents: '*.php\n!gallery\\tests\\**' },
    /^contents: "!gallery\\tests\\\*\*" has backslashes: write "!gallery\/tests\/\*\*"/
  ],
  [
    'an address of the API',
    { 'base-url': 'https://shop.example.com/de/API/v1/licenses/' },
    /^base-url: .*includes a path of the API.*: give "https:\/\/shop\.example\.com\/de"\.\n/
  ],
  [
    'one below a folder of that name',
    { 'base-url': 'https://example.com/api/shop/api' },
    /^base-url: .*: give "https:\/\/example\.com\/api\/shop"\.\n/
  ],
  ['two texts', { changelog: 'A', 'changelog-file': 'B.md' }, /^changelog: contradicts/],
  ['base64 with a benefit', { upload: 'base64', benefit: '34' }, /^upload: "base64" cannot/]
])('it stops at %s', async (_, inputs, message) => {
  await using shop = await openShop()
  const run = await shop.publish({ inputs, secrets: [] })

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(run.annotations[0]?.message).toMatch(message)
  expectNothingAsked(shop)
  expect(shop.github.requests).toEqual([])
})

test.each([
  ['CHANGELOG_FILE', 'CHANGELOG.md', 'the input is `changelog-file`.'],
  ['Version-Name', '9', 'the input is `version-name`.'],
  ['STATUS', 'draft', 'the inputs are base-url, token,']
])('INPUT_%s is no input, and stops it', async (name, value, hint) => {
  await using shop = await openShop()
  const run = await shop.publish({ env: { [`INPUT_${name}`]: value } })

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(run.annotations[0]?.message).toContain(hint)
  expect(run.annotations[0]?.message).toContain(
    `If INPUT_${name} is a variable of your own, rename`
  )
  expectNothingAsked(shop)
  expect(shop.github.requests).toEqual([])
})

const runWith = (inputs: PublishOptions['inputs']) => {
  return { event: BY_HAND, inputs: { tag: 'v1.4.2', file: FILE, ...inputs } }
}

const OTHER = '7d1b31e74ee336d15cbd21741bc88a537ed063a0'

interface CheckedOut {
  readonly name: string
  /** Whether the tag is the commit that is checked out. */
  readonly isTag: boolean
  readonly options: PublishOptions
  readonly outcome: string
  /** Empty unless it failed. */
  readonly reason: string
  /** The kinds of the annotations that say so. */
  readonly kinds: readonly string[]
}

test.each<CheckedOut>([
  {
    name: 'a branch, by hand',
    isTag: false,
    options: runWith({}),
    outcome: 'failed',
    reason: 'commit',
    kinds: ['error']
  },
  {
    name: 'a branch, on purpose',
    isTag: false,
    options: runWith({ 'allow-other-version': 'true' }),
    outcome: 'published',
    reason: '',
    kinds: []
  },
  {
    name: 'the tag, by hand',
    isTag: true,
    options: runWith({}),
    outcome: 'published',
    reason: '',
    kinds: []
  },
  {
    name: 'another commit, on the release',
    isTag: false,
    options: {},
    outcome: 'published',
    reason: '',
    kinds: ['warning']
  }
])('the workspace holds $name', async ({ isTag, options, outcome, reason, kinds }) => {
  await using shop = await openShop()
  const commit = makeCommit(shop.workspace)
  shop.addRelease({}, { commit: isTag ? commit : OTHER })

  const { outputs, annotations } = await shop.publish(options)

  expect(outputs).toMatchObject({ outcome, reason })
  expect(annotations.map(({ kind }) => kind)).toEqual(kinds)

  const said = `has the commit ${commit.slice(0, 7)} checked out, and the tag v1.4.2 is the commit 7d1b31e`
  for (const { message } of annotations) {
    expect(message).toContain(said)
  }
  expect(shop.service.versions).toHaveLength(outcome === 'published' ? 1 : 0)
})

test.each([
  ['plugin-v1.4.2', "set `tag-pattern: 'plugin-v{version}'`"],
  [
    'nightly',
    'Make the release with a tag such as `v1.4.2`. If the whole tag is the version’s name, set'
  ]
])('the tag %s stops it, and says what to set', async (tag, text) => {
  await using shop = await openShop({ release: { tag } })
  const { outputs, annotations } = await shop.publish({ inputs: { file: FILE } })

  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(annotations).toMatchObject([{ message: expect.stringContaining(text) }])
  expectNothingAsked(shop)
})

test('a check that fails is called so', async () => {
  await using shop = await openShop()
  const run = await shop.publish({
    event: press({ mode: 'check', tag: '' }),
    inputs: { product: 'gallery' }
  })
  expect(run.annotations).toMatchObject([{ title: 'Check failed' }])
  expectNothingAsked(shop)
  expect(shop.github.requests).toEqual([])
})

test.each([
  ['an unknown product', { product: '99' }, '99/versions', /no such product: check `product`\./],
  [
    'the option’s id for the benefit’s',
    { benefit: '5' },
    '12/benefits/5/versions',
    /the number `id` of the benefit in the shop’s list of benefits, not its `option_id`\./
  ]
])('a 404 says which address it was, and what to check: %s', async (_, inputs, path, hint) => {
  await using shop = await openShop()
  const run = await shop.publish({ inputs: { file: FILE, ...inputs } })

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  const address = `\nThe address was ${shop.service.url}/api/products/${path}: if the shop is elsewhere`
  expect(run.annotations[0]?.message).toContain(address)
  expect(run.annotations[0]?.message).toMatch(hint)
  expect([shop.service.versions, shop.github.deployments]).toEqual([[], []])
})

test('a shop whose address ends in `/api/shop` is published to', async () => {
  await using shop = await openShop({
    service: { pathPrefix: '/api/shop' }
  })

  const run = await shop.publish()

  expect(run.outputs).toMatchObject({ outcome: 'published', reason: '' })
  expect(shop.service.url).toMatch(/\/api\/shop$/)
})
