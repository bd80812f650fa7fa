// The part of undici that is called: a client with its connector and its proxies. The rest would be most of the bundle.
import connect from 'whole-undici/lib/api/api-connect.js'
import Dispatcher from 'whole-undici/lib/dispatcher/dispatcher.js'

export { default as buildConnector } from 'whole-undici/lib/core/connect.js'
export { default as Client } from 'whole-undici/lib/dispatcher/client.js'
export { default as EnvHttpProxyAgent } from 'whole-undici/lib/dispatcher/env-http-proxy-agent.js'

// The proxies use it; undici's own index adds it in this way, too.
Dispatcher.prototype.connect = connect

/** @actions/github makes a default of it, which src/github/fetch.ts replaces. */
export function fetch() {
  throw new Error('not part of this bundle')
}
