// Tests what has changed since an earlier list: all of it, once, and nothing that only seems to have changed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type License, madeUpLicenses, pagesByWeek } from '../../sandbox/licenses.ts'
import { openDigests } from '../../src/licenses/known.ts'
import { PRIVATE } from '../support/platform.ts'
import { openLicenses, openRegister, type Register } from './listing.ts'

const WITH = { 'compare-with': 'earlier.json' }
const toLines = (licenses: readonly unknown[]) =>
  licenses.map(one => `${JSON.stringify(one)}\n`).join('')
const toJson = (licenses: readonly unknown[]) =>
  licenses.length === 0 ? '[\n]\n' : `[\n${toLines(licenses).trim().replaceAll('\n', ',\n')}\n]\n`

/** Compares with a text under that name. */
function compare(register: Register, text: string, inputs = {}, name = 'earlier.json') {
  writeFileSync(join(register.workspace, name), text)
  return register.list({ 'compare-with': name, ...inputs })
}

/** Each license as it was and as it is; undefined where it was not, or is not. */
const licenses = fc.array(
  fc.record({ was: fc.option(fc.nat({ max: 2 })), is: fc.option(fc.nat({ max: 2 })) }),
  { maxLength: 40 }
)
const [ANY] = madeUpLicenses(1)
const make = (index: number, product: number | null): License[] =>
  ANY && product !== null ? [{ ...ANY, id: `lic-${index}`, productId: `${product}` }] : []

test('it is what differs, of all licenses or of one product, in either format and any order', async () => {
  const cases = fc.record({
    licenses,
    product: fc.constantFrom('', '1'),
    isArray: fc.boolean(),
    format: fc.constantFrom('json', 'ndjson', 'csv', 'none'),
    size: fc.integer({ min: 1, max: 9 })
  })
  const property = fc.asyncProperty(cases, async ({ licenses, product, isArray, format, size }) => {
    const before = licenses.flatMap(({ was }, index) => make(index, was))
    const now = licenses.flatMap(({ is }, index) => make(index, is)).toReversed()
    const ofProduct = (all: readonly License[]) =>
      all.filter(it => !product || it.productId === product)
    const [were, are] = [ofProduct(before), ofProduct(now)]
    const had = new Map(were.map(one => [one.id, JSON.stringify(one)]))
    const has = new Set(are.map(({ id }) => id))
    const common = are.filter(({ id }) => had.has(id))
    await using register = await openLicenses(now, { size })
    const text = (isArray ? toJson : toLines)(before)
    const name = isArray ? 'earlier.json' : 'earlier.ndjson'
    const { outputs, changes, files } = await compare(register, text, { product, format }, name)
    if (were.length > 0 && common.length === 0) {
      expect([outputs.reason, outputs.changes_path]).toEqual(['compare-with', ''])
      return
    }
    const expected = {
      added: are.filter(({ id }) => !had.has(id)),
      removed: were.filter(({ id }) => !has.has(id)),
      changed: common.filter(one => had.get(one.id) !== JSON.stringify(one))
    }
    expect(changes).toEqual(expected)
    const counts = Object.entries(expected).map(([kind, all]) => [kind, String(all.length)])
    expect(outputs).toMatchObject({ outcome: 'listed', ...Object.fromEntries(counts) })
    expect(files.filter(file => /part$/.test(file))).toEqual([])
  })
  await fc.assert(property, { numRuns: 60 })
})

test('it is not there when the list could not take its name', async () => {
  const blocked: string[] = []
  await using register = await openRegister(page => {
    for (const path of blocked) mkdirSync(path, { recursive: true })
    return pagesByWeek(25, [12])(page)
  })
  await register.list({ format: 'json', output: 'earlier.json' })
  blocked.push(join(register.workspace, 'now.json'))
  const run = await register.list({ ...WITH, output: 'now.json' })
  expect(run.outputs).toMatchObject({ reason: 'output', changes_path: '' })
  expect(run.log.join('\n')).toContain('No file was written.')
  expect(run.files).toEqual(['earlier.json', 'now.json'])
})

test('it is beside the list, for its owner alone; log and summary have counts', async () => {
  await using register = await openRegister(pagesByWeek(25, [12]))
  const path = 'lists/now.ndjson'
  const first = await register.list({ ...WITH, format: 'ndjson', output: path })
  const none = { added: '', changes_path: '' }
  expect(first.outputs).toMatchObject({ outcome: 'listed', count: '25', ...none })
  const notice =
    /^notice: compare-with: There is no file .*earlier\.json, .* first run\. Keep this list/
  expect(first.log.find(line => line.startsWith('notice'))).toMatch(notice)
  expect(first.summary).toContain('this is the first run')
  // The list takes the place of the one that it is compared with.
  const again = { 'compare-with': path, output: path, format: 'ndjson' }
  const second = await register.list(again)
  const changes = join(register.workspace, 'lists', 'now.changes.json')
  expect(second.outputs).toMatchObject({ count: '25', added: '1', removed: '1', changed: '1' })
  expect([second.outputs.changes_path, second.changesMode]).toEqual([changes, PRIVATE])
  expect(second.log.join('\n')).toMatch(
    /Since the 25 licenses of .*: 1 added, 1 removed, 1 changed, listed in/
  )
  expect(second.summary).toMatch(/Changes<.*1 added, 1 removed, 1 changed, in .* bytes\)/)
  expect(second.log.filter(line => /^(notice|warning)/.test(line))).toEqual([])
  expect(`${second.log}${second.summary}`).not.toMatch(/lic_|usr_/)
})

