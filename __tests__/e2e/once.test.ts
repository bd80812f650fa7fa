// Tests of dist/: what the record shows on GitHub, what a re-run gives, several runs at once, and what a person pastes.
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
      format: 1,
      sha256,
      run_id: RUN_ID,
      run_attempt: 1,
      job: 'publish',
      title: 'Gallery 1.4.2',
      tag: 'v1.4.2',
      source: 'workspace',
      file_path: 'dist/gallery-1.4.2.zip',
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

  // The release may be edited since; nobody was sent that.
  shop.addRelease({ name: 'Another name', body: 'Other notes.' })
  const again = await shop.publish({ attempt: 2 })
  const recorded = Object.fromEntries(RECORDED.map(name => [name, first.outputs[name]]))
  expect(again.outputs).toMatchObject({
    outcome: 'skipped',
    published: 'false',
    reason: 'already-published',
    ...recorded,
    title: 'Gallery 1.4.2',
    changelog: '',
    product_id: ''
  })
  expect(JSON.parse(again.outputs.version ?? '')).toEqual({
    id: Number(first.outputs.id),
    title: 'Gallery 1.4.2',
    file_name: 'gallery-1.4.2.zip'
  })
  expect(again.annotations).toMatchObject([{ kind: 'notice', title: 'Skipped: 1.4.2' }])

  const writes = shop.github.requests.filter(({ method }) => method === 'POST')
  expect(shop.service.notifications).toHaveLength(1)
  expect(writes).toHaveLength(3)
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
  for (const name of [...RECORDED, 'title']) {
    const [one, other] = others.map(outputs => outputs[name])
    expect({ name, value: one }).toEqual({ name, value: other })
    expect({ name, value: one }).not.toEqual({ name, value: '' })
  }
})

/** A `gh` that sends nothing: it writes down its arguments, each with a NUL after it. */
const GH = `#!/bin/sh
for argument in "$@"
do
  printf '%s\\0' "$argument"
done > "$OUT"
`

/** A call of the REST API by `gh api`. */
interface ApiCall {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
}

/** Runs a command such as `gh api PATH -f name=value` in a shell, as a person would; returns what `gh` was asked for. */
async function runCommand(shop: Shop, command: string): Promise<ApiCall> {
  await shop.write('bin/gh', GH)
  await chmod(join(shop.workspace, 'bin/gh'), 0o755)

  const out = join(shop.workspace, 'asked')
  const settings = `export OUT='${out}' PATH='${join(shop.workspace, 'bin')}':"$PATH"`
  await promisify(execFile)('sh', ['-c', `${settings}\n${command.trim()}`])

  const asked = await readFile(out, 'utf8')
  // The first argument is `api`; nothing follows the last NUL.
  const args = asked.split('\0').slice(1, -1)
  const fields: Record<string, string> = {}
  let path = ''
  for (const argument of args) {
    if (argument === '-f' || argument === '-F') continue

    const [name = '', ...value] = argument.split('=')
    if (value.length > 0) fields[name] = value.join('=')
    else path = argument
  }
  return { path, fields }
}

/** Pastes a command as a person would, with a `gh` that calls the stand-in for GitHub. */
async function paste(shop: Shop, command: string): Promise<void> {
  const { path, fields } = await runCommand(shop, command)
  const sent = { ...fields, auto_inactive: fields.auto_inactive === 'true' }

  const answer = await fetch(`${shop.github.url}/${path}`, {
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
  {
    said: 'is there',
    isThere: true,
    outcome: 'skipped'
  },
  {
    said: 'is not there',
    isThere: false,
    outcome: 'published'
  }
])(
  'a version in doubt: a person says, by a command that is printed, that it $said (POSIX shell)',
  async ({ isThere, outcome }) => {
    await using shop = await openShop()
    shop.service.misbehave({ kind: 'reset-after-body', stored: isThere })
    const first = await shop.publish()
    expect(first.outputs).toMatchObject({ outcome: 'unknown', reason: 'no-answer' })

    const doubt = await shop.publish({ attempt: 2 })
    expect(doubt.outputs).toMatchObject({ outcome: 'unknown', reason: 'in-doubt' })

    const [error] = doubt.annotations
    expect(error?.title).toBe('Outcome unknown: the shop may have published 1.4.2')
    const lines = [
      /"gallery-1\.4\.2\.zip" \(SHA-256 [\da-f]{64}\)/,
      /until \d{4}-\d\d-\d\d \d\d:\d\d UTC; then look in .*product 12: is there a version "1\.4\.2"\?/,
      /Run workflow with mode `mark-published` or `mark-not-published` and tag `v1\.4\.2`/
    ]
    for (const line of lines) {
      expect(error?.message).toMatch(line)
    }
    expect(error?.message).not.toContain('gh api')
    expect(summaryOf(doubt)).toMatch(/<b>Actions → Release → Run workflow<\/b> with mode/)
    expect(summaryOf(doubt)).toContain('<summary>Without the button</summary>')

    const [there = '', missing = ''] = commandsIn(doubt.log)
    await paste(shop, isThere ? there : missing)

    const last = await shop.publish({ attempt: 3 })
    expect(last.outputs.outcome).toBe(outcome)
    expect(shop.service.versions).toHaveLength(1)
  }
)

test('a version lower than a published one is refused unless `allow-lower` is set', async () => {
  await using shop = await openShop()
  shop.addRelease({ tag: 'v1.10.0' })
  const high = {
    file: FILE,
    'allow-other-version': 'true'
  }
  const first = await shop.publish({ event: shop.event({ tag: 'v1.10.0' }), inputs: high })
  expect(first.outputs.outcome).toBe('published')

  const refused = await shop.publish({ runId: '2' })
  expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'lower-version' })
  expect(refused.annotations[0]?.message).toMatch(/"1\.4\.2" is lower than "1\.10\.0"/)

  const plan = await shop.publish({ runId: '3', inputs: { mode: 'plan' } })
  expect(plan.log).toContain('Publishing would fail: "1.4.2" is lower than "1.10.0"')

  const allowed = await shop.publish({ runId: '4', inputs: { 'allow-lower': 'true' } })
  expect(allowed.outputs.outcome).toBe('published')
})
