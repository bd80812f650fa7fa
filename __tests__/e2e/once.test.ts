// Owns the record on dist/: what is seen on GitHub, what a re-run gives, several runs at once, and what a person pastes.
import { execFile } from 'node:child_process'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, jest, test } from '@jest/globals'
import { onPosix } from '../support/platform.ts'
import { FILE, GITHUB_TOKEN, openShop, RUN_ID, type Shop, summaryOf } from '../support/shop.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

/** The outputs that are the same in every run of a version. */
const RECORDED = ['version_id', 'id', 'sha256', 'size', 'file_name']

test('a version is a deployment of its tag, and a re-run gives what it holds', async () => {
  await using shop = await openShop()
  const first = await shop.publish()

  const [claim] = shop.github.deployments
  const { sha256, zip } = shop
  expect(claim).toMatchObject({
    environment: `${new URL(shop.service.url).host}/products/12`,
    ref: 'v1.4.2',
    task: 'publish-version',
    production_environment: false,
    transient_environment: false,
    payload: {
      run_id: RUN_ID,
      run_attempt: 1,
      job: 'publish',
      title: 'Gallery 1.4.2',
      file_name: 'gallery-1.4.2.zip'
    },
    statuses: [
      {
        state: 'in_progress',
        description: `publish-version: sending sha256:${sha256} ${zip.length} bytes`
      },
      {
        state: 'success',
        description: `publish-version: published as ${first.outputs.id} sha256:${sha256}`
      }
    ]
  })

  const again = await shop.publish({ attempt: 2 })
  const recorded = Object.fromEntries(RECORDED.map(name => [name, first.outputs[name]]))
  expect(again.outputs).toMatchObject({
    outcome: 'skipped',
    published: 'false',
    reason: 'already-published',
    ...recorded,
    title: 'Gallery 1.4.2',
    changelog: first.outputs.changelog,
    product_id: ''
  })
  expect(again.annotations).toMatchObject([{ kind: 'notice', title: 'Skipped: 1.4.2' }])

  const writes = shop.github.requests.filter(({ method }) => method === 'POST')
  expect([shop.service.notifications.length, writes.length]).toEqual([1, 3])
  expect(JSON.stringify(shop.github.requests)).not.toContain('/downloads/')
})

test('a release without `types` starts three runs: all end green, with one version and its outputs', async () => {
  await using shop = await openShop({ github: { lag: { ms: 400, mode: 'shuffled', seed: 7 } } })

  const runs = await Promise.all(
    ['created', 'published', 'released'].map((action, index) =>
      shop.publish({ action, runId: String(9_000_001 + index) })
    )
  )

  const [created, ...others] = runs.map(({ outputs }) => outputs)
  const outcomes = others.map(({ outcome }) => outcome).toSorted()
  expect([created?.reason, ...outcomes]).toEqual(['event-action', 'published', 'skipped'])
  expect(shop.service.notifications).toHaveLength(1)
  for (const name of [...RECORDED, 'title', 'changelog']) {
    const [one, other] = others.map(outputs => outputs[name])
    expect([name, one, one !== '']).toEqual([name, other, true])
  }
})

test('a matrix that publishes two files as one version, by mistake: one is an error', async () => {
  await using shop = await openShop()
  await shop.write('other/gallery-1.4.2.zip', 'Another build.')

  await shop.publish({ env: { GITHUB_JOB: 'one' } })
  const run = await shop.publish({
    inputs: { file: 'other/*.zip' },
    env: { GITHUB_JOB: 'two' }
  })

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'different-content' })
  expect(shop.service.versions).toHaveLength(1)
})

