// Tests of src/http/connection.ts: the bytes that were given arrive, each chunk as it was when it was given.
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { ask, bodyOf, deaf, inWords, openPeer, upload } from './peers.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const MIB = 1024 * 1024

test.each([10_000, 65_535, 65_536, 500_000])(
  'chunks of %i bytes whose memory is used again arrive as they were, and the tail is asked for after them',
  async length => {
    const count = Math.ceil((9 * MIB) / length)
    const size = count * length + 10
    const given = createHash('sha256')
    const arrived = createHash('sha256')
    let handedOver = 0
    let asked = 0
    const tail = () => {
      asked = handedOver
      return Buffer.alloc(10, 'tail')
    }

    async function* head() {
      const memory = [Buffer.alloc(length), Buffer.alloc(length)]
      for (; handedOver < count; handedOver += 1) {
        const chunk = memory[handedOver % 2] ?? Buffer.alloc(0)
        chunk.fill(handedOver % 256)
        given.update(chunk)
        yield chunk
      }
    }

    // Reads nothing for a while, then everything.
    await using peer = await openPeer(socket => {
      let read = 0
      let inBody = false
      socket.pause()
      setTimeout(() => socket.resume(), 50)
      socket.on('data', chunk => {
        const start = inBody ? 0 : chunk.indexOf('\r\n\r\n') + 4
        inBody = true
        arrived.update(chunk.subarray(start))
        read += chunk.length - start
        if (read === size) socket.end(OK)
      })
    })
    const body = { length: size, tail, head }
    const exchange = await ask(peer.origin, { body })

    expect(inWords(exchange)).toBe('+ 200 ok')
    expect(arrived.digest('hex')).toBe(given.update(Buffer.alloc(10, 'tail')).digest('hex'))
    expect(asked).toBe(count)
  }
)

test.each([
  ['is given up, since nothing moves', () => undefined],
  ['is lost', (socket: Socket) => setTimeout(() => socket.resetAndDestroy(), 50)]
])('the tail is not asked for once the connection %s in the last chunk', async (_, end) => {
  let asked = 0
  const decide = async () => {
    asked += 1
  }

  await using peer = await openPeer(socket => {
    socket.pause()
    end(socket)
  })

  const body = bodyOf(32 * MIB, 32 * MIB)
  const exchange = await upload(peer.origin, body, decide, { patience: { stall: 200 } })

  expect(exchange).toMatchObject({ kind: 'broken', phase: 'send', tailSent: false })
  // It would be asked for after the exchange has ended.
  await sleep(50)
  expect(asked).toBe(0)
})

test('a file is read no faster than the connection takes it', async () => {
  let read = 0
  async function* head() {
    for (; read < 256; read += 1) yield Buffer.alloc(MIB)
  }
  await using peer = await openPeer(deaf)

  const patience = { stall: 200, answer: 10_000 }
  const exchange = await ask(peer.origin, { body: { ...bodyOf(256 * MIB), head }, patience })

  expect(inWords(exchange)).toMatch(/^- send: no byte moved/)
  expect(read).toBeLessThan(32)
})

test.each([90, 105])('a body of %i bytes in place of 100 is never completed', async given => {
  const seen: Buffer[] = []
  await using peer = await openPeer(socket => void socket.on('data', chunk => seen.push(chunk)))
  const exchange = await ask(peer.origin, { body: { ...bodyOf(given), length: 110 } })

  expect(inWords(exchange)).toMatch(/UND_ERR_REQ_CONTENT_LENGTH_MISMATCH/)
  await peer.alone()
  const text = Buffer.concat(seen).toString('latin1')
  expect(text.length - (text.indexOf('\r\n\r\n') + 4)).toBeLessThan(110)
})
