// Tests of src/publish/send.ts: what keeps an upload from starting, and which link is written down.
import { expect, test } from '@jest/globals'
import { openStage } from '../matrix/stage.ts'
import { TOKEN } from '../support/shop.ts'

test.each([
  ['a wrong token', { token: 'one-that-opens-nothing' }, '401'],
  ['a product of somebody else', { product: '13' }, '403'],
  ['a product that is not there', { product: '99' }, '404']
])('%s ends the run at the first request', async (_, inputs, status) => {
  await using stage = await openStage()
  const run = await stage.run({ inputs })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
  expect(run.annotations[0]?.message).toMatch(new RegExp(`^Nothing was uploaded\\. .*${status}`))
  expect([stage.service.requests, stage.github.deployments]).toEqual([[], []])
})

const address = 'https://shop.example.com/downloads/1'
test.each([
  ['that everyone may see', address, address],
  ['that holds the token', `${address}?token=${TOKEN}`, ''],
  ['that holds the token, encoded', `${address}?token=${encodeURIComponent(TOKEN)}`, ''],
  ['that leads elsewhere', 'javascript:alert(1)', '']
])('the deployment gets a link %s, or none', async (_, link, expected) => {
  await using stage = await openStage()
  const body = { data: { id: 1001, download_url: link } }
  stage.service.misbehave({ kind: 'answer', status: 201, body, stored: true })
  expect((await stage.run()).outputs.outcome).toBe('published')
  const [claim] = stage.github.deployments
  expect(claim?.statuses.at(-1)).toMatchObject({ state: 'success', environment_url: expected })
})
