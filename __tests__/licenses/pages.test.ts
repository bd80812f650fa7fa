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

test.each<[string, Readonly<Record<number, Page>>, number, readonly number[]]>([
  ['names itself, and nothing follows', { 1: [0, 5, 2], 2: [5, 8, 2] }, 8, [1, 2, 3]],
  ['names the first, and all follow it', { 1: [0, 5, 2], 2: [5, 8, 1], 3: [0, 5] }, 8, [1, 2, 3]],
  ['names -1', { 1: [0, 5, -1] }, 5, [1, 2]],
  ['is empty, and so is the next', { 1: [0, 5, 2], 2: [5, 5, 9], 9: [5, 5, 10] }, 5, [1, 2, 9]],
  ['is empty and names itself', { 1: [0, 5, 2], 2: [5, 5, 2], 3: [2, 4, 4] }, 5, [1, 2, 3]]
])('a last page that %s is the end', async (_, pages, count, asked) => {
  await using register = await answers(pages)
  const { outputs, text, log } = await register.list()

  expect(outputs).toMatchObject({ outcome: 'listed', count: String(count), next_page: '' })
  expect([JSON.parse(text), register.asked()]).toEqual([ALL.slice(0, count), asked])
  // A page that was only asked for to be sure does not count, and is no sign that the list changed.
  expect(outputs.pages).toBe(String(asked.length - 1))
  expect(log.filter(line => /^warning/.test(line))).toEqual([])
  expect(log[0]).toMatch(/^info: The list ends here: page \d (is empty, and )?names page -?\d/)
})

test.each<[string, Readonly<Record<number, Page>>, RegExp]>([
  ['names itself', { 1: [0, 5, 2], 2: [5, 8, 2], 3: [8, 9] }, /page 2 names page 2 .* page 3 has/],
  ['names page 1', { 1: [0, 5, 2], 2: [5, 8, 1], 3: [4, 9] }, /page 2 names page 1 .* page 3 has/],
  ['is empty', { 1: [0, 5, 2], 2: [5, 5, 3], 3: [5, 8] }, /page 2 is empty, and names page 3 .* 3/]
])('a page that %s while the next has new licenses is an error', async (_, pages, message) => {
  await using register = await answers(pages)
  for (const product of ['', '12', '99']) {
    const { outputs, files, log } = await register.list({ product })
    expect(outputs).toMatchObject({ outcome: 'failed', reason: 'strange-answer', path: '' })
    expect(log.at(-1)).toMatch(/The list contradicts itself: /)
    expect([log.at(-1), files]).toEqual([expect.stringMatching(message), []])
    expect(log.join()).not.toMatch(/lic_|usr_/)
  }
})

test.each([
  ['in the shop’s words', { message: 'No such page.' }, 'listed'],
  ['by a page of somebody else’s', '<html>', 'failed']
])('a next page that is refused %s: %s', async (_, body, outcome) => {
  for (const status of [400, 404, 410, 422]) {
    await using register = await answers({ 1: [0, 5, 1] })
    register.service.misbehave({ kind: 'slow-answer', ms: 0 }, { kind: 'answer', status, body })

    const { outputs } = await register.list()

    expect([status, outputs.outcome]).toEqual([status, outcome])
  }
})

test('a list that brings the same licenses again and again ends as failed', async () => {
  await using register = await answers({ 0: [0, 3, 'rising'] })
  const { outputs, files, log } = await register.list()

  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'strange-answer', pages: '11' })
  expect(files).toEqual([])
  expect(log.at(-1)).toContain('the last 10 pages, up to page 11, brought no new license')
})
