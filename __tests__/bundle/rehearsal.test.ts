// Tests of a rehearsal as a job plays it: the sandbox's main step, the other actions, the sandbox's post step.
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { type Run, type RunOptions, runAction } from '../support/runner.ts'
import { breachesOf, GITHUB_TOKEN, openShop, type Shop } from '../support/shop.ts'

const sandbox = join(ROOT, 'sandbox', 'action.yml')
const licenses = join(ROOT, 'licenses', 'action.yml')

/** RUNNER_TEMP, which the steps of a job share. */
let temp: string
/** GitHub, and a workspace with a built file; its own shop is not used. */
let shop: Shop

beforeEach(async () => {
  temp = await realpath(await mkdtemp(join(tmpdir(), 'rehearsal-')))
  shop = await openShop()
})
afterEach(async () => {
  await shop.close()
  await rm(temp, { recursive: true, force: true })
})

const start = (inputs: Record<string, string> = {}, options: RunOptions = {}): Promise<Run> =>
  runAction({ action: sandbox, temp, inputs, ...options })
const stop = ({ state }: Run): Promise<Run> => runAction({ action: sandbox, temp, post: state })

async function publish(started: Run, options: RunOptions = {}): Promise<Run> {
  const { product = '', token = '', 'base-url': baseUrl = '' } = started.outputs
  const run = await runAction({
    ...{ temp, workspace: shop.workspace, githubToken: GITHUB_TOKEN, event: shop.event() },
    ...options,
    inputs: { 'base-url': baseUrl, token, product, file: 'dist/*.zip', ...options.inputs },
    secrets: [token],
    credentials: [token],
    env: {
      ...{ GITHUB_REPOSITORY: 'acme/gallery', GITHUB_API_URL: shop.github.url },
      ...options.env
    }
  })
  expect(breachesOf(run)).toEqual([])
  return run
}

const answers = (url = ''): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false
  )

test('a whole job: published, run again, listed, and told in the summary', async () => {
  const started = await start({ product: '77', benefit: '8', licenses: '120' })
  expect([started.conclusion, started.missingOutputs, started.undeclaredOutputs]).toEqual([
    ...['success', [], []]
  ])
  expect(started.maskedOutputs.toSorted()).toEqual(['api-key', 'token'])
  expect(started.log).toMatch(/^A stand-in for the shop answers at http:\/\/127\.0\.0\.1:\d+ /)

  const published = await publish(started)
  const again = await publish(started)
  const option = await publish(started, { inputs: { benefit: '8', once: 'off' } })
  const wrong = await publish(started, { inputs: { token: 'another', once: 'off' } })
  expect([published, again, option, wrong].map(({ outputs }) => outputs.outcome)).toEqual([
    ...['published', 'skipped', 'published', 'failed']
  ])

  const listed = await runAction({
    ...{ action: licenses, temp },
    inputs: {
      'base-url': started.outputs['base-url'] ?? '',
      'api-key': started.outputs['api-key'] ?? '',
      format: 'csv'
    }
  })
  expect(listed.outputs).toMatchObject({ outcome: 'listed', count: '120', pages: '2' })
  expect((await readFile(listed.outputs.path ?? '', 'utf8')).split('\n')).toHaveLength(122)

  const stopped = await stop(started)
  expect(stopped.conclusion).toBe('success')
  expect(stopped.log).toContain('2 versions arrived; the real shop would have sent 240 mails.')
  expect(stopped.summary).toMatch(/^## 🎭 Rehearsal: 2 versions arrived/)
  for (const shown of ['77, benefit 8', 'Gallery 1.4.2', shop.sha256, '- Albums can be sorted']) {
    expect(stopped.summary).toContain(shown)
  }
  expect(stopped.summary).toContain('refused with 401: Unauthenticated.')
  // To ask whether all is well is no trouble.
  expect(stopped.summary).not.toContain('refused with 422')
  expect(await answers(started.outputs['base-url'])).toBe(false)
})

describe('a fault that was asked for', () => {
  test.each([
    ['lost-answer', 'unknown', '1 version arrived'],
    ['refused', 'failed', 'No version arrived'],
    ['lost-upload', 'published', '1 version arrived']
  ])('%s ends as %s', async (fault, outcome, told) => {
    const started = await start({ fault })
    expect(started.log).toContain(`fault     ${fault}, at the first publication`)
    const { outputs } = await publish(started)
    const { summary } = await stop(started)
    expect([outputs.outcome, summary]).toEqual([outcome, expect.stringContaining(told)])
    expect(summary).toContain('disturbed by the fault, as asked')
  })
})

describe('the sandbox says clearly', () => {
  test('what is wrong with its inputs, all at once', async () => {
    const run = await start({ product: 'x', licenses: '1e9', fault: 'lost', port: '70000' })
    expect(run.conclusion).toBe('failure')
    for (const said of ['product: "x"', 'licenses: "1e9"', 'fault: "lost"', '70000']) {
      expect(run.log).toContain(said)
    }
    expect((await stop(run)).log).toContain('did not start')
  })

  test('that it runs already, and goes on', async () => {
    const started = await start()
    const second = await start()
    expect(second.conclusion).toBe('failure')
    expect(second.log).toContain(`already in this job, at ${started.outputs['base-url']}. Use`)
    expect((await stop(second)).summary).toBe('')
    expect(await answers(started.outputs['base-url'])).toBe(true)
    await stop(started)
    const next = await start()
    expect([next.conclusion, (await stop(next)).conclusion]).toEqual(['success', 'success'])
  })

  test('that a port is taken, and starts on another one then', async () => {
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const run = await start({ port })
    await new Promise(resolve => taken.close(resolve))
    expect(run.conclusion).toBe('failure')
    expect(run.log).toMatch(
      new RegExp(`could not be started: port ${port} .* cannot be had .*EADDRINUSE.*Leave`)
    )
    const next = await start()
    expect([next.conclusion, (await stop(next)).conclusion]).toEqual(['success', 'success'])
  })

  test('that its process died on the way', async () => {
    const started = await start()
    process.kill(Number(started.state.pid), 'SIGKILL')
    while (await answers(started.outputs['base-url']));
    const stopped = await stop(started)
    expect(stopped.conclusion).toBe('failure')
    expect(stopped.log).toMatch(/process \(\d+\) ended before this job did, so what arrived is not/)
  })

  test('that its process died at the start, with what it printed', async () => {
    const code = "if (process.argv[2]) { console.error('no memory'); process.exit(9) }"
    const source = `data:text/javascript,${encodeURIComponent(code)}`
    const run = await start({}, { env: { NODE_OPTIONS: `--import=${source}` } })
    expect(run.conclusion).toBe('failure')
    expect(run.log).toMatch(/could not be started: it ended at once \(9\)\n.*no memory/)
  })
})
