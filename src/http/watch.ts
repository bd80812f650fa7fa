// Watches one exchange: phases, time limits and cancellation, and whether it ended before or after the tail.
import type { Socket } from 'node:net'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { CancelledError } from '../runner/cancellation.ts'
import { parseJson } from '../runner/json.ts'
import { counted } from '../runner/words.ts'
import type { Answer, BrokenExchange, Exchange, ExchangeRequest, RequestBody } from './exchange.ts'
import { headerOf, TimeoutError } from './exchange.ts'
import { explainCause } from './failures.ts'
import { isInterim, isSuccess } from './statuses.ts'

/**
 * A smaller chunk may still be in a socket's queue when undici asks for the next: it waits only once the queue is full
 * (https://nodejs.org/api/stream.html#writablewritechunk-encoding-callback).
 */
const QUEUE_BYTES = 64 * 1024

/** The room for an answer at first; most are shorter. */
const ROOM_BYTES = 16 * 1024

/**
 * Handles one dispatch, and settles `outcome` exactly once, whatever happens. In order: undici connects
 * (`onRequestStart`), and asks for the body (`sending`): the head, then a pause at which `held` resolves, until `finish` or
 * `withhold` decides about the tail. The answer may begin at any time (`onResponseStart`), and is kept or passed on until
 * `onResponseEnd` or `onResponseError`. These two, a time limit, a cancellation and `withhold` all end in `#end`.
 */
export class Watch implements Dispatcher.DispatchHandler {
  readonly #outcome = Promise.withResolvers<Exchange>()
  readonly outcome = this.#outcome.promise
  readonly #request: ExchangeRequest
  readonly #sockets: ReadonlySet<Socket>
  readonly #held = Promise.withResolvers<void>()
  /** Resolves once all but the tail is sent; never, if the exchange ends before that. */
  readonly held = this.#held.promise
  readonly #ended = new AbortController()
  /** Aborted once the tail can no longer be sent. */
  readonly ended = this.#ended.signal
  /** Whether the tail may go. */
  readonly #decision = Promise.withResolvers<boolean>()
  #settled = false
  #phase: BrokenExchange['phase'] = 'connect'
  #tailSent = false
  #head: Pick<Answer, 'status' | 'headers'> | undefined
  /** The answer's body so far, and room for more: a server may send single bytes, and a buffer for each takes a hundred. */
  #body: Buffer = Buffer.alloc(0)
  /** In bytes, of all that came. */
  #size = 0
  #controller: Dispatcher.DispatchController | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(request: ExchangeRequest, sockets: ReadonlySet<Socket>) {
    this.#request = request
    this.#sockets = sockets
    this.#limit(request.patience.stall, 'no connection')
    request.signal.addEventListener('abort', this.#cancel, { once: true })
  }

  /** The body for undici, which asks for the next chunk when the connection has accepted the last. */
  async *sending(body: RequestBody): AsyncGenerator<Uint8Array> {
    yield* this.#sendHead(body)

    const mayFinish = await this.#hold()
    if (!mayFinish || !this.#isOpen()) {
      // An answer that has begun is read to its end, and the request stays unfinished.
      await this.outcome
      throw new Error('the exchange ended before its last bytes')
    }

    // Set before the tail goes: from here on, only an answer says what happened.
    this.#tailSent = true
    this.#limitSilence()
    yield body.tail()
    this.#awaitAnswer()
  }

