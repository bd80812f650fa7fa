// Tests that the listing is exact: every page once, every license once, whatever way the pages are cut and end.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type LastPage, type License, madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { openLicenses, openRegister } from './listing.ts'

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

  test('in pieces gives the same as in one', async () => {
    const pieces = fc.record({
      count: fc.integer({ min: 1, max: 40 }),
      size: fc.integer({ min: 1, max: 9 }),
      pages: fc.integer({ min: 1, max: 4 })
    })
    await fc.assert(
      fc.asyncProperty(pieces, async ({ count, size, pages }) => {
        const licenses = madeUpLicenses(count)
        await using register = await openLicenses(licenses, { size })
        const all: unknown[] = []
        for (let next = '1'; next !== ''; ) {
          const inputs = { 'first-page': next, 'max-pages': String(pages) }
          const { outputs, text } = await register.list({ inputs })
          all.push(...licensesIn(text, 'json'))
          next = outputs.next_page ?? ''
        }
        expect(all).toEqual(licenses)
        const numbers = Array.from({ length: Math.ceil(count / size) }, (_, index) => index + 1)
        expect(register.asked()).toEqual(numbers)
      }),
      { numRuns: 30 }
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
                  repeated === 1 ? '1 license was listed' : `${repeated} licenses were listed`
                )
              ]
        )
      }),
      { numRuns: 40 }
    )
  })

  test('knows an id again that is written in another way', async () => {
    const [license] = madeUpLicenses(1)
    const line = JSON.stringify(license)
    const escaped = line.replace('lic_', '\\u006cic_')
    await using register = await openRegister(() => `{"licenses":[${line},${escaped}]}`)
    const { outputs } = await register.list()
    expect(outputs.count).toBe('1')
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
    expect([outputs.outcome, outputs.count, text]).toEqual(['listed', '0', '[]\n'])
    expect(log).toContain('notice: No license: None of the licenses is of the product "99".')
  })
})
