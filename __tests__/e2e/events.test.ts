// Tests of dist/: which runs publish which release: of an event, of a tag, again on a re-run, or none.
import { expect, test } from '@jest/globals'
import { expectNothingAsked } from '../support/asked.ts'
import { FILE, openShop, type PublishOptions } from '../support/shop.ts'

const COMMIT = 'c0ffee0000000000000000000000000000000000'

/** An event without a release, on this ref. */
const on = (name: string, ref: string, payload = {}): PublishOptions => {
  return { event: { name, payload }, env: { GITHUB_REF: ref } }
}

const TAG = on('push', 'refs/tags/v2.0.0')
interface Unpublished {
  readonly name: string
  readonly options: PublishOptions
  readonly outcome: string
  readonly reason: string
  /** The kind of its one annotation, and what that says. */
  readonly kind: string
  readonly said: RegExp
}

test.each<Unpublished>([
  {
    name: 'a pull request, whose inputs are not judged',
    options: { ...on('pull_request', 'refs/pull/3/merge'), inputs: { token: '', product: '' } },
    outcome: 'skipped',
    reason: 'event-action',
    kind: 'notice',
    said: /^A run for a pull request publishes nothing\.$/m
  },
  {
    name: 'a merge queue',
    options: on('merge_group', 'refs/heads/gh-readonly-queue/main/pr-1'),
    outcome: 'skipped',
    reason: 'event-action',
    kind: 'notice',
    said: /^A run for a pull request publishes nothing\.$/m
  },
  {
    name: 'a merged pull request, in a step with a tag',
    options: { ...on('pull_request', 'refs/heads/main'), inputs: { tag: 'v1.4.2' } },
    outcome: 'failed',
    reason: 'event',
    kind: 'error',
    said: /^A run for a pull request publishes nothing\.\n.*start the publishing workflow instead/
  },
  {
    name: 'a pull request, in a step with `mode: publish`',
    options: { ...on('pull_request_target', 'refs/heads/main'), inputs: { mode: 'publish' } },
    outcome: 'failed',
    reason: 'event',
    kind: 'error',
    said: /^A run for a pull request publishes nothing\.\n.*start the publishing workflow instead/
  }
])('nothing is published: $name', async ({ options, outcome, reason, kind, said }) => {
  await using shop = await openShop()

  const run = await shop.publish(options)

  expect(run.outputs).toMatchObject({ outcome, reason })
  expect(run.annotations).toMatchObject([{ kind, message: expect.stringMatching(said) }])
  expectNothingAsked(shop)
  expect(shop.github.requests).toEqual([])
})

test('a tag without a release, or with a draft that the job may not see, needs a changelog of its own', async () => {
  await using shop = await openShop()
  shop.github.addTag('v2.0.0', COMMIT)
  shop.addRelease({ tag: 'v2.0.0', draft: true })
  const publish = (inputs: Record<string, string>) =>
    shop.publish({
      ...TAG,
      env: { ...TAG.env, GITHUB_SHA: COMMIT },
      inputs: { file: FILE, ...inputs }
    })

  const refused = await publish({})
  expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'event' })
  const said = /^No published release has the tag "v2\.0\.0"\.\n.*`changelog`/
  expect(refused.annotations[0]?.message).toMatch(said)
  expectNothingAsked(shop)

  expect((await publish({ changelog: 'Faster.' })).outputs.outcome).toBe('published')

  const record = { title: 'v2.0.0', changelog: 'Faster.' }
  expect(shop.service.versions).toMatchObject([{ versionName: '2.0.0', record }])
  expect(shop.github.deployments).toMatchObject([{ ref: 'v2.0.0', sha: COMMIT }])
})

test('a workflow that listens to `created` is skipped, and learns what to listen to', async () => {
  await using shop = await openShop()
  const run = await shop.publish({ action: 'created' })

  expect(run.outputs).toMatchObject({ outcome: 'skipped', reason: 'event-action' })
  const message = expect.stringMatching(/action is "created"\.\n.*`types: \[released\]`/)
  expect(run.annotations).toMatchObject([{ kind: 'notice', message }])
  expectNothingAsked(shop)
  expect(shop.github.requests).toEqual([])
})

const OF_TAG = on('workflow_dispatch', 'refs/heads/main')

test('a tag that does not exist stops it', async () => {
  await using shop = await openShop()

  const inputs = { tag: '1.4.2', changelog: 'Faster.' }
  const run = await shop.publish({ ...OF_TAG, inputs })

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'event' })
  expect(run.annotations[0]?.message).toMatch(
    /^GitHub knows neither a release nor a tag "1\.4\.2"\.\n.*`contents: write`/
  )
  expectNothingAsked(shop)
})

test('a mark may name a tag that is gone, with its release', async () => {
  await using shop = await openShop()
  shop.service.misbehave({ kind: 'reset-after-body', stored: true })
  await shop.publish()
  shop.github.removeRelease('v1.4.2')
  shop.github.removeTag('v1.4.2')

  const inputs = { mode: 'mark-published', tag: 'v1.4.2' }
  const marked = await shop.publish({ ...OF_TAG, inputs, runId: '9000002' })

  expect(marked.outputs).toMatchObject({ outcome: 'marked', reason: '' })
  expect(shop.histories()).toEqual(['in_progress error success'])
})