/** Runs a command as a person would, with a `gh` that calls the stand-in. */
async function paste(shop: Shop, command: string): Promise<void> {
  // It writes down the path and the fields, the latter in base64, and sends nothing.
  const script = `#!/bin/sh
path=; fields=; shift
for it in "$@"; do case $it in -f|-F) ;; *=*) fields="$fields&$(printf %s "\${it%%=*}" | tr -d '\\n')=$(printf %s "\${it#*=}" | base64 -w0)";; *) path=$it;; esac; done
printf '%s\\n%s' "$path" "$fields" > "$OUT"`

  await shop.write('bin/gh', script)
  await chmod(join(shop.workspace, 'bin/gh'), 0o755)

  const out = join(shop.workspace, 'asked')
  const set = `export OUT='${out}' PATH='${join(shop.workspace, 'bin')}':"$PATH"`
  await promisify(execFile)('sh', ['-c', `${set}\n${command.trim()}`])

  const [place = '', fields = ''] = (await readFile(out, 'utf8')).split('\n')
  const pairs = fields.split('&').filter(Boolean)
  const body = Object.fromEntries(
    pairs.map(pair => {
      const [name = '', ...value] = pair.split('=')
      return [name, Buffer.from(value.join('='), 'base64').toString()]
    })
  )

  const sent = { ...body, auto_inactive: body.auto_inactive === 'true' }
  const answer = await fetch(`${shop.github.url}/${place}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${GITHUB_TOKEN}`,
      'user-agent': 'gh'
    },
    body: JSON.stringify(sent)
  })
  expect(answer.status).toBe(201)
}

const commandsIn = (text: string) => text.match(/^ {4}gh api .*$/gm) ?? []

onPosix.each([
  ['is there', true, 'skipped', 1],
  ['is not there', false, 'published', 1]
])(
  'a version in doubt: a person says, by a command that is printed, that it %s (POSIX shell)',
  async (_, isThere, outcome, versions) => {
    await using shop = await openShop()
    shop.service.misbehave({ kind: 'reset-after-body', stored: isThere })
    const first = await shop.publish()
    expect(first.outputs).toMatchObject({ outcome: 'unknown', reason: 'no-answer' })

    const doubt = await shop.publish({ attempt: 2 })
    expect(doubt.outputs).toMatchObject({ outcome: 'unknown', reason: 'in-doubt' })

    const [error] = doubt.annotations
    expect(error?.title).toBe('Outcome unknown: the shop may have published 1.4.2')
    const said = [
      /"gallery-1\.4\.2\.zip" \(SHA-256 [\da-f]{64}\)/,
      /until \d{4}-\d\d-\d\d \d\d:\d\d UTC; then look in .*product 12: is there a version "1\.4\.2"\?/,
      /Run workflow with mode `mark-published` or `mark-not-published` and tag `v1\.4\.2`/
    ]
    for (const line of said) {
      expect(error?.message).toMatch(line)
    }
    expect(error?.message).not.toContain('gh api')
    expect(summaryOf(doubt)).toMatch(/<b>Actions → Release → Run workflow<\/b> with mode/)
    expect(summaryOf(doubt)).toContain('<summary>Without the button</summary>')

    const [there = '', missing = ''] = commandsIn(doubt.log)
    await paste(shop, isThere ? there : missing)

    const last = await shop.publish({ attempt: 3 })
    expect([last.outputs.outcome, shop.service.versions.length]).toEqual([outcome, versions])
  }
)

test('a version lower than a published one is refused unless `allow-lower` is set', async () => {
  await using shop = await openShop()
  shop.addRelease({ tag: 'v1.10.0' })
  const high = {
    tag: 'v1.10.0',
    file: FILE,
    'allow-other-version': 'true'
  }
  expect((await shop.publish({ inputs: high })).outputs.outcome).toBe('published')

  const refused = await shop.publish({ runId: '2' })
  expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'lower-version' })
  expect(refused.annotations[0]?.message).toMatch(/"1\.4\.2" is lower than "1\.10\.0"/)

  const plan = await shop.publish({ runId: '3', inputs: { mode: 'plan' } })
  expect(plan.log).toContain('Publishing would fail: "1.4.2" is lower than "1.10.0"')

  const allowed = await shop.publish({ runId: '4', inputs: { 'allow-lower': 'true' } })
  expect(allowed.outputs.outcome).toBe('published')
})

test('without the permission, nothing is sent, and the missing lines are shown', async () => {
  await using shop = await openShop({ github: { permissions: { deployments: 'read' } } })
  const run = await shop.publish()

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'permission' })
  expect(run.annotations[0]?.message).toMatch(/\n {4}permissions:\n {6}deployments: write$/m)
  expect(shop.service.versions).toEqual([])
})

test('a server without deployments says to set `record: false`, and then publishes', async () => {
  await using shop = await openShop({ github: { hasDeployments: false } })
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'no-deployments' })
  expect(run.annotations[0]?.message).toContain('`record: false`')

  const off = await shop.publish({ inputs: { record: 'false' } })
  expect(off.outputs.outcome).toBe('published')
})
