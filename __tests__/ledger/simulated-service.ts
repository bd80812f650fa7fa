// Owns a service on the virtual clock: a version exists from the moment that the tail arrives, however late.
import type { Attempt, Try } from '../../src/ledger/publish-once.ts'
import type { Actor, Scheduler } from './scheduler.ts'
import type { World } from './world.ts'

export interface SimulatedService {
  /** The digests of the versions that it holds of the one publication. */
  readonly versions: readonly string[]
  /** How a run sends the file with this digest; `suffered` is called when its answer is lost. */
  open(actor: Actor, sha256: string, suffered: () => void): Attempt<string>
  calmDown(): void
}

interface Sent {
  answer: 'none yet' | 'published' | 'refused'
}

/** Opens an empty service. */
export function openService(world: World, scheduler: Scheduler): SimulatedService {
  const { below, chance } = scheduler
  const versions: string[] = []
  let calm = false
  const unfortunate = (p: number) => !calm && chance(p)

  /** The tail is on its way: it arrives whatever becomes of the run. */
  const release = (sha256: string): Sent => {
    const sent: Sent = { answer: 'none yet' }
    const refuses = unfortunate(world.refusal)
    const delay = below(3000)
    scheduler.start('tail', false, async tail => {
      await scheduler.turn(tail, delay)
      if (!refuses) versions.push(sha256)
      sent.answer = refuses ? 'refused' : 'published'
    })
    return sent
  }

  const open =
    (actor: Actor, sha256: string, suffered: () => void): Attempt<string> =>
    async permit => {
      await scheduler.turn(actor, below(unfortunate(world.slowUpload) ? 1_800_000 : 4000))
      if (unfortunate(world.failure)) return notPublished('reset', true)
      try {
        await permit({ sha256, size: 5 })
      } catch (error) {
        return notPublished(error instanceof Error ? error.message : '', false)
      }
      await scheduler.turn(actor, 0)
      const sent = release(sha256)
      if (unfortunate(world.lostServiceAnswer)) {
        suffered()
        await scheduler.turn(actor, below(6000))
        return { result: 'unknown', ending: { kind: 'unknown', reason: 'reset' } }
      }
      while (sent.answer === 'none yet') await scheduler.turn(actor, below(1000))
      if (sent.answer === 'refused') return notPublished('429', true)
      return { result: 'published', ending: { kind: 'success', versionId: '812' } }
    }
  return {
    versions,
    open,
    calmDown: () => {
      calm = true
    }
  }
}

function notPublished(reason: string, passing: boolean): Try<string> {
  const ending = { kind: 'failure', reason } as const
  return { result: `not published: ${reason}`, ending, ...(passing ? { again: {} } : {}) }
}
