// The time limits of one exchange: one for a whole phase, one for silence.
import type { Socket } from 'node:net'
import { TimeoutError } from './exchange.ts'

/** Calls `over` when a limit is passed. */
export class Clock {
  readonly #sockets: ReadonlySet<Socket>
  readonly #over: (error: Error) => void
  #timer: NodeJS.Timeout | undefined
  #final = false
  #silence = ''

  constructor(sockets: ReadonlySet<Socket>, over: (error: Error) => void) {
    this.#sockets = sockets
    this.#over = over
  }

  /** Limits what has begun to so many milliseconds, in place of the last limit. */
  limit(ms: number, what: string): void {
    if (this.#final) return
    clearTimeout(this.#timer)
    const end = () => this.#over(new TimeoutError(`${what} within ${seconds(ms)}`))
    this.#timer = setTimeout(end, ms)
  }

  /** The last limit: none that follows takes its place. */
  limitFinally(ms: number, error: Error): void {
    this.lift()
    this.#final = true
    this.#timer = setTimeout(() => this.#over(error), ms)
  }

  /** Takes the limit away. */
  lift(): void {
    if (this.#final) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Limits silence, by Node's own idle timer: it sees partial writes, too, so a slow line is no stalled one. */
  watchSilence(ms: number): void {
    this.restSilence()
    this.#silence = `no byte moved for ${seconds(ms)}`
    // Of a tunnel's sockets only the last, the encrypted one, sees what moves.
    ;[...this.#sockets].at(-1)?.setTimeout(ms, this.#silent)
  }

  restSilence(): void {
    for (const socket of this.#sockets) {
      socket.off('timeout', this.#silent)
      socket.setTimeout(0)
    }
  }

  /** The exchange is over: no limit, and no listener left. */
  stop(): void {
    this.#final = true
    clearTimeout(this.#timer)
    this.restSilence()
  }

  readonly #silent = (): void => this.#over(new TimeoutError(this.#silence))
}

function seconds(ms: number): string {
  return `${ms / 1000} seconds`
}
