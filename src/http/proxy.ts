// Failures that are a proxy's and not the server's, told apart.
import { ProxyError } from './exchange.ts'

/** The error with the proxy named, where it is the proxy that cannot be reached, or that refuses. */
export function nameProxy(error: Error, proxy: string | undefined): Error {
  const status = /^Proxy response \((\d+)\)/.exec(error.message)?.[1]
  if (status !== undefined) {
    const hint = status === '407' ? ', so it wants a user name and a password in its address' : ''
    return new ProxyError(`the proxy answered ${status}${hint}`, '', error)
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code.startsWith('UND_ERR_PRX')) {
    return new ProxyError(`the connection to the proxy failed: ${error.message}`, code, error)
  }
  if (proxy === undefined) return error
  return new ProxyError(`the proxy ${proxy} cannot be reached: ${error.message}`, code, error)
}
