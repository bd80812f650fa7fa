// Owns how the action starts: with its credentials hidden, and without a runner.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { GITHUB_TOKEN, openShop, type Shop, TOKEN } from '../support/shop.ts'

// Every run is searched for credentials, debug output included.
test('credentials are masked before anything else is printed, and go to their own service alone', async () => {
  await using shop = await openShop()
  const run = await shop.publish({ secrets: [], debug: true })
  expect(run.masks).toEqual(expect.arrayContaining([TOKEN, GITHUB_TOKEN]))
  const [first, second] = run.stdout.split('\n')
  expect([first, second].every(line => line?.startsWith('::add-mask::'))).toBe(true)
  const toGitHub = JSON.stringify(shop.github.requests)
  const toShop = shop.service.requests.map(({ headers, body }) => [headers, body.toString()])
  expect([toGitHub.includes(GITHUB_TOKEN), toGitHub.includes(TOKEN)]).toEqual([true, false])
  expect(JSON.stringify(toShop)).toContain(TOKEN)
  expect(JSON.stringify(toShop)).not.toContain(GITHUB_TOKEN)
})

test('a run says the same in a process of its own as in one that others have used', async () => {
  await using shop = await openShop()
  const sharing = [await shop.publish(), await shop.publish(), await shop.publish()]
  const { outputs, summary, stdout } = await shop.publish({ nodeArguments: ['--no-warnings'] })
  expect(sharing[0]?.outputs.outcome).toBe('published')
  for (const run of sharing.slice(1)) {
    expect(run).toMatchObject({ outputs, summary, stdout, exitCode: 0 })
  }
})

const action = join(ROOT, 'dist/publish/index.js')

/** Starts the action with these variables alone. */
async function start(shop: Shop, env: Readonly<Record<string, string>>) {
  const options = { env: { ...env }, cwd: shop.workspace }
  return promisify(execFile)(process.execPath, [action], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => ({ code: 1, stdout: '', stderr: '', ...Object(error) })
  )
}

test('without a runner, the inputs and its files are enough', async () => {
  await using shop = await openShop()
  const pathOf = (name: string) => join(shop.workspace, name)
  for (const file of ['output', 'summary']) await shop.write(file, '')
  await shop.write('event', JSON.stringify(shop.event().payload))
  const end = await start(shop, {
    ...{ 'INPUT_BASE-URL': shop.service.url, INPUT_TOKEN: TOKEN, INPUT_PRODUCT: '12' },
    ...{ INPUT_FILE: 'dist/*.zip', INPUT_RECORD: 'false', INPUT_BENEFIT: 'none' },
    'INPUT_APPROVED-PLAN': 'none',
    ...{ GITHUB_EVENT_NAME: 'release', GITHUB_EVENT_PATH: pathOf('event') },
    ...{ GITHUB_OUTPUT: pathOf('output'), GITHUB_STEP_SUMMARY: pathOf('summary') }
  })
  expect(end).toMatchObject({ code: 0, stderr: '' })
  expect(shop.service.versions).toMatchObject([{ versionName: '1.4.2', sha256: shop.sha256 }])
  expect(await readFile(pathOf('output'), 'utf8')).toContain('published')
  expect(await readFile(pathOf('summary'), 'utf8')).toContain('Published')
})

test('a broken event file is an error with all outputs', async () => {
  await using shop = await openShop()
  await shop.write('event.json', '{"action":')
  const run = await shop.publish({ env: { GITHUB_EVENT_PATH: join(shop.workspace, 'event.json') } })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'internal' })
  expect(run.annotations[0]?.message).toMatch(/The event file ".*event\.json" cannot be read/)
})
