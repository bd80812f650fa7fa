// Downloads a file that is attached to a release. GitHub redirects to a storage host, which must not get the token.
import type { Connect } from '../http/exchange.ts'
import { isBusy, isDenied, isSuccess } from '../http/statuses.ts'
import { follow } from './fetch.ts'
import { GitHubError } from './github-error.ts'
import type { RepositoryAccess } from './repository.ts'

export const ASSET = 'GET /repos/{owner}/{repo}/releases/assets/{asset_id}'
/** As messages name it. */
const NAME = 'GET /releases/assets/…'

/** How an asset is downloaded. */
interface Download {
  readonly connect: Connect
  readonly signal: AbortSignal
  /** Gets the chunks as they come. */
  receive(chunk: Buffer): void
}

/** In milliseconds without a byte. There is no limit for the whole: a download may take long while bytes move. */
const STALL_MS = 30_000
/** The asset itself goes to `receive`. */
const ANSWER_MAX_BYTES = 64 * 1024

/**
 * Downloads an asset.
 * @param id The asset's, by which GitHub knows it.
 * @throws {GitHubError}
 */
export async function streamAsset(
  { apiUrl, owner, name, token }: RepositoryAccess,
  id: number,
  { connect, signal, receive }: Download
): Promise<void> {
  const route = `/repos/${owner}/${name}/releases/assets/${id}`
  const start = new URL(apiUrl.replace(/\/$/, '') + route)

  const send = (to: URL) => {
    const own = to.origin === start.origin ? { authorization: `Bearer ${token}` } : {}
    return connect(to.origin, { keepAlive: false }).exchange({
      method: 'GET',
      path: to.pathname + to.search,
      headers: { accept: 'application/octet-stream', ...own },
      patience: { stall: STALL_MS },
      answerLimit: ANSWER_MAX_BYTES,
      receive,
      signal
    })
  }

  const mayFollow = ({ protocol }: URL) => {
    if (protocol === 'https:' || protocol === start.protocol) return true
    throw new Error('GitHub points to an address without encryption')
  }

  const { answer, at: end } = await follow(start, send, mayFollow).catch((cause: Error) => {
    throw new GitHubError(`${NAME}: ${cause.message}`, { cause, pause: 0 })
  })
  const { status } = answer
  if (isSuccess(status)) return

  throw new GitHubError(`${NAME}: ${end.host} answered ${status}`, {
    status,
    denied: isDenied(status),
    pause: isBusy(status) ? 0 : undefined
  })
}
