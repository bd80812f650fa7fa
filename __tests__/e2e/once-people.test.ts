// Tests of dist/: the edges of the record: jobs that share a version, people who mark it, and clocks that differ.
import { expect, jest, test } from '@jest/globals'
import { LARGE, packed } from '../support/archives.ts'
import { BY_HAND, FILE, openShop, type PublishOptions, type Shop } from '../support/shop.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

const MINUTE = 60_000 // milliseconds
const LOST = { kind: 'reset-after-body', stored: true } as const

/** A status as somebody pastes it. */
const paste = (shop: Shop, claim: number, state: 'success' | 'failure', said: string) =>
  shop.github.addStatus(shop.github.deployments[claim]?.id ?? 0, {
    state,
    description: `publish-version: marked ${said} by run 7`,
    auto_inactive: false
  })

/** Calls the action once the condition holds. */
function once(condition: () => boolean, act: () => void): void {
  const timer = setInterval(() => {
    if (!condition()) return
    clearInterval(timer)
    act()
  }, 5)
}

/** From when on to look, as a message says. */
function timeIn(message = ''): number {
  const [, date, time] = /until (\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/.exec(message) ?? []
  return Date.parse(`${date}T${time}:00Z`)
}

/** A job, and the file that it publishes. */
interface Publishing {
  readonly job: string
  readonly path: string
}

const publishing = ({ job, path }: Publishing): PublishOptions => {
  return { inputs: { file: path }, env: { GITHUB_JOB: job } }
}

test('two jobs publish two files as one version: the second is an error, also when it is run again', async () => {
  const free = { job: 'free', path: 'free/gallery.zip' }
  const pro = { job: 'pro', path: 'pro/gallery.zip' }
  await using shop = await openShop()
  await shop.write(free.path, 'The free build.')
  await shop.write(pro.path, 'The other build.')
  expect((await shop.publish(publishing(free))).outputs.outcome).toBe('published')

  for (const attempt of [1, 2]) {
    const run = await shop.publish({ ...publishing(pro), attempt })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'different-content' })
  }
  expect(shop.service.versions).toHaveLength(1)
})

test('a job that builds its file again skips what it has published', async () => {
  await using shop = await openShop({ inputs: { file: 'dist/gallery.zip' } })
  await shop.write('dist/gallery.zip', 'A build.')
  await shop.publish()

  await shop.write('dist/gallery.zip', 'The same, at another time.')
  const again = await shop.publish({ attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
  expect(again.annotations).toMatchObject([
    {
      kind: 'warning',
      message: expect.stringContaining(
        'It was published with other bytes, and this file was not sent'
      )
    }
  ])
})

test('a file name with its build time fails a re-run, which says that nothing is lost', async () => {
  await using shop = await openShop({ inputs: { 'allow-other-version': 'true' } })
  const inputs = (file: string) => ({ inputs: { file } })
  await shop.write('dist/gallery-202601311405.zip', 'A build.')
  await shop.write('dist/gallery-202601311417.zip', 'The same, at another time.')

  await shop.publish(inputs('dist/gallery-202601311405.zip'))
  const again = await shop.publish({ ...inputs('dist/gallery-202601311417.zip'), attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'failed', reason: 'different-content' })

  const [error] = again.annotations
  expect(error?.message).toContain('If this is the same file built again, nothing is left to do')
})

test('a run that is about to send withholds when a person corrects a wrong mark meanwhile', async () => {
  await using shop = await openShop({ github: { lag: { ms: 800, mode: 'ordered', seed: 1 } } })
  shop.service.misbehave(LOST)
  expect((await shop.publish()).outputs.outcome).toBe('unknown')

  paste(shop, 0, 'failure', 'not published')
  shop.github.clock.advance(1000)
  once(
    () => shop.histories()[1] === 'in_progress',
    () => paste(shop, 0, 'success', 'published')
  )
  const run = await shop.publish({ runId: '9000002' })

  expect(run.outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
  expect(shop.histories()).toEqual(['in_progress error failure success', 'in_progress failure'])
  expect(shop.service.versions).toHaveLength(1)
})

test('a run that publishes while its version is marked as published has overtaken the mark', async () => {
  await using shop = await openShop()
  const on = { method: 'POST', path: /\/deployments$/ }
  shop.github.misbehave({ kind: 'slow-answer', ms: 4000, on })

  // A run starts once the mark has looked, and found nothing in the way.
  const runs: Promise<unknown>[] = []
  once(
    () => shop.github.deployments.length === 1,
    () => runs.push(shop.publish())
  )

  const inputs = { mode: 'mark-published', token: '' }
  const marked = await shop.publish({ inputs, runId: '9000002' })
  await Promise.all(runs)

  expect(shop.service.versions).toHaveLength(1)
  expect(marked.outputs).toMatchObject({ outcome: 'failed', reason: 'busy' })
  expect(marked.annotations[0]?.message).toMatch(
    /recorded as published, but run 9000001 .* was publishing it at the same time\.\n.*not there twice/
  )
})

test('where GitHub’s clock is an hour behind, the time to look is given by that clock, and is not too early', async () => {
  const now = new Date(Date.now() - 60 * MINUTE)
  await using shop = await openShop({ github: { now } })
  shop.service.misbehave({ kind: 'reset-after-body', stored: false })

  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'no-answer' })

  const [begun] = shop.github.deployments[0]?.statuses ?? []
  const over = Date.parse(begun?.created_at ?? '') + 15 * MINUTE
  const given = timeIn(run.annotations[0]?.message)
  expect(given).toBeGreaterThanOrEqual(over)
  expect(given).toBeLessThan(over + MINUTE)
})

test.each([
  ['while the file is sent', 1000],
  ['when only the last bytes are left', LARGE]
])(
  'a success %s, which may be anybody’s, leads to a look into the shop, and to no re-run',
  async (_, bytes) => {
    await using shop = await openShop()
    const content = packed(Buffer.alloc(LARGE, 'large '))
    await shop.write(FILE, content)
    shop.service.misbehave({ kind: 'early-answer', status: 201, bytes, close: 'fin' })

    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'strange-answer' })

    const message = run.annotations[0]?.message ?? ''
    expect(message).toMatch(/mode `mark-published` or `mark-not-published` and tag `v1\.4\.2`/)
    expect(message).not.toMatch(/press \*Re-run failed jobs\*/i)
    expect(run.log).toMatch(/gh api .*\/statuses -f state=failure/)

    // The re-run is told the same, and no later time.
    const again = await shop.publish({ attempt: 2 })
    expect(again.outputs).toMatchObject({ outcome: 'unknown', reason: 'in-doubt' })
    expect(again.annotations[0]?.message).toMatch(
      /, and no answer is recorded that says whether it was published\. So that/
    )
    const given = timeIn(message)
    expect(given).toBeGreaterThanOrEqual(timeIn(again.annotations[0]?.message))
    expect(given).toBeLessThanOrEqual(timeIn(again.annotations[0]?.message) + MINUTE)
  }
)

