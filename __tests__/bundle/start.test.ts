// Owns how the action starts: with a path prefix, with its credentials hidden, and without a runner.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { GITHUB_TOKEN, openShop, type Shop, TOKEN } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }

test('a path prefix of the base address is kept', async () => {
  await using shop = await openShop({ ...off, service: { pathPrefix: '/eu/shop' } })
  const run = await shop.publish({ inputs: { 'base-url': `${shop.service.url}///` } })
  expect(run.outputs.outcome).toBe('published')
  expect(shop.service.requests[0]?.path).toBe('/eu/shop/api/products/12/versions')
})

describe('credentials', () => {
  // Every run is searched for them, debug output included.
  test('are masked before anything else is printed, and go to their own service alone', async () => {
    await using shop = await openShop()
    const run = await shop.publish({ secrets: [], debug: true })
    expect(run.masks).toEqual(expect.arrayContaining([TOKEN, GITHUB_TOKEN]))
    const [first, second] = run.stdout.split('\n')
    expect([first, second].every(line => line?.startsWith('::add-mask::'))).toBe(true)
    const toGitHub = JSON.stringify(shop.github.requests)
    const toShop = shop.service.requests.map(({ headers, body }) => [headers, body.toString()])
    expect(toGitHub).toContain(GITHUB_TOKEN)
    expect(toGitHub).not.toContain(TOKEN)
    expect(JSON.stringify(toShop)).toContain(TOKEN)
    expect(JSON.stringify(toShop)).not.toContain(GITHUB_TOKEN)
  })

  test('that a service repeats do not become outputs', async () => {
    await using shop = await openShop(off)
    const body = { message: `The token ${TOKEN} is unknown.` }
    shop.service.misbehave({ kind: 'answer', status: 401, body, stored: false })
    // The runner hides it in the log; what is raw holds it, as with every action.
    const run = await shop.publish({ credentials: [GITHUB_TOKEN] })
    expect(run.log + run.summary).not.toContain(TOKEN)
    expect(run.log).toContain('The token *** is unknown.')
    expect(JSON.stringify(run.outputs)).not.toContain(TOKEN)
  })
})

describe('without a runner', () => {
  const run = promisify(execFile)
  const action = join(ROOT, 'dist/publish/index.js')

  /** Starts the action with these variables alone. */
  async function start(shop: Shop, env: Readonly<Record<string, string>>) {
    const options = { env: { ...env }, cwd: shop.workspace }
    return run(process.execPath, [action], options).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => ({ code: 1, stdout: '', stderr: '', ...Object(error) })
    )
  }

  test('the inputs and the runner’s files are enough', async () => {
    await using shop = await openShop()
    const files = ['output', 'summary']
    for (const file of files) await shop.write(file, '')
    await shop.write('event', JSON.stringify(shop.event().payload))
    const end = await start(shop, {
      'INPUT_BASE-URL': shop.service.url,
      INPUT_TOKEN: TOKEN,
      INPUT_PRODUCT: '12',
      INPUT_FILE: 'dist/*.zip',
      INPUT_ONCE: 'off',
      GITHUB_EVENT_NAME: 'release',
      GITHUB_EVENT_PATH: join(shop.workspace, 'event'),
      GITHUB_OUTPUT: join(shop.workspace, 'output'),
      GITHUB_STEP_SUMMARY: join(shop.workspace, 'summary')
    })
    expect(end).toMatchObject({ code: 0, stderr: '' })
    expect(shop.service.versions).toMatchObject([{ versionName: '1.4.2', sha256: shop.sha256 }])
    expect(await readFile(join(shop.workspace, 'output'), 'utf8')).toContain('published')
    expect(await readFile(join(shop.workspace, 'summary'), 'utf8')).toContain('Published')
  })

  test('with nothing at all, it says what is missing, and fails', async () => {
    await using shop = await openShop()
    const end = await start(shop, {})
    expect(end).toMatchObject({ code: 1, stderr: '' })
    for (const name of ['base-url', 'token', 'product', 'file']) {
      expect(end.stdout).toContain(`${name}: is required`)
    }
  })
})

test('a broken event file is an error with all outputs', async () => {
  await using shop = await openShop(off)
  await shop.write('event.json', '{"action":')
  const run = await shop.publish({ env: { GITHUB_EVENT_PATH: join(shop.workspace, 'event.json') } })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'internal' })
  expect(run.annotations[0]?.message).toMatch(/The event file ".*event\.json" cannot be read/)
})
