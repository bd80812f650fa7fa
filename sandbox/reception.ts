// A request while it comes in: what is known of it, and the body, which a fault may interrupt.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Exchange } from './listener.ts'
import type { Gate } from './misbehavior.ts'
import type { Reply } from './wire.ts'

/** A request as it came in, whatever became of it. */
export interface ReceivedRequest {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** How much of the body was read. */
  readonly bytes: number
  /** The first MiB of the body. */
  readonly body: Buffer
  /** Whether the request arrived in full. */
  readonly completed: boolean
  /** What a healthy service answers; undefined while that is not known. */
  readonly reply: Reply | undefined
  /** The kind of the fault that it met. */
  readonly fault: string | undefined
}

/** A request while it comes in. */
export interface Reception {
  readonly request: { -readonly [key in keyof ReceivedRequest]: ReceivedRequest[key] }
  /** Whether the gate has acted: then there is nothing left to answer. */
  readonly interrupted: boolean
  /** The body; ends in an error when the connection does. */
  chunks(): AsyncGenerator<Buffer>
}

const KEPT_BYTES = 1024 * 1024

/** Watches a request come in; the gate acts once, as soon as its number of bytes was read. */
export function receive(exchange: Exchange, fault?: string, gate?: Gate): Reception {
  const { req } = exchange
  const { method = '', url: path = '', headers } = req
  const kept: Buffer[] = []
  let interrupted = false
  const request: Reception['request'] = {
    ...{ method, path, headers, bytes: 0, completed: false, reply: undefined, fault },
    get body() {
      return Buffer.concat(kept).subarray(0, KEPT_BYTES)
    }
  }
  const pass = async (): Promise<void> => {
    if (gate === undefined || interrupted || request.bytes < gate.bytes) return
    interrupted = true
    await gate.act(exchange)
    if (exchange.socket.destroyed) throw new Error('The connection is gone')
  }
  return {
    request,
    get interrupted() {
      return interrupted
    },
    async *chunks() {
      await pass()
      for await (const chunk of buffersOf(req)) {
        if (request.bytes < KEPT_BYTES) kept.push(chunk)
        request.bytes += chunk.length
        await pass()
        yield chunk
      }
      request.completed = req.complete
    }
  }
}

// Untyped in Node; without an encoding set, a request's chunks are buffers.
function buffersOf(req: IncomingMessage): AsyncIterable<Buffer> {
  return req
}
