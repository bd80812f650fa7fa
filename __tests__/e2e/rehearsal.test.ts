// Tests of sandbox/action: a rehearsal as a job plays it: its main step, the other actions, its post step.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { makeFolder } from '../support/folders.ts'
import { type Run, type RunOptions, runAction } from '../support/runner.ts'
import { openShop, type Shop } from '../support/shop.ts'

const action = join(ROOT, 'sandbox', 'action.yml')

/** RUNNER_TEMP, which the steps of a job share. */
let temp: string
/** GitHub, and a workspace with a built file; its own shop is not used. */
let shop: Shop

beforeEach(async () => {
  temp = makeFolder()
  shop = await openShop()
})

afterEach(() => shop[Symbol.asyncDispose]())

const start = (inputs: Record<string, string> = {}, options: RunOptions = {}): Promise<Run> =>
  runAction({ action, temp, inputs, ...options })

const stop = ({ state }: Run): Promise<Run> => runAction({ action, temp, post: state })

function publish({ outputs }: Run, inputs: Record<string, string> = {}): Promise<Run> {
  const { product = '', token = '', 'base-url': baseUrl = '' } = outputs
  return shop.publish({
    temp,
    secrets: [token],
    credentials: [token],
    inputs: {
      'base-url': baseUrl,
      token,
      product,
      ...inputs
    }
  })
}

const answers = async ({ outputs }: Run): Promise<boolean> =>
  (await fetch(outputs['base-url'] ?? '').catch(() => undefined)) !== undefined

test('a whole job: published, run again, listed, and reported in the summary', async () => {
  const started = await start({ product: '77', benefit: '8', licenses: '120' })
  expect([started.exitCode, started.missingOutputs]).toEqual([0, []])
  expect(started.maskedOutputs.toSorted()).toEqual(['api-key', 'token'])
  expect(started.log).toMatch(/^A simulated shop answers at http:\/\/127\.0\.0\.1:\d+ /)

  const published = await publish(started)
  const again = await publish(started)
  const option = await publish(started, { benefit: '8', record: 'false' })
  const wrong = await publish(started, { token: 'another', record: 'false' })
  const outcomes = [published, again, option, wrong].map(({ outputs }) => outputs.outcome)
  expect(outcomes).toEqual(['published', 'skipped', 'published', 'failed'])

  expect(published.summary).toContain('a simulated shop on this machine')

  const { 'base-url': baseUrl = '', 'api-key': apiKey = '' } = started.outputs
  const list = (inputs: Readonly<Record<string, string>>) =>
    runAction({
      action: join(ROOT, 'licenses', 'action.yml'),
      temp,
      inputs: { 'base-url': baseUrl, 'api-key': apiKey, ...inputs }
    })
  const listed = await list({ format: 'csv' })
  expect(listed.outputs).toMatchObject({ outcome: 'listed', count: '120', pages: '2' })
  expect((await readFile(listed.outputs.path ?? '', 'utf8')).split('\n')).toHaveLength(122)

  const { exitCode, log, summary } = await stop(started)
  expect(exitCode).toBe(0)
  expect(log).toContain('2 versions arrived; the real shop would have sent 240 emails.')

  expect(summary).toMatch(/^## 🎭 Rehearsal: 2 versions arrived/)
  for (const shown of ['77, benefit 8', 'Gallery 1.4.2', shop.sha256, '- Albums can be sorted']) {
    expect(summary).toContain(shown)
  }
  expect(summary).toContain('refused with 401: Unauthenticated.')
  // A check is refused with 422, too, and is no trouble.
  expect(summary).not.toContain('refused with 422')
  expect(await answers(started)).toBe(false)
})

test.each([
  ['lost-answer', 'unknown', '1 version arrived'],
  ['refused', 'failed', 'No version arrived']
])(
  'with the fault %s a publication ends as %s, and the post step ends the process',
  async (fault, outcome, arrived) => {
    const started = await start({ fault })
    expect(started.log).toContain(`fault     ${fault}, at the first publication`)

    expect((await publish(started)).outputs.outcome).toBe(outcome)

    const stopped = await stop(started)
    expect(stopped.summary).toContain(arrived)
    expect(stopped.summary).toContain('disturbed by the fault, as asked')
    expect(stopped.exitCode).toBe(0)
    expect(await answers(started)).toBe(false)
  }
)

test('wrong inputs are reported, all at once', async () => {
  const run = await start({
    product: 'x',
    licenses: '1e9',
    fault: 'lost',
    port: '70000'
  })

  expect(run.exitCode).toBe(1)
  for (const said of ['product: "x"', 'licenses: "1e9"', 'fault: "lost"', '70000']) {
    expect(run.log).toContain(said)
  }

  expect((await stop(run)).log).toContain('did not start')
})

test('a second start is refused, and the first goes on', async () => {
  const started = await start()

  const second = await start()
  expect(second.exitCode).toBe(1)
  expect(second.log).toContain(`already in this job, at ${started.outputs['base-url']}. Use`)

  expect((await stop(second)).summary).toBe('')
  expect(await answers(started)).toBe(true)
  await stop(started)
})

test('a shop on this machine that is not the sandbox may email its buyers, and needs a record', async () => {
  shop.service.misbehave({ kind: 'answer', status: 201, body: { data: { id: 7 } } })

  const run = await shop.publish({ inputs: { record: 'false' } })

  expect(run.outputs).toMatchObject({ outcome: 'published', id: '7' })
  expect(run.summary).toContain('the shop emails its buyers')
  expect(run.summary).not.toContain('simulated')
  expect(run.log).toContain('a re-run would publish it again')
})
