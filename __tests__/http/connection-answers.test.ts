// Tests of src/http/connection.ts: which answers are heard: early ones, odd ones, ones in the middle of a reset.
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { connect } from '../../src/http/connection.ts'
import {
  ask,
  bodyOf,
  type Decide,
  heeding,
  inWords,
  openPeer,
  request,
  sayAfter,
  upload
} from './peers.ts'

const MIB = 1024 * 1024
const small = () => bodyOf(1000)
const CREATED = 'HTTP/1.1 201 Created\r\ncontent-length: 4\r\n\r\n'

test('an answer before a reset is heard every time, however much was being written', async () => {
  const answer = 'HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\nconnection: close\r\n\r\nbig'
  for (let time = 0; time < 6; time += 1) {
    await using peer = await openPeer(
      sayAfter(3_000_000, socket => socket.write(answer, () => socket.resetAndDestroy()))
    )
    const exchange = await upload(peer.origin, bodyOf(8 * MIB, 512 * 1024), heeding)
    expect(inWords(exchange)).toBe('- 413 big')
  }
})

const allowedLate: Decide = ended =>
  new Promise(resolve => ended.addEventListener('abort', () => resolve()))
const LATE = 'no complete answer within 0.3 seconds'

test.each<[string, Decide, string, string]>([
  ['is heard to its end, with the tail unsent', heeding, 'done', '- 201 done'],
  ['is so, too, when the tail is allowed meanwhile', allowedLate, 'done', '- 201 done'],
  ['and does not end is given up in its time', heeding, 'd', `- 201 d, cut off: ${LATE}`]
])('an answer that begins before the tail %s', async (_, decide, rest, expected) => {
  const say = sayAfter(1000, socket => {
    socket.write(CREATED)
    setTimeout(() => socket.write(rest), 30)
  })

  await using peer = await openPeer(say)
  const patience = { stall: 10_000, answer: 300 }
  const exchange = await upload(peer.origin, bodyOf(1000), decide, { patience })

  expect(inWords(exchange)).toBe(expected)
  await peer.alone()
})

test('a request that is withheld ends with the cause, its connection is gone, and twice changes nothing', async () => {
  const seen: Buffer[] = []
  await using peer = await openPeer(socket => void socket.on('data', chunk => seen.push(chunk)))

  const body = bodyOf(1000)
  const started = await connect(peer.origin, { keepAlive: false }).startUpload({
    ...request({ body }),
    body
  })
  if (started.kind !== 'held') throw new Error(inWords(started))

  const ends = [started.withhold(new Error('withheld')), started.withhold(new Error('again'))]
  const words = await Promise.all([...ends, started.finish()].map(async end => inWords(await end)))
  expect(words).toEqual(Array.from({ length: 3 }, () => '- send: withheld'))
  expect(started.ended.aborted).toBe(true)
  await peer.alone()

  const text = Buffer.concat(seen).toString('latin1')
  expect(text.length - (text.indexOf('\r\n\r\n') + 4)).toBe(1000)
})

test('a connection that is lost while the tail is held says so, whatever withholds it then', async () => {
  await using peer = await openPeer(sayAfter(1000, socket => socket.resetAndDestroy()))
  const exchange = await upload(peer.origin, bodyOf(1000), heeding)
  expect(inWords(exchange)).toBe('- send: lost')
})

test('an early answer ends the sending at once, and the tail is not asked for', async () => {
  // The rest of the answer comes when nothing more has been sent for a while.
  await using peer = await openPeer(socket => {
    const finish = setTimeout(() => socket.end('done'), 300)
    socket.once('data', () => socket.write(CREATED))
    socket.on('data', () => finish.refresh())
  })

  let sent = 0
  let asked = 0
  const decide = async () => {
    asked += 1
  }

  async function* head() {
    for (; sent < 300; sent += 1) {
      yield Buffer.alloc(1000)
      await sleep(10)
    }
  }
  const body = { ...bodyOf(300_000), head }

  const exchange = await upload(peer.origin, body, decide)

  expect(inWords(exchange)).toBe('- 201 done')
  expect(sent).toBeLessThan(300)
  expect(asked).toBe(0)
})

const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'
const final = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const switching = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'

test.each([
  ['two', interim + interim + final, '+ 200 ok'],
  ['both', interim + hints + final, '+ 200 ok'],
  ['a switch of protocols, which is no answer', switching, '+ answer: lost']
])('interim answers: %s', async (_, answer, expected) => {
  await using peer = await openPeer(sayAfter(1000, socket => socket.end(answer)))
  const exchange = await ask(peer.origin, { body: small() })
  expect(inWords(exchange)).toBe(expected)
})

test('interim answers without end are no answer', async () => {
  const say = sayAfter(1000, socket => {
    const timer = setInterval(() => socket.write(interim), 5)
    socket.on('close', () => clearInterval(timer))
  })
  await using peer = await openPeer(say)

  const patience = { stall: 10_000, answer: 200 }
  const exchange = await ask(peer.origin, { body: small(), patience })
  expect(inWords(exchange)).toBe('+ answer: no complete answer within 0.2 seconds')
})

const text = 'found '.repeat(100)
const CUT_OFF = ', cut off: the answer is longer than 1048576 bytes, or no '

test.each<[string, Buffer, string]>([
  ['X-Gzip', gzipSync(text), text],
  ['br', brotliCompressSync(text), text],
  ['deflate', deflateSync(text), text],
  ['identity', Buffer.from(text), text],
  ['gzip', gzipSync(Buffer.alloc(2 * MIB)), `${gzipSync(Buffer.alloc(2 * MIB))}${CUT_OFF}gzip`],
  ['gzip', Buffer.from('<p>'), `<p>${CUT_OFF}gzip`],
  ['zstd7', Buffer.from('?'), `?${CUT_OFF}zstd7`],
  ['UTF-8', Buffer.from('{"data":{}}'), '{"data":{}}'],
  ['aws-chunked', Buffer.from('[]'), '[]']
])('an answer in %s is decoded, if it really is', async (encoding, bytes, expected) => {
  const headers = `content-encoding: ${encoding}\r\ncontent-length: ${bytes.length}\r\n`
  const say = sayAfter(0, socket => {
    socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n`)
    socket.end(bytes)
  })

  await using peer = await openPeer(say)
  const exchange = await ask(peer.origin)

  expect(inWords(exchange)).toBe(`- 200 ${expected}`)
})
