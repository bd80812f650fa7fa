// Owns a stand-in for GitHub with a client of ours, for the tests of that client.
import { type GitHubOptions, startGitHub } from '../../sandbox/github.ts'
import { release } from '../../sandbox/release.ts'
import { GitHubError } from '../../src/github/errors.ts'
import { type GitHub, openGitHub } from '../../src/github/github.ts'
import type { RepositoryAccess } from '../../src/github/repository.ts'
import { connect as dial } from '../../src/http/connection.ts'
import type { Connect } from '../../src/http/exchange.ts'

export const TOKEN = 'github-token-of-the-stand-in'
export const REPOSITORY = { owner: 'acme', name: 'gallery', private: true }

type Over = Partial<RepositoryAccess> & Readonly<{ patience?: number; connect?: Connect }>

/** Closes itself at the end of the block that says `await using opened = await openBoth()`. */
export async function openBoth(options: Partial<GitHubOptions> = {}) {
  const standIn = await startGitHub({ token: TOKEN, repository: REPOSITORY, ...options })
  standIn.addRelease(release({ tag: 'v1.4.2', repository: REPOSITORY }, standIn.places))
  const pauses: number[] = []
  const told: string[] = []
  const cancelling = new AbortController()
  const clients: GitHub[] = []
  const named = { owner: REPOSITORY.owner, name: REPOSITORY.name }
  const open = ({ patience, connect = dial, ...over }: Over = {}) => {
    const repository = { apiUrl: standIn.url, token: TOKEN, ...named, ...over }
    const sleep = async (ms: number) => void pauses.push(ms)
    const { signal } = cancelling
    const log = (text: string) => void told.push(text)
    const conceal = (text: string) => text.replaceAll(TOKEN, '***')
    const client = openGitHub(repository, { connect, sleep, signal, patience, log, conceal })
    clients.push(client)
    return client
  }
  return {
    standIn,
    /** How long it slept before it asked again, in milliseconds; and what it said meanwhile. */
    pauses,
    told,
    cancelling,
    /** Another client of the same stand-in. */
    open,
    github: open(),
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
