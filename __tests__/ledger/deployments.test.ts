// Tests the memory against the stand-in for GitHub: what it writes there, what it reads back, what it cannot.
import { expect, test } from '@jest/globals'
import {
  type DeploymentsApi,
  NoDeployments,
  openDeployments,
  openVersions
} from '../../src/ledger/deployments.ts'
import { publicationKeyOf } from '../../src/ledger/record.ts'
import { AnswerLost } from '../../src/ledger/steps.ts'
import { errorOf, openBoth } from '../github/opened.ts'
import { claimOf } from './claims.ts'

const { claimant } = claimOf(1, '')
const environment = 'shop.example.com/products/12/benefits/34'
const baseUrl = 'https://shop.example.com/eu'
const publication = { baseUrl, product: 12, benefit: 34, versionName: '1.4.2' }
const payload = { publication: publicationKeyOf(publication), run_attempt: 1, deadline_seconds: 60 }
/** A deployment as others would ask for it. */
const base = {
  ...{ ref: 'v1.4.2', auto_merge: false, required_contexts: [], environment, payload },
  task: 'publish-version'
}

/** The memory of the publication, or of one that differs in these. */
function remember(
  { github }: { readonly github: DeploymentsApi },
  over: Partial<typeof publication> = {}
) {
  return openDeployments({ github, settling: github }, { ...publication, ...over }, 'v1.4.2')
}

test('a publication has a key that no other publication has', () => {
  const { benefit: _, ...withoutBenefit } = publication
  const others = [
    ...[{}, { baseUrl: 'https://shop.example.com' }, { product: 13 }, { benefit: 35 }],
    ...[{ versionName: '1.4.20' }, { versionName: '"1.4.2"' }]
  ].map(over => ({ ...publication, ...over }))
  expect(new Set([...others, withoutBenefit].map(publicationKeyOf)).size).toBe(others.length + 1)
})

test('a claim is a deployment that merges nothing, waits for nothing and replaces nothing, and is read back', async () => {
  await using opened = await openBoth()
  const memory = remember(opened)
  const id = await memory.create(claimant)
  const { payload: _, ...asked } = { ...base, production_environment: false }
  expect(opened.standIn.requests[0]?.body).toMatchObject(asked)
  const [description, environmentUrl] = ['done', 'https://shop.example.com/d/1']
  await memory.record(id, 'success', description, environmentUrl)
  expect(opened.standIn.requests.at(-1)?.body).toMatchObject({ auto_inactive: false })
  const { claims, now, lag } = await memory.list()
  const about = { versionName: '1.4.2', tag: 'v1.4.2', claimant }
  expect(claims).toEqual([{ id, ...about, createdAt: expect.any(Number) }])
  expect([lag, now >= (claims[0]?.createdAt ?? now)]).toEqual([0, true])
  const status = { id: expect.any(Number), state: 'success', description, environmentUrl }
  expect(await memory.history(id)).toEqual({ statuses: [status], now: expect.any(Number) })
})

test('a claim is found among those of other versions, on any page, with more than a page of statuses', async () => {
  await using opened = await openBoth()
  const memory = remember(opened)
  const id = await memory.create(claimant)
  await memory.record(id, 'success', 'done')
  for (let count = 0; count < 120; count++) {
    opened.standIn.addStatus(id, { state: 'inactive' })
    await remember(opened, { versionName: `0.${count}` }).create(claimant)
  }
  opened.standIn.createDeployment({ ...base, payload: {}, task: 'deploy' })
  opened.standIn.createDeployment({ ...base, payload: {}, environment: 'production' })
  const { claims } = await memory.list()
  const own = claims.filter(({ versionName }) => versionName === '1.4.2')
  expect([claims.length, own.map(claim => claim.id)]).toEqual([121, [id]])
  const states = (await memory.history(id))?.statuses.map(({ state }) => state)
  expect(states).toEqual(['success', ...Array.from({ length: 120 }, () => 'inactive')])
})

