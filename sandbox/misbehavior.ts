// What a fault does to a publish request: to its body on the way in, or to its answer.
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { AnswerFault, BodyFault } from './faults.ts'
import { type Exchange, gone } from './listener.ts'
import { oddAnswer } from './odd-answers.ts'
import {
  answer,
  closing,
  HUGE_HEADER,
  headOf,
  MANY_HEADERS,
  type Reply,
  sendRaw,
  textOf,
  write
} from './wire.ts'

/** Something to do once so many bytes of a body were read. */
export interface Gate {
  readonly bytes: number
  act(exchange: Exchange): Promise<void>
}

/** What a fault does to a body; `created` is the answer that a body in full could have got. */
export function gateOf(fault: BodyFault, created: () => Reply): Gate {
  const { bytes = 0 } = { bytes: undefined, ...fault }
  switch (fault.kind) {
    case 'reset-before-body':
    case 'reset-in-body':
      return { bytes, act: async exchange => exchange.reset() }
    case 'silence-after-headers':
    case 'silence-in-body':
      return { bytes, act: ({ socket }) => gone(socket) }
    case 'early-answer': {
      const reply = { body: { message: 'Early answer.' }, ...fault }
      return { bytes, act: it => sendRaw(it, reply, { ending: fault.close }) }
    }
    case 'early-created':
      return { bytes, act: it => sendRaw(it, created(), { ending: fault.close }) }
    default:
      return fault satisfies never
  }
}

/** Answers as the fault says; `right` is the answer that a healthy service would give. */
export async function answerBadly(
  fault: AnswerFault,
  exchange: Exchange,
  right: Reply
): Promise<void> {
  const { socket, res } = exchange
  const raw = sendRaw.bind(undefined, exchange, right)
  const whole = Buffer.from(textOf(right.body))
  switch (fault.kind) {
    case 'reset-after-body':
      return exchange.reset()
    case 'silence-after-body':
      return gone(socket)
    case 'answer':
      return answer(exchange, { headers: {}, body: { message: 'Told to misbehave.' }, ...fault })
    case 'odd-answer':
      return answer(exchange, oddAnswer(fault.shape, fault.status, right))
    case 'gzip-answer': {
      const zipped = gzipSync(whole)
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
    case 'huge-answer':
      return flood(exchange, right, fault.mebibytes)
    case 'endless-answer':
      return flood(exchange, right, Number.POSITIVE_INFINITY)
    case 'trickle-answer':
      return raw({ bodyEveryMs: fault.everyMs })
    case 'slow-headers':
      return raw({ headEveryMs: fault.everyMs })
    case 'http-1.0-answer':
      return raw({ version: 'HTTP/1.0' })
    case 'huge-header':
      return raw({ headers: HUGE_HEADER })
    case 'many-headers':
      return raw({ headers: MANY_HEADERS })
    case 'wrong-length':
      return raw({ headers: { 'content-length': String(whole.length + fault.by) } })
    case 'truncated-answer':
      return raw({ body: whole.subarray(0, whole.length / 2), ending: fault.close })
    default:
      return fault satisfies never
  }
}

/** The right record first, then blanks, in chunks of 64 KiB: JSON to the end, when it has one. */
async function flood({ socket }: Exchange, right: Reply, mebibytes: number): Promise<void> {
  const chunk = (data: string) => `${data.length.toString(16)}\r\n${data}\r\n`
  const blanks = chunk(' '.repeat(64 * 1024))
  await write(socket, headOf(right, { ...closing, 'transfer-encoding': 'chunked' }))
  const start = Buffer.from(textOf(right.body)).toString('latin1')
  await write(socket, Buffer.from(chunk(start), 'latin1'))
  for (let sent = 0; sent < mebibytes * 16 && !socket.destroyed; sent += 1) {
    await write(socket, blanks)
  }
  await write(socket, '0\r\n\r\n')
  socket.end()
}
