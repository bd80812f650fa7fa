// How the stand-in for the shop misbehaves: the faults as plain data, and the queue that they wait in.
import type { IncomingMessage } from 'node:http'
import type { SpoiledAnswer } from './spoiled.ts'
import type { Ending } from './wire.ts'

/** Acts when a connection is accepted, before a byte of it is read; with TLS a silent handshake never ends. */
export interface ConnectFault {
  readonly kind: 'reset-at-connect' | 'silence-at-accept'
}

/** Acts after that many bytes of the body, and not at all when the body is shorter. */
export type BodyFault =
  | { readonly kind: 'reset-before-body' | 'silence-after-headers' }
  | { readonly kind: 'reset-in-body' | 'silence-in-body'; readonly bytes: number }
  | (EarlyFault & AnyAnswer & { readonly kind: 'early-answer' })
  /** 201 with a record before the body is complete. */
  | (EarlyFault & { readonly kind: 'early-created' })

interface EarlyFault {
  /** How much of the body is read before the answer. */
  readonly bytes?: number
  readonly close: Ending
  /**
   * Whether a body that is completed nevertheless is stored. Not when left out: it was interrupted, unlike one that an
   * `AnswerFault` hits, which is stored when left out.
   */
  readonly stored?: boolean
}

/** An answer of its own. */
export interface AnyAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text goes as it is, anything else as JSON. */
  readonly body?: unknown
}

/** Acts when the whole body is in. The version is stored unless `stored` is false. */
export type AnswerFault = { readonly stored?: boolean } & (
  | { readonly kind: 'reset-after-body' | 'silence-after-body' }
  | (AnyAnswer & { readonly kind: 'answer' })
  | SpoiledAnswer
)

export type Fault = (ConnectFault | BodyFault | AnswerFault) & {
  /** Waits for a POST whose body has at least so many bytes; for any request when left out. */
  readonly least?: number
}

/** The faults that have not happened yet, in order. While it is empty, as at first, the service behaves. */
export class FaultQueue {
  readonly #waiting: Fault[] = []

  add(faults: readonly Fault[]): void {
    this.#waiting.push(...faults)
  }

  /** Takes the next fault if it acts on connections; any other stays for a request. */
  forConnection(): ConnectFault | undefined {
    const [next] = this.#waiting
    if (next === undefined || !isConnectFault(next)) return undefined

    this.#waiting.shift()
    return next
  }

  /** Takes the next fault if it acts on requests such as this one; any other stays. */
  forRequest({ method, headers }: IncomingMessage): BodyFault | AnswerFault | undefined {
    const [next] = this.#waiting
    if (next === undefined || isConnectFault(next)) return undefined

    // A body without a length may be of any size.
    const bytes = method === 'POST' ? Number(headers['content-length'] ?? Infinity) : 0
    if (bytes < (next.least ?? 0)) return undefined

    this.#waiting.shift()
    return next
  }
}

function isConnectFault(fault: Fault): fault is ConnectFault {
  return fault.kind === 'reset-at-connect' || fault.kind === 'silence-at-accept'
}

const BODY_FAULTS: ReadonlySet<string> = new Set<BodyFault['kind']>([
  'reset-before-body',
  'reset-in-body',
  'silence-after-headers',
  'silence-in-body',
  'early-answer',
  'early-created'
])

/** Whether the fault acts before the body is complete. */
export function isBodyFault(fault: BodyFault | AnswerFault): fault is BodyFault {
  return BODY_FAULTS.has(fault.kind)
}