test('a claim counts once when a new deployment moves it from one page to the next', async () => {
  await using opened = await openBoth()
  const another = () => void opened.standIn.createDeployment(base)
  for (let count = 0; count < 101; count++) another()
  opened.standIn.misbehave({ kind: 'meanwhile', run: another, on: { path: /[?&]page=2/ } })
  const ids = (await remember(opened).list()).claims.map(claim => claim.id)
  const { deployments } = opened.standIn
  expect(ids).toEqual(deployments.slice(0, 101).map(({ id }) => id))
})

test('a claim is read from a payload that is given back as text, as older servers do', async () => {
  await using opened = await openBoth()
  opened.standIn.createDeployment({ ...base, payload: JSON.stringify(payload) })
  const { claims } = await remember(opened).list()
  expect(claims[0]?.claimant).toMatchObject({ runAttempt: 1, deadline: 60, job: '' })
})

test.each([
  ['a connection that breaks off after', { kind: 'reset-after-processing' }, 1],
  ['silence after', { kind: 'silence', processed: true }, 1],
  ['502', { kind: 'status', status: 502 }, 0],
  ['HTML', { kind: 'html', status: 200, processed: true }, 1]
] as const)('a claim answered by %s may be there, and is not tried again', async (...row) => {
  const [, fault, made] = row
  await using opened = await openBoth()
  opened.standIn.misbehave(fault)
  const memory = remember({ github: opened.open({ patience: 1000 }) })
  await expect(memory.create(claimant)).rejects.toBeInstanceOf(AnswerLost)
  const { deployments, requests } = opened.standIn
  expect([deployments.length, requests.length]).toEqual([made, 1])
})

/** A GitHub that has only this to say. */
const open = (items: readonly object[], now = 0) => {
  const say = async () => ({ data: {}, items, now })
  return remember({ github: { isGitHub: true, read: say, write: say, readAll: say } })
}

test.each([
  ['of an earlier version of this action is empty', undefined, ''],
  ['that is no text is empty', 7, ''],
  ['of 255 characters is whole', '🎉'.repeat(255), '🎉'.repeat(255)],
  ['that somebody made longer is cut', 'x'.repeat(100_000), `${'x'.repeat(509)}…`]
])('a title in a payload %s', async (_, title, expected) => {
  const claim = { id: 7, created_at: '2026-01-02T03:04:05Z', payload: { ...payload, title } }
  expect((await open([claim]).list()).claims[0]?.claimant.title).toBe(expected)
})

test.each([
  ['no payload', { payload: null }],
  ['a payload that is encoded twice', { payload: JSON.stringify(JSON.stringify(payload)) }],
  ['a payload without a deadline', { payload: { ...payload, deadline_seconds: '60' } }],
  ['no date', { payload, created_at: null }],
  ['a date that is a number', { payload, created_at: 1_700_000_000 }],
  ['an id that is text', { payload, id: '7' }],
  ['an id that is an object', { payload, id: { toString: 1 } }, 'without an id']
])('a deployment with %s is named, and the memory cannot be read', async (_, over, name = '7') => {
  const memory = open([{ id: 7, created_at: '2026-01-02T03:04:05Z', ...over }])
  const message = `Deployment ${name} of the environment ${environment} cannot be`
  await expect(memory.list()).rejects.toThrow(message)
})

/** A deployment with this key. */
const keyed = (publication: unknown) => {
  return { id: 7, created_at: '2026-01-02T03:04:05Z', payload: { ...payload, publication } }
}
const KEY = publicationKeyOf(publication)

test.each([
  ['as other writers of JSON do', KEY.replaceAll(',', ', '), ['1.4.2']],
  ['with another spelling of the address', KEY.replace('/eu', ':443/eu/'), ['1.4.2']],
  ['with escapes', KEY.replace('shop', '\\u0073hop'), ['1.4.2']],
  ['for another address on the host', KEY.replace('/eu', '/us'), []]
])('a claim whose key is spelled %s belongs to the same publications', async (_, key, names) => {
  const { claims } = await open([keyed(key)]).list()
  expect(claims.map(({ versionName }) => versionName)).toEqual(names)
})

