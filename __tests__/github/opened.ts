// A stand-in for GitHub with a client of ours, for the tests of that client.
import { type GitHubOptions, type GitHub as StandIn, startGitHub } from '../../sandbox/github.ts'
import { release } from '../../sandbox/release.ts'
import { type GitHub, openGitHub } from '../../src/github/github.ts'
import { GitHubError } from '../../src/github/github-error.ts'
import type { RepositoryAccess } from '../../src/github/repository.ts'
import { connect as dial } from '../../src/http/connection.ts'
import type { Connect } from '../../src/http/exchange.ts'

export const TOKEN = 'github-token-of-the-stand-in'
export const REPOSITORY = {
  owner: 'acme',
  name: 'gallery',
  private: true
}

/** The differences of a client from the usual one. */
interface ClientOptions extends Partial<RepositoryAccess> {
  /** Milliseconds for each call. */
  readonly patience?: number
  readonly connect?: Connect
}

/** A stand-in with clients of ours. It closes itself at the end of the block that says `await using`. */
export interface Opened extends AsyncDisposable {
  readonly standIn: StandIn
  readonly github: GitHub
  /** The clients' pauses, in milliseconds. */
  readonly pauses: readonly number[]
  /** The texts that they logged. */
  readonly logged: readonly string[]
  /** Cancels all of them. */
  readonly cancelling: AbortController
  /** Opens another client of the same stand-in. */
  open(options?: ClientOptions): GitHub
}

/** Opens a stand-in with one release, and a client. */
export async function openBoth(options: Partial<GitHubOptions> = {}): Promise<Opened> {
  const standIn = await startGitHub({ token: TOKEN, repository: REPOSITORY, ...options })
  standIn.addRelease(release({ tag: 'v1.4.2', repository: REPOSITORY }, standIn.places))

  const pauses: number[] = []
  const logged: string[] = []
  const cancelling = new AbortController()
  const clients: GitHub[] = []

  const open: Opened['open'] = ({ patience, connect = dial, ...over } = {}) => {
    const repository = {
      apiUrl: standIn.url,
      token: TOKEN,
      owner: REPOSITORY.owner,
      name: REPOSITORY.name,
      ...over
    }
    const client = openGitHub(repository, {
      connect,
      sleep: async ms => void pauses.push(ms),
      signal: cancelling.signal,
      patience,
      log: text => void logged.push(text),
      conceal: text => text.replaceAll(TOKEN, '***')
    })
    clients.push(client)
    return client
  }

  return {
    standIn,
    pauses,
    logged,
    cancelling,
    open,
    github: open(),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close()
      await standIn.close()
    }
  }
}

/** The error of a call that fails. Throws when it does not, or with another one. */
export async function errorOf(call: Promise<unknown>): Promise<GitHubError> {
  const error = await call.then(
    () => undefined,
    (caught: unknown) => caught
  )
  if (error instanceof GitHubError) return error
  throw new Error('This is no failure of GitHub’s', { cause: error })
}
