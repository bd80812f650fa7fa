// The bytes of a release's asset, streamed from GitHub; the credential stays with GitHub's API.
import type { Connect, ExchangeRequest } from '../http/exchange.ts'
import { GitHubError, inWords, type Repository } from './github.ts'

/** Time limits in milliseconds: a download may take long, as long as it moves. */
const PATIENCE = { stall: 30_000 }
const ANSWER_LIMIT = 64 * 1024
const REDIRECTS = 5

/** Streams an asset, once; `receive` gets every chunk. Throws a `GitHubError` when that breaks. */
export async function streamAsset(
  { apiUrl, owner, name, token }: Repository,
  id: number,
  connect: Connect,
  userAgent: string,
  receive: (chunk: Buffer) => void,
  signal: AbortSignal
): Promise<void> {
  const home = new URL(apiUrl)
  const what = inWords(`GET /repos/${owner}/${name}/releases/assets/${id}`)
  let at = new URL(`${apiUrl.replace(/\/$/, '')}/repos/${owner}/${name}/releases/assets/${id}`)
  for (let followed = 0; followed <= REDIRECTS; followed++) {
    const authorization = at.origin === home.origin ? { authorization: `Bearer ${token}` } : {}
    const request: ExchangeRequest = {
      method: 'GET',
      path: at.pathname + at.search,
      headers: { accept: 'application/octet-stream', 'user-agent': userAgent, ...authorization },
      patience: PATIENCE,
      answerLimit: ANSWER_LIMIT,
      receive,
      signal
    }
    const exchange = await connect(at.origin, { keepAlive: false }).exchange(request)
    if (exchange.kind === 'broken') throw lost(what, exchange.cause)
    if (exchange.truncated) throw lost(what, exchange.truncated)
    const { status, headers } = exchange
    if (status >= 200 && status < 300) return
    const { location } = headers
    if (![301, 302, 303, 307, 308].includes(status) || typeof location !== 'string') {
      const denied = status === 403 || status === 404
      throw new GitHubError(`${what}: ${at.host} answered ${status}`, status, denied, undefined)
    }
    at = new URL(location, at.href)
    if (at.protocol !== 'https:' && at.protocol !== home.protocol) {
      throw new GitHubError(
        `${what}: GitHub points to an address without encryption`,
        status,
        false,
        undefined
      )
    }
  }
  throw new GitHubError(`${what}: redirected too often`, undefined, false, undefined)
}

function lost(what: string, cause: Error): GitHubError {
  return new GitHubError(`${what}: ${cause.message}`, undefined, false, cause)
}
