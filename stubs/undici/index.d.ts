export type { Dispatcher } from 'whole-undici'
export { buildConnector, Client, EnvHttpProxyAgent } from 'whole-undici'
