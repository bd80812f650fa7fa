// Owns what a fired signal does in each phase: the exchange ends, and no connection stays.
import { getEventListeners } from 'node:events'
import { expect, test } from '@jest/globals'
import type { ExchangeRequest, RequestBody } from '../../src/http/exchange.ts'
import { ask, bodyOf, inWords, mute, openPeer, type Peer, sayAfter } from './peers.ts'

const MIB = 1024 * 1024
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const later = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
/** Longer than any test: whatever ends here ends by its signal. */
const PATIENCE = { stall: 600_000, answer: 600_000 }

async function cancelled(
  peer: Peer,
  over: Partial<ExchangeRequest>,
  when: Promise<unknown> = begun(peer)
): Promise<string> {
  const cancel = new AbortController()
  void when.then(() => cancel.abort())
  const told = inWords(
    await ask(peer.origin, { patience: PATIENCE, ...over, signal: cancel.signal })
  )
  await peer.alone()
  return told
}

/** Some time after the connection was made. */
async function begun(peer: Peer): Promise<void> {
  while (peer.accepted === 0) await later(5)
  await later(300)
}

test('while the tail is held back: the holder is told by the signal, and waited for', async () => {
  await using peer = await openPeer(mute)
  const log: string[] = []
  const tail: RequestBody['tail'] = async signal => {
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()))
    log.push('told')
    await later(100)
    log.push('let go')
    return Buffer.alloc(10)
  }
  const told = await cancelled(peer, { body: bodyOf(1000, tail) })
  expect([told, log]).toEqual(['- send: cancelled', ['told', 'let go']])
})

test('while the answer is awaited: after the grace', async () => {
  await using peer = await openPeer(mute)
  const patience = { ...PATIENCE, grace: 200 }
  expect(await cancelled(peer, { body: bodyOf(1000), patience })).toBe('+ answer: cancelled')
})

test('while the answer is awaited, which comes within the grace', async () => {
  await using peer = await openPeer(
    sayAfter(1010, socket => setTimeout(() => socket.end(OK), 1000))
  )
  const patience = { ...PATIENCE, grace: 600_000 }
  expect(await cancelled(peer, { body: bodyOf(1000), patience })).toBe('+ 200 ok')
})

test('while the tail is still being written: the grace is not replaced by the time for answers', async () => {
  const reading: (() => void)[] = []
  await using peer = await openPeer(socket => {
    socket.pause()
    reading.push(() => socket.resume())
  })
  // The last chunk and the tail fill the queue, so that the tail is not written when the signal fires.
  const tail = async () => Buffer.alloc(10 * MIB)
  const body = { ...bodyOf(1000, tail), length: 1000 + 10 * MIB }
  const when = begun(peer).then(() => {
    setTimeout(() => {
      for (const read of reading) read()
    }, 100)
  })
  const patience = { ...PATIENCE, grace: 400 }
  expect(await cancelled(peer, { body, patience }, when)).toBe('+ answer: cancelled')
})

test('while an early answer is heard', async () => {
  const head = 'HTTP/1.1 413 Too Large\r\ncontent-length: 10\r\n\r\nbig'
  await using peer = await openPeer(sayAfter(0, socket => socket.write(head)))
  const patience = { ...PATIENCE, grace: 600_000 }
  const told = await cancelled(peer, { body: bodyOf(64 * MIB), patience })
  expect(told).toBe('- 413 big, cut off: cancelled')
})

test('no listener stays on the signal, however many exchanges it has seen', async () => {
  await using peer = await openPeer(sayAfter(0, socket => socket.end(OK)))
  const told = new Set<string>()
  const { signal } = new AbortController()
  for (let time = 0; time < 20; time += 1) {
    told.add(inWords(await ask(peer.origin, { body: bodyOf(1000), signal })))
  }
  expect([[...told], getEventListeners(signal, 'abort')]).toEqual([['+ 200 ok'], []])
})
