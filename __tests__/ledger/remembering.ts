// Owns a run with the memory at the stand-in for GitHub, whose waits pass on GitHub's clock at once.
import { GitHubError } from '../../src/github/github.ts'
import { openDeployments } from '../../src/ledger/deployments.ts'
import { type Attempt, type Once, publishOnce, type Try } from '../../src/ledger/publish-once.ts'
import type { Steps } from '../../src/ledger/steps.ts'
import type { Opened } from '../github/opened.ts'
import { claimOf, SHA } from './claims.ts'

/** As the action judges it: without an answer, or with a 5xx, a write may have had its effect. */
export function isLost(error: unknown): boolean {
  return error instanceof GitHubError && (error.status === undefined || error.status >= 500)
}

export interface Remembered {
  readonly once: Promise<Once<string>>
  readonly told: readonly string[]
  /** How many tails were let go. */
  readonly sent: () => number
}

export interface RunOptions {
  readonly runId?: string
  readonly patience?: number
  /** What comes of each try once its tail is gone; the last one repeats itself. */
  readonly answers?: readonly Try<string>[]
  /** Called before a try asks for its tail. */
  readonly beforeTail?: () => void
  /** What comes of a try whose tail is withheld, when the service has answered before it. */
  readonly early?: Try<string>
}

export const PUBLISHED: Try<string> = {
  result: 'published',
  ending: { kind: 'success', versionId: '812', link: 'https://shop.example.com/d/1' }
}
const WITHHELD: Try<string> = {
  result: 'withheld',
  ending: { kind: 'failure', reason: 'the tail was withheld' }
}

/** Lets a run publish. */
export function run(opened: Opened, options: RunOptions = {}): Remembered {
  const { runId = '1001', answers = [PUBLISHED], beforeTail, early = WITHHELD } = options
  const told: string[] = []
  let tails = 0
  const attempt: Attempt<string> = async permit => {
    beforeTail?.()
    try {
      await permit({ sha256: SHA, size: 5 })
    } catch {
      return early
    }
    return answers[Math.min(tails++, answers.length - 1)] ?? PUBLISHED
  }
  const pause = async (_: number, after: number | undefined) =>
    opened.standIn.clock.advance(after ?? 500)
  const once = publishOnce(stepsOf(opened, runId, told, options), attempt, { tries: 4, pause })
  return { once, told, sent: () => tails }
}

function stepsOf(opened: Opened, runId: string, told: string[], options: RunOptions): Steps {
  const { patience } = options
  const github = patience === undefined ? opened.github : opened.open({ patience })
  const publication = { baseUrl: 'https://shop.example.com', product: 12, versionName: '1.4.2' }
  const { nonce: _, ...claimant } = claimOf(1, '', { runId }).claimant
  let nonces = 0
  return {
    deployments: openDeployments(github, publication, 'v1.4.2', isLost),
    claimant,
    reserve: 360,
    versionName: '1.4.2',
    nonce: () => `${runId}-${nonces++}`,
    sleep: async ms => opened.standIn.clock.advance(ms),
    tell: message => told.push(message)
  }
}

/** The states of every claim, oldest first. */
export function historiesOf({ standIn }: Opened): string[] {
  return standIn.deployments.map(({ statuses }) => statuses.map(({ state }) => state).join(' '))
}
