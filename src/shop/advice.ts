// Advice for a shop that cannot be reached, or does not answer as it should.
import { type FailureKind, failureKindOf } from '../http/failures.ts'

const PROXIES = 'HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the runner, and the proxy itself.'
const USUAL_ADVICE =
  'Press *Re-run failed jobs*. If it keeps failing, check that `base-url` is right and that the shop is up.'

/** For an answer that is no answer of the shop's API. */
export const OTHER_SERVER = 'Check that `base-url` is the shop’s address. If it is, tell the shop.'

const ADVICE: Readonly<Record<FailureKind, string>> = {
  'host not found': 'Check the host name in `base-url`.',
  refused: USUAL_ADVICE,
  lost: USUAL_ADVICE,
  malformed: OTHER_SERVER,
  'not encrypted':
    'Check the host name in `base-url`. If the shop, or a proxy that inspects TLS, uses a private certificate authority, set NODE_EXTRA_CA_CERTS on the runner.',
  'timed out':
    'Press *Re-run failed jobs*. If the connection is slow, raise `stall-timeout` or `response-timeout`.',
  proxy: `Check ${PROXIES}`,
  'proxy without server': `The shop may be down: press *Re-run failed jobs* later. If it is up, check ${PROXIES}`,
  other: USUAL_ADVICE
}

/** Advice about a connection that failed. */
export function adviceFor(cause: Error): string {
  return ADVICE[failureKindOf(cause)]
}
