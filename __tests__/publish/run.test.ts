// Tests of src/publish/run.ts: what a run is called that ends before anything is done.
import { expect, test } from '@jest/globals'
import { openStage } from '../matrix/stage.ts'

test.each([
  ['publish', { product: 'x' }, 'Not published'],
  ['constructor', {}, 'Not published'],
  ['plan', { product: 'x' }, 'Nothing planned'],
  ['check', { product: 'x' }, 'Check failed'],
  ['settle', {}, 'Settling failed'],
  ['audit', { file: '', 'audit-since': 'v9' }, 'Audit failed']
])('wrong inputs in mode %s are told under its own name', async (mode, inputs, heading) => {
  await using stage = await openStage()
  const run = await stage.run({ inputs: { mode, ...inputs } })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(run.annotations).toMatchObject([{ title: heading }])
  expect(run.summary).toMatch(new RegExp(`^## ❌ ${heading}`))
  const two = await stage.run({ inputs: { mode, ...inputs, order: 'x', once: 'x' } })
  expect(two.annotations[0]?.message).toMatch(/^Nothing was \w+: \d problems have to be fixed/)
})

test.each([
  ['- benefit: 34\n- product: 13\n  file: none.zip', 'Products 12, benefit 34; 13 · Release '],
  ['- benefit: 34\n  upload: ftp', 'Product 12, benefit 34 · Release '],
  ['- benefit:34', 'Product 12 · Release ']
])('a failure before there are targets names their products: %j', async (targets, intro) => {
  await using stage = await openStage()
  expect((await stage.run({ inputs: { targets } })).summary).toContain(`\n\n${intro}`)
})

test('a summary that cannot be made loses nothing of what a run did', async () => {
  await using stage = await openStage()
  // Half of a character: no address can have it.
  const env = { GITHUB_REF: 'refs/tags/v\ud800' }
  const { outputs, failed, annotations, after, summary } = await stage.run({ env })
  expect(outputs).toMatchObject({ outcome: 'published', version_id: '1001' })
  expect([failed, after, summary]).toEqual([false, 1, ''])
  const message = expect.stringMatching(/^There is no summary, since it could not be made: URI/)
  expect(annotations).toMatchObject([{ kind: 'warning', message }])
  stage.service.misbehave({ kind: 'answer', status: 500 })
  const doubted = await stage.run({ env, inputs: { 'version-name': '2' } })
  expect([doubted.outputs.outcome, doubted.failed]).toEqual(['unknown', true])
})
