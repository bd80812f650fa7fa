/** Owns the bad answers: what goes out when a request was read in full and a fault is due. */
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { AnswerFault, OddShape } from './faults.ts'
import { type Exchange, gone } from './listener.ts'
import type { Reply } from './routing.ts'
import { answer, closing, end, headOf, sendReply, textOf, trickle, write } from './wire.ts'

/** Answers as the fault says; `right` is the answer that a healthy service would give. */
export async function answerBadly(
  fault: AnswerFault,
  exchange: Exchange,
  right: Reply
): Promise<void> {
  const { socket, res } = exchange
  switch (fault.kind) {
    case 'reset-after-body':
      return exchange.reset()
    case 'silence-after-body':
      return gone(socket)
    case 'answer':
      return answer(exchange, { headers: {}, body: { message: 'Told to misbehave.' }, ...fault })
    case 'odd-answer':
      return answer(exchange, oddReply(fault.shape, fault.status ?? right.status, right))
    case 'gzip-answer': {
      const zipped = gzipSync(textOf(right.body))
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
      res.writeHead(right.status, { ...headers, 'content-length': zipped.length })
      return void res.end(zipped)
    }
    case 'interim-answers':
      res.writeContinue()
      res.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
      return answer(exchange, right)
    case 'slow-answer':
      await sleep(fault.ms, undefined, { ref: false })
      return answer(exchange, right)
    default:
      return answerRaw(fault, exchange, right)
  }
}

type RawFault = Exclude<
  AnswerFault,
  {
    readonly kind:
      | 'reset-after-body'
      | 'silence-after-body'
      | 'answer'
      | 'odd-answer'
      | 'gzip-answer'
      | 'interim-answers'
      | 'slow-answer'
  }
>

async function answerRaw(fault: RawFault, exchange: Exchange, right: Reply): Promise<void> {
  const { socket } = exchange
  const body = textOf(right.body)
  const length = Buffer.byteLength(body)
  const head = headOf(right, { ...closing, 'content-length': String(length) })
  switch (fault.kind) {
    case 'huge-answer':
      return flood(exchange, right, fault.mebibytes)
    case 'endless-answer':
      return flood(exchange, right, Number.POSITIVE_INFINITY)
    case 'trickle-answer':
      await write(socket, head)
      await trickle(socket, body, fault.everyMs)
      return end(exchange, 'fin')
    case 'http-1.0-answer':
      await write(socket, headOf(right, {}, 'HTTP/1.0') + body)
      return end(exchange, 'fin')
    case 'slow-headers':
      await trickle(socket, head, fault.everyMs)
      await write(socket, body)
      return end(exchange, 'fin')
    case 'huge-header':
      return sendReply(exchange, withHeaders(right, hugeHeader(fault.bytes)), 'fin')
    case 'many-headers':
      return sendReply(exchange, withHeaders(right, manyHeaders(fault.count)), 'fin')
    case 'wrong-length':
      await write(socket, headOf(right, { ...closing, 'content-length': `${length + fault.by}` }))
      await write(socket, body)
      return end(exchange, 'fin')
    case 'truncated-answer':
      await write(socket, head)
      await write(socket, Buffer.from(body).subarray(0, Math.floor(length / 2)))
      return end(exchange, fault.close)
    default:
      return fault satisfies never
  }
}

/** The right record first, then blanks, in chunks of 64 KiB: JSON to the end, when it has one. */
async function flood(exchange: Exchange, right: Reply, mebibytes: number): Promise<void> {
  const { socket } = exchange
  const chunk = (data: string) => `${data.length.toString(16)}\r\n${data}\r\n`
  const blanks = chunk(' '.repeat(64 * 1024))
  await write(socket, headOf(right, { ...closing, 'transfer-encoding': 'chunked' }))
  const start = Buffer.from(textOf(right.body)).toString('latin1')
  await write(socket, Buffer.from(chunk(start), 'latin1'))
  for (let sent = 0; sent < mebibytes * 16 && !socket.destroyed; sent += 1) {
    await write(socket, blanks)
  }
  await write(socket, '0\r\n\r\n')
  await end(exchange, 'fin')
}

function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } }
}

function hugeHeader(bytes = 1024 * 1024): Record<string, string> {
  return { 'x-huge': 'a'.repeat(bytes) }
}

function manyHeaders(count = 10_000): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-many-${index}`, '1']))
}

const deepLevels = 100_000

function oddReply(shape: OddShape, status: number, right: Reply): Reply {
  const html = shape === 'html' ? { 'content-type': 'text/html; charset=utf-8' } : {}
  return { status, headers: { ...right.headers, ...html }, body: oddBody(shape, dataOf(right)) }
}

function oddBody(shape: OddShape, data: Readonly<Record<string, unknown>>): unknown {
  const { id = 1, ...others } = data
  const inside = JSON.stringify({ id, ...others }).slice(1)
  switch (shape) {
    case 'broken-json':
      return `{"data":{${inside.slice(0, -1)}`
    case 'html':
      return '<!doctype html><title>It works</title>'
    case 'empty':
      return ''
    case 'no-data':
      return { id, ...others }
    case 'data-null':
      return { data: null }
    case 'data-array':
      return { data: [{ id, ...others }] }
    case 'no-id':
      return { data: others }
    case 'id-string':
      return { data: { id: String(id), ...others } }
    case 'id-fraction':
      return { data: { id: 1.5, ...others } }
    case 'nulls':
      return { data: { ...Object.fromEntries(Object.keys(others).map(key => [key, null])), id } }
    case 'extra-fields':
      return { data: { id, ...others, status: 'live', links: { self: null } }, meta: {} }
    case 'deep':
      return `{"data":{"deep":${'['.repeat(deepLevels)}${']'.repeat(deepLevels)},${inside}}`
    case 'proto':
      return `{"data":{"__proto__":{"id":7,"polluted":true},"constructor":{"prototype":{}},${inside}}`
    default:
      return shape satisfies never
  }
}

function dataOf({ body }: Reply): Readonly<Record<string, unknown>> {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : {}
  return { ...(typeof data === 'object' ? data : {}) }
}