  async *#sendHead(body: RequestBody): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body.head()) {
        // undici does not wait until a small chunk is written, and the chunk's memory may be used again.
        yield chunk.length < QUEUE_BYTES ? Buffer.from(chunk) : chunk
        if (this.#head) return
      }
    } catch (error) {
      if (!this.#head) throw error
    }
  }

  /** Says that only the tail is left, and resolves with whether it may go. */
  async #hold(): Promise<boolean> {
    // undici may ask for more after the connection was lost.
    if (!this.#isOpen()) return false

    // The decision may take longer than a stall.
    this.#allowSilence()
    this.#held.resolve()
    return this.#decision.promise
  }

  /** Whether the tail could still be sent. */
  #isOpen(): boolean {
    return this.#head === undefined && !this.#settled
  }

  /** Lets the tail go, if it still can. */
  finish(): void {
    this.#decision.resolve(true)
  }

  /** Ends the exchange with the cause, unless it has ended, or an answer has begun. */
  withhold(cause: Error): void {
    this.#decision.resolve(false)
    if (this.#isOpen() && !this.#tailSent) this.#end(cause)
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.#controller = controller
    if (this.#settled) return controller.abort(new CancelledError())

    clearTimeout(this.#timer)
    this.#phase = 'send'
    if (this.#request.body) this.#limitSilence()
    else this.#awaitAnswer()
  }

  onResponseStart(_: unknown, status: number, headers: Answer['headers']): void {
    if (isInterim(status) || this.#settled) return
    this.#head = { status, headers }
    this.#ended.abort()
    this.#awaitAnswer()
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const { receive, answerLimit } = this.#request
    if (this.#settled || !this.#head) return

    this.#size += chunk.length
    if (receive && isSuccess(this.#head.status)) {
      try {
        receive(chunk)
      } catch (error) {
        this.#end(error instanceof Error ? error : new Error(String(error)))
      }
      return
    }

    this.#keep(chunk, answerLimit)
    if (this.#size <= answerLimit) return
    this.#end(new Error(`the answer is longer than ${answerLimit} bytes`))
  }

  /** Keeps the last chunk that came, up to the limit. */
  #keep(chunk: Buffer, limit: number): void {
    const kept = this.#size - chunk.length
    if (this.#size > this.#body.length) {
      const room = Math.min(Math.max(2 * this.#size, ROOM_BYTES), limit)
      const body = Buffer.allocUnsafe(room)
      this.#body.copy(body, 0, 0, kept)
      this.#body = body
    }
    chunk.copy(this.#body, kept)
  }

  onResponseEnd(): void {
    this.#end()
  }

  /** An answer with all bytes of its `Content-Length` is whole, whatever undici reports. */
  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const given = this.#head?.headers['content-length']
    const lengths = Array.isArray(given) ? given : [given]
    // Without the header, this is NaN, and nobody can say that it is whole.
    const isWhole = lengths.every(length => Number(length) === this.#size)
    this.#end(isWhole ? undefined : explainCause(error, this.#head !== undefined))
  }

  #awaitAnswer(): void {
    if (this.#phase === 'answer' || this.#settled) return
    this.#phase = 'answer'

    const { answer, deadline } = this.#request.patience
    if (answer === undefined) this.#limitSilence()
    else this.#allowSilence()

    const limit = answer ?? deadline
    // A canceled run keeps its grace.
    if (limit && !this.#request.signal.aborted) this.#limit(limit, 'no complete answer')
  }

  #limit(ms: number, what: string): void {
    clearTimeout(this.#timer)
    const error = new TimeoutError(`${what} within ${counted(ms / 1000, 'second')}`)
    this.#timer = setTimeout(() => this.#end(error), ms)
  }

  // Node's own idle timer also sees partial writes: a slow line is not taken for a stalled one.
  #limitSilence(): void {
    this.#allowSilence()
    // A tunnel has several sockets; only the last one, which encrypts, sees what moves.
    const last = [...this.#sockets].at(-1)
    last?.setTimeout(this.#request.patience.stall, this.#silent)
  }

  #allowSilence(): void {
    for (const socket of this.#sockets) socket.setTimeout(0, this.#silent)
  }

  readonly #silent = (): void => {
    const { stall } = this.#request.patience
    this.#end(new TimeoutError(`no byte moved for ${counted(stall / 1000, 'second')}`))
  }

  readonly #cancel = (): void => {
    const { grace = 0 } = this.#request.patience
    const end = () => this.#end(new CancelledError())
    clearTimeout(this.#timer)
    if (this.#tailSent && grace > 0) this.#timer = setTimeout(end, grace)
    else end()
  }

  #end(error?: Error): void {
    if (this.#settled) return
    this.#settled = true
    clearTimeout(this.#timer)
    this.#allowSilence()
    this.#ended.abort()
    this.#decision.resolve(false)
    this.#request.signal.removeEventListener('abort', this.#cancel)
    if (error) this.#controller?.abort(error)
    this.#outcome.resolve(this.#describe(error))
  }

  #describe(error?: Error): Exchange {
    const tailSent = this.#tailSent
    if (!this.#head) {
      const cause = error ?? new Error('the connection ended without an answer')
      return { kind: 'broken', phase: this.#phase, cause, tailSent }
    }
    const body = this.#body.subarray(0, this.#size)
    const answer = { kind: 'answer', ...this.#head, body, tailSent } as const
    return error ? { ...answer, truncated: error } : decompress(answer, this.#request)
  }
}

/** The answer decompressed: proxies and servers send encodings that nobody asked for. */
function decompress(answer: Answer, { receive, answerLimit: limit }: ExchangeRequest): Answer {
  const name = (headerOf(answer, 'content-encoding') || 'identity').toLowerCase()
  if (receive || name === 'identity') return answer

  // Some servers send a word that names no coding, such as `UTF-8`. JSON is then taken as it is.
  const isCoding = /^(?:(?:x-)?gzip|deflate|br)$/.test(name)
  if (!isCoding && parseJson(answer.body.toString()) !== undefined) return answer

  const unpack = name === 'br' ? brotliDecompressSync : unzipSync
  try {
    return { ...answer, body: unpack(answer.body, { maxOutputLength: limit }) }
  } catch (cause) {
    const text = `the answer is longer than ${limit} bytes, or no ${name}`
    return { ...answer, truncated: new Error(text, { cause }) }
  }
}
