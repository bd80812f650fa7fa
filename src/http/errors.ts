// Why an exchange failed, in words, what to do about it, and whether it may pass by itself. Pure.
import { MalformedError, ProxyError, TimeoutError } from './exchange.ts'

function codeOf(cause: Error): string {
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error)
    return codeOf(cause.errors[0])
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}

const LOST = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_SOCKET'
])
const UNREACHED = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN'
])

/** Whether the connection ended before the answer did. */
export function isLost(cause: Error): boolean {
  return LOST.has(codeOf(cause))
}

/** Whether an error is what a server said when it ended the encryption. */
export function isAlert(error: Error): boolean {
  return /^ERR_SSL_.*ALERT/.test(codeOf(error))
}

/** Whether a cause is a failure to connect or a lost connection, which may pass by itself. */
export function isPassing(cause: Error): boolean {
  if (cause instanceof AggregateError) {
    return cause.errors.every(each => each instanceof Error && isPassing(each))
  }
  return isLost(cause) || UNREACHED.has(codeOf(cause))
}

const CERTIFICATE = /CERT|SELF_SIGNED|LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER/
const CLIENT_CERTIFICATE = /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|NO_CERTIFICATE)/
const REFUSED_TLS = /ALERT_HANDSHAKE_FAILURE/
const NO_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LAYER_FAILURE|HTTP_REQUEST/
const OLD_TLS = /UNSUPPORTED_PROTOCOL|ALERT_PROTOCOL_VERSION|VERSION_TOO_LOW/
const HTTP_2 = /NO_APPLICATION_PROTOCOL/
const TLS = /^ERR_(SSL|TLS)_|^EPROTO$/

/** A cause in words, with its code for those who search for it. */
export function describeCause(cause: Error, host: string): string {
  const code = codeOf(cause)
  const coded = code === '' ? '' : ` (${code})`
  return `${inWords(cause, code, host)}${coded}`
}

function inWords(cause: Error, code: string, host: string): string {
  if (cause instanceof ProxyError) return cause.message
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host ${host} was not found`
  if (code === 'ECONNREFUSED') return `${host} refused the connection`
  if (LOST.has(code)) return `the connection to ${host} was lost`
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return `${host} answered with more than 256 KiB of headers`
  if (cause instanceof MalformedError)
    return `${host} did not answer in proper HTTP/1.1: ${cause.message}`
  if (CLIENT_CERTIFICATE.test(code)) return `${host} asks for a client certificate`
  if (REFUSED_TLS.test(code)) {
    return `${host} refused the TLS handshake, which usually means that it asks for a client certificate`
  }
  if (HTTP_2.test(code)) return `${host} does not speak HTTP/1.1 (perhaps only HTTP/2)`
  if (OLD_TLS.test(code)) return `${host} does not support TLS 1.2 or later`
  if (NO_TLS.test(code)) return `${host} does not speak TLS on this port`
  if (CERTIFICATE.test(code)) return `the certificate of ${host} is not trusted: ${cause.message}`
  // OpenSSL's own messages are lines such as "error:0A00010B:SSL routines:…".
  if (TLS.test(code)) return `could not set up an encrypted connection to ${host}`
  return cause.message || cause.name
}

/** What to do about a cause; `limits` names the inputs that hold the time limits. */
export function adviceFor(cause: Error, limits: string): string {
  const code = codeOf(cause)
  if (cause instanceof ProxyError) {
    return 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the runner, and the proxy itself.'
  }
  if (code === 'ENOTFOUND') return 'Check the host name in `base-url`.'
  if (cause instanceof TimeoutError) {
    return `Run this job again. If the connection is slow, raise ${limits}.`
  }
  if (CLIENT_CERTIFICATE.test(code) || REFUSED_TLS.test(code)) {
    return 'Client certificates are not supported. Ask the shop for an address that needs none, or use a proxy that has one.'
  }
  if (HTTP_2.test(code) || OLD_TLS.test(code)) {
    return 'The server must support HTTP/1.1 and TLS 1.2 or later. Tell its operator, or use a proxy that supports both.'
  }
  if (NO_TLS.test(code)) return 'Check the scheme and the port in `base-url`.'
  if (CERTIFICATE.test(code)) {
    return 'Check the host name in `base-url`. If you use your own certificate authority, set NODE_EXTRA_CA_CERTS on the runner.'
  }
  if (cause instanceof MalformedError)
    return 'Check that `base-url` is the shop’s address. If it is, tell the shop.'
  return 'Run this job again. If it keeps failing, check that `base-url` is right and that the shop is up.'
}

/** The error with the proxy named, where it is the proxy that cannot be reached, or that refuses. */
export function nameProxy(error: Error, proxy: string | undefined): Error {
  const status = /^Proxy response \((\d+)\)|^Proxy Authentication Required \((407)\)/.exec(
    error.message
  )
  if (status) {
    const code = Number(status[1] ?? status[2])
    const hint = code === 407 ? ', so its address needs a user name and a password' : ''
    return new ProxyError(`the proxy answered ${code}${hint}`, '', error, code)
  }
  const code = codeOf(error)
  if (code.startsWith('UND_ERR_PRX')) {
    return new ProxyError(`the connection to the proxy failed: ${error.message}`, code, error)
  }
  if (proxy === undefined) return error
  return new ProxyError(`the proxy cannot be used: ${inWords(error, code, proxy)}`, code, error)
}

/** A connection that was lost behind a proxy. */
export function lostBehind(proxy: string, cause: Error): ProxyError {
  return new ProxyError(`the connection through the proxy ${proxy} was lost`, codeOf(cause), cause)
}
