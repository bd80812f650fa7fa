// Tests the counts by product: right for a few, bounded for very many, and in the summary.
import { describe, expect, test } from '@jest/globals'
import { madeUpLicenses } from '../../sandbox/licenses.ts'
import { countProducts } from '../../src/licenses/tally.ts'
import { API_KEY, openLicenses } from './listing.ts'

function count(products: readonly string[]) {
  const tally = countProducts()
  for (const product of products) {
    // Something else stands around it.
    const json = Buffer.from(`[${product}]`)
    tally.add(tally.find(json, 1, json.length - 1))
  }
  return { products: tally.products(), others: tally.others }
}

describe('products', () => {
  test('are counted each, those with most licenses first', () => {
    expect(count(['"a"', '"b"', '"c"', '"b"', '""'])).toEqual({
      products: [
        { product: 'b', count: 2 },
        { product: '', count: 1 },
        { product: 'a', count: 1 },
        { product: 'c', count: 1 }
      ],
      others: 0
    })
  })

  test('are one when they differ in their writing alone', () => {
    expect(count(['"é"', '"\\u00e9"']).products).toEqual([{ product: 'é', count: 2 }])
  })

  test('are told apart although they begin alike, or share a place in the table', () => {
    const products = Array.from({ length: 5000 }, (_, index) => `"${index}"`)
    const counts = count([...products, ...products]).products
    expect(counts).toHaveLength(5000)
    expect(new Set(counts.map(entry => entry.count))).toEqual(new Set([2]))
  })

  test('are counted together once there are more than ten thousand', () => {
    const products = Array.from({ length: 10_007 }, (_, index) => `"${index}"`)
    const { products: counted, others } = count([...products, ...products])
    expect([counted.length, others]).toEqual([10_000, 14])
  })

  test('are counted together when their ids are very long', () => {
    const long = `"${'x'.repeat(300)}"`
    expect(count([long, '"a"', long])).toEqual({
      products: [{ product: 'a', count: 1 }],
      others: 2
    })
  })
})

test('the summary shows a hundred products, and the rest in one line', async () => {
  const products = Array.from({ length: 130 }, (_, index) => index + 1000)
  await using register = await openLicenses(madeUpLicenses(260, products))
  const { summary, outputs, masks } = await register.list({ inputs: { format: 'none' } })
  expect(summary.match(/^\| 1\d{3} \| 2 \|$/gm)).toHaveLength(100)
  expect(summary).toContain('| other products | 60 |')
  expect(outputs.count).toBe('260')
  expect(masks).toEqual([API_KEY])
})
