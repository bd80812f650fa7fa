// What watches one exchange: its phases, its clocks, its cancellation, and on which side of the tail it ended.
import type { Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { Clock } from './clock.ts'
import { nameProxy } from './errors.ts'
import {
  CancelledError,
  type Exchange,
  type ExchangeRequest,
  type Headers,
  MalformedError,
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
  #settle: (outcome: Exchange) => void = () => undefined
  #settled = false
  #phase: Phase = 'connect'
  #tailSent = false
  #permission: Promise<unknown> = Promise.resolve()
  #head: Head | undefined
  readonly #chunks: Buffer[] = []
  #size = 0
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

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    const { receive, answerLimit } = this.#request
    if (this.#settled || !this.#head) return
    this.#size += chunk.length
    if (receive && this.#head.status < 300) {
      try {
        receive(chunk)
      } catch (error) {
        this.#end(asError(error))
      }
      return
    }
    const over = this.#size - answerLimit
    this.#chunks.push(over > 0 ? chunk.subarray(0, Math.max(chunk.length - over, 0)) : chunk)
    if (over > 0) this.#end(new Error(`the answer is longer than ${answerLimit} bytes`))
  }

  onResponseEnd(): void {
    this.#end(undefined)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(this.#isWhole() ? undefined : this.#judge(error))
  }

  /** What is whole by its length is an answer, however the connection ends, and however undici read the length. */
  #isWhole(): boolean {
    const lengths = new Set([this.#head?.headers['content-length'] ?? []].flat().map(Number))
    return lengths.size === 1 && lengths.has(this.#size)
  }

  /** undici takes a head that it cannot parse for a cut body when it has seen a length before. */
  #judge(error: Error): Error {
    const isHead = !this.#head && 'code' in error && error.code === MISMATCH
    if (!isHead && error.name !== 'HTTPParserError') return nameProxy(error, undefined)
    const reason = isHead ? 'headers that contradict each other' : error.message
    return new MalformedError(/\((.*)\)$/.exec(reason)?.[1] ?? reason, { cause: error })
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

  #describe(error: Error | undefined): Exchange {
    const tailSent = this.#tailSent
    if (!this.#head) {
      const cause = error ?? new Error('the connection ended without an answer')
      return { kind: 'broken', phase: this.#phase, cause, tailSent }
    }
    const answer = { kind: 'answer', ...this.#head, tailSent } as const
    const body = Buffer.concat(this.#chunks)
    if (error) return { ...answer, body, truncated: error }
    try {
      const { headers } = this.#head
      const decoded = this.#request.receive
        ? body
        : decode(body, headers, this.#request.answerLimit)
      return { ...answer, body: decoded }
    } catch (caught) {
      return { ...answer, body, truncated: asError(caught) }
    }
  }
}

function asError(caught: unknown): Error {
  return caught instanceof Error ? caught : new Error(String(caught))
}

const MISMATCH = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'

const DECODERS = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync]
])

/** The body without its content encoding; proxies and servers send one that nobody has asked for. */
function decode(body: Buffer, headers: Headers, limit: number): Buffer {
  const names = [headers['content-encoding'] ?? []].flat().join().toLowerCase().split(',')
  let decoded = body
  for (const name of names.map(text => text.trim()).reverse()) {
    if (name === '' || name === 'identity') continue
    const decoder = DECODERS.get(name)
    if (!decoder) throw new Error(`the answer has an unknown encoding ("${name}")`)
    try {
      decoded = decoder(decoded, { maxOutputLength: limit })
    } catch (cause) {
      throw new Error(`the answer is longer than ${limit} bytes, or no ${name}`, { cause })
    }
  }
  return decoded
}
