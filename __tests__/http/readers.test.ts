// Owns what is an answer, whatever the server does to the connection, for our readers of texts and files: curl is
// the judge.
import type { Socket } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import { openGitHub } from '../../src/github/github.ts'
import { connect } from '../../src/http/connection.ts'
import { publishTo } from '../shop/trying.ts'
import { openPeer, sayAfter, trustOne } from './peers.ts'

/** One text that every reader understands. */
const BODY = JSON.stringify({ data: { id: 7 }, much: 'x'.repeat(200_000) })
const LENGTH = `content-length: ${BODY.length}\r\n`
const CHUNKED = `transfer-encoding: chunked\r\n`
const CHUNKS = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`
const ok = (headers: string, body = BODY, version = '1.1') =>
  `HTTP/${version} 200 OK\r\ncontent-type: application/json\r\n${headers}\r\n${body}`

/** Answers of a server: curl 8 takes each of them for one. */
const ANSWERS: readonly (readonly [string, string])[] = [
  ['with a length', ok(LENGTH)],
  ['with a length and the header', ok(`${LENGTH}connection: close\r\n`)],
  ['with a length, HTTP/1.0', ok(LENGTH, BODY, '1.0')],
  ['with a length that has blanks after it', ok(`content-length: ${BODY.length}  \r\n`)],
  ['without a length', ok('connection: close\r\n')],
  ['without a length and the header', ok('')],
  ['without a length, HTTP/1.0', ok('', BODY, '1.0')],
  ['in chunks', ok(CHUNKED, CHUNKS)],
  ['in chunks, with the header', ok(`${CHUNKED}connection: close\r\n`, CHUNKS)],
  ['after a 100', `HTTP/1.1 100 Continue\r\n\r\n${ok(LENGTH)}`],
  ['after a 103', `HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n${ok(LENGTH)}`],
  ['with 200 KiB of headers', ok(`x-much: ${'y'.repeat(200 * 1024)}\r\n${LENGTH}`)]
]

const inPieces = (last: number) => (socket: Socket, answer: string) => {
  socket.write(answer.slice(0, -last))
  setTimeout(() => socket.end(answer.slice(-last)), 5)
}
/** How the server says it and closes. */
const CLOSINGS: readonly ((socket: Socket, answer: string) => void)[] = [
  (socket, answer) => socket.end(answer),
  inPieces(50_000),
  inPieces(1),
  (socket, answer) => {
    socket.write(answer)
    setTimeout(() => socket.end(), 10)
  }
]

const { signal } = new AbortController()
const sleep = () => Promise.reject(new Error('It was tried again'))
const log = () => undefined
const repository = { owner: 'acme', name: 'gallery', token: 'token' }

/** Each returns the length of what it has read. */
const READERS: Readonly<Record<string, (origin: string) => Promise<number>>> = {
  service: async origin => {
    const result = await publishTo(origin)
    return result.kind === 'published' ? BODY.length : 0
  },
  api: async apiUrl => {
    const github = openGitHub(
      { ...repository, apiUrl },
      { connect, sleep, signal, log, conceal: String }
    )
    const { data } = await github.read('GET /repos/{owner}/{repo}')
    github.close()
    return JSON.stringify(data).length
  },
  asset: async apiUrl => {
    let length = 0
    const receive = (chunk: Buffer) => {
      length += chunk.length
    }
    const github = openGitHub(
      { ...repository, apiUrl },
      { connect, sleep, signal, log, conceal: String }
    )
    await github.streamAsset(7, () => receive)
    github.close()
    return length
  }
}

const tls = trustOne()
const ways = ['over TCP', 'over TLS'] as const
describe.each(ways)('%s, an answer', way => {
  test.each(ANSWERS)('%s is whole for all, however the server closes', async (name, answer) => {
    for (const [index, [reader, read]] of Object.entries(READERS).entries()) {
      // Over TCP, each of the four ends; elsewhere one for each reader, another with each answer.
      const turn = (index + ANSWERS.findIndex(([other]) => other === name)) % CLOSINGS.length
      const closings = way === 'over TCP' ? CLOSINGS : CLOSINGS.slice(turn, turn + 1)
      for (const close of closings) {
        const say = sayAfter(0, socket => close(socket, answer))
        await using peer = await openPeer(say, way.includes('TLS') ? tls : undefined)
        expect([reader, await read(peer.origin)]).toEqual([reader, BODY.length])
      }
    }
  })
})
