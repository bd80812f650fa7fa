// Owns a stand-in for GitHub with the door to it opened, for the tests of that door.
import { type GitHubOptions, type GitHub as StandIn, startGitHub } from '../../sandbox/github.ts'
import { release } from '../../sandbox/release.ts'
import { type GitHub, GitHubError, openGitHub } from '../../src/github/github.ts'
import { connect } from '../../src/http/connection.ts'

export const TOKEN = 'github-token-of-the-stand-in'
export const REPOSITORY = { owner: 'acme', name: 'gallery', private: true }

export interface Opened extends AsyncDisposable {
  readonly standIn: StandIn
  readonly github: GitHub
  /** How long the door slept before it asked again, in milliseconds. */
  readonly pauses: number[]
  readonly cancelling: AbortController
  /** Another door to the same stand-in. */
  open(over?: { apiUrl?: string; token?: string; name?: string; patience?: number }): GitHub
}

/** Closes itself at the end of the block that says `await using opened = await openBoth()`. */
export async function openBoth(options: Partial<GitHubOptions> = {}): Promise<Opened> {
  const standIn = await startGitHub({ token: TOKEN, repository: REPOSITORY, pace: 0, ...options })
  standIn.addRelease(release({ tag: 'v1.4.2', repository: REPOSITORY }, standIn.places))
  const pauses: number[] = []
  const cancelling = new AbortController()
  const doors: GitHub[] = []
  const open: Opened['open'] = ({ apiUrl = standIn.url, token = TOKEN, name, patience } = {}) => {
    const repository = { apiUrl, token, owner: 'acme', name: name ?? 'gallery' }
    const sleep = async (ms: number) => void pauses.push(ms)
    const door = openGitHub(repository, connect, 'test/1', sleep, cancelling.signal, patience)
    doors.push(door)
    return door
  }
  return {
    ...{ standIn, pauses, cancelling, open, github: open() },
    async [Symbol.asyncDispose]() {
      for (const door of doors) door.close()
      await standIn.close()
    }
  }
}

/** The error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<GitHubError> {
  const error = await call.then(
    () => undefined,
    (caught: unknown) => caught
  )
  if (error instanceof GitHubError) return error
  throw new Error('This is no failure of GitHub’s', { cause: error })
}