test.each([
  ['text', 'gallery 1.4.2'],
  ['no text', JSON.parse(KEY)],
  ['no list', '{"3":"1.4.2"}'],
  ['cut short', KEY.replace(',"1.4.2"', '')],
  ['too long', KEY.replace(']', ',1]')],
  ['of a product in quotes', KEY.replace('12', '"12"')],
  ['of another product', KEY.replace('12', '13')],
  ['of the product itself', KEY.replace('34', 'null')],
  ['of another host', KEY.replace('shop.', 'store.')],
  ['of no address', KEY.replace('https:', 'ftp:')],
  ['of a version that is a number', KEY.replace('"1.4.2"', '1.4')],
  ['of a version without a name', KEY.replace('1.4.2', '')]
])('a claim whose key is %s is not passed over: the memory cannot be read', async (_, key) => {
  await expect(open([keyed(key)]).list()).rejects.toThrow('Deployment 7 of the')
})

test('the memory cannot be read when a status has no state, is answered without its id, or there is no date', async () => {
  const silent = open([{ id: 7 }])
  await expect(silent.history(12)).rejects.toThrow('deployment 12 has no id or no state')
  await expect(silent.record(7, 'success', '')).rejects.toThrow('"success" without its id')
  const undated = open([], Number.NaN)
  await expect(undated.list()).rejects.toThrow('no date')
  await expect(undated.history(7)).rejects.toThrow('no date')
})

test('the memory cannot be read where nothing is found, which is no server without deployments', async () => {
  await using gone = await openBoth()
  const all = { kind: 'status', status: 404 } as const
  gone.standIn.misbehave(all, all)
  expect((await errorOf(remember(gone).list())).status).toBe(404)
  // A history that is not found is only not shown yet.
  expect(await remember(gone).history(2_000_000_001)).toBeUndefined()
})

test.each([
  [true, false],
  [false, true]
])(
  'on a server that is GitHub (%s), a 404 that stays is told as one without deployments: %s',
  async (isGitHub, expected) => {
    const notFound = Object.assign(new Error('Not Found'), { status: 404 })
    const there = async () => ({ data: {}, now: 0 })
    const gone = async () => Promise.reject(notFound)
    const memory = remember({ github: { isGitHub, read: there, write: there, readAll: gone } })
    const error: unknown = await memory.list().catch((caught: unknown) => caught)
    expect(error instanceof NoDeployments).toBe(expected)
  }
)

test('a deadline is written, and believed, for a day at most, and a link only if it is one', async () => {
  await using opened = await openBoth()
  const id = await remember(opened).create({ ...claimant, deadline: 1e12 })
  expect(opened.standIn.deployments[0]?.payload).toMatchObject({ deadline_seconds: 86_400 })
  const forged = { id, created_at: '2026-01-02T03:04:05Z', state: 'success' }
  const memory = open([
    { ...forged, payload: { ...payload, deadline_seconds: 1e12 }, environment_url: 'javascript:1' }
  ])
  expect((await memory.list()).claims[0]?.claimant.deadline).toBe(86_400)
  expect((await memory.history(id))?.statuses[0]?.environmentUrl).toBe('')
})

test('all versions of a product are listed, the last claimed first, with one request', async () => {
  await using opened = await openBoth()
  const of = (over: object) => remember(opened, over).create(claimant)
  const first = await of({ versionName: '1.0' })
  await remember(opened).record(first, 'success', '')
  await of({ versionName: '1.1' })
  await of({ versionName: '9.9', baseUrl: 'https://shop.example.com/us' })
  await of({ versionName: '1.0' })
  const before = opened.standIn.requests.length
  const versions = await openVersions(opened.github, publication, claimant, new Map())
  expect(opened.standIn.requests).toHaveLength(before + 1)
  expect(versions.names).toEqual(['1.0', '1.1'])
  const states = ['1.0', '1.1', '9.9'].map(async it => (await versions.standing(it)).state)
  expect(await Promise.all(states)).toEqual(['published', 'claimed', 'none'])
  expect((await versions.newestPublished())?.id).toBe(first)
  expect((await versions.oldestPublished())?.id).toBe(first)
})
