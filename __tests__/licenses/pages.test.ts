// Tests of src/licenses/pages.ts: a part of a list is never taken for the whole, and no list goes on for ever.
import { expect, test } from '@jest/globals'
import { madeUpLicenses } from '../../sandbox/licenses.ts'
import { openRegister } from './listing.ts'

const ALL = madeUpLicenses(30)

/** Licenses of a page, from one up to another, and what it names as the next page. */
type Page = readonly [from: number, to: number, next?: unknown]

function answers(pages: Readonly<Record<number, Page>>) {
  return openRegister(number => {
    const page = pages[number] ?? pages[0]
    if (page === undefined) return undefined

    const [from, to, next] = page
    return {
      licenses: ALL.slice(from, to),
      nextPage: next === 'rising' ? number + 1 : next
    }
  })
}

const NAMES = /The list ends here: page 2 names page [12] as the next one\./

test.each<[string, Readonly<Record<number, Page>>, readonly number[], RegExp]>([
  ['names itself', { 1: [0, 5, 2], 2: [5, 8, 2], 3: [8, 9] }, [1, 2], NAMES],
  ['names page 1', { 1: [0, 5, 2], 2: [5, 8, 1], 3: [8, 9] }, [1, 2], NAMES],
  ['is empty and names a later one', { 1: [0, 8, 3], 3: [8, 8, 4], 4: [8, 9] }, [1, 3], /^/],
  [
    'is empty and names an earlier one',
    { 1: [0, 5, 2], 2: [5, 8, 9], 9: [8, 8, 2] },
    [1, 2, 9],
    /^/
  ],
  ['is the only one, and names itself', { 1: [0, 8, 1] }, [1], /page 1 names page 1/]
])(
  'a page that %s is the last, and no page behind it is asked for',
  async (_, pages, asked, said) => {
    await using register = await answers(pages)
    const { outputs, text, log } = await register.list()

    expect(outputs).toMatchObject({ outcome: 'listed', count: '8' })
    expect([JSON.parse(text), register.asked()]).toEqual([ALL.slice(0, 8), asked])
    expect(log.filter(line => /^warning/.test(line))).toEqual([])
    expect(log[0]).toMatch(said)
  }
)

test.each<[string, Readonly<Record<number, Page>>, RegExp]>([
  ['an earlier page', { 1: [0, 5, 2], 2: [5, 8, 3], 3: [8, 9, 2] }, /: page 3 names page 2 as/],
  ['page -1', { 1: [0, 5, -1] }, /: page 1 names page -1 as/]
])('a page that names %s as the next is an error', async (_, pages, message) => {
  await using register = await answers(pages)
  const { outputs, files, log } = await register.list()

  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'strange-answer', path: '' })
  expect(log.at(-1)).toMatch(/The list contradicts itself: /)
  expect([log.at(-1), files]).toEqual([expect.stringMatching(message), []])
  expect(log.join()).not.toMatch(/lic_|usr_/)
})

test('a list that brings the same licenses again and again ends as failed', async () => {
  await using register = await answers({ 0: [0, 3, 'rising'] })
  const { outputs, files, log } = await register.list()

  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'strange-answer' })
  expect(files).toEqual([])
  expect(log.at(-1)).toContain('the last 10 pages, up to page 11, brought no new license')
})

test('a list that ends with the tenth such page is complete', async () => {
  const repeated = Array.from({ length: 9 }, (_, index) => [index + 2, [0, 8, index + 3]] as const)
  await using register = await answers({
    1: [0, 8, 2],
    ...Object.fromEntries(repeated),
    11: [0, 8]
  })
  const { outputs } = await register.list()

  expect(outputs).toMatchObject({ outcome: 'listed', count: '8' })
})
