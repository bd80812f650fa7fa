// Owns a run with the memory at the stand-in for GitHub, whose waits pass on GitHub's clock at once.
import { openDeployments, type Publication } from '../../src/ledger/deployments.ts'
import { type Attempt, type Once, publishOnce, type Try } from '../../src/ledger/publish-once.ts'
import type { Deployments, Steps } from '../../src/ledger/steps.ts'
import type { Opened } from '../github/opened.ts'
import { claimOf, SHA } from './claims.ts'

export const publication: Publication = {
  baseUrl: 'https://shop.example.com/eu',
  product: 12,
  benefit: 34,
  versionName: '1.4.2'
}

/** The memory of the publication, or of one that differs in these. */
export function remember(
  { github }: Pick<Opened, 'github'>,
  over: Partial<Publication> = {}
): Deployments {
  return openDeployments(github, { ...publication, ...over }, 'v1.4.2')
}

export interface Remembered {
  readonly once: Promise<Once<string>>
  readonly told: readonly string[]
  /** How many tails were let go. */
  readonly sent: () => number
}

export interface RunOptions {
  readonly runId?: string
  readonly runAttempt?: number
  readonly patience?: number
  /** What comes of each try once its tail is gone; the last one repeats itself. */
  readonly answers?: readonly Try<string>[]
  /** Called before a try asks for its tail. */
  readonly beforeTail?: () => void
  /** Called before each claim, and at each wait for another run. */
  readonly beforeClaim?: () => Promise<void>
  readonly whileWaiting?: () => Promise<void>
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
  const { answers = [PUBLISHED], beforeTail, early = WITHHELD } = options
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
  const once = publishOnce(stepsOf(opened, told, options), attempt, { tries: 4, pause })
  return { once, told, sent: () => tails }
}

function stepsOf(opened: Opened, told: string[], options: RunOptions): Steps {
  const { runId = '1001', runAttempt = 1, patience } = options
  const { clock } = opened.standIn
  const github = patience === undefined ? opened.github : opened.open({ patience })
  const { nonce: _, ...claimant } = claimOf(1, '', { runId, runAttempt }).claimant
  let nonces = 0
  const deployments = remember({ github })
  return {
    deployments: {
      ...deployments,
      create: async wanted => {
        await options.beforeClaim?.()
        return await deployments.create(wanted)
      }
    },
    claimant,
    reserve: 360,
    lag: 6000,
    versionName: '1.4.2',
    nonce: () => `${runId}-${nonces++}`,
    stopwatch: () => {
      const start = clock.now().getTime()
      return () => clock.now().getTime() - start
    },
    sleep: async ms => {
      clock.advance(ms)
      await options.whileWaiting?.()
    },
    tell: message => told.push(message)
  }
}

/** The states of every claim, oldest first. */
export function historiesOf({ standIn }: Opened): string[] {
  return standIn.deployments.map(({ statuses }) => statuses.map(({ state }) => state).join(' '))
}
