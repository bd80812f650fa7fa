// The matrix in whole processes: telling faults of both stand-ins, met by the bundle as a runner starts it.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { findCredential } from '../support/credentials.ts'
import { FILE, GITHUB_TOKEN, openShop, type Shop, TOKEN } from '../support/shop.ts'
import { CALLS, GITHUB_FAULTS } from './github-faults.ts'
import { MEANT, untruthsOf } from './invariants.ts'
import { type Combination, nameOf, type Played, playAll, sampled } from './play.ts'
import { SERVICE_FAULTS } from './service-faults.ts'

interface Row extends Combination {
  readonly inputs: Readonly<Record<string, string>>
  readonly lied: boolean
  misbehave(shop: Shop): void
}

const inTurn = (index: number) => ({
  upload: index % 2 === 0 ? 'multipart' : 'base64',
  once: index % 4 < 2 ? 'require' : 'off'
})
const modeOf = ({ upload, once }: ReturnType<typeof inTurn>) => `${upload}, once ${once}`

/** Where the whole process matters: how bytes arrive, how long it waits, what it prints. */
const OF_SERVICE =
  /^(no fault|a |an answer|silence|slow|half|ten|interim|early|401|413|422|500|302)(?!.*(trickles|no-|data-|id-|empty))/

const ofService = SERVICE_FAULTS.filter(({ name }) => OF_SERVICE.test(name)).map(
  ({ name, fault, lied = false }, index): Row => {
    const inputs = inTurn(index)
    const misbehave = (shop: Shop) => shop.service.misbehave(fault)
    return { fault: name, phase: 'the service', mode: modeOf(inputs), inputs, lied, misbehave }
  }
)

/** One of those that end by GitHub's limit of time, which is long. */
const OF_GITHUB = GITHUB_FAULTS.filter(
  ({ slow, name }) => (!slow || name === 'silence, processed') && !/^(200 with|4|5)/.test(name)
)

const ofGitHub = OF_GITHUB.flatMap(({ name, fault }, index): Row[] => {
  const call = CALLS[name.startsWith('a next page') ? 0 : (index * 4) % 11]
  if (!call) return []
  const inputs = { ...inTurn(index), once: 'require' }
  const misbehave = (shop: Shop) => shop.github.misbehave(...call.on.map(on => ({ ...fault, on })))
  return [{ fault: name, phase: call.name, mode: modeOf(inputs), inputs, lied: false, misbehave }]
})

/** Each fault is met in this process, too. */
const rows = sampled([...ofService, ...ofGitHub], ['phase', 'mode'])

async function play({ inputs, lied, misbehave }: Row): Promise<Played> {
  await using shop = await openShop()
  const temp = await mkdtemp(join(tmpdir(), 'whole-'))
  // As in this process, so that what happens in the body does.
  await shop.write(FILE, Buffer.alloc(300_000, 'All of this is the plugin. '))
  misbehave(shop)
  const limits = { 'stall-timeout': '1', 'response-timeout': '1.5' }
  try {
    // Throws for what every process promises: outputs, exit code, summary, no credential.
    const run = await shop.publish({ inputs: { ...limits, ...inputs }, temp })
    const { outcome = '', reason = '' } = run.outputs
    const unmeant = run.commands.filter(({ name }) => !MEANT.has(name)).map(({ line }) => line)
    const left = await readdir(temp)
    const deployments = JSON.stringify(shop.github.deployments)
    const raw = { output: '', summary: '', state: '', path: '', env: deployments }
    const produced = { stdout: '', stderr: '', commands: [], raw }
    const leak = findCredential(produced, [TOKEN, GITHUB_TOKEN])
    const breaches = [
      ...untruthsOf({ outcome, reason, before: 0, after: shop.service.versions.length, lied }),
      ...unmeant.map(line => `a command that nobody meant: ${line}`),
      ...left.map(file => `a file left: ${file}`),
      ...(leak === undefined ? [] : [`a credential stands in a deployment, after ${leak.before}`]),
      ...(run.timedOut ? ['it did not end'] : []),
      ...(reason === 'internal' ? ['something went wrong that was not thought of'] : [])
    ]
    return { told: `${outcome} (${reason})`, breaches }
  } catch (error) {
    return { told: 'broken', breaches: [error instanceof Error ? error.message : String(error)] }
  } finally {
    await rm(temp, { recursive: true, force: true })
  }
}

let played: ReturnType<typeof playAll<Row>>
beforeAll(() => {
  played = playAll(rows, play, 3)
})

describe('a whole process keeps every promise', () => {
  test.each(rows.map(row => [nameOf(row), row] as const))(
    '%s',
    async (_, row) => {
      expect((await played.get(row))?.breaches).toEqual([])
    },
    120_000
  )
})
