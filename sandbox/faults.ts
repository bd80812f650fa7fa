// The ways in which the stand-in for the shop misbehaves, as plain data, and the queue that they wait in.
import type { IncomingMessage } from 'node:http'

/** Acts when a connection is accepted, before a byte of it is read. */
export type ConnectFault =
  | { readonly kind: 'reset-at-connect' }
  /** Accepts and says nothing; with TLS the handshake never ends. */
  | { readonly kind: 'silence-at-accept' }

/** How a connection ends after an answer; `keep` leaves it open. */
export type Ending = 'fin' | 'reset' | 'keep'

interface EarlyFault {
  /** How much of the body is read before the answer. */
  readonly bytes?: number
  readonly close: Ending
  /** Whether a body that is completed nevertheless is stored; not when left out. */
  readonly stored?: boolean
}

/** Acts after that many bytes of the body, and not at all when the body is shorter. */
export type BodyFault =
  | { readonly kind: 'reset-before-body' }
  | { readonly kind: 'reset-in-body'; readonly bytes: number }
  | { readonly kind: 'silence-after-headers' }
  | { readonly kind: 'silence-in-body'; readonly bytes: number }
  | (EarlyFault & AnyAnswer & { readonly kind: 'early-answer' })
  /** 201 with a record before the body is complete. */
  | (EarlyFault & { readonly kind: 'early-created' })

interface AnyAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text goes as it is, anything else as JSON. */
  readonly body?: unknown
}

/** Bodies that are not the documented one. */
export type OddShape =
  | ('broken-json' | 'html' | 'empty' | 'no-data' | 'data-null' | 'data-array' | 'no-id')
  | ('id-string' | 'id-fraction' | 'nulls' | 'extra-fields' | 'deep' | 'proto')

/** Acts when the whole body is in. The version is stored unless `stored` is false. */
export type AnswerFault = { readonly stored?: boolean } & (
  | { readonly kind: 'reset-after-body' }
  | { readonly kind: 'silence-after-body' }
  | (AnyAnswer & { readonly kind: 'answer' })
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

export type Fault = (ConnectFault | BodyFault | AnswerFault) & {
  /** Waits for a POST whose body has at least so many bytes; for any request when left out. */
  readonly least?: number
}

interface NamedFault {
  readonly meaning: string
  readonly fault: Fault
}

/** What the input `fault` of the sandbox action can ask for: what happens to the first publication. */
export const NAMED_FAULTS = {
  'lost-answer': {
    meaning: 'the version arrives, and the connection is lost before the answer',
    fault: { kind: 'reset-after-body' }
  },
  'no-answer': {
    meaning: 'the version arrives, and no answer ever comes',
    fault: { kind: 'silence-after-body' }
  },
  'server-error': {
    meaning: 'the version arrives, and the answer is a 500',
    fault: { kind: 'answer', status: 500, body: { message: 'Server Error' } }
  },
  'web-page': {
    meaning: 'the version arrives, and the answer is a web page instead of JSON',
    fault: { kind: 'odd-answer', shape: 'html' }
  },
  slow: {
    meaning: 'the version arrives, and the answer takes 20 seconds',
    fault: { kind: 'slow-answer', ms: 20_000 }
  },
  'lost-upload': {
    meaning: 'the connection is lost during the upload, once',
    fault: { kind: 'reset-before-body' }
  },
  busy: {
    meaning: 'the shop asks for patience with a 503, once',
    fault: {
      ...{ kind: 'early-answer', status: 503, close: 'fin' },
      ...{ headers: { 'retry-after': '2' }, body: { message: 'The shop is busy.' } }
    }
  },
  refused: {
    meaning: 'the shop refuses the title with a 422',
    fault: {
      ...{ kind: 'answer', status: 422, stored: false },
      body: {
        message: 'The title has already been taken.',
        errors: { title: ['The title has already been taken.'] }
      }
    }
  },
  'too-large': {
    meaning: 'the shop refuses the file with a 413 before it has read it',
    fault: {
      ...{ kind: 'early-answer', status: 413, close: 'fin' },
      body: { message: 'The file is too large.' }
    }
  }
} as const satisfies Readonly<Record<string, NamedFault>>

export type FaultName = keyof typeof NAMED_FAULTS

const CONNECT_KINDS: readonly string[] = [
  'reset-at-connect',
  'silence-at-accept'
] satisfies readonly ConnectFault['kind'][]
const BODY_KINDS: readonly string[] = [
  ...['reset-before-body', 'reset-in-body', 'silence-after-headers', 'silence-in-body'],
  ...['early-answer', 'early-created']
]

/** Where a fault acts once it has been taken from the queue. */
export interface FaultQueue {
  add(faults: readonly Fault[]): void
  /** The next fault if it acts on connections; any other stays for a request. */
  forConnection(): ConnectFault | undefined
  /** The next fault if it acts on requests such as this one; any other stays. */
  forRequest(req: IncomingMessage): BodyFault | AnswerFault | undefined
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
    forRequest({ method, headers }) {
      const [next] = waiting
      if (next === undefined || isConnectFault(next)) return undefined
      const bytes = method === 'POST' ? Number(headers['content-length'] ?? Infinity) : 0
      if (bytes < (next.least ?? 0)) return undefined
      waiting.shift()
      return next
    }
  }
}

function isConnectFault(fault: Fault): fault is ConnectFault {
  return CONNECT_KINDS.includes(fault.kind)
}

/** Whether the fault acts before the body is complete. */
export function isBodyFault(fault: BodyFault | AnswerFault): fault is BodyFault {
  return BODY_KINDS.includes(fault.kind)
}
