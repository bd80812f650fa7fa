// Owns a machine that dies: its connections work until the exchange, and the moment in it, that ends them.
import type { Matcher } from '../../sandbox/github-faults.ts'
import { connect } from '../../src/http/connection.ts'
import type { Connect, Exchange, ExchangeRequest, RequestBody } from '../../src/http/exchange.ts'

/** Nothing of the request has gone out; some of its body; all but its tail; all, and nobody hears the answer. */
export type Moment = 'before it' | 'in the body' | 'before the tail' | 'after it'

/** Which exchange the machine does not survive, from 1 among those that fit. */
export interface End {
  readonly on: Matcher
  readonly nth: number
  readonly moment: Moment
}

const NEVER = new Promise<never>(() => {})

/** Opens the machine's way to everything; `death` resolves when it has died. */
export function openMortal({ on, nth, moment }: End) {
  let left = nth
  let dead = false
  const { promise: death, resolve: die } = Promise.withResolvers<void>()
  const mortal: Connect = (origin, options) => {
    const connection = connect(origin, options)
    const fall = () => {
      dead = true
      die()
      connection.close()
      return NEVER
    }
    const exchange = async (request: ExchangeRequest): Promise<Exchange> => {
      if (dead) return await NEVER
      const fits = request.method === on.method && on.path?.test(request.path)
      if (!fits || --left !== 0) {
        const answer = await connection.exchange(request)
        return dead ? await NEVER : answer
      }
      if (moment === 'before it') return await fall()
      const body = request.body && fatal(request.body, moment, fall)
      const answer = await connection.exchange(body ? { ...request, body } : request)
      return moment === 'after it' ? await fall() : answer
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
