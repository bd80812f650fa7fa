// A request while it comes in: its head, and its body, which a fault may interrupt.
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
  /** How many bytes of the body were read. */
  readonly bytes: number
  /** The first MiB of them. */
  readonly body: Buffer
  /** Whether it arrived in full. */
  readonly completed: boolean
}

/** How many bytes of a body are kept. */
const KEPT_BYTES = 1024 * 1024

/** A request that is coming in: it changes until all of it is there. */
export class Reception {
  readonly #exchange: Exchange
  readonly #fault: BodyFault | undefined
  readonly #created: () => Reply
  readonly #request: IncomingRequest
  #isInterrupted = false

  /** `created` makes the answer that a whole body could have got. */
  constructor(
    exchange: Exchange,
    fault: BodyFault | AnswerFault | undefined,
    created: () => Reply
  ) {
    this.#exchange = exchange
    this.#fault = fault !== undefined && isBodyFault(fault) ? fault : undefined
    this.#created = created
    this.#request = new IncomingRequest(exchange)
  }

  get request(): ReceivedRequest {
    return this.#request
  }

  /** Whether the fault has acted: then there is nothing left to answer. */
  get isInterrupted(): boolean {
    return this.#isInterrupted
  }

  /** The body; ends in an error when the connection does. */
  async *chunks(): AsyncGenerator<Buffer> {
    const { req } = this.#exchange
    await this.#interrupt()
    for await (const chunk of req) {
      const bytes: Buffer = chunk
      this.#request.take(bytes)
      await this.#interrupt()
      yield bytes
    }
    this.#request.completed = req.complete
  }

  /** Lets the fault act, once enough of the body is read. */
  async #interrupt(): Promise<void> {
    const fault = this.#fault
    if (fault === undefined || this.#isInterrupted) return

    const from = 'bytes' in fault ? (fault.bytes ?? 0) : 0
    if (this.#request.bytes < from) return

    this.#isInterrupted = true
    await interrupt(fault, this.#exchange, this.#created)
    if (this.#exchange.socket.destroyed) throw new Error('The connection is gone')
  }
}

class IncomingRequest implements ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  bytes = 0
  completed = false
  readonly #kept: Buffer[] = []

  constructor({ req }: Exchange) {
    const { method = '', url = '', headers } = req
    this.method = method
    this.path = url
    this.headers = headers
  }

  get body(): Buffer {
    return Buffer.concat(this.#kept).subarray(0, KEPT_BYTES)
  }

  take(chunk: Buffer): void {
    if (this.bytes < KEPT_BYTES) this.#kept.push(chunk)
    this.bytes += chunk.length
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
