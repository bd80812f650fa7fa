// Owns connections that outlive an exchange: used again, replaced when they were closed, and closed for good.
import type { Socket } from 'node:net'
import { afterEach, expect, test } from '@jest/globals'
import { connect } from '../../src/http/connection.ts'
import type { Connection } from '../../src/http/exchange.ts'
import { bodyOf, inWords, mute, openPeer, request } from './peers.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const later = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

let connection: Connection | undefined
afterEach(() => connection?.close())

function open(origin: string): Connection {
  connection = connect(origin, { keepAlive: true })
  return connection
}

/** Answers every request, and does something to the connection afterwards. */
function answering(then: (socket: Socket) => void = () => undefined) {
  return (socket: Socket) => {
    let text = ''
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0)
      if (end < 0 || text.length < end + 4 + length) return
      text = ''
      socket.write(OK, () => then(socket))
    })
  }
}

test('requests one after another use one connection, with and without bodies', async () => {
  await using peer = await openPeer(answering())
  const { exchange, close } = open(peer.origin)
  const told: string[] = []
  for (const over of [{}, { body: bodyOf(1000) }, {}, { body: bodyOf(0) }]) {
    told.push(inWords(await exchange(request(over))))
  }
  expect(told).toEqual(['- 200 ok', '+ 200 ok', '- 200 ok', '+ 200 ok'])
  expect(peer.accepted).toBe(1)
  close()
  await peer.alone()
})

test.each<[string, (socket: Socket) => void]>([
  ['a FIN', socket => socket.end()],
  ['a reset', socket => socket.resetAndDestroy()]
])('a connection that the server closed by %s between two requests is replaced', async (_, end) => {
  await using peer = await openPeer(answering(end))
  const { exchange, close } = open(peer.origin)
  for (let time = 1; time <= 3; time += 1) {
    expect(inWords(await exchange(request({ body: bodyOf(10) })))).toBe('+ 200 ok')
    await later(50)
  }
  expect(peer.accepted).toBe(3)
  close()
  await peer.alone()
})

/** Answers one request on each connection, and ends it when the next arrives. */
function answeringOnce(end: (socket: Socket) => void) {
  return (socket: Socket) => {
    socket.once('data', () => {
      socket.write(OK)
      socket.once('data', () => end(socket))
    })
  }
}

test.each<[string, (socket: Socket) => void]>([
  ['FIN', socket => socket.end()],
  ['reset', socket => socket.resetAndDestroy()]
])(
  'a GET on a kept connection that dies by %s is repeated at once on a new one',
  async (_, end) => {
    await using peer = await openPeer(answeringOnce(end))
    const { exchange } = open(peer.origin)
    for (let time = 1; time <= 20; time += 1) {
      expect(inWords(await exchange(request()))).toBe('- 200 ok')
    }
    expect(peer.accepted).toBe(20)
  }
)

test('a POST on a kept connection that dies is not repeated', async () => {
  await using peer = await openPeer(answeringOnce(socket => socket.end()))
  const { exchange } = open(peer.origin)
  await exchange(request())
  expect(inWords(await exchange(request({ body: bodyOf(0) })))).toBe('+ answer: lost')
  expect(peer.accepted).toBe(1)
})

test('a connection that breaks under its first request is not tried again, and the next has a new one', async () => {
  let broken = false
  const answer = answering()
  await using peer = await openPeer(socket => {
    if (broken) return answer(socket)
    broken = true
    socket.once('data', () => socket.resetAndDestroy())
  })
  const { exchange } = open(peer.origin)
  expect(inWords(await exchange(request()))).toMatch(/^- answer: lost$/)
  expect(peer.accepted).toBe(1)
  expect(inWords(await exchange(request()))).toBe('- 200 ok')
})

test('a connection whose answer was cut off is not used again', async () => {
  await using peer = await openPeer(answering())
  const { exchange } = open(peer.origin)
  expect(await exchange(request({ answerLimit: 1 }))).toMatchObject({
    truncated: expect.any(Error)
  })
  expect(inWords(await exchange(request()))).toBe('- 200 ok')
  expect(peer.accepted).toBe(2)
})

test('time limits of one exchange do not end the next, nor an idle connection', async () => {
  await using peer = await openPeer(answering())
  const { exchange } = open(peer.origin)
  const patience = { stall: 100, answer: 100 }
  for (let time = 0; time < 2; time += 1) {
    expect(inWords(await exchange(request({ patience })))).toBe('- 200 ok')
    await later(150)
  }
  expect(peer.accepted).toBe(1)
})

test('closing ends an exchange under way, and a connection that is still being made', async () => {
  await using peer = await openPeer(mute)
  for (const origin of [peer.origin, peer.origin.replace('http:', 'https:')]) {
    const { exchange, close } = open(origin)
    const told = exchange(request({ patience: { stall: 600_000 } }))
    await later(50)
    close()
    expect(inWords(await told)).toMatch(/^- (connect|answer): /)
    await peer.alone()
  }
})
