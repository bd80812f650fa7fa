// Tests of dist/: how many requests a run sends to GitHub, whose job tokens have 1,000 an hour for a whole repository.
import { expect, jest, test } from '@jest/globals'
import { environmentOf, publicationKeyOf } from '../../src/ledger/claim-format.ts'
import { openShop, type Shop } from '../support/shop.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

/** Longer ago than the claims whose requests may still be alive. */
const THREE_DAYS = 3 * 24 * 3_600_000

/** Records versions as earlier runs did, and puts their releases on GitHub, the oldest first; half of them are pre-releases. */
function recordVersions(shop: Shop, versions: readonly string[]): void {
  const product = { baseUrl: shop.service.url, route: { product: 12 } }
  const start = Date.UTC(2025, 0, 1)
  for (const [index, version] of versions.entries()) {
    const tag = `v${version}`
    const at = new Date(start + index * 3_600_000).toISOString()
    shop.addRelease({ tag, at, prerelease: index % 2 === 1 })

    const sha256 = index.toString(16).padStart(64, '0')
    shop.github.createDeployment({
      ref: tag,
      task: 'publish-version',
      environment: environmentOf(product),
      payload: {
        format: 1,
        publication: publicationKeyOf(product, version),
        run_id: String(index + 1),
        run_attempt: 1,
        job: 'publish',
        commit: '',
        title: version,
        file_name: 'gallery.zip',
        file_path: 'dist/gallery.zip',
        sha256
      },
      auto_merge: false,
      required_contexts: []
    })
    const id = shop.github.deployments.at(-1)?.id ?? 0
    const describe = (text: string) => `publish-version: ${text}`
    shop.github.addStatus(id, {
      state: 'in_progress',
      description: describe(`sending sha256:${sha256} 5 bytes`),
      auto_inactive: false
    })
    shop.github.addStatus(id, {
      state: 'success',
      description: describe(`published as ${index} sha256:${sha256}`),
      auto_inactive: false
    })
  }
  shop.github.clock.advance(THREE_DAYS)
}

/** A kind of run; how it ends, and how many requests it sends, with each of `COUNTS` versions recorded. */
interface Row {
  readonly name: string
  readonly inputs?: Readonly<Record<string, string>>
  /** The recorded versions are above the one that is published. */
  readonly isLower?: true
  readonly outcomes: readonly string[]
  readonly requests: readonly number[]
}

/** How many versions are recorded. */
const COUNTS = [0, 60, 250]

// A list of 250 has three pages; a publication asks for it three times. A release and the commit of its tag are read once.
const ROWS: readonly Row[] = [
  {
    name: 'a plan',
    inputs: { mode: 'plan', token: '' },
    outcomes: ['planned', 'planned', 'planned'],
    requests: [3, 3, 5]
  },
  {
    name: 'a publication',
    outcomes: ['published', 'published', 'published'],
    requests: [10, 10, 16]
  },
  {
    name: 'a check',
    inputs: { mode: 'check' },
    outcomes: ['checked', 'checked', 'checked'],
    requests: [1, 1, 3]
  },
  {
    name: 'a publication of a lower version',
    isLower: true,
    outcomes: ['published', 'failed', 'failed'],
    requests: [10, 7, 9]
  }
]

test.each(ROWS)(
  '$name, with 0, 60 and 250 recorded versions, asks GitHub no more than that',
  async ({ inputs = {}, isLower, outcomes, requests }) => {
    const runs = COUNTS.map(async count => {
      await using shop = await openShop({ inputs })
      const line = isLower ? '2.0' : '1.0'
      recordVersions(
        shop,
        Array.from({ length: count }, (_, patch) => `${line}.${patch}`)
      )
      const { outputs } = await shop.publish()
      return { outcome: outputs.outcome, requests: shop.github.requests.length }
    })

    const ended = await Promise.all(runs)
    expect(ended.map(({ outcome }) => outcome)).toEqual(outcomes)
    expect(ended.map(run => run.requests)).toEqual(requests)
  }
)
