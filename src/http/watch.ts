// What watches one exchange: its phases, its clocks, its cancellation, and on which side of the tail it ended.
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { Clock } from './clock.ts'
import {
  CancelledError,
  type Exchange,
  type ExchangeRequest,
  type Headers,
  type RequestBody
} from './exchange.ts'

type Phase = 'connect' | 'send' | 'answer'
/** What arrives first of an answer. */
interface Head {
  readonly status: number
  readonly headers: Headers
}

/** What is smaller than this may still lie in a socket's queue when undici asks for the next chunk. */
const QUEUE = 64 * 1024

/** Handles one dispatch of undici's, and settles `outcome` exactly once, whatever happens. */
export class Watch implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<Exchange>
  readonly #request: ExchangeRequest
  readonly #clock: Clock
  readonly #withheld = new AbortController()
  readonly #over: Promise<void>
  #finish: () => void = () => undefined
  #settle: (outcome: Promise<Exchange>) => void = () => undefined
  #settled = false
  #phase: Phase = 'connect'
  #tailSent = false
  #permission: Promise<unknown> = Promise.resolve()
  #head: Head | undefined
  readonly #chunks: Buffer[] = []
  #size = 0
  #received: Promise<void> = Promise.resolve()
  #controller: Dispatcher.DispatchController | undefined

  constructor(request: ExchangeRequest, sockets: ReadonlySet<Socket>) {
    this.#request = request
    this.#clock = new Clock(sockets, error => this.#end(error))
    this.outcome = new Promise(resolve => {
      this.#settle = resolve
    })
    this.#over = new Promise(resolve => {
      this.#finish = resolve
    })
    this.#clock.limit(request.patience.stall, 'no connection')
    request.signal.addEventListener('abort', this.#cancel, { once: true })
  }

  /** The bytes as undici asks for them: it asks for the next chunk when the connection has accepted the last. */
  async *sending(body: RequestBody): AsyncGenerator<Uint8Array> {
    let tail: Uint8Array | undefined
    try {
      for await (const chunk of body.head()) {
        // Of a small chunk undici does not wait until it is written; its memory may be used again.
        yield chunk.length < QUEUE ? Buffer.from(chunk) : chunk
        if (this.#head) break
      }
      // undici asks for more of a body whose connection has just been lost.
      if (!this.#head && !this.#settled) tail = await this.#askForTail(body)
    } catch (error) {
      if (!this.#head) throw error
    }
    if (!tail || this.#head || this.#settled) {
      // An answer that has begun is heard to its end, with the request left unfinished.
      await this.#over
      throw new Error('the exchange ended before its last bytes')
    }
    this.#tailSent = true
    this.#clock.watchSilence(this.#request.patience.stall)
    yield tail
    this.#awaitAnswer()
  }

  #askForTail(body: RequestBody): Promise<Uint8Array> {
    this.#clock.restSilence()
    const permission = body.tail(this.#withheld.signal)
    this.#permission = permission.catch(() => undefined)
    return permission
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#settled) {
      controller.abort(new CancelledError())
      return
    }
    this.#clock.lift()
    this.#phase = 'send'
    if (this.#request.body) this.#clock.watchSilence(this.#request.patience.stall)
    else this.#awaitAnswer()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200 || this.#settled) return
    this.#head = { status, headers }
    if (this.#request.body) this.#withheld.abort()
    this.#awaitAnswer()
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#request.receive && this.#head && this.#head.status < 300) {
      this.#pass(chunk, this.#request.receive, controller)
      return
    }
    const room = this.#request.answerLimit - this.#size
    if (chunk.length > room) {
      this.#chunks.push(chunk.subarray(0, Math.max(room, 0)))
      this.#end(new Error(`the answer is longer than ${this.#request.answerLimit} bytes`))
      return
    }
    this.#size += chunk.length
    this.#chunks.push(chunk)
  }

  /** In order and one after another, since undici may go on with a paused answer when the peer has closed. */
  #pass(
    chunk: Buffer,
    receive: (chunk: Buffer) => Promise<void>,
    controller: Dispatcher.DispatchController
  ): void {
    // undici flushes its parser with empty chunks when it goes on after a pause.
    if (chunk.length === 0) return
    controller.pause()
    this.#received = this.#received
      .then(() => receive(chunk))
      .then(
        () => controller.resume(),
        (error: unknown) => this.#end(error instanceof Error ? error : new Error(String(error)))
      )
  }

  onResponseEnd(): void {
    void this.#received.then(() => this.#end(undefined))
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(error)
  }

  /** Without a limit for the whole answer, silence stays limited. */
  #awaitAnswer(): void {
    if (this.#phase === 'answer' || this.#settled) return
    this.#phase = 'answer'
    const { stall, answer } = this.#request.patience
    if (answer === undefined) {
      this.#clock.watchSilence(stall)
      return
    }
    this.#clock.restSilence()
    this.#clock.limit(answer, 'no complete answer')
  }

  readonly #cancel = (): void => {
    const { grace } = this.#request.patience
    if (this.#tailSent && grace !== undefined) this.#clock.limitFinally(grace, new CancelledError())
    else this.#end(new CancelledError())
  }

  #end(error: Error | undefined): void {
    if (this.#settled) return
    this.#settled = true
    this.#clock.stop()
    if (this.#request.body) this.#withheld.abort()
    this.#request.signal.removeEventListener('abort', this.#cancel)
    if (error) this.#controller?.abort(error)
    this.#finish()
    const outcome = this.#describe(error)
    // Whoever was asked for the tail may be recording something: let that end before the outcome is told.
    void this.#permission.then(() => this.#settle(outcome))
  }

  async #describe(error: Error | undefined): Promise<Exchange> {
    const tailSent = this.#tailSent
    if (!this.#head) {
      const cause = error ?? new Error('the connection ended without an answer')
      return { kind: 'broken', phase: this.#phase, cause, tailSent }
    }
    const answer = { kind: 'answer', ...this.#head, tailSent } as const
    const body = Buffer.concat(this.#chunks)
    if (error) return { ...answer, body, truncated: error }
    const encoding = this.#head.headers['content-encoding']
    if (encoding === undefined) return { ...answer, body }
    try {
      const { decode } = await import('./encoding.ts')
      return { ...answer, body: decode(body, encoding, this.#request.answerLimit) }
    } catch (truncated) {
      if (!(truncated instanceof Error)) throw truncated
      return { ...answer, body, truncated }
    }
  }
}
