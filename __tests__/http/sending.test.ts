// Owns which bytes arrive: those that were given, each chunk as it was when it was given.
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { ask, bodyOf, inWords, openPeer } from './peers.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const MIB = 1024 * 1024

/** Reads nothing for a while, then everything; knows what came behind the head. */
function lateReader(size: number) {
  const hash = createHash('sha256')
  let read = 0
  let inBody = false
  const serve = (socket: Socket) => {
    socket.pause()
    setTimeout(() => socket.resume(), 50)
    socket.on('data', chunk => {
      const start = inBody ? 0 : chunk.indexOf('\r\n\r\n') + 4
      inBody = true
      hash.update(chunk.subarray(start))
      read += chunk.length - start
      if (read === size) socket.end(OK)
    })
  }
  return { serve, digest: () => hash.digest('hex') }
}

test.each([10_000, 65_535, 65_536, 500_000])(
  'chunks of %i bytes whose memory is used again arrive as they were',
  async length => {
    const count = Math.ceil((9 * MIB) / length)
    const size = count * length
    const hash = createHash('sha256')
    const tail = Buffer.alloc(10, 'tail')
    const body = {
      length: size + tail.length,
      tail: async () => tail,
      async *head() {
        const memory = [Buffer.alloc(length), Buffer.alloc(length)]
        for (let turn = 0; turn < count; turn += 1) {
          const chunk = memory[turn % 2] ?? Buffer.alloc(0)
          chunk.fill(turn % 256)
          hash.update(chunk)
          yield chunk
        }
      }
    }
    const reader = lateReader(size + tail.length)
    await using peer = await openPeer(reader.serve)
    expect(inWords(await ask(peer.origin, { body }))).toBe('+ 200 ok')
    expect(reader.digest()).toBe(hash.update(tail).digest('hex'))
  }
)

test.each([
  ['is given up, since nothing moves', () => undefined],
  ['is lost', (socket: Socket) => setTimeout(() => socket.resetAndDestroy(), 50)]
])(
  'the tail is not asked for once the connection %s, in the middle of the last chunk',
  async (_, end) => {
    let asked = 0
    const body = {
      length: 32 * MIB + 10,
      async *head() {
        yield Buffer.alloc(32 * MIB)
      },
      tail: async () => {
        asked += 1
        return Buffer.alloc(10)
      }
    }
    await using peer = await openPeer(socket => {
      socket.pause()
      end(socket)
    })
    const exchange = await ask(peer.origin, { body, patience: { stall: 200 } })
    expect(exchange).toMatchObject({ kind: 'broken', phase: 'send', tailSent: false })
    // What asks for it does so after the exchange has ended.
    await sleep(50)
    expect(asked).toBe(0)
  }
)

test('a file is read no faster than the connection takes it', async () => {
  let read = 0
  const body = {
    ...bodyOf(256 * MIB),
    async *head() {
      for (; read < 256; read += 1) yield Buffer.alloc(MIB)
    }
  }
  await using peer = await openPeer(socket => void socket.pause())
  const patience = { stall: 200, answer: 10_000 }
  expect(inWords(await ask(peer.origin, { body, patience }))).toMatch(/^- send: no byte moved/)
  expect(read).toBeLessThan(32)
})

test('the tail is asked for only when all of the head is with the connection', async () => {
  let handedOver = 0
  let asked = 0
  const body = {
    ...bodyOf(10 * MIB, async () => {
      asked = handedOver
      return Buffer.alloc(10)
    }),
    async *head() {
      for (; handedOver < 10; handedOver += 1) yield Buffer.alloc(MIB)
    }
  }
  await using peer = await openPeer(lateReader(10 * MIB + 10).serve)
  expect(inWords(await ask(peer.origin, { body }))).toBe('+ 200 ok')
  expect(asked).toBe(10)
})

test.each([
  ['fewer', 90],
  ['more', 105]
])('a body of %s bytes than announced is never completed', async (_, given) => {
  const seen: Buffer[] = []
  await using peer = await openPeer(socket => void socket.on('data', chunk => seen.push(chunk)))
  const body = { ...bodyOf(given), length: 110 }
  const exchange = await ask(peer.origin, { body })
  expect(inWords(exchange)).toMatch(/UND_ERR_REQ_CONTENT_LENGTH_MISMATCH/)
  await peer.alone()
  const text = Buffer.concat(seen).toString('latin1')
  expect(text.length - (text.indexOf('\r\n\r\n') + 4)).toBeLessThan(110)
})
