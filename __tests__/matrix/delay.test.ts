// Tests a publication over a link with a delay: the upload, its tail and GitHub's steps all pass.
import { connect as dial, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { connect } from '../../src/http/connection.ts'
import { openPeer } from '../http/peers.ts'
import { openStage } from './stage.ts'

/** A link of 300 ms there and back, and the limits of time, all on a scale of 1 to 5. */
const SCALE = 5
const ONE_WAY = 150 / SCALE

/** Passes on what comes, in its order, after the delay. */
function passOn(from: Socket, to: Socket): void {
  from.on('data', chunk => void sleep(ONE_WAY).then(() => to.write(chunk)))
  from.on('end', () => void sleep(ONE_WAY).then(() => to.end()))
  from.on('error', () => to.destroy())
}

const relayTo = (origin: string) =>
  openPeer(socket => {
    const onward = dial({ port: Number(new URL(origin).port), host: '127.0.0.1' })
    passOn(socket, onward)
    passOn(onward, socket)
  })

test('over a link of 300 ms a large file is published at its first try, and remembered', async () => {
  await using stage = await openStage()
  await using toShop = await relayTo(stage.service.origin)
  await using toGitHub = await relayTo(stage.github.url)
  const relays = new Map([
    [stage.service.origin, toShop.origin],
    [stage.github.url, toGitHub.origin]
  ])
  const { outputs, after, log } = await stage.run({
    connect: (origin, options) => connect(relays.get(origin) ?? origin, options),
    inputs: { file: 'large/*.zip', 'stall-timeout': `${60 / SCALE}` },
    patience: 10_000 / SCALE
  })
  expect([outputs.outcome, after]).toEqual(['published', 1])
  expect(stage.histories()).toEqual(['in_progress success'])
  // The first contact, and one publication.
  expect([stage.service.requests.length, toShop.accepted]).toEqual([1, 2])
  expect(toGitHub.accepted).toBeGreaterThan(3)
  expect(log).not.toMatch(/follows|Trying again/)
})
