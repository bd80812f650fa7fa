// Owns what a person does about a version that nobody knows the fate of: the printed commands, carried out.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, jest, test } from '@jest/globals'
import type { Run } from '../support/runner.ts'
import { GITHUB_TOKEN, openShop, type Shop, type ShopOptions } from '../support/shop.ts'
import { historiesOf, RECORD } from './remembered.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

/** The commands in a text, as they stand there. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/\bgh api .*$/gm)].map(([command]) => command)
}

/** Does what `gh api` would do, with the arguments that a shell makes of the command. */
async function paste(command: string, shop: Shop): Promise<number> {
  const script = `gh() { printf '%s\\0' "$@"; }; ${command}`
  const { stdout } = await promisify(execFile)('sh', ['-c', script])
  const [verb, ...rest] = stdout.split('\0').slice(0, -1)
  expect(verb).toBe('api')
  const path = rest.find(argument => argument.startsWith('repos/')) ?? ''
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

/** A shop whose first run lost the service's answer. */
async function openDoubtful(stored: boolean, options: ShopOptions = {}): Promise<Shop> {
  const shop = await openShop(options)
  shop.service.misbehave({ kind: 'reset-after-body', stored })
  const run = await shop.publish()
  expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'no-answer' })
  return shop
}

function messageOf(run: Run): string {
  return run.annotations.find(({ kind }) => kind === 'error')?.message ?? ''
}

describe('a version in doubt', () => {
  test('stops the next run, which says what is known and what to do', async () => {
    await using shop = await openDoubtful(true, { inputs: { benefit: '34' } })
    const run = await shop.publish({ attempt: 2 })
    expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'in-doubt' })
    const message = messageOf(run)
    const path = `repos/acme/gallery/deployments/${shop.github.deployments[0]?.id}/statuses`
    expect(message.split(/\n+/)).toMatchObject([
      expect.stringContaining(
        `gallery-1.4.2.zip (SHA-256 ${shop.sha256}, ${shop.zip.length} bytes)`
      ),
      expect.stringMatching(/product 12, benefit 34: is there a version "1\.4\.2"\?$/),
      expect.stringMatching(/`mode: settle`/),
      expect.any(String),
      `    gh api ${path} -f state=success -F auto_inactive=false`,
      expect.any(String),
      `    gh api ${path} -f state=failure -F auto_inactive=false`,
      expect.stringMatching(/^3\. /)
    ])
    expect(run.summary).toMatch(/```sh\ngh api .* -f state=failure -F auto_inactive=false\n```/)
    expect(shop.service.requests).toHaveLength(1)
  })

  test.each([
    ['is there: the next run is skipped', true, 0, 'skipped'],
    ['is not there: the next run publishes', false, 1, 'published']
  ])('that %s', async (_, stored, index, outcome) => {
    await using shop = await openDoubtful(stored)
    const commands = commandsIn(messageOf(await shop.publish({ attempt: 2 })))
    expect(commands).toHaveLength(2)
    expect(await paste(commands[index] ?? '', shop)).toBe(201)
    const run = await shop.publish({ attempt: 3 })
    expect(run.outputs).toMatchObject({ outcome, sha256: shop.sha256 })
    expect(shop.service.versions).toHaveLength(1)
    expect((await shop.publish({ attempt: 4 })).outputs.outcome).toBe('skipped')
  })
})

describe('a version whose success cannot be recorded', () => {
  test('is published, with a warning and the command that records it', async () => {
    await using shop = await openShop({ inputs: { 'version-name': "1.4.2 'final'; $(exit 1)" } })
    const fault = { kind: 'status', status: 500, on: { ...RECORD, nth: 2 } } as const
    shop.github.misbehave(fault, fault, fault)
    const run = await shop.publish()
    expect(run.outputs.outcome).toBe('published')
    expect(run.conclusion).toBe('success')
    expect(historiesOf(shop)).toEqual(['in_progress'])
    const warning = run.annotations.find(({ kind }) => kind === 'warning')?.message ?? ''
    const [command = ''] = commandsIn(warning)
    expect(await paste(command, shop)).toBe(201)
    expect(shop.github.deployments[0]?.statuses.at(-1)).toMatchObject({
      state: 'success',
      description: `1.4.2 'final'; $(exit 1) published as version ${run.outputs.id}`
    })
    const again = await shop.publish({ attempt: 2 })
    expect(again.outputs).toMatchObject({ outcome: 'skipped', id: run.outputs.id })
  })

  test('with its link is recorded without, in four writes', async () => {
    await using shop = await openShop()
    shop.github.misbehave({ kind: 'status', status: 422, on: { ...RECORD, nth: 2 } })
    const run = await shop.publish()
    expect(run.annotations).toEqual([])
    expect(historiesOf(shop)).toEqual(['in_progress success'])
    const writes = shop.github.requests.filter(({ method }) => method === 'POST')
    expect(writes).toHaveLength(4)
  })
})