test('a list of what expires soon is compared in full, and is no list to compare with', async () => {
  await using register = await openRegister(pagesByWeek(25, [12]))
  await register.list({ output: 'whole.json' })
  const soon = { 'compare-with': 'whole.json', 'expires-within': '14', output: 'soon.json' }
  const { outputs, text } = await register.list(soon)
  expect(outputs).toMatchObject({ count: '25', expiring: '1', added: '1', removed: '1' })
  expect(JSON.parse(text)).toHaveLength(1)
  // To take it for a whole list is a warning, and an error where that is certain beforehand.
  const next = await register.list({ 'compare-with': 'soon.json' })
  const warning = /Many licenses are new.*`expires-within`/
  expect(next.log.find(line => line.startsWith('warning'))).toMatch(warning)
  const same = await register.list({ ...soon, output: 'whole.json' })
  expect(same.outputs.reason).toBe('bad-input')
  expect(same.log[0]).toMatch(/only what expires soon: write that to another path/)
})

test('fields in another order are no change, a field within a field is one', async () => {
  const [one, two] = madeUpLicenses(2).map(it => ({
    ...it,
    extra: { a: 1, b: [{ c: 'é\u2028' }] }
  }))
  const turned = Object.fromEntries(Object.entries({ ...one }).toReversed())
  await using register = await openLicenses([turned, { ...two, extra: { a: 1, b: [{ c: 'e' }] } }])
  const { outputs, changes } = await compare(register, toJson([one, two]).replaceAll('\n', '\r\n'))
  expect(outputs).toMatchObject({ added: '0', removed: '0', changed: '1' })
  expect(changes).toMatchObject({ changed: [{ extra: { b: [{ c: 'e' }] } }] })
})

const TWO = madeUpLicenses(2)
const LONG = toJson(madeUpLicenses(2000))
test.each<[string, string, RegExp]>([
  ['nothing', '', /is empty/],
  ['a web page', '<html>lic_1</html>', /is not a list of this action: line 1|is cut short/],
  ['a line of something else', '"lic_1"\n', /line 1 is no license/],
  ['JSON in one line', `${JSON.stringify(TWO)}\n`, /line 1 is no license/],
  ['a license without a product', '{"id":"lic_1"}\n', /line 1 is no license/],
  ['CSV', 'id,userId,creatorId,productId,expires,maxIps\r\nlic_1,u,c,p,e,1\r\n', /is CSV/],
  ['quoted CSV', '"id","userId","creatorId","productId","expires","maxIps"\r\n', /is CSV/],
  ['the end of a list missing', LONG.slice(0, -3), /is cut short/],
  ['a list cut in a license', LONG.slice(0, 100_000), /is cut short/],
  ['NDJSON cut in a license', toLines(TWO).slice(0, -10), /is cut short/],
  ['two lists', `${toJson(TWO)}${toJson(TWO)}`, /line 5 is no license/],
  ['a license twice', toLines([...TWO, ...TWO]), /has a license twice/],
  ['bytes that are no text', '{"id":"\xff"}\n', /cannot be read/],
  ['a character that is cut', `${toJson(TWO)}\xe2`, /cannot be read/],
  ['changes', `{"added": [\n${toLines(TWO)}]}\n`, /line 1 is no license/],
  ['another shop’s', toLines([{ ...TWO[0], id: 'x' }]), /no license in common with this one/]
])('an earlier list that is %s is an error, and quoted by nobody', async (_, text, message) => {
  await using register = await openLicenses(madeUpLicenses(2000), { size: 1000 })
  writeFileSync(join(register.workspace, 'earlier.json'), Buffer.from(text, 'latin1'))
  const { outputs, log, summary, files } = await register.list(WITH)
  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'compare-with', path: '', added: '' })
  expect(log.at(-1)).toMatch(message)
  expect(log.at(-1)).toMatch(/\nCompare with a `json` or `ndjson` list .* delete that file/)
  expect(`${log}${summary}`).not.toMatch(/lic_|usr_/)
  expect(files).toEqual(['earlier.json'])
})

test.each<[string, Readonly<Record<string, string>>, RegExp]>([
  ['a part of the list', { 'max-pages': '3' }, /compares whole lists: leave out `first-page` and/],
  ['a later part', { 'first-page': '2' }, /compares whole lists/],
  ['a folder', { 'compare-with': '.' }, /compare-with: "\." is not a file/],
  ['something in a file', { 'compare-with': 'earlier.json/x' }, /ENOTDIR|first run/]
])('it takes no %s', async (name, inputs, message) => {
  await using register = await openLicenses(TWO)
  const { log, outputs } = await compare(register, toJson(TWO), inputs)
  expect(log.join('\n')).toMatch(message)
  if (name !== 'something in a file')
    expect([outputs.reason, register.asked()]).toEqual(['bad-input', []])
})

