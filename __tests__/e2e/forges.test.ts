// Tests of dist/: Gitea and Forgejo, with their variables, events and routes, and what they lack.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { runAction } from '../support/runner.ts'
import { BY_HAND, FILE, openShop, type Shop, type ShopOptions, summaryOf } from '../support/shop.ts'

/** As their runners set them: Forgejo's sets Gitea's variable, too, and both set act's. */
const GITEA = {
  GITEA_ACTIONS: 'true',
  ACT: 'true',
  GITHUB_RUN_ATTEMPT: ''
}
const FORGEJO = { ...GITEA, FORGEJO_ACTIONS: 'true' }
const FORGES = [
  ['Gitea', GITEA],
  ['Forgejo', FORGEJO]
] as const

const SCHEDULE = { name: 'schedule', payload: {} }

/** A shop for a server that has no deployments: the record is off. */
function openForge({ inputs, ...others }: ShopOptions = {}): Promise<Shop> {
  return openShop({
    github: { hasDeployments: false },
    inputs: { record: 'false', ...inputs },
    ...others
  })
}

describe.each(FORGES)('on %s', (name, env) => {
  test('a published release goes to the shop, with its notes as they are now', async () => {
    await using shop = await openForge()
    const event = shop.event({}, 'published')
    shop.addRelease({ body: '- Edited since.' })

    const run = await shop.publish({ env, event })

    expect(run.outputs).toMatchObject({ outcome: 'published', changelog: '- Edited since.' })
    expect(shop.service.versions).toHaveLength(1)
  })

  test.each(['edited', 'updated'])('the action "%s": what to listen to', async action => {
    await using shop = await openForge()

    const run = await shop.publish({ env, action })

    expect(run.outputs).toMatchObject({ outcome: 'skipped', reason: 'event-action' })
    expect(run.log).toContain('`types: [published]`')
    expect(run.log).not.toContain('`types: [released]`')
  })

  test('an attached file is an error before any request is sent', async () => {
    await using shop = await openForge()

    const run = await shop.publish({ env, inputs: { file: '', asset: 'gallery-{version}.zip' } })

    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
    expect(run.log).toContain(`asset: works on GitHub only, and this is ${name}: build or download`)
    expectNothingAsked(shop)
    expect(shop.github.requests).toEqual([])
  })

  test('files of another commit than the tag’s are refused, and those of its own are not', async () => {
    await using shop = await openForge()
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: shop.workspace,
        encoding: 'utf8'
      }).trim()
    git('init', '--quiet')
    git('commit', '--quiet', '--allow-empty', '--message=a')

    const inputs = { tag: 'v1.4.2', file: FILE }
    const press = () => shop.publish({ env, event: BY_HAND, inputs })

    expect((await press()).outputs).toMatchObject({ outcome: 'failed', reason: 'commit' })
    expectNothingAsked(shop)

    shop.addRelease({}, { commit: git('rev-parse', 'HEAD') })
    expect((await press()).outputs.outcome).toBe('published')
  })

  test.each(['audit', 'mark-published', 'mark-not-published'])('mode %s', async mode => {
    await using shop = await openForge()
    for (const record of ['true', 'false']) {
      const inputs = { mode, record, tag: 'v1.4.2' }
      const run = await shop.publish({ env, event: SCHEDULE, inputs })

      expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-deployments' })
      expect(run.log).toContain(`\`mode: ${mode}\` is not possible on this server`)
      expect(run.log).not.toContain('record: false')
    }
    expect(shop.github.requests).toEqual([])
  })

  test.each([
    ['v1', 'src/tag/v1/docs/troubleshooting.md#event-action'],
    ['c0ffee'.padEnd(40, '0'), 'src/commit/c0ffee'],
    ['main', undefined]
  ])('where a reason is explained, of the action at %s', async (ref, page) => {
    await using shop = await openForge()
    const place = {
      GITHUB_SERVER_URL: 'https://git.example.org',
      GITHUB_ACTION_REPOSITORY: 'acme/publish',
      GITHUB_ACTION_REF: ref
    }

    const run = await shop.publish({ env: { ...env, ...place }, action: 'edited' })

    const found = run.log.split('More about it: https://git.example.org/acme/publish/')[1]
    if (page === undefined) expect(run.log).not.toContain('More about it')
    else expect(found?.startsWith(page)).toBe(true)
  })

  test('a wrong mode may come from the action around this one', async () => {
    await using shop = await openForge()
    const run = await shop.publish({ env, inputs: { mode: 'fast' } })

    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
    expect(run.log).toContain('it is the input of an action that wraps this one')

    const there = await shop.publish({ inputs: { mode: 'fast' } })
    expect(there.log).not.toContain('wraps this one')
  })

  test('the log has the messages and the table of a plan as plain lines', async () => {
    await using shop = await openForge()
    const event = shop.event({}, 'published')

    const failed = await shop.publish({ env, event, inputs: { file: 'none/*.zip' } })
    expect(failed.stdout).not.toMatch(/^::(?:error|warning|notice)/m)
    expect(failed.stdout).toMatch(/^error: Not published$/m)

    const planned = await shop.publish({ env, event, inputs: { mode: 'plan', token: '' } })
    expect(planned.stdout).toContain('Part | Planned')
    expect(planned.stdout).toContain(shop.sha256)
    expect(summaryOf(planned)).toContain('<summary>Changelog</summary>')
  })

  test('the log of a rehearsal lists what arrived', async () => {
    await using shop = await openForge()
    const action = join(ROOT, 'sandbox/action.yml')
    const temp = shop.workspace

    const started = await runAction({ action, env, temp })
    const ended = await runAction({
      action,
      env,
      temp,
      post: started.state
    })

    expect(ended.log).toContain('"versions": []')
  })
})

test('without their variables, a server without deployments is recognized by its answers', async () => {
  await using shop = await openShop({ github: { hasDeployments: false } })

  const run = await shop.publish({ event: SCHEDULE, inputs: { mode: 'audit', token: '' } })

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-deployments' })
  expect(run.log).not.toContain('record: false')
})
