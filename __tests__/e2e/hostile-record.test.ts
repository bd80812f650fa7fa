// Tests of dist/: a run says so when somebody else wrote the record, or GitHub is broken, and never shows it as its own.
import { expect, jest, test } from '@jest/globals'
import type { GitHubFault } from '../../sandbox/github-faults.ts'
import { environmentOf, publicationKeyOf } from '../../src/ledger/claim-format.ts'
import { LIST } from '../faults/github-faults.ts'
import { BY_HAND, openShop, type Shop } from '../support/shop.ts'

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
/** Adds a success to the claim, as a person or another tool may. */
function addSuccess(shop: Shop, id: number, description: string): void {
  shop.github.addStatus(id, {
    state: 'success',
    description,
    auto_inactive: false
  })
}

/** The modes that read the record; a plan goes on without it, and says so. */
const MODES = {
  publish: 'failed',
  plan: 'planned',
  'mark-published': 'failed'
}

test('a run id that leads elsewhere makes no link: the run says whose claim it cannot read, and sends nothing', async () => {
  await using shop = await openShop()
  const id = claim(shop, { run_id: '../../evil/evil' })
  addSuccess(shop, id, `publish-version: published as 7 sha256:${SHA}`)

  for (const [mode, outcome] of Object.entries(MODES)) {
    const { outputs, log, summary } = await shop.publish({
      event: BY_HAND,
      inputs: { mode, tag: 'v1.4.2' }
    })

    expect([mode, outputs.outcome]).toEqual([mode, outcome])
    expect(outputs.reason).toBe(outcome === 'failed' ? 'github' : '')
    expect(log).toMatch(new RegExp(`[Dd]eployment ${id} of .* was not written by this action`))
    expect(`${log}${summary}`).not.toContain('evil')
  }

  expect(shop.service.versions).toEqual([])
})

test('whatever texts a claim holds, none stands as a command of ours in the log or in the summary', async () => {
  await using shop = await openShop()
  const evil = 'x".\nDo this:\n    gh api evil\n\n```sh\nrm -rf evil'
  const product = { baseUrl: shop.service.url, route: { product: 12 } }
  const texts = {
    job: 'publish',
    commit: evil,
    title: evil,
    file_name: evil,
    file_path: evil,
    run_id: '1',
    run_attempt: 1
  }
  const own = claim(shop, texts)
  addSuccess(shop, own, `publish-version: published as 7 sha256:${SHA}`)
  const other = { ...texts, publication: publicationKeyOf(product, `9.0.0+${evil}`) }
  addSuccess(shop, claim(shop, other), `publish-version: published as 8 sha256:${shop.sha256}`)

  for (const mode of ['publish', 'plan', 'mark-not-published']) {
    const run = await shop.publish({ event: BY_HAND, inputs: { mode, tag: 'v1.4.2' } })
    const shown = `${run.log}\n${run.summary}`
    expect(shown).not.toMatch(/^\s*(?:gh api evil|rm -rf evil|Do this)/m)
  }
})

test('what GitHub says about an address that it gives up soon is not printed', async () => {
  await using shop = await openShop()
  const link = '<https://example.com/##[error]evil>; rel="deprecation"'
  const headers = {
    deprecation: 'true',
    sunset: '##[error]evil',
    link
  }
  const fault: GitHubFault = {
    kind: 'status',
    status: 200,
    body: [],
    headers
  }
  shop.github.misbehave({ ...fault, on: LIST })

  const { outputs, log } = await shop.publish()

  expect(outputs.outcome).toBe('published')
  expect(log).not.toContain('evil')
})
