// Tests of src/http/connection.ts: connections that outlive an exchange are used again, replaced when they were closed,
// and closed for good.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import { connect } from '../../src/http/connection.ts'
import type { Connection } from '../../src/http/exchange.ts'
import { bodyOf, inWords, mute, openPeer, request } from './peers.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

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

test('requests one after another use one connection, and no time limit of one ends the next', async () => {
  await using peer = await openPeer(answering())
  const { exchange, close } = open(peer.origin)

  // The pause after each is longer than its limits.
  const patience = { stall: 100, answer: 100 }
  const answers: string[] = []
  for (const over of [{}, { body: bodyOf(1000) }, {}, { body: bodyOf(0) }]) {
    answers.push(inWords(await exchange(request({ ...over, patience }))))
    await sleep(120)
  }

  expect(answers).toEqual(['- 200 ok', '+ 200 ok', '- 200 ok', '+ 200 ok'])
  expect(peer.accepted).toBe(1)

  close()
  await peer.alone()
})

const ENDS: readonly (readonly [string, (socket: Socket) => void])[] = [
  ['FIN', socket => socket.end()],
  ['reset', socket => socket.resetAndDestroy()]
]

test('a connection closed between requests is replaced', async () => {
  await using peer = await openPeer(answering(socket => socket.end()))
  const { exchange } = open(peer.origin)
  for (let time = 1; time <= 3; time += 1) {
    expect(inWords(await exchange(request({ body: bodyOf(10) })))).toBe('+ 200 ok')
    await sleep(50)
  }
  expect(peer.accepted).toBe(3)
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

test.each(ENDS)('a GET on a kept connection that dies by %s is repeated', async (_, end) => {
  await using peer = await openPeer(answeringOnce(end))
  const { exchange } = open(peer.origin)
  for (let time = 1; time <= 20; time += 1) {
    expect(inWords(await exchange(request()))).toBe('- 200 ok')
  }
  expect(peer.accepted).toBe(20)
})

test('a POST on a kept connection that dies is not repeated', async () => {
  await using peer = await openPeer(answeringOnce(socket => socket.end()))
  const { exchange } = open(peer.origin)
  await exchange(request())
  expect(inWords(await exchange(request({ body: bodyOf(0) })))).toBe('+ answer: lost')
  expect(peer.accepted).toBe(1)
})

test('a first request that breaks is not repeated, one that is cut off ends its connection', async () => {
  let broken = false
  const answer = answering()
  await using peer = await openPeer(socket => {
    if (broken) return answer(socket)
    broken = true
    socket.once('data', () => socket.resetAndDestroy())
  })

  const { exchange } = open(peer.origin)
  expect(inWords(await exchange(request()))).toBe('- answer: lost')
  expect(peer.accepted).toBe(1)

  const cut = await exchange(request({ answerLimit: 1 }))
  expect(inWords(cut)).toBe('- 200 o, cut off: the answer is longer than 1 bytes')

  expect(inWords(await exchange(request()))).toBe('- 200 ok')
  expect(peer.accepted).toBe(3)
})

test('closing ends an exchange under way, and a connection that is still being made', async () => {
  await using peer = await openPeer(mute)
  for (const origin of [peer.origin, peer.origin.replace('http:', 'https:')]) {
    const { exchange, close } = open(origin)
    const answer = exchange(request({ patience: { stall: 600_000 } }))

    await sleep(50)
    close()

    expect(inWords(await answer)).toMatch(/^- (connect|answer): /)
    await peer.alone()
  }
})
