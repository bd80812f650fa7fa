// Tests that the listing is exact: every page once, every license once, whatever way the pages are cut and end.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type LastPage, type License, madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { API_KEY, openLicenses, openRegister } from './listing.ts'

const ENDINGS: readonly LastPage[] = ['absent', 'null', 'zero', 'same', 'first', 'empty-page']

const listing = fc.record({
  count: fc.nat({ max: 60 }),
  size: fc.integer({ min: 1, max: 20 }),
  last: fc.constantFrom(...ENDINGS),
  text: fc.boolean(),
  step: fc.constantFrom(1, 1, 3, 1000),
  format: fc.constantFrom('json', 'ndjson')
})

function licensesIn(text: string, format: string): unknown[] {
  if (format === 'json') return JSON.parse(text)
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}

describe('a whole listing', () => {
  test('asks for each page once and holds every license once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(listing, async ({ count, format, ...options }) => {
        const licenses = madeUpLicenses(count)
        await using register = await openLicenses(licenses, options)
        const { outputs, text } = await register.list({ inputs: { format } })
        const filled = Math.max(Math.ceil(count / options.size), 1)
        // Whether the empty page at the end is needed to know, or all of them are empty.
        const pages = options.last === 'empty-page' && count > 0 ? filled + 1 : filled
        expect(licensesIn(text, format)).toEqual(licenses)
        expect(register.asked()).toEqual(
          Array.from({ length: pages }, (_, index) => 1 + index * options.step)
        )
        expect(outputs).toMatchObject({
          outcome: 'listed',
          reason: '',
          count: String(count),
          pages: String(pages),
          next_page: ''
        })
      }),
      { numRuns: 60 }
    )
  })

  test('that another license pushes on meanwhile holds each once, and warns', async () => {
    const moves = fc.record({
      count: fc.integer({ min: 1, max: 40 }),
      size: fc.integer({ min: 1, max: 9 }),
      arriving: fc.array(fc.nat({ max: 3 }), { maxLength: 8 })
    })
    await fc.assert(
      fc.asyncProperty(moves, async ({ count, size, arriving }) => {
        const fresh = madeUpLicenses(40).map(license => ({ ...license, id: `new-${license.id}` }))
        let list = madeUpLicenses(count)
        const sent: License[] = []
        await using register = await openRegister(page => {
          const body = pagesOf(list, { size })(page)
          sent.push(...list.slice((page - 1) * size, page * size))
          // New licenses come first, and push the others towards later pages.
          list = [...fresh.splice(0, arriving[page - 1] ?? 0), ...list]
          return body
        })
        const { outputs, text, log } = await register.list()
        const firsts = [...new Map(sent.map(license => [license.id, license])).values()]
        const repeated = sent.length - firsts.length
        expect(licensesIn(text, 'json')).toEqual(firsts)
        expect(outputs.count).toBe(String(firsts.length))
        expect(log.filter(line => line.startsWith('warning: '))).toEqual(
          repeated === 0
            ? []
            : [
                expect.stringContaining(
                  repeated === 1 ? '1 license came' : `${repeated} licenses came`
                )
              ]
        )
      }),
      { numRuns: 40 }
    )
  })

  test.each([
    ['short', 1],
    ['long', 300]
  ])('knows %s ids again, and tells those apart that differ at their ends', async (_, length) => {
    const [license] = madeUpLicenses(1)
    const [one, other] = ['1', '2'].map(end => ({ ...license, id: 'x'.repeat(length) + end }))
    await using register = await openLicenses([one, other, one, other], { size: 2 })
    const { outputs, text } = await register.list()
    expect(outputs.count).toBe('2')
    expect(JSON.parse(text)).toEqual([one, other])
  })
})

describe('a range of pages', () => {
  test('ends quietly where the list ends with it', async () => {
    await using register = await openLicenses(madeUpLicenses(20), { size: 10 })
    const { outputs, log } = await register.list({ inputs: { 'max-pages': '2' } })
    expect(outputs).toMatchObject({ pages: '2', next_page: '', count: '20' })
    expect(log.filter(line => line.startsWith('notice'))).toEqual([])
  })

  test('that ends before it asks for no page more, and says where to go on', async () => {
    await using register = await openLicenses(madeUpLicenses(50), { size: 10, step: 5 })
    const { outputs, log } = await register.list({
      inputs: { 'first-page': '6', 'max-pages': '2' }
    })
    expect(register.asked()).toEqual([6, 11])
    expect(outputs).toMatchObject({ pages: '2', next_page: '16', count: '20', outcome: 'listed' })
    expect(log).toContain(
      'notice: There are more pages: `max-pages` ended the listing before page 16.'
    )
  })
})

test('in pieces the listing is the same as in one', async () => {
  const licenses = madeUpLicenses(40)
  await using register = await openLicenses(licenses, { size: 4 })
  const all: unknown[] = []
  for (let next = '1'; next !== ''; ) {
    const inputs = { 'first-page': next, 'max-pages': '3' }
    const { outputs, text } = await register.list({ inputs })
    all.push(...licensesIn(text, 'json'))
    next = outputs.next_page ?? ''
  }
  expect(all).toEqual(licenses)
  expect(register.asked()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('the summary shows the hundred largest products, and the rest in one line', async () => {
  const products = Array.from({ length: 130 }, (_, index) => index + 1000)
  await using register = await openLicenses(madeUpLicenses(261, products))
  const { summary, outputs, masks } = await register.list({ inputs: { format: 'none' } })
  expect(summary.match(/^\| 1\d{3} \| [23] \|$/gm)).toHaveLength(100)
  expect(summary).toContain('| Product | Licenses |\n|---|---|\n| 1000 | 3 |')
  expect(summary).toContain('| other products | 60 |')
  expect(outputs.count).toBe('261')
  expect(masks).toEqual([API_KEY])
})

describe('the licenses of one product', () => {
  test('are kept alone, counted alone and written alone', async () => {
    const licenses = madeUpLicenses(30, [12, 13, 120])
    await using register = await openLicenses(licenses, { size: 7 })
    const { outputs, text, summary } = await register.list({ inputs: { product: '12' } })
    expect(JSON.parse(text)).toEqual(licenses.filter(({ productId }) => productId === '12'))
    expect(outputs).toMatchObject({ count: '10', pages: '5' })
    expect(summary).toContain('| 12 | 10 |')
    expect(summary).not.toContain('| 13 |')
  })

  test('may be none, which is no failure, but told', async () => {
    await using register = await openLicenses(madeUpLicenses(3))
    const { outputs, text, log } = await register.list({ inputs: { product: '99' } })
    expect([outputs.outcome, outputs.count, text]).toEqual(['listed', '0', '[\n]\n'])
    expect(log).toContain('notice: No licenses: No license is for the product "99".')
  })
})
