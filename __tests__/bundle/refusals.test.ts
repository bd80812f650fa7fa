// Owns what a user is told when the service refuses, in each of its two shapes and in none of them.
import { describe, expect, test } from '@jest/globals'
import type { Run } from '../support/runner.ts'
import { openShop, type PublishOptions } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }

/** Publishes to a service that answers this once, and stores nothing. */
async function refused(status: number, body: unknown, location?: string): Promise<Run> {
  await using shop = await openShop(off)
  const headers = location === undefined ? {} : { headers: { location } }
  shop.service.misbehave({ kind: 'answer', status, body, ...headers, stored: false })
  const run = await shop.publish()
  expect(shop.service.requests).toHaveLength(1)
  return run
}

describe('a message alone', () => {
  const rows: readonly (readonly [name: string, options: PublishOptions, said: RegExp])[] = [
    [
      'a wrong token: 401',
      { inputs: { token: 'another-token-than-the-right-one' } },
      /401: Unauthenticated\..*token is wrong, expired or revoked.*`token`/s
    ],
    [
      'a product of somebody else: 403',
      { inputs: { product: '13' } },
      /403: This product is not yours\..*`product`/s
    ],
    [
      'a product that does not exist: 404',
      { inputs: { product: '99' } },
      /404: Not found\..*`product`/s
    ],
    [
      'a benefit that does not exist: 404',
      { inputs: { benefit: '99' } },
      /404: Not found\..*`benefit`/s
    ]
  ]
  test.each(rows)('%s', async (_, options, said) => {
    await using shop = await openShop(off)
    const credentials = ['another-token-than-the-right-one']
    const run = await shop.publish({ ...options, credentials })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(run.annotations).toMatchObject([
      { kind: 'error', title: 'Not published', message: expect.stringMatching(said) }
    ])
    expect(run.annotations[0]?.message).toContain(new URL(shop.service.url).host)
    expect(shop.service.versions).toEqual([])
  })

  test('a base address without its prefix: 404, and which route was not found', async () => {
    await using shop = await openShop({ ...off, service: { pathPrefix: '/shop' } })
    const run = await shop.publish({ inputs: { 'base-url': shop.service.origin } })
    expect(run.annotations[0]?.message).toMatch(/404: The route \/api\/products\/12.*`base-url`/s)
  })

  test('413 is quoted, with its likely cause', async () => {
    const run = await refused(413, { message: 'Said so' })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    const said = expect.stringMatching(/413: Said so.*larger than the shop accepts/s)
    expect(run.annotations).toMatchObject([{ message: said }])
  })

  test('429 for longer than a run waits is quoted, with what to do', async () => {
    await using shop = await openShop(off)
    const body = { message: 'Slow down.' }
    const headers = { 'retry-after': '600' }
    shop.service.misbehave({ kind: 'answer', status: 429, headers, body, stored: false })
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(run.annotations[0]?.message).toMatch(/429: Slow down\..*later/s)
    expect(shop.service.requests).toHaveLength(1)
  })

  test('lines of a message command nothing, and stay apart', async () => {
    const message = 'One\n::error::two\r##[warning]three\u2028four'
    const run = await refused(422, { message })
    expect(run.annotations).toHaveLength(1)
    expect(run.annotations[0]?.message).toMatch(/One\n\| ::error::two\n## \[warning\]three/)
  })
})

describe('field errors', () => {
  test('the service’s own: one annotation a field, naming the input that feeds it', async () => {
    const run = await refused(422, {
      message: 'The title field is required. (and 5 more errors)',
      errors: {
        version_name: ['The version name has already been taken.'],
        title: ['The title field is required.'],
        changelog: ['Too long.', 'Too loud.'],
        changelog_format: ['The selected changelog format is invalid.'],
        file: ['The file must be a zip.'],
        license: ['What is this?']
      }
    })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(run.annotations.every(({ kind }) => kind === 'error')).toBe(true)
    expect(run.annotations.map(({ title, message }) => [title, message])).toEqual([
      ['Not published', expect.stringContaining('422: The title field is required. (and 5')],
      ...[
        ['Input version-name (field version_name)', 'The version name has already been taken.'],
        ['Input title (field title)', 'The title field is required.'],
        ['Release notes (field changelog)', 'Too long. Too loud.'],
        [
          'Input changelog-format (field changelog_format)',
          'The selected changelog format is invalid.'
        ],
        ['Input file (field file)', 'The file must be a zip.'],
        ['Field license', 'What is this?']
        // The log does not show titles.
      ].map(([title, message]) => [title, `${title}: ${message}`])
    ])
  })

  test('with another status, they count as well', async () => {
    const run = await refused(400, { message: 'No.', errors: { title: ['Too short.'] } })
    expect(run.annotations).toMatchObject([
      { title: 'Not published' },
      { message: 'Input title (field title): Too short.' }
    ])
  })

  test('of odd shapes, whatever is there is quoted', async () => {
    const odd = { title: 'no list', file: [1, null, { a: 'b' }], 'x\ny|z': ['p\nq'] }
    const errors = { ...odd, changelog: [] }
    const run = await refused(422, { message: 'No.', errors })
    expect(run.annotations.map(({ message }) => message)).toEqual([
      expect.stringContaining('422: No.'),
      'Input title (field title): no list',
      'Input file (field file): 1 null {"a":"b"}',
      'Field x\ny|z: p\nq',
      'Release notes (field changelog): was refused without a reason'
    ])
  })
})

describe('neither shape', () => {
  test('403 from a proxy is a refusal', async () => {
    const run = await refused(403, '<html><title>Nope</title></html>')
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(run.annotations[0]?.message).toContain('answered 403')
  })

  test.each([409, 500])('%d proves nothing', async status => {
    const run = await refused(status, '<html><title>Nope</title></html>')
    expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'strange-answer' })
    expect(run.annotations).toMatchObject([
      { kind: 'error', title: 'Outcome unknown', message: expect.stringContaining(String(status)) }
    ])
    expect(run.annotations[0]?.message).toContain('admin dashboard')
  })

  test('a 201 that is no record proves nothing', async () => {
    await using shop = await openShop(off)
    shop.service.misbehave({ kind: 'odd-answer', shape: 'no-id' })
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'strange-answer' })
    expect(run.outputs).toMatchObject({ sha256: shop.sha256, version_id: '' })
  })
})

describe('redirects', () => {
  test('308 is a refusal that quotes where it points', async () => {
    const run = await refused(308, '', 'https://www.shop.example.com/api')
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(run.annotations[0]?.message).toMatch(
      /308.*https:\/\/www\.shop\.example\.com\/api.*`base-url`/s
    )
  })

  test('302 proves nothing, is not followed, and is quoted with where it points', async () => {
    const run = await refused(302, '', 'https://www.shop.example.com/login')
    expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'strange-answer' })
    expect(run.annotations[0]?.message).toContain('https://www.shop.example.com/login')
  })
})
