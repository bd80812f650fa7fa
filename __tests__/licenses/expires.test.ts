// Tests which licenses expire soon: the forms of dates that are read, the edges of the time, and what is no date.
import { describe, expect, test } from '@jest/globals'
import { madeUpLicenses } from '../../sandbox/licenses.ts'
import { makeExpiryFilter, parseExpiry } from '../../src/licenses/expires.ts'
import { openLicenses } from './listing.ts'

const NOW = Date.parse('2028-02-20T12:00:00Z')
const soon = makeExpiryFilter(NOW, 14)

test.each<[string, boolean]>([
  // The time is from 2028-02-20T12:00Z to 2028-03-05T12:00Z, over a leap day.
  ['2028-02-20T12:00:00Z', true],
  ['2028-02-20T12:00:00.250Z', true],
  ['2028-02-20T11:59:59Z', false],
  ['2028-03-05T12:00:00Z', true],
  ['2028-03-05T12:00:01Z', false],
  ['2028-02-20', true],
  ['2028-02-19', false],
  ['2028-03-05', true],
  ['2028-03-06', false],
  ['2028-02-29', true],
  ['2028-02-19T24:00', false],
  ['2028-02-20T24:00:00Z', true],
  ['2028-03-05T12:00', true],
  ['2028-03-05 12:00:00', true],
  ['2028-03-05 12:00:00 Z', true],
  [' 2028-03-05t12:00:00,5z ', true],
  ['2028-02-20T07:00:00-05:00', true],
  ['2028-02-20T06:59:59-05:00', false],
  ['2028-02-20T17:29:59+0530', false],
  ['2028-02-20T17:30:00+0530', true],
  ['2028-03-06T01:00:00+13', true],
  ['2028-03-05T23:59:60-12:30', false],
  ['9999-12-31T23:59:59Z', false],
  ['0001-01-01T00:00:00Z', false],
  ['', false],
  ['never', false],
  ['lifetime – für immer', false]
])('a license that ends %j: soon %s', (expires, expected) => {
  expect(soon(expires)).toBe(expected)
})

test.each([
  ['20.02.2028', '`00.00.0000`'],
  ['2028-02-30', '`0000-00-00`'],
  ['2027-02-29', '`0000-00-00`'],
  ['2028-13-01T00:00:00Z', '`0000-00-00a00:00:00a`'],
  ['2028-02-20T25:00:00Z', '`0000-00-00a00:00:00a`'],
  ['2028-02-20T12:60:00Z', '`0000-00-00a00:00:00a`'],
  ['2028-02-20T12:00:00+24:00', '`0000-00-00a00:00:00+00:00`'],
  ['20280220', '`00000000`'],
  ['1834660800', '`0000000000`'],
  ['+010000-01-01T00:00:00Z', '`+000000-00-00a00:00:00a`'],
  ['Ünal’s 2 😀\n', '`aaaa?a 0 ??`'],
  ['٢٠٢٨', '`0000`'],
  ['٢'.repeat(50), `\`${'0'.repeat(40)}…\``]
])('%j is no date that is read, and told by its shape alone', (expires, shape) => {
  expect(parseExpiry(expires)).toBeUndefined()
  expect(() => soon(expires)).toThrow(`of the form ${shape} (each digit as 0, each letter as a)`)
})

test('a hostile date ends at once', () => {
  for (const text of ['2028-02-20T12:00:00.', '0', ' ', '2028-02-20 ']) {
    expect(() => soon(`${text}${'0 '.repeat(1_000_000)}x1`)).toThrow(/of the form/)
  }
}, 5000)

describe('a listing', () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const dated = (...expiries: readonly string[]) =>
    madeUpLicenses(expiries.length).map((one, index) => ({ ...one, expires: expiries[index] }))

  test('holds and counts only those that expire soon; all are counted, too', async () => {
    const all = dated(day(-1), day(1), 'never', day(13).slice(0, 10), day(15), '')
    await using register = await openLicenses(all, { size: 4 })
    for (const format of ['json', 'none']) {
      const inputs = { 'expires-within': '14', format }
      const { outputs, text, log, summary } = await register.list(inputs)
      expect(outputs).toMatchObject({ outcome: 'listed', count: '6', expiring: '2', pages: '2' })
      if (format === 'json') expect(JSON.parse(text)).toEqual([all[1], all[3]])
      const wrote = '; wrote the 2 expiring within 14 days into'
      const told = format === 'json' ? wrote : ', 2 expiring within 14 days.'
      expect(log.join('\n')).toContain(`Listed 6 licenses from 2 pages${told}`)
      expect(summary).toContain('## ✅ 6 licenses, 2 expiring within 14 days')
    }
    const { outputs } = await register.list({ 'expires-within': '1', product: '13' })
    expect(outputs).toMatchObject({ count: '3', expiring: '1' })
  })

  test('fails for one date in another form, without the value, and leaves no file', async () => {
    await using register = await openLicenses(dated('never', day(1), '31/12/2027'), { size: 2 })
    const { outputs, log, summary, files } = await register.list({ 'expires-within': '14' })
    expect(outputs).toMatchObject({ reason: 'strange-answer', path: '', expiring: '', pages: '2' })
    expect(log.at(-1)).toMatch(/the form `00\/00\/0000` .*\nLeave out `expires-within`, or ask/)
    expect([`${log}${summary}`.includes('31/12'), files]).toEqual([false, []])
    // Nobody asked for dates.
    expect((await register.list()).outputs).toMatchObject({ count: '3', expiring: '' })
  })
})
