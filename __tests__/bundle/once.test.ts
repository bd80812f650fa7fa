// Tests of the memory, through the bundle: what is seen on GitHub, what a re-run gives, and what a person pastes.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, jest, test } from '@jest/globals'
import type { Run } from '../support/runner.ts'
import { GITHUB_TOKEN, openShop, RUN_ID, type Shop } from '../support/shop.ts'
import { historiesOf, RECORD, writesOf } from './remembered.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

test('a version is a deployment of its tag; a re-run gives what it holds, for these bytes or others', async () => {
  await using shop = await openShop()
  const first = await shop.publish()
  const [claim] = shop.github.deployments
  expect(claim).toMatchObject({
    ...{ environment: `${new URL(shop.service.url).host}/products/12`, ref: 'v1.4.2' },
    ...{ task: 'publish-version', production_environment: false, transient_environment: false },
    payload: { run_id: RUN_ID, run_attempt: 1, job: 'publish', file_name: 'gallery-1.4.2.zip' },
    statuses: [
      { state: 'in_progress', description: `sha256:${shop.sha256}, ${shop.zip.length} bytes` },
      {
        ...{ state: 'success', description: `1.4.2 published as version ${first.outputs.id}` },
        environment_url: first.outputs.download_url
      }
    ]
  })
  expect(writesOf(shop)).toBe(3)
  const again = await shop.publish({ attempt: 2 })
  const recorded = { sha256: shop.sha256, size: String(shop.zip.length) }
  const { id, download_url, file_name } = first.outputs
  expect(again.outputs).toMatchObject({
    ...{ outcome: 'skipped', reason: 'already-published', version_id: id, id },
    ...{ ...recorded, download_url, file_name, product_id: '' }
  })
  expect(again.annotations).toMatchObject([{ kind: 'notice', title: 'Skipped' }])
  await shop.write('dist/gallery-1.4.2.zip', 'another build of the same source')
  const rebuilt = await shop.publish({ runId: '9000002' })
  expect(rebuilt.outputs).toMatchObject({ outcome: 'skipped', ...recorded })
  const other = await shop.publish({ runId: '9000003', env: { GITHUB_SHA: 'b'.repeat(40) } })
  expect(other.outputs).toMatchObject({ outcome: 'failed', reason: 'different-content' })
  expect([shop.service.notifications.length, writesOf(shop)]).toEqual([1, 3])
})

test('without the permission, `require` sends nothing, and `auto` warns', async () => {
  await using shop = await openShop({
    private: false,
    github: { permissions: { deployments: 'read' } }
  })
  const required = await shop.publish()
  expect(required.outputs).toMatchObject({ outcome: 'failed', reason: 'permission' })
  expect(required.annotations[0]?.message).toMatch(/\n +contents: read\n +deployments: write\n/)
  expect(shop.service.requests).toEqual([])
  const auto = await shop.publish({ inputs: { once: 'auto' } })
  expect(auto.outputs.outcome).toBe('published')
  const message = expect.stringContaining('deployments: write')
  expect(auto.annotations).toMatchObject([{ kind: 'warning', message }])
})

/** The commands in a text, as they stand there. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/\bgh api .*$/gm)].map(([command]) => command)
}

/** Does what `gh api` would do, with the arguments that a shell makes of the command. */
async function paste(command: string, shop: Shop): Promise<number> {
  const script = `gh() { printf '%s\\0' "$@"; }; ${command}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script])
  const [verb, path, ...rest] = stdout.split('\0').slice(0, -1)
  expect(verb).toBe('api')
  const fields = rest.flatMap((argument, index) => {
    const [name = '', ...value] = (rest[index + 1] ?? '').split('=')
    if (argument === '-f') return [[name, value.join('=')]]
    return argument === '-F' ? [[name, JSON.parse(value.join('='))]] : []
  })
  const answer = await fetch(`${shop.github.url}/${path}`, {
    method: 'POST',
    headers: { authorization: `token ${GITHUB_TOKEN}`, 'user-agent': 'gh' },
    body: JSON.stringify(Object.fromEntries(fields))
  })
  return answer.status
}

function messageOf(run: Run, wanted = 'error'): string {
  return run.annotations.find(({ kind }) => kind === wanted)?.message ?? ''
}

test.each([
  ['is there: the next run is skipped', true, 0, 'skipped'],
  ['is not there: the next run publishes', false, 1, 'published']
])('a version in doubt, says a person with a command that is printed, %s', async (...row) => {
  const [, stored, index, outcome] = row
  await using shop = await openShop({ inputs: { benefit: '34' } })
  shop.service.misbehave({ kind: 'reset-after-body', stored })
  expect((await shop.publish()).outputs).toMatchObject({ outcome: 'unknown', reason: 'no-answer' })
  const run = await shop.publish({ attempt: 2 })
  expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'in-doubt' })
  const path = `repos/acme/gallery/deployments/${shop.github.deployments[0]?.id}/statuses`
  const commands = ['success', 'failure'].map(
    state => `gh api ${path} -f state=${state} -F auto_inactive=false`
  )
  expect(messageOf(run).split(/\n+/)).toMatchObject([
    expect.stringContaining(`gallery-1.4.2.zip (SHA-256 ${shop.sha256}, ${shop.zip.length} bytes)`),
    expect.stringMatching(/product 12, benefit 34: is there a version "1\.4\.2"\?$/),
    expect.stringMatching(/`mode: settle`/),
    ...[expect.any(String), `    ${commands[0]}`, expect.any(String), `    ${commands[1]}`],
    expect.stringMatching(/^3\. /)
  ])
  expect(run.summary).toContain(`\`\`\`sh\n${commands[1]}\n\`\`\``)
  expect(shop.service.requests).toHaveLength(1)
  expect(await paste(commands[index] ?? '', shop)).toBe(201)
  const next = await shop.publish({ attempt: 3 })
  expect(next.outputs).toMatchObject({ outcome, sha256: shop.sha256 })
  expect(shop.service.versions).toHaveLength(1)
})

test('a success that cannot be recorded: a warning has the command, quoted, that records it', async () => {
  await using shop = await openShop({ inputs: { 'version-name': "1.4.2 'final'; $(exit 1)" } })
  const fault = { kind: 'status', status: 500, on: { ...RECORD, nth: 2 } } as const
  shop.github.misbehave(fault, fault, fault)
  const run = await shop.publish()
  expect([run.outputs.outcome, historiesOf(shop)]).toEqual(['published', ['in_progress']])
  const [command = ''] = commandsIn(messageOf(run, 'warning'))
  expect(await paste(command, shop)).toBe(201)
  const description = `1.4.2 'final'; $(exit 1) published as version ${run.outputs.id}`
  expect(shop.github.deployments[0]?.statuses.at(-1)).toMatchObject({
    state: 'success',
    description
  })
  const again = await shop.publish({ attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'skipped', id: run.outputs.id })
})

test('a success with a link that GitHub refuses is recorded without, in four writes', async () => {
  await using shop = await openShop()
  shop.github.misbehave({ kind: 'status', status: 422, on: { ...RECORD, nth: 2 } })
  expect((await shop.publish()).annotations).toEqual([])
  expect([historiesOf(shop), writesOf(shop)]).toEqual([['in_progress success'], 4])
})
