// Owns what a user gets when a job runs again, with the same file or with another.
import { describe, expect, jest, test } from '@jest/globals'
import { openShop, RUN_ID } from '../support/shop.ts'
import { historiesOf, writesOf } from './remembered.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

const OTHER_COMMIT = { GITHUB_SHA: 'b'.repeat(40) }

describe('a job that runs again', () => {
  test.each([
    ['as a re-run', { attempt: 2 }],
    ['as another run', { runId: '9000002' }],
    ['on another commit, with the same file', { runId: '9000002', env: OTHER_COMMIT }],
    ['in the same attempt, with the same file', {}]
  ])('%s publishes nothing, and gives the recorded outputs', async (_, options) => {
    await using shop = await openShop()
    const first = await shop.publish()
    const writes = writesOf(shop)
    const again = await shop.publish(options)
    expect(first.outputs).toMatchObject({ outcome: 'published', reason: '' })
    expect(again.outputs).toEqual({
      ...Object.fromEntries(Object.keys(first.outputs).map(name => [name, ''])),
      ...{ outcome: 'skipped', reason: 'already-published' },
      ...{ version_id: first.outputs.version_id, id: first.outputs.id },
      ...{ title: 'Gallery 1.4.2', changelog: first.outputs.changelog },
      ...{ sha256: shop.sha256, size: String(shop.zip.length) },
      ...{ file_name: 'gallery-1.4.2.zip', download_url: first.outputs.download_url },
      versions: expect.any(String)
    })
    expect(shop.service.requests).toHaveLength(1)
    expect([shop.service.notifications.length, writesOf(shop)]).toEqual([1, writes])
    expect(again.annotations).toMatchObject([
      {
        ...{ kind: 'notice', title: 'Skipped' },
        message: expect.stringContaining(`"1.4.2" is already published, by run ${RUN_ID}`)
      }
    ])
  })

  test('gives the present run’s title and changelog', async () => {
    await using shop = await openShop()
    await shop.publish()
    shop.addRelease({ name: 'Gallery, corrected', body: 'Corrected notes.' })
    const { outputs } = await shop.publish({ attempt: 2 })
    expect(outputs).toMatchObject({ title: 'Gallery, corrected', changelog: 'Corrected notes.' })
  })

  test('after a failure publishes', async () => {
    await using shop = await openShop()
    shop.service.misbehave({ kind: 'answer', status: 422, stored: false })
    expect((await shop.publish()).outputs.outcome).toBe('failed')
    expect((await shop.publish({ attempt: 2 })).outputs.outcome).toBe('published')
    expect(historiesOf(shop)).toEqual(['in_progress failure', 'in_progress success'])
  })

  test('for another version, product or benefit publishes that', async () => {
    await using shop = await openShop()
    await shop.publish()
    for (const inputs of [{ 'version-name': '1.4.2 for studios' }, { benefit: '34' }]) {
      expect((await shop.publish({ inputs })).outputs.outcome).toBe('published')
    }
    expect(shop.service.versions).toHaveLength(3)
    expect(shop.github.deployments.map(({ environment }) => environment)).toEqual(
      ['12', '12', '12/benefits/34'].map(id => `${new URL(shop.service.url).host}/products/${id}`)
    )
  })
})

describe('a file with other bytes', () => {
  const rebuilt = 'another build of the same source'

  test.each([
    ['built again in a later attempt', { attempt: 2 }],
    ['built again by another run on the same commit', { runId: '9000002' }],
    ['built again under act, whose runs are all alike', { env: { ACT: 'true' } }]
  ])('%s is skipped, with both digests', async (_, options) => {
    await using shop = await openShop()
    await shop.publish()
    await shop.write('dist/gallery-1.4.2.zip', rebuilt)
    const run = await shop.publish(options)
    expect(run.outputs).toMatchObject({
      ...{ outcome: 'skipped', reason: 'already-published' },
      // Those of the published version, not of the file at hand.
      ...{ sha256: shop.sha256, size: String(shop.zip.length) }
    })
    const notice = run.annotations.find(({ title }) => title === 'Skipped')
    const digests = notice?.message.match(/[0-9a-f]{64}/g) ?? []
    expect([digests.length, digests[0] === shop.sha256, digests[0] !== digests[1]]).toEqual([
      ...[2, true, true]
    ])
    expect(shop.service.versions).toHaveLength(1)
  })

  test.each([
    ['from another commit', { runId: '9000002', env: OTHER_COMMIT }],
    ['from another job of the same attempt, such as a matrix', { env: { GITHUB_JOB: 'other' } }]
  ])('%s is an error: the same version with different content', async (_, options) => {
    await using shop = await openShop()
    await shop.publish()
    await shop.write('dist/gallery-1.4.2.zip', rebuilt)
    const run = await shop.publish(options)
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'different-content' })
    expect(run.annotations[0]?.message).toMatch(
      new RegExp(`different content.*${shop.sha256}.*Give the new content a new version`, 's')
    )
    expect(shop.service.versions).toHaveLength(1)
  })
})

test('what is seen on GitHub is a deployment for the tag, with version and link', async () => {
  await using shop = await openShop()
  const { outputs } = await shop.publish()
  const host = new URL(shop.service.url).host
  expect(shop.github.deployments).toMatchObject([
    {
      ...{ environment: `${host}/products/12`, ref: 'v1.4.2', task: 'publish-version' },
      ...{ production_environment: false, transient_environment: false },
      payload: { run_id: RUN_ID, run_attempt: 1, job: 'publish', file_name: 'gallery-1.4.2.zip' }
    }
  ])
  expect(shop.github.deployments[0]?.statuses).toMatchObject([
    {
      state: 'in_progress',
      description: `sha256:${shop.sha256}, ${shop.zip.length} bytes`
    },
    {
      ...{ state: 'success', description: `1.4.2 published as version ${outputs.version_id}` },
      environment_url: outputs.download_url
    }
  ])
  expect(writesOf(shop)).toBe(3)
})

test('a later run is told a hidden download address no more than the deployment is', async () => {
  await using shop = await openShop({ private: false })
  expect((await shop.publish()).outputs.download_url).toMatch(/^http/)
  expect(shop.github.deployments[0]?.statuses.at(-1)?.environment_url).toBe('')
  expect((await shop.publish({ attempt: 2 })).outputs.download_url).toBe('')
})
