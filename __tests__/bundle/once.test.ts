// Owns the memory on dist/: what is seen on GitHub, what a re-run gives, several runs at once, and what a person pastes.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, jest, test } from '@jest/globals'
import { GITHUB_TOKEN, openShop, RUN_ID, type Shop } from '../support/shop.ts'

// A process for each run, on a machine that may be busy.
jest.setTimeout(60_000)

/** Where every run of the same version ends with the same words. */
const RECORDED = ['version_id', 'id', 'sha256', 'size', 'file_name', 'download_url']

test('a version is a deployment of its tag, and a re-run gives what it holds', async () => {
  await using shop = await openShop()
  const first = await shop.publish()
  const [claim] = shop.github.deployments
  expect(claim).toMatchObject({
    ...{ environment: `${new URL(shop.service.url).host}/products/12`, ref: 'v1.4.2' },
    ...{ task: 'publish-version', production_environment: false, transient_environment: false },
    payload: {
      ...{ run_id: RUN_ID, run_attempt: 1, job: 'publish' },
      ...{ title: 'Gallery 1.4.2', file_name: 'gallery-1.4.2.zip' }
    },
    statuses: [
      { state: 'in_progress', description: `sha256:${shop.sha256}, ${shop.zip.length} bytes` },
      {
        state: 'success',
        description: `1.4.2 sha256:${shop.sha256} published as version ${first.outputs.id}`,
        environment_url: first.outputs.download_url
      }
    ]
  })
  const again = await shop.publish({ attempt: 2 })
  const recorded = Object.fromEntries(RECORDED.map(name => [name, first.outputs[name]]))
  expect(again.outputs).toMatchObject({
    ...{ outcome: 'skipped', reason: 'already-published', ...recorded },
    ...{ title: 'Gallery 1.4.2', changelog: first.outputs.changelog, product_id: '' }
  })
  expect(again.annotations).toMatchObject([{ kind: 'notice', title: 'Skipped' }])
  const writes = shop.github.requests.filter(({ method }) => method === 'POST')
  expect([shop.service.notifications.length, writes.length]).toEqual([1, 3])
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
  const runs = await Promise.all(
    ['a', 'b'].map(async job => {
      await shop.write(`${job}/gallery.zip`, `the build of ${job}`)
      return shop.publish({ inputs: { file: `${job}/*` }, env: { GITHUB_JOB: job } })
    })
  )
  const outcomes = runs.map(({ outputs }) => outputs.outcome).toSorted()
  expect([...outcomes, shop.service.versions.length]).toEqual(['failed', 'published', 1])
  const failed = runs.find(({ outputs }) => outputs.outcome === 'failed')
  expect(failed?.annotations[0]?.message).toMatch(/two jobs of one workflow/)
})

/** Does what `gh api` would do, with the arguments that a shell makes of the command; gives the status. */
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

test('a version in doubt, says a person with a command that is printed, is not there: the next run publishes', async () => {
  await using shop = await openShop({ inputs: { benefit: '34' } })
  shop.service.misbehave({ kind: 'reset-after-body', stored: false })
  expect((await shop.publish()).outputs).toMatchObject({ outcome: 'unknown', reason: 'no-answer' })
  const run = await shop.publish({ attempt: 2 })
  expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'in-doubt' })
  const path = `repos/acme/gallery/deployments/${shop.github.deployments[0]?.id}/statuses`
  const commands = ['success', 'failure'].map(
    state => `gh api ${path} -f state=${state} -F auto_inactive=false`
  )
  expect(run.annotations[0]?.message.split(/\n+/)).toMatchObject([
    expect.stringContaining(`gallery-1.4.2.zip (SHA-256 ${shop.sha256}, ${shop.zip.length} bytes)`),
    expect.stringMatching(/product 12, benefit 34: is there a version "1\.4\.2"\?$/),
    expect.stringMatching(/Run workflow with mode `settle` and tag `v1\.4\.2`/),
    ...[expect.any(String), `    ${commands[0]}`, expect.any(String), `    ${commands[1]}`],
    expect.stringMatching(/^3\. /)
  ])
  expect(run.summary).toContain(`\`\`\`sh\n${commands[1]}\n\`\`\``)
  expect(shop.service.requests).toHaveLength(1)
  expect(await paste(commands[1] ?? '', shop)).toBe(201)
  const next = await shop.publish({ attempt: 3 })
  expect(next.outputs).toMatchObject({ outcome: 'published', sha256: shop.sha256 })
  expect(shop.service.versions).toHaveLength(1)
})

test('a success that cannot be recorded: a warning has the command, quoted, that records it', async () => {
  await using shop = await openShop({ inputs: { 'version-name': "1.4.2 'final'; $(exit 1)" } })
  const on = { method: 'POST', path: /\/statuses$/, nth: 2 }
  const fault = { kind: 'status', status: 500, on } as const
  shop.github.misbehave(fault, fault, fault)
  const run = await shop.publish()
  expect([run.outputs.outcome, shop.histories()]).toEqual(['published', ['in_progress']])
  const [command = ''] = /\bgh api .*$/m.exec(run.annotations[0]?.message ?? '') ?? []
  expect(run.summary).toMatch(/^⚠️ How this ended could not be recorded on GitHub, so the next run/m)
  expect(run.summary).toContain(`\`\`\`sh\n${command}\n\`\`\``)
  expect(await paste(command, shop)).toBe(201)
  const end = `sha256:${shop.sha256} published as version ${run.outputs.id}`
  const description = `1.4.2 'final'; $(exit 1) ${end}`
  expect(shop.github.deployments[0]?.statuses[1]).toMatchObject({ state: 'success', description })
  const again = await shop.publish({ attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'skipped', id: run.outputs.id })
})
