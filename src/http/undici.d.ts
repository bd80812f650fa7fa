// The few modules of undici that are used, by themselves: its index would load a second `fetch`, web
// sockets, caches and mocks, at twice the time to start.
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export default Client
}
declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import { EnvHttpProxyAgent } from 'undici'
  export default EnvHttpProxyAgent
}
declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici'
  export default buildConnector
}
declare module 'undici/lib/api/api-connect.js' {
  const connect: unknown
  export default connect
}
