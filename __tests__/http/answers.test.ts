// Owns which answers are heard: early ones, odd ones, ones in the middle of a reset.

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { startService } from '../../sandbox/service.ts'
import type { RequestBody } from '../../src/http/exchange.ts'
import { ask, bodyOf, inWords, openPeer, sayAfter } from './peers.ts'

const MIB = 1024 * 1024
const never = (signal: AbortSignal) =>
  new Promise<Uint8Array>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('withheld')), { once: true })
  )
const small = () => bodyOf(1000)
const held = () => bodyOf(1000, never)

test('an answer before a reset is heard every time, however much was being written', async () => {
  const service = await startService({ token: 't', products: [] })
  for (let time = 0; time < 12; time += 1) {
    service.misbehave({ kind: 'early-answer', status: 413, bytes: 3_000_000, close: 'reset' })
    const exchange = await ask(service.origin, { body: bodyOf(8 * MIB, never, 512 * 1024) })
    expect(inWords(exchange)).toBe('- 413 {"message":"Early answer."}')
  }
  await service.close()
})

describe('an answer that begins before the tail', () => {
  const slowly = (answer: string) =>
    openPeer(
      sayAfter(1000, socket => {
        const [head = '', body = ''] = answer.split('|')
        socket.write(head)
        setTimeout(() => socket.write(body), 100)
      })
    )
  const created = 'HTTP/1.1 201 Created\r\ncontent-length: 4\r\n\r\n|done'

  const once = (signal: AbortSignal, act: () => void) =>
    signal.addEventListener('abort', act, { once: true })
  test.each<[string, RequestBody['tail']]>([
    ['held back', never],
    [
      'refused meanwhile',
      signal => new Promise((_, no) => once(signal, () => no(new Error('no'))))
    ],
    ['allowed meanwhile', signal => new Promise(yes => once(signal, () => yes(Buffer.alloc(10))))]
  ])('is heard to its end, with the tail unsent: it is %s', async (_, tail) => {
    await using peer = await slowly(created)
    expect(inWords(await ask(peer.origin, { body: bodyOf(1000, tail) }))).toBe('- 201 done')
    await peer.alone()
  })

  test('ends the sending at once, and nobody is asked for the tail', async () => {
    // The rest of the answer comes when nothing more has been sent for a while.
    await using peer = await openPeer(socket => {
      const finish = setTimeout(() => socket.end('done'), 300)
      socket.once('data', () => socket.write('HTTP/1.1 201 Created\r\ncontent-length: 4\r\n\r\n'))
      socket.on('data', () => finish.refresh())
    })
    let sent = 0
    let asked = 0
    const tail = async () => {
      asked += 1
      return Buffer.alloc(10)
    }
    const body = {
      ...bodyOf(300_000, tail),
      async *head() {
        for (; sent < 300; sent += 1) {
          yield Buffer.alloc(1000)
          await new Promise(resolve => setTimeout(resolve, 10))
        }
      }
    }
    expect(inWords(await ask(peer.origin, { body }))).toBe('- 201 done')
    expect(sent).toBeLessThan(300)
    expect(asked).toBe(0)
  })

  test('and does not end is given up after the time for answers', async () => {
    await using peer = await slowly('HTTP/1.1 201 Created\r\ncontent-length: 4\r\n\r\n|d')
    const patience = { stall: 10_000, answer: 200 }
    const exchange = await ask(peer.origin, { body: held(), patience })
    expect(inWords(exchange)).toBe('- 201 d, cut off: no complete answer within 0.2 seconds')
    await peer.alone()
  })
})

describe('interim answers', () => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'
  const final = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
  test.each([
    interim,
    interim + interim,
    hints,
    interim + hints,
    hints + interim,
    hints + hints,
    ''
  ])('%j before the final one', async before => {
    await using peer = await openPeer(sayAfter(1000, socket => socket.end(before + final)))
    expect(inWords(await ask(peer.origin, { body: small() }))).toBe('+ 200 ok')
  })

  test('in pieces of one byte', async () => {
    const pieces = [...(interim + hints + final)]
    const say = sayAfter(1000, socket => {
      const timer = setInterval(() => {
        const piece = pieces.shift()
        if (piece === undefined) clearInterval(timer)
        else socket.write(piece)
      }, 1)
    })
    await using peer = await openPeer(socket => {
      socket.setNoDelay(true)
      say(socket)
    })
    expect(inWords(await ask(peer.origin, { body: small() }))).toBe('+ 200 ok')
  })

  test('without end are no answer', async () => {
    await using peer = await openPeer(
      sayAfter(1000, socket => {
        const timer = setInterval(() => socket.write(interim), 5)
        socket.on('close', () => clearInterval(timer))
      })
    )
    const patience = { stall: 10_000, answer: 200 }
    const exchange = await ask(peer.origin, { body: small(), patience })
    expect(inWords(exchange)).toBe('+ answer: no complete answer within 0.2 seconds')
  })

  test('one that switches protocols is no answer', async () => {
    const answer = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'
    await using peer = await openPeer(sayAfter(1000, socket => socket.write(answer)))
    expect(inWords(await ask(peer.origin, { body: small() }))).toBe('+ answer: lost')
  })
})

describe('a compressed answer', () => {
  const text = 'found '.repeat(100)
  const serve = (encoding: string, bytes: Buffer) =>
    openPeer(
      sayAfter(0, socket => {
        const headers = `content-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n`
        socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n`)
        socket.end(bytes)
      })
    )
  test.each<[string, Buffer]>([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['identity', Buffer.from(text)]
  ])('%s is decoded', async (encoding, bytes) => {
    await using peer = await serve(encoding, bytes)
    expect(inWords(await ask(peer.origin))).toBe(`- 200 ${text}`)
  })

  test('that is none, or grows over the limit, or has an unknown encoding, is cut off', async () => {
    for (const [encoding, bytes] of [
      ['gzip', Buffer.from('<p>')],
      ['gzip', gzipSync(Buffer.alloc(2 * MIB))],
      ['zstd7', Buffer.from('?')]
    ] as const) {
      await using peer = await serve(encoding, bytes)
      expect(await ask(peer.origin)).toMatchObject({ status: 200, truncated: expect.any(Error) })
    }
  })
})
