// A request while it comes in: what is known of it, and the body, which a fault may interrupt.
import type { IncomingHttpHeaders } from 'node:http'
import { type AnswerFault, type BodyFault, isBodyFault } from './faults.ts'
import { type Exchange, gone } from './listener.ts'
import { type Reply, sendRaw } from './wire.ts'

/** A request as it came in, whatever became of it. */
export interface ReceivedRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** How many bytes of the body were read; of these, the first MiB. */
  readonly bytes: number
  readonly body: Buffer
  /** Whether it arrived in full. */
  readonly completed: boolean
  /** What a healthy service answers; undefined while that is not known. */
  readonly reply: Reply | undefined
  /** The kind of the fault that it met. */
  readonly fault: string | undefined
}

/** A request while it comes in. */
export type Reception = ReturnType<typeof receive>

const KEPT_BYTES = 1024 * 1024

/** Watches a request come in; `created` is the answer that a body in full could have got. */
export function receive(
  exchange: Exchange,
  fault: BodyFault | AnswerFault | undefined,
  created: () => Reply
) {
  const { req, socket } = exchange
  const { method = '', url: path = '', headers } = req
  const kept: Buffer[] = []
  const bodyFault = fault !== undefined && isBodyFault(fault) ? fault : undefined
  const { bytes: from = 0 } = { bytes: undefined, ...bodyFault }
  let interrupted = false
  const request: { -readonly [key in keyof ReceivedRequest]: ReceivedRequest[key] } = {
    ...{ method, path, headers, bytes: 0, completed: false, reply: undefined },
    fault: fault?.kind,
    get body() {
      return Buffer.concat(kept).subarray(0, KEPT_BYTES)
    }
  }
  const pass = async (): Promise<void> => {
    if (bodyFault === undefined || interrupted || request.bytes < from) return
    interrupted = true
    await interrupt(bodyFault, exchange, created)
    if (socket.destroyed) throw new Error('The connection is gone')
  }
  return {
    request,
    /** Whether the fault has acted: then there is nothing left to answer. */
    wasInterrupted: () => interrupted,
    /** The body; ends in an error when the connection does. */
    async *chunks(): AsyncGenerator<Buffer> {
      await pass()
      for await (const chunk of req) {
        const bytes: Buffer = chunk
        if (request.bytes < KEPT_BYTES) kept.push(bytes)
        request.bytes += bytes.length
        await pass()
        yield bytes
      }
      request.completed = req.complete
    }
  }
}

async function interrupt(fault: BodyFault, exchange: Exchange, created: () => Reply) {
  switch (fault.kind) {
    case 'reset-before-body':
    case 'reset-in-body':
      return exchange.reset()
    case 'silence-after-headers':
    case 'silence-in-body':
      return gone(exchange.socket)
    case 'early-answer': {
      const reply = { body: { message: 'Early answer.' }, ...fault }
      return sendRaw(exchange, reply, { ending: fault.close })
    }
    case 'early-created':
      return sendRaw(exchange, created(), { ending: fault.close })
    default:
      return fault satisfies never
  }
}
