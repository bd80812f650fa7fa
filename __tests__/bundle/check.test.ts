// Tests of check mode, through the bundle: it finds what is wrong, and cannot publish.
import { expect, test } from '@jest/globals'
import { openShop } from '../support/shop.ts'

const CHECK = { mode: 'check', file: '' }
const event = { name: 'workflow_dispatch', payload: {} }

test('every target is checked, without a release or a file, and nobody asks GitHub', async () => {
  await using shop = await openShop({
    inputs: { ...CHECK, targets: '- upload: base64\n- benefit: 34' }
  })
  const run = await shop.publish({ event })
  expect(run.outputs).toMatchObject({ outcome: 'checked', reason: '' })
  expect(run.log).toContain('knows the token and product 12, benefit 34')
  expect(run.conclusion).toBe('success')
  expect(shop.service.requests.map(({ path }) => path)).toEqual([
    '/api/products/12/versions',
    '/api/products/12/benefits/34/versions'
  ])
  expect([shop.github.requests, shop.service.versions]).toEqual([[], []])
})

test('what is wrong is found, in the service’s own words', async () => {
  await using shop = await openShop({ inputs: { ...CHECK, product: '13' } })
  const run = await shop.publish({ event })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(run.log).toContain('answered 403: ')
  expect(run.conclusion).toBe('failure')
})
