// Owns what is an answer, whatever the server does to the connection: curl is the judge.
import type { Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Certificate } from '../../sandbox/listener.ts'
import { openProxy } from '../support/proxy.ts'
import { selfSign } from '../support/tls.ts'
import { ask, bodyOf, inWords, openPeer, sayAfter } from './peers.ts'

const BODY = 'x'.repeat(200_000)
const LENGTH = `content-length: ${BODY.length}\r\n`
const CHUNKED = `transfer-encoding: chunked\r\n`
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const ok = (headers: string, body = BODY, version = '1.1') =>
  `HTTP/${version} 200 OK\r\n${headers}\r\n${body}`

/** What a server says, and how it closes: all of it is an answer to curl 8. */
const ANSWERS: Readonly<Record<string, string>> = {
  'with a length': ok(LENGTH),
  'with a length and the header': ok(`${LENGTH}connection: close\r\n`),
  'with a length, HTTP/1.0': ok(LENGTH, BODY, '1.0'),
  'with a length that has blanks after it': ok(`content-length: ${BODY.length}  \r\n`),
  'without a length': ok('connection: close\r\n'),
  'without a length and the header': ok(''),
  'without a length, HTTP/1.0': ok('', BODY, '1.0'),
  'in chunks': ok(CHUNKED, chunked(BODY)),
  'in chunks, with the header': ok(`${CHUNKED}connection: close\r\n`, chunked(BODY)),
  'after a 100': `HTTP/1.1 100 Continue\r\n\r\n${ok(LENGTH)}`,
  'after a 103': `HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n${ok(LENGTH)}`,
  'with 200 KiB of headers': ok(`x-much: ${'y'.repeat(200 * 1024)}\r\n${LENGTH}`)
}

/** How the server says it and closes. */
const CLOSINGS: Readonly<Record<string, (socket: Socket, answer: string) => void>> = {
  'at once': (socket, answer) => socket.end(answer),
  'after two pieces': (socket, answer) => {
    socket.write(answer.slice(0, -50_000))
    setTimeout(() => socket.end(answer.slice(-50_000)), 5)
  },
  'after one byte more': (socket, answer) => {
    socket.write(answer.slice(0, -1))
    setTimeout(() => socket.end(answer.slice(-1)), 5)
  },
  'after a pause': (socket, answer) => {
    socket.write(answer)
    setTimeout(() => socket.end(), 10)
  }
}

const usual = getCACertificates('default')
let tls: Certificate
let proxy: Awaited<ReturnType<typeof openProxy>>
const { env } = process
beforeAll(async () => {
  tls = selfSign()
  setDefaultCACertificates([tls.cert])
  proxy = await openProxy()
})
afterAll(async () => {
  setDefaultCACertificates(usual)
  await proxy[Symbol.asyncDispose]()
})

const ways = ['over TCP', 'over TLS', 'over TLS through a tunnel'] as const
describe.each(ways)('%s, an answer', way => {
  beforeAll(() => {
    if (way.includes('tunnel')) env.HTTPS_PROXY = proxy.url
  })
  afterAll(() => {
    delete env.HTTPS_PROXY
    // Else it would have proved nothing.
    expect(proxy.asked.length > 0).toBe(way.includes('tunnel'))
  })

  // Through a tunnel, a sample: what is inside of it is the same TLS.
  const names = Object.keys(ANSWERS).filter(
    (_, index) => !way.includes('tunnel') || index % 3 === 0
  )
  test.each(names)('%s is whole, however the server closes', async name => {
    const answer = ANSWERS[name] ?? ''
    for (const [how, close] of Object.entries(CLOSINGS)) {
      const say = sayAfter(0, socket => close(socket, answer))
      await using peer = await openPeer(say, way === 'over TCP' ? undefined : tls)
      const received: Buffer[] = []
      const streamed = await ask(peer.origin, { receive: chunk => void received.push(chunk) })
      expect([how, inWords(streamed)]).toEqual([how, '- 200 '])
      expect(Buffer.concat(received).toString() === BODY).toBe(true)
      const read = await ask(peer.origin)
      expect([how, inWords(read) === `- 200 ${BODY}`]).toEqual([how, true])
      const sent = await ask(peer.origin, { body: bodyOf(1000) })
      expect([how, inWords(sent).slice(0, 8)]).toEqual([how, '+ 200 xx'])
    }
  })
})
