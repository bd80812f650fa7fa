// Owns a service on the virtual clock: a version exists from the moment that the tail arrives, however late.
import type { Attempt, Try } from '../../src/ledger/publish-once.ts'
import type { Scheduler } from './scheduler.ts'
import type { SimulatedRun } from './simulated-run.ts'
import type { World } from './world.ts'

export interface SimulatedService {
  /** The digests of the versions that it holds of the one publication. */
  readonly versions: readonly string[]
  /** How a run sends the file with this digest. */
  open(run: SimulatedRun, sha256: string): Attempt<string>
}

interface Sent {
  answer: 'none yet' | 'published' | 'refused'
}

/** Opens an empty service. */
export function openService(world: World, scheduler: Scheduler): SimulatedService {
  const { below, chance, isCalm } = scheduler
  const versions: string[] = []
  const unfortunate = (p: number) => !isCalm() && chance(p)

  /** The tail is on its way: it arrives whatever becomes of the run. */
  const release = (sha256: string): Sent => {
    const sent: Sent = { answer: 'none yet' }
    const refuses = unfortunate(world.refusal)
    scheduler.start(below(3000), async () => {
      if (!refuses) versions.push(sha256)
      sent.answer = refuses ? 'refused' : 'published'
    })
    return sent
  }

  const open = (run: SimulatedRun, sha256: string): Attempt<string> => {
    let tried = 0
    const again = async () => {
      const isRepeated = ++tried < 4
      if (isRepeated) await scheduler.turn(1000)
      return isRepeated
    }
    return async permit => {
      try {
        await run.turn(below(unfortunate(world.slowUpload) ? 1_800_000 : world.latency * 4))
        if (unfortunate(world.failure)) return { ...notPublished('reset'), again }
        await permit({ sha256, size: 5 })
      } catch (error) {
        return notPublished(error instanceof Error ? error.message : '')
      }
      if (unfortunate(world.kill)) await run.die()
      const sent = release(sha256)
      // What the service will answer, the run may never hear.
      const patience = unfortunate(world.lostServiceAnswer) ? below(6000) : 10_000
      if (patience < 10_000) run.suffer()
      for (let waited = 0; sent.answer === 'none yet'; waited += 1000) {
        if (waited >= (run.isCancelled() ? 5000 : patience)) return UNKNOWN
        await run.turn(1000, true)
      }
      if (patience < 10_000) return UNKNOWN
      if (sent.answer === 'refused') return notPublished('429')
      return {
        result: 'published',
        ending: { state: 'success', text: '1.4.2 published as version 812' }
      }
    }
  }
  return { versions, open }
}

const UNKNOWN: Try<string> = { result: 'unknown', ending: { state: 'error', text: 'reset' } }

function notPublished(reason: string): Try<string> {
  return { result: `not published: ${reason}`, ending: { state: 'failure', text: reason } }
}
