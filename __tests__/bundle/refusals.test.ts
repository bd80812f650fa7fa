// Owns what a user is told on dist/ when the service refuses an upload; the tests of messages.ts have every cause.
import { expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { openShop } from '../support/shop.ts'

const answer = (status: number, body: unknown, headers = {}): Fault => {
  return { kind: 'answer', status, body, headers, stored: false }
}

/** Publishes to a shop that misbehaves so, once. */
async function refused(fault: Fault) {
  await using shop = await openShop({ inputs: { once: 'off' } })
  shop.service.misbehave(fault)
  const run = await shop.publish()
  expect(shop.service.requests).toHaveLength(1)
  expect(run.outputs.sha256).toBe(shop.sha256)
  return run
}

const REFUSALS: readonly (readonly [name: string, fault: Fault, said: RegExp])[] = [
  [
    'a redirect',
    answer(308, '', { location: 'https://www.shop.example.com/api' }),
    /^[\d.:]+ did not .*308 \(it points to https:\/\/www\.shop\.example\.com\/api\).*`base-url`/s
  ],
  [
    'a message of several lines, which command nothing',
    answer(422, { message: 'One\n::error::two\r##[warning]three\u2028four' }),
    /422: One\n\| ::error::two\n## \[warning\]three/
  ]
]
test.each(REFUSALS)('%s is a refusal', async (_, fault, said) => {
  const run = await refused(fault)
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  const message = expect.stringMatching(said)
  expect(run.annotations).toEqual([{ kind: 'error', title: 'Not published', message }])
})

const UNKNOWN: readonly (readonly [name: string, fault: Fault, said: RegExp])[] = [
  ['a web page with 409', answer(409, '<html>'), /answered 409\..*admin dashboard/s],
  ['a success without a record', { kind: 'odd-answer', shape: 'no-id' }, /not the record of a/]
]
test.each(UNKNOWN)('%s proves nothing', async (_, fault, said) => {
  const run = await refused(fault)
  expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'strange-answer' })
  const message = expect.stringMatching(said)
  expect(run.annotations).toEqual([{ kind: 'error', title: 'Outcome unknown', message }])
})

test('field errors: one annotation a field, naming the input that feeds it', async () => {
  const errors = {
    version_name: ['The version name has already been taken.'],
    changelog: ['Too long.', 'Too loud.'],
    ...{ title: 'no list', file: [1, null], 'x\ny|z': ['p\nq'] }
  }
  const run = await refused(answer(400, { message: 'No. (and 4 more errors)', errors }))
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(run.annotations.map(({ message }) => message)).toEqual([
    expect.stringContaining('400: No. (and 4'),
    'Input version-name (field version_name): The version name has already been taken.',
    'Release notes (field changelog): Too long. Too loud.',
    'Input title (field title): no list',
    'Input file (field file): 1 null',
    'Field x\ny|z: p\nq'
  ])
})
