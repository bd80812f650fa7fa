// Tests of `mode: settle`, through the bundle: a person tells the memory what is true of a version.
import { describe, expect, test } from '@jest/globals'
import { strToU8, zipSync } from 'fflate'
import { FILE, openShop, type Shop } from '../support/shop.ts'

const BY_HAND = { name: 'workflow_dispatch', payload: {} }

/** Settles v1.4.2 without a token of the shop. */
function settle(shop: Shop, as: string, inputs = {}) {
  const own = { mode: 'settle', 'settle-as': as, token: '', file: '', tag: 'v1.4.2' }
  return shop.publish({ event: BY_HAND, inputs: { ...own, ...inputs }, runId: '9000007' })
}

async function leaveInDoubt(shop: Shop) {
  shop.service.misbehave({ kind: 'reset-after-body' })
  expect((await shop.publish()).outputs.outcome).toBe('unknown')
}

const SETTLED = { outcome: 'settled', reason: '' }

describe('as published', () => {
  test('a version that was uploaded by hand is not sent', async () => {
    await using shop = await openShop()
    const run = await settle(shop, 'published')
    expect(run.outputs).toMatchObject(SETTLED)
    expect(run.summary).toContain('Recorded, nothing sent')
    expect((await shop.publish()).outputs).toMatchObject({ reason: 'already-published' })
    expect(shop.service.requests).toEqual([])
  })

  test('with a file, its digest is recorded, and other content is refused', async () => {
    await using shop = await openShop()
    const run = await settle(shop, 'published', { file: FILE })
    expect(run.outputs).toMatchObject({ ...SETTLED, sha256: shop.sha256 })
    const states = shop.github.deployments[0]?.statuses.map(({ state }) => state)
    expect(states).toEqual(['in_progress', 'success'])
    await shop.write(FILE, Buffer.from(zipSync({ 'a.php': strToU8('<?php // Other content') })))
    const env = { GITHUB_SHA: 'b'.repeat(40) }
    const other = await shop.publish({ env, runId: '9000008' })
    expect(other.outputs).toMatchObject({ outcome: 'failed', reason: 'different-content' })
    expect(shop.service.requests).toEqual([])
  })

  test('a version in doubt that is in the shop is done', async () => {
    await using shop = await openShop()
    await leaveInDoubt(shop)
    expect((await settle(shop, 'published')).outputs).toMatchObject(SETTLED)
    expect((await shop.publish({ attempt: 2 })).outputs).toMatchObject({ outcome: 'skipped' })
    expect(shop.service.versions).toHaveLength(1)
    // Saying it again changes nothing.
    const before = shop.github.deployments.length
    expect((await settle(shop, 'published')).outputs).toMatchObject(SETTLED)
    expect(shop.github.deployments).toHaveLength(before)
  })
})

describe('as not published', () => {
  test('a version in doubt that is not in the shop is published by the next run', async () => {
    await using shop = await openShop()
    shop.service.misbehave({ kind: 'reset-after-body', stored: false })
    expect((await shop.publish()).outputs.outcome).toBe('unknown')
    expect((await settle(shop, 'not-published')).outputs).toMatchObject(SETTLED)
    expect((await shop.publish({ attempt: 2 })).outputs.outcome).toBe('published')
    expect(shop.service.versions).toHaveLength(1)
  })

  test('a version that is recorded as published stays so', async () => {
    await using shop = await openShop()
    await shop.publish()
    const run = await settle(shop, 'not-published')
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'already-published' })
    expect((await shop.publish({ attempt: 2 })).outputs.outcome).toBe('skipped')
  })
})

test('while another run may still send, nothing is recorded', async () => {
  await using shop = await openShop()
  shop.github.misbehave({ kind: 'silence', on: { method: 'POST', path: /statuses$/ } })
  const killed = await shop.publish({
    killed: true,
    signal: {
      after: () => shop.github.requests.some(({ path }) => path.endsWith('/statuses')),
      signal: 'SIGKILL'
    }
  })
  expect(killed.signal).toBe('SIGKILL')
  for (const as of ['published', 'not-published']) {
    const run = await settle(shop, as)
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'busy' })
    expect(run.annotations[0]?.message).toMatch(/run 9000001 is publishing "1\.4\.2" right now/)
  }
})

test('without the permission, the lines to add are told', async () => {
  await using shop = await openShop({ github: { permissions: { deployments: 'read' } } })
  const run = await settle(shop, 'published')
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'permission' })
  expect(run.annotations[0]?.message).toContain('deployments: write')
})

test.each([
  ['settle-as is missing', { 'settle-as': '' }, 'settle-as: is required with `mode: settle`'],
  ['settle-as is another word', { 'settle-as': 'yes' }, 'settle-as: "yes"'],
  ['there is no memory', { once: 'off' }, 'once: "off" contradicts `mode: settle`'],
  ['the mode is another', { mode: 'plan', file: FILE }, 'settle-as: is for `mode: settle` alone']
])('%s: an error before anything happens', async (_, inputs, message) => {
  await using shop = await openShop()
  const run = await settle(shop, 'published', inputs)
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(run.annotations[0]?.message).toContain(message)
  expect(shop.github.requests).toEqual([])
})