test('a mark that lifts a doubt says whose try that was, and since when it may have been sent', async () => {
  await using shop = await openShop()
  shop.service.misbehave(LOST, LOST)
  await shop.publish()

  // Another person has lifted this one already, and started the run whose try is newer.
  paste(shop, 0, 'failure', 'not published')
  await shop.publish({ runId: '9000002' })
  shop.github.clock.advance(16 * MINUTE)

  const marked = await shop.publish({
    inputs: {
      mode: 'mark-not-published',
      token: '',
      file: ''
    },
    runId: '9000003'
  })
  expect(marked.outputs.outcome).toBe('marked')
  expect(marked.log).toMatch(
    /This lifts the doubt about run 9000002 \(\S+\), which may have sent it since \d{4}-\d\d-\d\d \d\d:\d\d UTC\. A run may publish it now\./
  )
  expect(marked.log).not.toContain('run 9000001')
})

test('a version of a tag that GitHub does not have is marked, with a warning; its release is skipped then', async () => {
  await using shop = await openShop()
  const inputs = { mode: 'mark-published', token: '', file: '', tag: 'v1.4.1' }
  const marked = await shop.publish({ event: BY_HAND, inputs, runId: '9000007' })

  expect(marked.outputs).toMatchObject({ outcome: 'marked', reason: '' })
  expect(marked.annotations).toMatchObject([
    {
      kind: 'warning',
      message: expect.stringMatching(
        /^GitHub does not know the tag "v1\.4\.1"; the mark is of the version "1\.4\.1"\. .*take it back: see “Take back a mark” in \S+re-runs\.md#take-back-a-mark\.$/
      )
    }
  ])
  const { sha } = shop.github.deployments[0] ?? {}
  expect(shop.github.deployments).toMatchObject([{ ref: sha, payload: { tag: 'v1.4.1' } }])

  shop.addRelease({ tag: 'v1.4.1' })
  const event = shop.event({ tag: 'v1.4.1' })
  const run = await shop.publish({ event, inputs: { file: FILE, 'allow-other-version': 'true' } })
  expect(run.outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
  expect(run.annotations[0]?.message).toMatch(
    /^"1\.4\.1" is already published, since a person marked it so \(run 9000007 \(.*\)\)\.\nIf it is not in the shop: see “Take back a mark” in /
  )
  expect(shop.service.versions).toEqual([])
})
