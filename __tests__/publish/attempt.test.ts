// Tests of src/publish/attempt.ts: what the memory is told of a result.
import { expect, test } from '@jest/globals'
import { endingOf } from '../../src/publish/attempt.ts'
import type { PublishResult } from '../../src/shop/publish.ts'
import { openTestRun } from './running.ts'

test.each<[string, Omit<Extract<PublishResult, { kind: 'unknown' }>, 'kind' | 'cause'>, string]>([
  ['no answer after the tail', {}, 'sent, but no answer says whether it was published'],
  [
    'a success before the tail',
    { status: 201, early: true },
    'shop.example.com answered 201 before the request was complete'
  ]
])('an unknown outcome is recorded with its reason: %s', async (_, more, reason) => {
  const { run } = await openTestRun({ inputs: { 'base-url': 'https://shop.example.com' } })
  const result = { kind: 'unknown', cause: new Error('x'), ...more } as const
  expect(endingOf(result, { ...run, showLink: false })).toEqual({
    kind: 'unknown',
    reason
  })
})
