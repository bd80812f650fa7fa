// The matrix of GitHub's faults: every fault, at each call of the at-most-once steps.
import { createServer, type Socket } from 'node:net'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { silenceDebug } from '../support/folders.ts'
import { CALLS, type Call, DOWNLOADS, GITHUB_FAULTS, type NamedFault } from './github-faults.ts'
import { breachesOf } from './invariants.ts'
import { type Combination, nameOf, type Played, playAll, sampled } from './play.ts'
import { openStage } from './stage.ts'

interface Row extends Combination {
  readonly named: NamedFault
  readonly call: Call
  readonly inputs: Readonly<Record<string, string>>
}

/** In turn, since both stand side by side in every row of the service's matrix. */
const MODES = [
  { upload: 'multipart', once: 'require' },
  { upload: 'base64', once: 'auto' }
] as const

const steps: readonly Row[] = GITHUB_FAULTS.flatMap((named, index) =>
  CALLS.filter((call, place) => isMet(named, call, place)).map((call, place) => {
    const { upload, once } = MODES[(index + place) % 2] ?? MODES[0]
    const mode = `${upload}, once ${once}`
    return { fault: named.name, phase: call.name, mode, named, call, inputs: { upload, once } }
  })
)

/** What is downloaded is in a temporary file, which has to go, however it ends. */
const downloads: readonly Row[] = GITHUB_FAULTS.filter(({ slow }) => !slow).flatMap(named =>
  DOWNLOADS.map(call => {
    const inputs = { file: '', asset: '*.zip' }
    return { fault: named.name, phase: call.name, mode: 'asset', named, call, inputs }
  })
)

const rows = sampled([...steps, ...downloads])

/** Each fault is met at each call, but for those that take long. */
function isMet({ slow, heavy }: NamedFault, { on }: Call, place: number): boolean {
  if (heavy) return place % 3 === 0 && on.length === 1
  return !slow || on.length <= 2
}

async function play({ named, call, inputs }: Row): Promise<Played> {
  await using stage = await openStage()
  stage.github.misbehave(...call.on.map(on => ({ ...named.fault, on })))
  // Where no limit of time is to be reached, a busy machine should not reach it.
  const first = await stage.run({ inputs, patience: named.slow ? 250 : 10_000 })
  if (!first.ended) return { told: 'endless', breaches: breachesOf(first, stage, false) }
  const second = await stage.run({ inputs, attempt: 2, patience: 10_000 })
  const { outcome, reason } = first.outputs
  const breaches = breachesOf(first, stage, false)
  const again = breachesOf(second, stage, false).map(breach => `in the next run: ${breach}`)
  const told = `${outcome} (${reason}), then ${second.outputs.outcome}`
  return { told, breaches: [...breaches, ...again] }
}

silenceDebug()
let played: ReturnType<typeof playAll<Row>>
beforeAll(() => {
  played = playAll(rows, play)
})

describe('a fault of GitHub’s breaks no promise', () => {
  test.each(rows.map(row => [nameOf(row), row] as const))(
    '%s',
    async (_, row) => {
      expect((await played.get(row))?.breaches).toEqual([])
    },
    90_000
  )

  test('and without one, or in passing, it is published', async () => {
    const harmless = rows.filter(({ fault }) => fault === 'no fault')
    for (const row of harmless) {
      expect((await played.get(row))?.told).toBe('published (), then skipped')
    }
    const told = await Promise.all([...played.values()].map(async it => (await it).told))
    const firsts = new Set(told.map(text => text.split(' ')[0]))
    expect([...firsts].toSorted()).toEqual(['failed', 'published'])
  }, 90_000)
})

test('a list whose pages never end is an error in the end', async () => {
  await using stage = await openStage()
  const on = { method: 'GET', path: /\/deployments\?/ }
  const headers = { link: '<https://api.github.invalid/?page=2>; rel="next"' }
  const page = { kind: 'status', status: 200, body: [{ id: 1 }], headers, on } as const
  stage.github.misbehave(...Array.from({ length: 999 }, () => page))
  const run = await stage.run({ patience: 10_000 })
  expect(breachesOf(run, stage, false)).toEqual([])
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
  expect(run.stdout).toContain('more than 200 pages')
})

describe('a GitHub that never gets to HTTP is an error in time', () => {
  const peers: readonly (readonly [name: string, greet: (socket: Socket) => unknown])[] = [
    ['that accepts and says nothing', () => undefined],
    ['that accepts and ends', socket => socket.end()],
    ['that accepts and resets', socket => socket.resetAndDestroy()],
    ['that speaks no TLS', socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')]
  ]
  test.each(peers)('one %s', async (_, greet) => {
    await using stage = await openStage()
    const sockets: Socket[] = []
    const server = createServer(socket => {
      sockets.push(socket.on('error', () => undefined))
      greet(socket)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const run = await stage.run({ env: { GITHUB_API_URL: `https://127.0.0.1:${port}` } })
    for (const socket of sockets) socket.destroy()
    server.close()
    expect(breachesOf(run, stage, false)).toEqual([])
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'github' })
    expect(sockets.length).toBeGreaterThan(0)
  })
})
