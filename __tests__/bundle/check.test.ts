// Tests of check mode, through the bundle: it finds what is wrong, and cannot publish.
import { describe, expect, test } from '@jest/globals'
import { openShop } from '../support/shop.ts'

const CHECK = { mode: 'check', file: '' }
const dispatch = { name: 'workflow_dispatch', payload: {} }

test('a good token and good ids are checked, without a release or a file', async () => {
  await using shop = await openShop({ inputs: CHECK })
  const run = await shop.publish({ event: dispatch })
  expect(run.outputs).toMatchObject({ outcome: 'checked', reason: '' })
  expect(run.log).toContain('knows the token and product 12')
  expect(run.conclusion).toBe('success')
  expect(shop.github.requests).toEqual([])
  expect(shop.service.versions).toEqual([])
})

test('every target is checked, also in the form of base64', async () => {
  await using shop = await openShop({
    inputs: { ...CHECK, targets: '- upload: base64\n- benefit: 34' }
  })
  const run = await shop.publish({ event: dispatch })
  expect(run.outputs.outcome).toBe('checked')
  expect(shop.service.requests.map(({ path }) => path)).toEqual([
    '/api/products/12/versions',
    '/api/products/12/benefits/34/versions'
  ])
})

describe('what is wrong is found, in the service’s own words', () => {
  test.each([
    ['a bad token', { token: 'another-token-that-opens-nothing' }, 401],
    ['a token without the right', { product: '13' }, 403]
  ])('%s', async (_, inputs, status) => {
    await using shop = await openShop({ inputs: { ...CHECK, ...inputs } })
    const run = await shop.publish({ event: dispatch })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(run.log).toContain(`answered ${status}: `)
  })
})

test('an answer that is not one of the documented ones is inconclusive', async () => {
  await using shop = await openShop({ inputs: CHECK })
  const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' }
  shop.service.misbehave({ kind: 'answer', ...page, stored: false })
  const run = await shop.publish({ event: dispatch })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'inconclusive' })
  expect(run.log).toContain('answered 200')
})
