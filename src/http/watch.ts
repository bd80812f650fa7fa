// What watches one exchange: its phases, its clocks, its cancellation, and on which side of the tail it ended.
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import {
  CancelledError,
  type Exchange,
  type ExchangeRequest,
  type Headers,
  type RequestBody,
  TimeoutError
} from './exchange.ts'

type Phase = 'connect' | 'send' | 'answer'
/** What arrives first of an answer. */
interface Head {
  readonly status: number
  readonly headers: Headers
}

/** Handles one dispatch of undici's, and settles `outcome` exactly once, whatever happens. */
export class Watch implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<Exchange>
  readonly #request: ExchangeRequest
  readonly #sockets: ReadonlySet<Socket>
  readonly #withheld = new AbortController()
  #settle: (outcome: Exchange) => void = () => undefined
  #settled = false
  #phase: Phase = 'connect'
  #tailSent = false
  #permission: Promise<unknown> = Promise.resolve()
  #head: Head | undefined
  readonly #chunks: Buffer[] = []
  #received = 0
  #timer: NodeJS.Timeout | undefined
  #controller: Dispatcher.DispatchController | undefined

  constructor(request: ExchangeRequest, sockets: ReadonlySet<Socket>) {
    this.#request = request
    this.#sockets = sockets
    this.outcome = new Promise(resolve => {
      this.#settle = resolve
    })
    const { stall } = request.patience
    this.#limit(stall, `no connection within ${seconds(stall)}`)
    if (request.signal.aborted) queueMicrotask(this.#cancel)
    else request.signal.addEventListener('abort', this.#cancel, { once: true })
  }

  /** The bytes as undici asks for them: it asks for the next chunk when the connection has accepted the last. */
  async *sending(body: RequestBody): AsyncGenerator<Uint8Array> {
    yield* body.head()
    this.#restStall()
    const permission = body.tail(this.#withheld.signal)
    this.#permission = permission.catch(() => undefined)
    const tail = await permission
    if (this.#settled || this.#head) throw new Error('the exchange ended before its last bytes')
    this.#tailSent = true
    this.#watchStall()
    yield tail
    this.#awaitAnswer()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#settled) {
      controller.abort(new CancelledError())
      return
    }
    this.#clearTimer()
    this.#phase = this.#request.body ? 'send' : 'answer'
    this.#watchStall()
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200 || this.#settled) return
    this.#head = { status, headers }
    this.#withheld.abort()
    this.#awaitAnswer()
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#request.answerLimit - this.#received
    if (chunk.length > room) {
      this.#chunks.push(chunk.subarray(0, Math.max(room, 0)))
      this.#end(new Error(`the answer is longer than ${this.#request.answerLimit} bytes`))
      return
    }
    this.#received += chunk.length
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#end(undefined)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(error)
  }

  #awaitAnswer(): void {
    if (this.#phase === 'answer' || this.#settled) return
    this.#phase = 'answer'
    const { answer } = this.#request.patience
    if (answer === undefined) return
    this.#restStall()
    this.#limit(answer, `no complete answer within ${seconds(answer)}`)
  }

  readonly #cancel = (): void => {
    const { grace } = this.#request.patience
    const end = () => this.#end(new CancelledError())
    this.#clearTimer()
    if (this.#tailSent && grace !== undefined) this.#timer = setTimeout(end, grace)
    else end()
  }

  readonly #stalled = (): void => {
    this.#end(new TimeoutError(`no byte moved for ${seconds(this.#request.patience.stall)}`))
  }

  /** Node's own idle timer: it sees partial writes, too, so a slow line is no stalled one. */
  #watchStall(): void {
    this.#restStall()
    // Of a tunnel's sockets only the last, the encrypted one, sees what moves.
    const socket = [...this.#sockets].at(-1)
    socket?.setTimeout(this.#request.patience.stall, this.#stalled)
  }

  #restStall(): void {
    for (const socket of this.#sockets) {
      socket.off('timeout', this.#stalled)
      socket.setTimeout(0)
    }
  }

  #limit(ms: number, message: string): void {
    this.#clearTimer()
    this.#timer = setTimeout(() => this.#end(new TimeoutError(message)), ms)
  }

  #clearTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #end(error: Error | undefined): void {
    if (this.#settled) return
    this.#settled = true
    this.#clearTimer()
    this.#restStall()
    this.#withheld.abort()
    this.#request.signal.removeEventListener('abort', this.#cancel)
    if (error) this.#controller?.abort(error)
    const outcome = this.#describe(error)
    // Whoever was asked for the tail may be recording something: let that end before the outcome is told.
    void this.#permission.then(() => this.#settle(outcome))
  }

  #describe(error: Error | undefined): Exchange {
    const tailSent = this.#tailSent
    if (!this.#head) {
      const cause = error ?? new Error('the connection ended without an answer')
      return { kind: 'broken', phase: this.#phase, cause, tailSent }
    }
    const body = Buffer.concat(this.#chunks)
    return { kind: 'answer', ...this.#head, body, tailSent, ...(error ? { truncated: error } : {}) }
  }
}

function seconds(ms: number): string {
  return `${ms / 1000} seconds`
}
