// Tests of src/ledger/deployments.ts: the record on GitHub, with an API that answers as each case needs it.
import { describe, expect, test } from '@jest/globals'
import { GitHubError } from '../../src/github/github-error.ts'
import { describePublished, payloadOf } from '../../src/ledger/claim-format.ts'
import { type NewClaim, openDeployments } from '../../src/ledger/deployments.ts'
import { CLAIMANT, DIGEST } from './calm-record.ts'
import { START } from './world.ts'

const CLAIM: NewClaim = {
  versionName: '1.0',
  tag: 'v1.0',
  ref: 'v1.0',
  claimant: CLAIMANT
}
const PRODUCT = { baseUrl: 'https://shop.example.com', route: { product: 12 } }
const DATE = { created_at: new Date(START).toISOString() }
const deployment = (id: number) => {
  return {
    id,
    ref: 'v1.0',
    payload: payloadOf(PRODUCT, CLAIM),
    ...DATE
  }
}
const reply = (data: unknown, now = START) => ({ data, now })
const failing = (status: number) => async () => {
  throw new GitHubError(`GitHub answered ${status}`, { status })
}

/** An API's answers: to lists, to other reads, to writes. */
function open(
  items: unknown[] | (() => Promise<never>),
  write = async () => reply({ id: 7, ...DATE })
) {
  const api = {
    readAll: typeof items === 'function' ? items : async () => ({ items, now: START }),
    write
  }
  return openDeployments(api, api, PRODUCT)
}

describe('lists', () => {
  test('hold each claim once, the lowest id first', async () => {
    const { claims } = await open([9, 4, 9].map(deployment)).list()
    expect(claims.map(({ id }) => id)).toEqual([4, 9])
  })

  test('have a date, GitHub’s own', async () => {
    const undated = {
      readAll: async () => ({ items: [], now: Number.NaN }),
      write: async () => reply({})
    }
    await expect(openDeployments(undated, undated, PRODUCT).list()).rejects.toThrow('no date')
  })

  test.each([403, 404])('a %i is GitHub’s failure', async status => {
    await expect(open(failing(status)).list()).rejects.toThrow(GitHubError)
  })
})

describe('histories', () => {
  test('hold our statuses alone, the oldest first', async () => {
    const description = describePublished('34', DIGEST.sha256)
    const ours = (id: number) => ({
      id,
      state: 'success',
      description,
      ...DATE
    })
    const foreign = { ...ours(5), description: 'Deployed' }

    const history = await open([ours(6), foreign, ours(3)]).history(1)

    expect(history?.statuses.map(({ id }) => id)).toEqual([3, 6])
  })

  test('are undefined for a claim that GitHub does not know, and nothing else', async () => {
    expect(await open(failing(404)).history(1)).toBeUndefined()
    await expect(open(failing(500)).history(1)).rejects.toThrow('GitHub answered 500')
  })
})

test('a write that is answered by 5xx, or without an id, may have taken effect; a refused one has not', async () => {
  expect(await open([]).create(CLAIM)).toEqual({ id: 7, createdAt: START })

  const writes = [
    [failing(500), true],
    [async () => reply(DATE), true],
    [failing(403), false]
  ] as const
  for (const [write, isAnswerLost] of writes) {
    const { create, record } = open([], write)
    await expect(create(CLAIM)).rejects.toMatchObject({ isAnswerLost })
    await expect(record(7, 'in_progress', 'x')).rejects.toMatchObject({ isAnswerLost })
  }
})
