// Tests of dist/: a run says so when somebody else wrote the record, or GitHub is broken, and never shows it as its own.
import { expect, jest, test } from '@jest/globals'
import type { GitHubFault, Matcher } from '../../sandbox/github-faults.ts'
import { environmentOf, publicationKeyOf } from '../../src/ledger/claim-format.ts'
import { CREATE, HISTORY, LIST, RECORD } from '../faults/github-faults.ts'
import { expectNothingAsked } from '../support/asked.ts'
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
    addSuccess(shop, id, `publish-version: published as 7 sha256:${SHA}`)

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
  addSuccess(shop, claim(shop, {}), description)

  const { outputs } = await shop.publish()

  expect(outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published', id })
  expectNothingAsked(shop)
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

  for (const mode of ['publish', 'plan', 'mark-not-published', 'audit']) {
    const tag = mode === 'audit' ? '' : 'v1.4.2'
    const run = await shop.publish({ event: BY_HAND, inputs: { mode, tag } })
    const shown = `${run.log}\n${run.summary}`
    expect(shown).not.toMatch(/^\s*(?:gh api evil|rm -rf evil|Do this)/m)
  }
})

/** An answer of that body, as JSON, or as it is if it is a text. */
function answer(body: unknown, headers = {}): GitHubFault {
  return {
    kind: 'status',
    status: 200,
    body,
    headers
  }
}

const OWN_STATUS = {
  id: 1,
  state: 'success',
  description: 'publish-version: published as 7'
}
const BY_TAG: Matcher = { method: 'GET', path: /\/releases\/tags\// }
const RELEASES: Matcher = { method: 'GET', path: /\/releases\?/ }
const TAGGED = { event: BY_HAND, inputs: { tag: 'v1.4.2' } }
const PULL_REQUEST = {
  event: { name: 'pull_request', payload: {} },
  inputs: { mode: 'plan' }
}

/** A broken answer of GitHub's. */
interface BrokenAnswer {
  readonly name: string
  /** The requests that are answered so. */
  readonly on: Matcher
  readonly fault: GitHubFault
  /** Of the run, if it is not the usual one. */
  readonly options?: PublishOptions
  /** In the log. */
  readonly said: RegExp
}

const BROKEN_ANSWERS: readonly BrokenAnswer[] = [
  {
    name: 'a list that is none',
    on: LIST,
    fault: answer({}),
    said: /is not a list/
  },
  {
    name: 'a list without end',
    on: LIST,
    fault: answer(`[0${',0'.repeat(500_000)}]`),
    said: /was not written by this/
  },
  {
    name: 'a list of nothing',
    on: LIST,
    fault: answer([null]),
    said: /was not written by this action/
  },
  {
    name: 'an answer without a date',
    on: LIST,
    fault: answer([], { date: '' }),
    said: /has no date/
  },
  {
    name: 'an answer whose date is a word',
    on: LIST,
    fault: answer([], { date: 'soon' }),
    said: /has no date/
  },
  {
    name: 'a claim without an id',
    on: CREATE,
    fault: answer({ id: '7' }),
    said: /the claim without its id/
  },
  {
    name: 'a claim whose id is half a number',
    on: CREATE,
    fault: answer({ id: 1.5 }),
    said: /the claim without its id/
  },
  {
    name: 'a status without an id',
    on: RECORD,
    fault: answer({ id: null }),
    said: /"in_progress" without its id/
  },
  {
    name: 'a history without an end',
    on: HISTORY,
    fault: answer('[{'),
    said: /is not a list/
  },
  {
    name: 'a history without dates',
    on: HISTORY,
    fault: answer([OWN_STATUS]),
    said: /without an id or a date/
  },
  {
    name: 'no release',
    on: BY_TAG,
    fault: answer([7]),
    options: TAGGED,
    said: /other than a release/
  },
  {
    name: 'a release of nulls',
    on: BY_TAG,
    fault: answer({ id: null, tag_name: null }),
    options: TAGGED,
    said: /than a release/
  },
  {
    name: 'no list of releases',
    on: RELEASES,
    fault: answer({ id: 1 }),
    options: PULL_REQUEST,
    said: /other than releases/
  }
]

test.each(BROKEN_ANSWERS)(
  'a GitHub that answers with $name is what failed, and nothing is published',
  async ({ on, fault, options, said }) => {
    await using shop = await openShop()
    // Where an answer may have been lost, it is asked for four times.
    shop.github.misbehave(...Array.from({ length: 4 }, () => ({ ...fault, on })))

    const { outputs, log } = await shop.publish(options)

    expect(outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
    expect(log).toMatch(said)
    expect(shop.service.versions).toEqual([])
  }
)

test('what GitHub says about an address that it gives up soon is not printed', async () => {
  await using shop = await openShop()
  const link = '<https://example.com/##[error]evil>; rel="deprecation"'
  const headers = {
    deprecation: 'true',
    sunset: '##[error]evil',
    link
  }
  shop.github.misbehave({ ...answer([], headers), on: LIST })

  const { outputs, log } = await shop.publish()

  expect(outputs.outcome).toBe('published')
  expect(log).not.toContain('evil')
})
