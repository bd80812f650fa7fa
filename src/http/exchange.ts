// One HTTP exchange: what a caller asks for, what came of it, and how it failed.

/** Sent as `User-Agent` with every request; the version is that of `package.json`. */
export const USER_AGENT = 'publish-version/1.0.0'

/** A request body in two parts: the head, and the last bytes, which can be held back. */
export interface RequestBody {
  /** The exact number of bytes of head and tail together: the request's `Content-Length`. */
  readonly length: number
  /** Everything but the tail, iterated once. Asking for the next chunk may reuse the memory of the last. */
  head(): AsyncIterable<Uint8Array>
  /** The last bytes. Asked for once, after the head, when they are to go. */
  tail(): Uint8Array
}

/** A body that needs no holding back: all of it is the tail. */
export function wholeBody(text: string): RequestBody {
  const bytes = Buffer.from(text)
  async function* head() {}
  return { length: bytes.length, head, tail: () => bytes }
}

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query, starting with a slash. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RequestBody
  /**
   * In milliseconds. `answer`: from the end of the request to the end of the answer. `stall`: with no byte
   * moving, except while `answer` runs. `deadline`: as `answer`, but `stall` counts as well. `grace`: for the
   * answer, if the signal fires after the tail was sent.
   */
  readonly patience: {
    readonly stall: number
    readonly answer?: number
    readonly deadline?: number
    readonly grace?: number
  }
  /** The most bytes of an answer that are kept, packed or unpacked; a longer one is `truncated`. */
  readonly answerLimit: number
  // Synchronous: undici takes a peer that closes while its parser is paused for a lost connection.
  /** Gets a 2xx answer's body as it comes, in place of `body`; what it throws ends the exchange. */
  readonly receive?: (chunk: Buffer) => void
  readonly signal: AbortSignal
}

/** A request with a body. */
export interface UploadRequest extends ExchangeRequest {
  readonly body: RequestBody
}

/** An answer, however early; `tailSent`: the request's tail had been handed to the connection. */
export interface Answer {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** Why the body is not whole: the connection was lost, it took too long, or it is over the limit. */
  readonly truncated?: Error
  readonly tailSent: boolean
}

/** The first value of a header, by its name in lower case; empty if there is none. */
export function headerOf({ headers }: Pick<Answer, 'headers'>, name: string): string {
  const value = headers[name] ?? ''
  return typeof value === 'string' ? value : (value[0] ?? '')
}

export interface BrokenExchange {
  readonly kind: 'broken'
  readonly phase: 'connect' | 'send' | 'answer'
  readonly cause: Error
  readonly tailSent: boolean
}

export type Exchange = Answer | BrokenExchange

/**
 * A request of which all but the tail is sent, and that ends with a `T`. Its holder has to call `finish` or `withhold`:
 * otherwise, its connection stays open. A second call changes nothing, and resolves with the same.
 */
export interface Held<T> {
  readonly kind: 'held'
  /** Fires once the tail can no longer be sent: an answer has begun, the connection is gone, or the run is canceled. */
  readonly ended: AbortSignal
  /** Sends the tail: from here on, only the answer says what came of it. */
  finish(): Promise<T>
  /**
   * Ends the connection without the tail, and resolves with the cause once it is gone. If the exchange has ended before,
   * resolves with how it did; an answer that has begun is read to its end.
   */
  withhold(cause: Error): Promise<T>
}

/** The same request; `judge` makes its end into another. */
export function mapHeld<T, U>(held: Held<T>, judge: (end: T) => U): Held<U> {
  return {
    ...held,
    finish: async () => judge(await held.finish()),
    withhold: async cause => judge(await held.withhold(cause))
  }
}

/** A connection to one origin, one request at a time. Its calls never reject: failures resolve as `broken`. */
export interface Connection {
  /** Sends a request, and resolves with what came of it. */
  exchange(request: ExchangeRequest): Promise<Exchange>
  /** Sends all of a request but the tail of its body; resolves with how it ended, if it did before that. */
  startUpload(request: UploadRequest): Promise<Held<Exchange> | Exchange>
  /** Ends every socket. */
  close(): void
}

/** Opens a connection to an origin; nothing is sent yet. With `keepAlive` it outlives an exchange. */
export type Connect = (origin: string, options: { readonly keepAlive: boolean }) => Connection

export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** The proxy refused, or could not be reached; the message names it, and no credential. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly code: string
  /** The proxy's own answer, if that is what refused. */
  readonly status: number | undefined
  constructor(message: string, code = '', cause?: unknown, status?: number) {
    super(message, { cause })
    this.code = code
    this.status = status
  }
}
