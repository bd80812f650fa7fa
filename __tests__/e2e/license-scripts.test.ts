// Tests of the scripts on the page of the licenses action: what jq makes of lists.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { makeFolder } from '../support/folders.ts'
import { hasJq } from '../support/platform.ts'

const jqTest = hasJq() ? test : test.skip
describe('what jq makes of lists (needs jq)', () => {
  const [expiring = '', counted = '', buyers = '', changed = ''] = Array.from(
    readFileSync(join(ROOT, 'licenses/README.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm),
    ([, script = '']) => script
  )

  /** So many days from now on, in ISO 8601. */
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const license = (id: string, days: number) => {
    return {
      id,
      userId: `of-${id}`,
      productId: '12',
      expires: day(days),
      maxIps: 1
    }
  }

  const run = (script: string, files: Readonly<Record<string, readonly object[]>>): string => {
    const texts = Object.entries(files).map(([name, list]): [string, string] => {
      return [name, JSON.stringify(list)]
    })

    const cwd = makeFolder(Object.fromEntries(texts))
    return execFileSync('bash', ['-eo', 'pipefail', '-c', script], { cwd }).toString()
  }

  jqTest('the licenses that expire within 30 days', () => {
    const odd = [null, '', 'never', 5].map(expires => ({ ...license('odd', 0), expires }))
    const lists = [license('gone', -2), license('soon', 20), license('late', 40), ...odd]
    const [date] = day(20).split('T')
    expect(run(expiring, { 'licenses.json': lists })).toBe(`"of-soon","12","${date}"\n`)
  })

  jqTest('the number of licenses by product and month', () => {
    const one = (productId: string, expires: unknown) => ({ productId, expires })
    const lists = [
      one('13', '2027-03-01T00:00:00Z'),
      one('12', '2027-04-01T00:00:00Z'),
      one('12', '2027-03-31T00:00:00Z'),
      one('12', '2027-03-01'),
      one('12', null)
    ]
    const rows = ['"12","2027-03",2', '"12","2027-04",1', '"13","2027-03",1']
    expect(run(counted, { 'licenses.json': lists }).trim().split('\n')).toEqual(rows)
  })

  jqTest('each buyer once', () => {
    const lists = ['b', 'a', 'b', null].map(userId => ({ userId }))
    expect(run(buyers, { 'licenses.json': lists })).toBe('a\nb\n')
  })

  jqTest('what was added, removed and changed', () => {
    const a = license('a', 1)

    const b = license('b', 1)
    const c = license('c', 1)
    const more = { ...b, maxIps: 2 }
    const files = {
      'last.json': [a, b, c],
      'licenses.json': [c, more, license('d', 9)]
    }

    const { added, removed, changed: other } = JSON.parse(run(changed, files))
    expect([added, removed, other]).toMatchObject([[{ id: 'd' }], [a], [more]])
  })
})
