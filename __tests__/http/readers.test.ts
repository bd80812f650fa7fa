// Tests of src/http with src/github and src/shop: what counts as an answer for our readers of texts and files, whatever
// the server does to the connection: curl is the judge.
import type { Socket } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import { type GitHub, openGitHub } from '../../src/github/github.ts'
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

/** GitHub at this address, which ends with an error where anything is tried again. */
function openAt(apiUrl: string): GitHub {
  const options = {
    owner: 'acme',
    name: 'gallery',
    token: 'token',
    apiUrl
  }
  return openGitHub(options, {
    connect,
    sleep: () => Promise.reject(new Error('It was tried again')),
    signal: new AbortController().signal,
    log: () => undefined,
    conceal: String
  })
}

/** Each returns the length of what it has read. */
const READERS: Readonly<Record<string, (origin: string) => Promise<number>>> = {
  service: async origin => {
    const result = await publishTo(origin)
    return result.kind === 'published' ? BODY.length : 0
  },
  api: async apiUrl => {
    const github = openAt(apiUrl)
    const { data } = await github.read('GET /repos/{owner}/{repo}')
    github.close()
    return JSON.stringify(data).length
  },
  asset: async apiUrl => {
    let length = 0
    const receive = (chunk: Buffer) => {
      length += chunk.length
    }
    const github = openAt(apiUrl)
    await github.streamAsset(7, () => receive)
    github.close()
    return length
  }
}

const tls = trustOne()

describe.each(['over TCP', 'over TLS'] as const)('%s, an answer', line => {
  test.each(ANSWERS)('%s is whole for all, however the server closes', async (name, answer) => {
    for (const [index, [reader, read]] of Object.entries(READERS).entries()) {
      // Over TCP, each of the four ends; elsewhere one for each reader, another with each answer.
      const turn = (index + ANSWERS.findIndex(([other]) => other === name)) % CLOSINGS.length
      const closings = line === 'over TCP' ? CLOSINGS : CLOSINGS.slice(turn, turn + 1)

      for (const close of closings) {
        const say = sayAfter(0, socket => close(socket, answer))
        await using peer = await openPeer(say, line.includes('TLS') ? tls : undefined)
        expect([reader, await read(peer.origin)]).toEqual([reader, BODY.length])
      }
    }
  })
})
