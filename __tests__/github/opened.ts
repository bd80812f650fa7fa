// Owns a stand-in for GitHub with a client of ours, for the tests of that client.
import { type GitHubOptions, type GitHub as StandIn, startGitHub } from '../../sandbox/github.ts'
import { release } from '../../sandbox/release.ts'
import { type GitHub, GitHubError, openGitHub } from '../../src/github/github.ts'
import { connect } from '../../src/http/connection.ts'

export const TOKEN = 'github-token-of-the-stand-in'
export const REPOSITORY = { owner: 'acme', name: 'gallery', private: true }

type Over = Readonly<{ apiUrl?: string; token?: string; name?: string; patience?: number }>

export interface Opened extends AsyncDisposable {
  readonly standIn: StandIn
  readonly github: GitHub
  /** How long it slept before it asked again, in milliseconds. */
  readonly pauses: number[]
  readonly cancelling: AbortController
  /** Another client of the same stand-in. */
  open(over?: Over): GitHub
}

/** Closes itself at the end of the block that says `await using opened = await openBoth()`. */
export async function openBoth(options: Partial<GitHubOptions> = {}): Promise<Opened> {
  const standIn = await startGitHub({ token: TOKEN, repository: REPOSITORY, pace: 0, ...options })
  standIn.addRelease(release({ tag: 'v1.4.2', repository: REPOSITORY }, standIn.places))
  const pauses: number[] = []
  const cancelling = new AbortController()
  const clients: GitHub[] = []
  const named = { owner: REPOSITORY.owner, name: REPOSITORY.name }
  const open: Opened['open'] = ({ patience, ...over } = {}) => {
    const repository = { apiUrl: standIn.url, token: TOKEN, ...named, ...over }
    const sleep = async (ms: number) => void pauses.push(ms)
    const { signal } = cancelling
    const client = openGitHub(repository, connect, sleep, signal, patience)
    clients.push(client)
    return client
  }
  return {
    ...{ standIn, pauses, cancelling, open, github: open() },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close()
      await standIn.close()
    }
  }
}

export async function errorOf(call: Promise<unknown>): Promise<GitHubError> {
  const error = await call.then(
    () => undefined,
    (caught: unknown) => caught
  )
  if (error instanceof GitHubError) return error
  throw new Error('This is no failure of GitHub’s', { cause: error })
}
