// Plays sampled worlds in threads, one for each core, which live as long as the process has other things to do.
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Played } from './play.ts'
import type { World } from './world.ts'

/** The worlds of `count` seeds from `first` on, changed by `over`. */
export interface Lane {
  readonly first: number
  readonly count: number
  readonly over: Partial<World>
}

const threads: Worker[] = []

/** Plays them; returns what `play` returns. */
export async function playSampled({ first, count, over }: Lane): Promise<Played> {
  const share = Math.ceil(count / availableParallelism())
  const starts = Array.from({ length: Math.ceil(count / share) }, (_, lane) => lane * share)
  const lanes = await Promise.all(
    starts.map((start, index) =>
      playLane(index, {
        first: first + start,
        count: Math.min(share, count - start),
        over
      })
    )
  )

  const endings = new Map<string, number>()
  for (const [ending, times] of lanes.flatMap(lane => [...lane.endings])) {
    endings.set(ending, (endings.get(ending) ?? 0) + times)
  }
  const failures = lanes.reduce((sum, lane) => sum + lane.failures, 0)
  return {
    failures,
    broken: lanes.flatMap(({ broken }) => broken),
    endings
  }
}

async function playLane(index: number, lane: Lane): Promise<Played> {
  threads[index] ??= new Worker(new URL('./lane.ts', import.meta.url)).setMaxListeners(0)
  const thread = threads[index]

  // While it plays, it keeps the process alive.
  thread.ref()
  const ended = once(thread, 'exit').then(([code]) => {
    throw new Error(`a thread of worlds ended with ${code}`)
  })
  thread.postMessage(lane)
  const [played] = await Promise.race([once(thread, 'message'), ended])
  thread.unref()
  return played
}

/** Ends the threads. */
export async function endLanes(): Promise<void> {
  await Promise.all(threads.splice(0).map(thread => thread.terminate()))
}
