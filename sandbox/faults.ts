/** Owns the ways in which the stand-in misbehaves, as plain data, and the queue that they wait in. */
import { type Exchange, gone } from './listener.ts'
import type { Reply } from './routing.ts'
import { sendReply } from './wire.ts'

/** Acts when a connection is accepted, before a byte of it is read. */
export type ConnectFault =
  | { readonly kind: 'reset-at-connect' }
  /** Accepts and says nothing; with TLS the handshake never ends. */
  | { readonly kind: 'silence-at-accept' }

/** How a connection ends after an answer; `keep` leaves it open. */
export type Ending = 'fin' | 'reset' | 'keep'

/** Acts after that many bytes of the body, and not at all when the body is shorter. */
export type BodyFault =
  | { readonly kind: 'reset-before-body' }
  | { readonly kind: 'reset-in-body'; readonly bytes: number }
  | { readonly kind: 'silence-after-headers' }
  | { readonly kind: 'silence-in-body'; readonly bytes: number }
  | {
      readonly kind: 'early-answer'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      /** Text goes as it is, anything else as JSON. */
      readonly body?: unknown
      /** 0 when left out: the answer comes before the body is read. */
      readonly bytes?: number
      readonly close: Ending
      /** Whether a body that is completed nevertheless is stored; not when left out. */
      readonly stored?: boolean
    }
  /** 201 with a record before the body is complete. */
  | {
      readonly kind: 'early-created'
      readonly bytes: number
      readonly close: Ending
      readonly stored?: boolean
    }

/** Answers with a body that is not the documented one. */
export type OddShape =
  | 'broken-json'
  | 'html'
  | 'empty'
  | 'no-data'
  | 'data-null'
  | 'data-array'
  | 'no-id'
  | 'id-string'
  | 'id-fraction'
  | 'nulls'
  | 'extra-fields'
  | 'deep'
  | 'proto'

/** Acts when the whole body is in. The version is stored unless `stored` is false. */
export type AnswerFault = { readonly stored?: boolean } & (
  | { readonly kind: 'reset-after-body' }
  | { readonly kind: 'silence-after-body' }
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: unknown
    }
  | { readonly kind: 'odd-answer'; readonly shape: OddShape; readonly status?: number }
  /** A record inside that many MiB of chunked JSON. */
  | { readonly kind: 'huge-answer'; readonly mebibytes: number }
  | { readonly kind: 'endless-answer' }
  | { readonly kind: 'trickle-answer'; readonly everyMs: number }
  | { readonly kind: 'gzip-answer' }
  | { readonly kind: 'http-1.0-answer' }
  /** 100 and 103 before the answer. */
  | { readonly kind: 'interim-answers' }
  | { readonly kind: 'slow-headers'; readonly everyMs: number }
  | { readonly kind: 'huge-header'; readonly bytes?: number }
  | { readonly kind: 'many-headers'; readonly count?: number }
  /** A content-length that is off by so much, upwards or downwards. */
  | { readonly kind: 'wrong-length'; readonly by: number }
  /** Half of the announced body. */
  | { readonly kind: 'truncated-answer'; readonly close: Ending }
  | { readonly kind: 'slow-answer'; readonly ms: number }
)

export type Fault = ConnectFault | BodyFault | AnswerFault

/** Where a fault acts once it has been taken from the queue. */
export interface FaultQueue {
  add(faults: readonly Fault[]): void
  /** The next fault if it acts on connections; any other stays for a request. */
  forConnection(): ConnectFault | undefined
  /** The next fault if it acts on requests; any other stays for a connection. */
  forRequest(): BodyFault | AnswerFault | undefined
}

/** Makes an empty queue: with nothing in it the service behaves. */
export function queueFaults(): FaultQueue {
  const waiting: Fault[] = []
  return {
    add: faults => void waiting.push(...faults),
    forConnection() {
      const [next] = waiting
      if (next === undefined || !isConnectFault(next)) return undefined
      waiting.shift()
      return next
    },
    forRequest() {
      const [next] = waiting
      if (next === undefined || isConnectFault(next)) return undefined
      waiting.shift()
      return next
    }
  }
}

function isConnectFault(fault: Fault): fault is ConnectFault {
  return fault.kind === 'reset-at-connect' || fault.kind === 'silence-at-accept'
}

const bodyKinds: readonly string[] = [
  'reset-before-body',
  'reset-in-body',
  'silence-after-headers',
  'silence-in-body',
  'early-answer',
  'early-created'
] satisfies readonly BodyFault['kind'][]

/** Whether the fault acts before the body is complete. */
export function isBodyFault(fault: BodyFault | AnswerFault): fault is BodyFault {
  return bodyKinds.includes(fault.kind)
}

/** Something to do once so many bytes of a body were read. */
export interface Gate {
  readonly bytes: number
  act(exchange: Exchange): Promise<void>
}

/** What a fault does to a body; `created` is the answer that a body in full could have got. */
export function gateOf(fault: BodyFault, created: () => Reply): Gate {
  switch (fault.kind) {
    case 'reset-before-body':
      return { bytes: 0, act: async exchange => exchange.reset() }
    case 'reset-in-body':
      return { bytes: fault.bytes, act: async exchange => exchange.reset() }
    case 'silence-after-headers':
      return { bytes: 0, act: ({ socket }) => gone(socket) }
    case 'silence-in-body':
      return { bytes: fault.bytes, act: ({ socket }) => gone(socket) }
    case 'early-answer': {
      const reply = { body: { message: 'Early answer.' }, ...fault }
      return { bytes: fault.bytes ?? 0, act: it => sendReply(it, reply, fault.close) }
    }
    case 'early-created':
      return { bytes: fault.bytes, act: it => sendReply(it, created(), fault.close) }
    default:
      return fault satisfies never
  }
}
