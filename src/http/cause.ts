// Why an exchange failed, in words, and what to do about it. Pure.
import { ProxyError, TimeoutError } from './exchange.ts'

function codeOf(cause: Error): string {
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error)
    return codeOf(cause.errors[0])
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}

const LOST = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_SOCKET'
])
const CERTIFICATE = /CERT|SELF_SIGNED|LEAF_SIGNATURE|ERR_TLS|UNABLE_TO_GET_ISSUER/

/** A cause in words, with its code for those who search for it. */
export function describeCause(cause: Error, host: string): string {
  const code = codeOf(cause)
  const coded = code === '' ? '' : ` (${code})`
  if (cause instanceof ProxyError) return `${cause.message}${coded}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host ${host} was not found${coded}`
  if (code === 'ECONNREFUSED') return `${host} refused the connection${coded}`
  if (LOST.has(code)) return `the connection to ${host} was lost${coded}`
  if (CERTIFICATE.test(code))
    return `the certificate of ${host} is not to be trusted: ${cause.message}${coded}`
  return `${cause.message || cause.name}${coded}`
}

/** What to do about a cause; `limits` names the inputs that hold the time limits. */
export function adviceFor(cause: Error, limits: string): string {
  const code = codeOf(cause)
  if (cause instanceof ProxyError)
    return 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the runner.'
  if (code === 'ENOTFOUND') return 'Check the host name in `base-url`.'
  if (CERTIFICATE.test(code)) {
    return 'Check the host name in `base-url`. For a certificate authority of your own, set NODE_EXTRA_CA_CERTS for the runner.'
  }
  if (cause instanceof TimeoutError) {
    return `Run this job again. If the line is slow, raise ${limits}.`
  }
  return 'Run this job again; if it goes on, look whether `base-url` is right and the service is up.'
}
