// Connections that load what they need with their first request: not every run sends one.
import type { Connect, Connection } from './exchange.ts'

/** The same as the `connect` that is loaded, once the first request is made. */
export function connectLate(load: () => Promise<Connect>): Connect {
  let loading: Promise<Connect> | undefined
  return (origin, options) => {
    let opened: Connection | undefined
    let closed = false
    return {
      exchange: async request => {
        loading ??= load()
        const connect = await loading
        opened ??= connect(origin, options)
        const exchange = opened.exchange(request)
        // Closed while it was loading: nothing is left to go on with.
        if (closed) opened.close()
        return exchange
      },
      close: () => {
        closed = true
        opened?.close()
        opened = undefined
      }
    }
  }
}
