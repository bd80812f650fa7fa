// Owns a stand-in for GitHub with the door to it opened, for the tests of that door.
import { type GitHubOptions, type GitHub as StandIn, startGitHub } from '../../sandbox/github.ts'
import { release } from '../../sandbox/release.ts'
import { type GitHub, GitHubError, openGitHub } from '../../src/github/github.ts'
import { connect } from '../../src/http/connection.ts'
import type { Connect } from '../../src/http/exchange.ts'

export const TOKEN = 'github-token-of-the-stand-in'
export const REPOSITORY = { owner: 'acme', name: 'gallery', private: true }

interface Over {
  readonly apiUrl?: string
  readonly token?: string
  readonly name?: string
  readonly patience?: number
  /** So many calls wait for an answer no longer than a moment: those that are met with silence. */
  readonly silences?: number
}

export interface Opened extends AsyncDisposable {
  readonly standIn: StandIn
  readonly github: GitHub
  /** How long the door slept before it asked again, in milliseconds. */
  readonly pauses: number[]
  readonly cancelling: AbortController
  /** Another door to the same stand-in. */
  open(over?: Over): GitHub
}

/** Closes itself at the end of the block that says `await using opened = await openBoth()`. */
export async function openBoth(options: Partial<GitHubOptions> = {}): Promise<Opened> {
  const standIn = await startGitHub({ token: TOKEN, repository: REPOSITORY, pace: 0, ...options })
  standIn.addRelease(release({ tag: 'v1.4.2', repository: REPOSITORY }, standIn.places))
  const pauses: number[] = []
  const cancelling = new AbortController()
  const doors: GitHub[] = []
  const named = { owner: REPOSITORY.owner, name: REPOSITORY.name }
  const open: Opened['open'] = ({ silences = 0, patience, ...over } = {}) => {
    const repository = { apiUrl: standIn.url, token: TOKEN, ...named, ...over }
    const sleep = async (ms: number) => void pauses.push(ms)
    const door = openGitHub(
      repository,
      hurried(silences),
      'test/1',
      sleep,
      cancelling.signal,
      patience
    )
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

function hurried(calls: number): Connect {
  let left = calls
  return (origin, options) => {
    const connection = connect(origin, options)
    const exchange: typeof connection.exchange = request => {
      left -= 1
      const patience = left < 0 ? request.patience : { ...request.patience, answer: 50 }
      return connection.exchange({ ...request, patience })
    }
    return { exchange, close: () => connection.close() }
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
