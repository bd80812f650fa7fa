// The bytes of a release's asset, streamed from GitHub; the credential stays with GitHub's API.
import type { Connect } from '../http/exchange.ts'
import { follow } from './fetch.ts'
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
  const route = `/repos/${owner}/${name}/releases/assets/${id}`
  const what = inWords(`GET ${route}`)
  const start = new URL(apiUrl.replace(/\/$/, '') + route)
  const send = (at: URL) =>
    connect(at.origin, { keepAlive: false }).exchange({
      method: 'GET',
      path: at.pathname + at.search,
      headers: {
        accept: 'application/octet-stream',
        'user-agent': userAgent,
        ...(at.origin === start.origin ? { authorization: `Bearer ${token}` } : {})
      },
      patience: PATIENCE,
      answerLimit: ANSWER_LIMIT,
      receive,
      signal
    })
  const mayFollow = ({ protocol }: URL) => {
    if (protocol === 'https:' || protocol === start.protocol) return true
    throw new Error('GitHub points to an address without encryption')
  }
  const { answer, at } = await follow(start, REDIRECTS, send, mayFollow).catch((cause: Error) => {
    throw new GitHubError(`${what}: ${cause.message}`, undefined, false, cause)
  })
  const { status } = answer
  if (status < 300) return
  const denied = status === 403 || status === 404
  throw new GitHubError(`${what}: ${at.host} answered ${status}`, status, denied)
}