test('a list that may lack licenses is never compared as if they were gone', async () => {
  await using register = await openRegister(page => ({ licenses: TWO, nextPage: page + 1 }))
  const { outputs, log, files } = await compare(register, toJson(madeUpLicenses(5)))
  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'strange-answer', removed: '' })
  expect(log.at(-1)).toMatch(/circles.*not compared/)
  expect(files).toEqual(['earlier.json'])
  // One that moved may: that is said.
  await using moving = await openRegister(
    page => [...[{}, { licenses: TWO, nextPage: 2 }, { licenses: TWO.slice(1) }]][page]
  )
  const moved = await compare(moving, toJson(madeUpLicenses(5)))
  expect(moved.outputs).toMatchObject({ outcome: 'listed', removed: '3' })
  expect(moved.log.join('\n')).toMatch(
    /warning.*1 license came more than once .* `removed` may name some/
  )
})

test.each([
  ['most are gone', 13, 40, /Many of the earlier licenses are gone\. Is it the same shop/],
  ['most are new', 40, 13, /Many licenses are new\. .* `product`, `expires-within`/],
  ['nearly all of a few are gone', 1, 5, /Many of the earlier licenses are gone/],
  ['nearly all of a few are new', 9, 2, /Many licenses are new/],
  ['half of a few are gone', 4, 8, /^$/],
  ['one of two is new', 2, 1, /^$/],
  ['few are gone', 40, 49, /^$/],
  ['few are new', 49, 40, /^$/]
])('a warning when %s, since lists may not be alike', async (_, now, before, warning) => {
  await using register = await openLicenses(madeUpLicenses(now))
  const { outputs, log } = await compare(register, toJson(madeUpLicenses(before)))
  expect(outputs.outcome).toBe('listed')
  expect(log.filter(line => line.startsWith('warning')).join()).toMatch(warning)
})

test.each([
  ['nothing but product 12', (one: License) => one.productId === '12', /products of which .* none/],
  ['both products', (one: License) => one.id < 'lic_00000050', /^$/]
])('an earlier list with %s, made for others or not', async (_, isIn, warning) => {
  const now = madeUpLicenses(54, [12, 12, 12, 12, 13])
  await using register = await openLicenses(now)
  const { outputs, log } = await compare(register, toJson(now.filter(isIn)))
  expect(outputs).toMatchObject({ outcome: 'listed', removed: '0' })
  expect(log.filter(line => line.startsWith('warning')).join()).toMatch(warning)
})

test('a list that nobody can compare with next time says so on the first run', async () => {
  await using register = await openLicenses(TWO)
  const list = (inputs: object) => register.list({ ...WITH, ...inputs })
  for (const inputs of [{ format: 'csv' }, { format: 'none' }, { 'expires-within': '3' }]) {
    const { log } = await list(inputs)
    expect(log.find(line => line.startsWith('notice'))).toMatch(
      /The next run needs a whole list: one in `json`/
    )
  }
})

test('the earlier list and the changes stay as they were when the listing fails', async () => {
  let answer: unknown
  await using register = await openRegister(page =>
    page === 2 ? answer : { licenses: TWO, nextPage: 2 }
  )
  answer = { licenses: madeUpLicenses(3).slice(2) }
  const inputs = { 'compare-with': 'a.json', output: 'a.json' }
  await register.list(inputs)
  const good = await register.list(inputs)
  const read = () =>
    ['a.json', 'a.changes.json'].map(name => readFileSync(join(register.workspace, name), 'utf8'))
  const before = read()
  answer = 'no JSON'
  const bad = await register.list(inputs)
  expect([good.outputs.outcome, bad.outputs.outcome, read()]).toEqual(['listed', 'failed', before])
  expect(bad.files).toEqual(['a.changes.json', 'a.json'])
})

test('a changes file that cannot be written fails before the list is replaced', async () => {
  await using register = await openLicenses(madeUpLicenses(3))
  mkdirSync(join(register.workspace, 'a.changes.json', 'full'), { recursive: true })
  const { outputs, log } = await compare(register, toJson(TWO), { output: 'a.json' })
  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'output', path: '', changes_path: '' })
  expect(log.at(-1)).toMatch(/a\.changes\.json could not be written/)
  expect(existsSync(join(register.workspace, 'a.json'))).toBe(false)
})

test('the table of digests holds what a map holds', () => {
  const [digests, map] = [openDigests(), new Map<string, number>()]
  const ids = fc.sample(fc.tuple(fc.nat({ max: 3000 }), fc.integer({ min: 1 })), 9000)
  for (const [id, mark] of ids) {
    expect(digests.mark(`lic_${id}`, mark)).toBe(map.get(`lic_${id}`) ?? 0)
    map.set(`lic_${id}`, mark)
  }
  expect(digests.size).toBe(map.size)
  for (let id = -10; id <= 3000; id++) {
    expect(digests.markOf(`lic_${id}`)).toBe(map.get(`lic_${id}`) ?? 0)
  }
})
