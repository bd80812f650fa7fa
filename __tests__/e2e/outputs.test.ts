// Tests of dist/: the outputs, the record's fields and ours, on every way out.
import { expect, test } from '@jest/globals'
import { runAction } from '../support/runner.ts'
import { GITHUB_TOKEN, NOTES, openShop, summaryOf, TOKEN } from '../support/shop.ts'

const RECORD = [
  'id',
  'product_id',
  'option_id',
  'purchase_benefit_id',
  'benefit_name',
  'version_number',
  'title',
  'changelog',
  'download_url',
  'file_name',
  'created_at',
  'updated_at'
]
const OURS = ['outcome', 'reason', 'version_id', 'version', 'sha256', 'size']
/** The outputs of a run that ends before it has anything to say. */
const EMPTY = {
  ...Object.fromEntries([...RECORD, ...OURS].map(name => [name, ''])),
  published: 'false'
}

test('every field of the record is an output, and `version` is the record as answered', async () => {
  await using shop = await openShop()

  const run = await shop.publish({ inputs: { benefit: '34' } })

  const { version = '', ...outputs } = run.outputs
  const record = shop.service.versions[0]?.record
  expect({ ...outputs, version: '' }).toEqual({
    ...EMPTY,
    outcome: 'published',
    published: 'true',
    version_id: '1001',
    id: '1001',
    product_id: '12',
    option_id: '5',
    purchase_benefit_id: '34',
    version_number: '1',
    benefit_name: 'Gallery for studios',
    title: 'Gallery 1.4.2',
    changelog: NOTES,
    file_name: 'gallery-1.4.2.zip',
    sha256: shop.sha256,
    size: String(shop.zip.length),
    download_url: record?.download_url,
    created_at: record?.created_at,
    updated_at: record?.updated_at
  })

  expect(JSON.parse(version)).toEqual(record)
  // Nobody but later steps sees the address.
  expect([run.log, run.summary].some(text => text.includes('/downloads/'))).toBe(false)
})

test('other fields of the record stay in `version`, are never taken for ours, and long ids keep their digits', async () => {
  await using shop = await openShop()
  const ours = '"outcome":"failed","sha256":"mine","version_id":8,"published":"x","title":null'
  const body = `{"data":{"id":9007199254740993123,"nested":{"a":[1,null]},${ours}}}`
  shop.service.misbehave({ kind: 'answer', status: 200, body })

  const { outputs } = await shop.publish()

  expect(outputs).toMatchObject({
    outcome: 'published',
    published: 'true',
    title: '',
    sha256: shop.sha256,
    version_id: '9007199254740993123'
  })
  expect(outputs.version).toContain('"id":9007199254740993123,')
  expect(JSON.parse(outputs.version ?? '')).toMatchObject({ nested: { a: [1, null] } })
})

test('a field that is no text does not change the outcome', async () => {
  await using shop = await openShop()
  const body = { data: { id: 7, download_url: { toString: 1 }, title: ['a'] } }
  shop.service.misbehave({ kind: 'answer', status: 201, body })

  const { outputs } = await shop.publish()

  expect(outputs).toMatchObject({
    outcome: 'published',
    id: '7',
    download_url: '{"toString":1}'
  })
})

test('field errors: one annotation a field, naming the input that feeds it', async () => {
  await using shop = await openShop()
  const errors = {
    version_name: ['The version name has already been taken.'],
    changelog: ['Too long.', 'Too loud.'],
    changelog_format: 'no list',
    file: [1, null],
    'x\ny|z': ['p\nq']
  }
  const message = 'No.\n::error::two\r##[warning]three\u2028four'
  shop.service.misbehave({
    kind: 'answer',
    status: 400,
    body: { message, errors },
    stored: false
  })

  const run = await shop.publish()

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected', sha256: shop.sha256 })
  expect(run.annotations.map(it => it.message)).toEqual([
    expect.stringMatching(
      /400 and says "No\. ::error::two ## \[warning]three.four"\.\n[\s\S]*mark-published/
    ),
    'version-name (field version_name): the shop says "The version name has already been taken."',
    'the release notes (field changelog): the shop says "Too long. Too loud."',
    'changelog-format (field changelog_format): the shop says "no list"',
    'file (field file): the shop says "1 null"',
    'field "x\\ny|z": the shop says "p q"'
  ])
})

test('outputs that cannot be written fail the step, and log, summary and record say what was published', async () => {
  await using shop = await openShop()
  const run = await runAction({
    workspace: shop.workspace,
    githubToken: GITHUB_TOKEN,
    secrets: [TOKEN],
    event: shop.event(),
    inputs: shop.inputs(),
    env: {
      GITHUB_REPOSITORY: 'acme/gallery',
      GITHUB_API_URL: shop.github.url,
      GITHUB_SHA: shop.github.commitOf('v1.4.2') ?? '',
      // A folder can be written to as little as a full disk.
      GITHUB_OUTPUT: shop.workspace
    }
  })

  expect(run.exitCode).toBe(1)
  expect(run.annotations).toMatchObject([{ kind: 'error', title: 'Outputs are missing' }])
  expect(run.annotations[0]?.message).toMatch(/cannot be written \(EISDIR.*Version id: 1001\.$/)
  expect(run.log).toContain('Published. Version id: 1001.')
  expect(summaryOf(run)).toContain('Published: 1.4.2')
  expect(shop.histories()).toEqual(['in_progress success'])
})
