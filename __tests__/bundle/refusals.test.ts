// Owns what a user is told on dist/ when the service refuses; the tests of messages.ts have every cause.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { openShop, type PublishOptions } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }
const PAGE = '<html><title>Nope</title></html>'
const answer = (status: number, body: unknown, headers = {}): Fault => {
  return { kind: 'answer', status, body, headers, stored: false }
}

const REFUSALS: readonly (readonly [
  name: string,
  given: PublishOptions & { readonly fault?: Fault },
  said: RegExp
])[] = [
  [
    'a wrong token',
    { inputs: { token: 'another-token-than-the-right-one' } },
    /^Nothing was uploaded\. [\d.:]+ answered 401: Unauthenticated\..*expired or revoked.*`token`/s
  ],
  ['a benefit that does not exist', { inputs: { benefit: '99' } }, /404: Not found\..*`benefit`/s],
  ['a proxy’s 403', { fault: answer(403, PAGE) }, /answered 403 with a web page.*`base-url`/s],
  [
    'a redirect',
    { fault: answer(308, '', { location: 'https://www.shop.example.com/api' }) },
    /308 \(it points to https:\/\/www\.shop\.example\.com\/api\).*`base-url`/s
  ],
  [
    'a pause of an hour',
    { fault: answer(429, { message: 'Slow down.' }, { 'retry-after': '3600' }) },
    /429: Slow down\..*in 60 minutes or later/s
  ],
  [
    'a message of several lines, which command nothing',
    { fault: answer(422, { message: 'One\n::error::two\r##[warning]three\u2028four' }) },
    /One\n\| ::error::two\n## \[warning\]three/
  ]
]
test.each(REFUSALS)('%s is a refusal', async (_, { fault, ...options }, said) => {
  await using shop = await openShop(off)
  if (fault) shop.service.misbehave(fault)
  const credentials = ['another-token-than-the-right-one']
  const run = await shop.publish({ ...options, credentials })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(run.annotations).toEqual([
    { kind: 'error', title: 'Not published', message: expect.stringMatching(said) }
  ])
  expect(shop.service.versions).toEqual([])
  expect(shop.service.requests).toHaveLength(fault ? 1 : 0)
})

const UNKNOWN: readonly (readonly [name: string, fault: Fault, said: RegExp])[] = [
  ['a conflict', answer(409, PAGE), /answered 409/],
  [
    'a redirect that may be a login',
    answer(302, '', { location: 'https://www.shop.example.com/login' }),
    /answered 302 and pointed to https:\/\/www\.shop\.example\.com\/login/
  ],
  ['a success without a record', { kind: 'odd-answer', shape: 'no-id' }, /not the record of a/]
]
test.each(UNKNOWN)('%s proves nothing', async (_, fault, said) => {
  await using shop = await openShop(off)
  shop.service.misbehave(fault)
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'strange-answer' })
  expect(run.outputs).toMatchObject({ sha256: shop.sha256, version_id: '' })
  const message = expect.stringMatching(said)
  expect(run.annotations).toEqual([{ kind: 'error', title: 'Outcome unknown', message }])
  expect(run.annotations[0]?.message).toContain('admin dashboard')
})

test('field errors: one annotation a field, naming the input that feeds it', async () => {
  await using shop = await openShop(off)
  const errors = {
    version_name: ['The version name has already been taken.'],
    changelog: ['Too long.', 'Too loud.'],
    ...{ title: 'no list', file: [1, null, { a: 'b' }], 'x\ny|z': ['p\nq'] }
  }
  shop.service.misbehave(answer(400, { message: 'No. (and 4 more errors)', errors }))
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(run.annotations.map(({ message }) => message)).toEqual([
    expect.stringContaining('400: No. (and 4'),
    'Input version-name (field version_name): The version name has already been taken.',
    'Release notes (field changelog): Too long. Too loud.',
    'Input title (field title): no list',
    'Input file (field file): 1 null …',
    'Field x\ny|z: p\nq'
  ])
})
