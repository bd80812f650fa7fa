// Owns a machine that dies: its connections work until the exchange, and the moment in it, that ends them.
import { connect } from '../../src/http/connection.ts'
import type { Connect, Exchange, ExchangeRequest, RequestBody } from '../../src/http/exchange.ts'

export type Moment =
  /** Nothing of the request has gone out. */
  | 'before it'
  /** Some of its body has. */
  | 'in the body'
  /** All but its tail has. */
  | 'before the tail'
  /** All of it has, and nobody hears the answer. */
  | 'after it'

/** Which exchange the machine does not survive: by its method and path, and from 1 among those that fit. */
export interface End {
  readonly method: string
  readonly path: RegExp
  readonly nth: number
  readonly moment: Moment
}

const NEVER = new Promise<never>(() => {})

/** Opens the machine's way to everything; `death` resolves when it has died. */
export function openMortal(end: End): { readonly connect: Connect; readonly death: Promise<void> } {
  let left = end.nth
  let dead = false
  let die = () => {}
  const death = new Promise<void>(resolve => {
    die = () => {
      dead = true
      resolve()
    }
  })
  const mortal: Connect = (origin, options) => {
    const connection = connect(origin, options)
    const fall = () => {
      die()
      connection.close()
      return NEVER
    }
    const exchange = async (request: ExchangeRequest): Promise<Exchange> => {
      if (dead) return await NEVER
      const fits = request.method === end.method && end.path.test(request.path)
      if (!fits || --left !== 0) return await orNever(connection.exchange(request))
      if (end.moment === 'before it' || (end.moment !== 'after it' && !request.body))
        return await fall()
      const body = request.body && fatal(request.body, end.moment, fall)
      const answer = await connection.exchange(body ? { ...request, body } : request)
      return end.moment === 'after it' ? await fall() : answer
    }
    const orNever = async (living: Promise<Exchange>) => {
      const answer = await living
      return dead ? await NEVER : answer
    }
    return { exchange, close: () => connection.close() }
  }
  return { connect: mortal, death }
}

function fatal(body: RequestBody, moment: Moment, fall: () => Promise<never>): RequestBody {
  return {
    length: body.length,
    async *head() {
      let chunks = 0
      for await (const chunk of body.head()) {
        if (moment === 'in the body' && chunks++ === 1) await fall()
        yield chunk
      }
    },
    tail: async signal => {
      const tail = await body.tail(signal)
      return moment === 'before the tail' ? await fall() : tail
    }
  }
}
