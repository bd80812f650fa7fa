// Owns a record that somebody else wrote, and a GitHub that is broken, on dist/: a run says so, and never shows it as its own.
import { expect, jest, test } from '@jest/globals'
import type { GitHubFault, Matcher } from '../../sandbox/github-faults.ts'
import { environmentOf, publicationKeyOf } from '../../src/ledger/claim-format.ts'
import { CREATE, HISTORY, LIST, RECORD } from '../faults/github-faults.ts'
import { BY_HAND, openShop, type PublishOptions, type Shop } from '../support/shop.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

/** Writes a deployment as a claim on the shop's version, with other members in its payload. */
function claim(shop: Shop, over: Readonly<Record<string, unknown>>): number {
  const product = { baseUrl: shop.service.url, route: { product: 12 } }
  const payload = {
    publication: publicationKeyOf(product, '1.4.2'),
    run_id: '41',
    run_attempt: 1,
    job: 'publish',
    title: 'Gallery 1.4.2',
    file_name: 'gallery.zip'
  }
  shop.github.createDeployment({
    ref: 'v1.4.2',
    task: 'publish-version',
    environment: environmentOf(product),
    payload: { ...payload, ...over },
    auto_merge: false,
    required_contexts: []
  })
  return shop.github.deployments.at(-1)?.id ?? 0
}

const SHA = 'ab'.repeat(32)
/** Adds a status to the claim, as a person or another tool may. */
const write = (shop: Shop, id: number, state: string, description: string) =>
  shop.github.addStatus(id, { state, description, auto_inactive: false })

/** The modes that read the record; a plan goes on without it, and says so. */
const MODES = {
  publish: 'failed',
  plan: 'planned',
  audit: 'failed',
  'mark-published': 'failed'
}

test.each([
  ['a way out of the repository', '../../evil/evil'],
  ['a query', '41?evil=1'],
  ['words', 'evil'],
  ['a line of its own', '41\n::error::evil']
])(
  'a run id that is %s makes no link: the run says whose claim it cannot read, and sends nothing',
  async (_, runId) => {
    await using shop = await openShop()
    const id = claim(shop, { run_id: runId })
    write(shop, id, 'success', `publish-version: published as 7 sha256:${SHA}`)
    for (const [mode, outcome] of Object.entries(MODES)) {
      const tag = mode === 'audit' ? '' : 'v1.4.2'
      const { outputs, log, summary } = await shop.publish({
        event: BY_HAND,
        inputs: { mode, tag }
      })
      expect([mode, outputs.outcome]).toEqual([mode, outcome])
      expect(outputs.reason).toBe(outcome === 'failed' ? 'github' : '')
      expect(log).toMatch(new RegExp(`[Dd]eployment ${id} of .* was not written by this action`))
      expect(`${log}${summary}`).not.toContain('evil')
    }
    expect(shop.service.versions).toEqual([])
  }
)

test.each([
  ['007', ''],
  ['1e999', ''],
  ['0x7', ''],
  ['12.5', ''],
  ['9007199254740993', '9007199254740993']
])('a version that somebody recorded as "published as %s" has the id "%s"', async (said, id) => {
  await using shop = await openShop()
  const description = `publish-version: published as ${said} sha256:${shop.sha256}`
  write(shop, claim(shop, {}), 'success', description)
  const { outputs } = await shop.publish()
  expect(outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published', id })
  expect(shop.service.versions).toEqual([])
})

const json = (body: unknown, headers = {}): GitHubFault => {
  return { kind: 'status', status: 200, body, headers }
}
const OWN_STATUS = { id: 1, state: 'success', description: 'publish-version: published as 7' }
const BY_TAG: Matcher = { method: 'GET', path: /\/releases\/tags\// }
const RELEASES: Matcher = { method: 'GET', path: /\/releases\?/ }
const TAGGED = { event: BY_HAND, inputs: { tag: 'v1.4.2' } }
const PULL_REQUEST = {
  event: { name: 'pull_request', payload: {} },
  inputs: { mode: 'plan' }
}

test.each<[string, Matcher, GitHubFault, PublishOptions, RegExp]>([
  ['a list that is none', LIST, json({}), {}, /is not a list/],
  ['a list without end', LIST, json(`[0${',0'.repeat(500_000)}]`), {}, /was not written by this/],
  ['a list of nothing', LIST, json([null]), {}, /was not written by this action/],
  ['an answer without a date', LIST, json([], { date: '' }), {}, /has no date/],
  ['an answer of another year', LIST, json([], { date: 'soon' }), {}, /has no date/],
  ['a claim without an id', CREATE, json({ id: '7' }), {}, /the claim without its id/],
  ['a status without an id', RECORD, json({ id: null }), {}, /"in_progress" without its id/],
  ['a history without an end', HISTORY, json('[{'), {}, /is not a list/],
  ['a history without dates', HISTORY, json([OWN_STATUS]), {}, /without an id or a date/],
  ['no release', BY_TAG, json([7]), TAGGED, /other than a release/],
  ['a release of nulls', BY_TAG, json({ id: null, tag_name: null }), TAGGED, /than a release/],
  ['no list of releases', RELEASES, json({ id: 1 }), PULL_REQUEST, /other than releases/]
])('a GitHub that answers with %s is what failed, and nothing is sent', async (...row) => {
  const [, on, fault, options, said] = row
  await using shop = await openShop()
  // Where an answer may have been lost, it is asked for four times.
  shop.github.misbehave(...Array.from({ length: 4 }, () => ({ ...fault, on })))
  const { outputs, log } = await shop.publish(options)
  expect(outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
  expect(log).toMatch(said)
  expect(shop.service.versions).toEqual([])
})

test('what GitHub says about an address that it gives up soon is not printed', async () => {
  await using shop = await openShop()
  const link = '<https://example.com/##[error]evil>; rel="deprecation"'
  const headers = { deprecation: 'true', sunset: '##[error]evil', link }
  shop.github.misbehave({ ...json([], headers), on: LIST })
  const { outputs, log } = await shop.publish()
  expect(outputs.outcome).toBe('published')
  expect(log).not.toContain('evil')
})
