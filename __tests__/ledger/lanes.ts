// Plays sampled worlds in threads, one for each core.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Played } from './simulation.ts'
import type { World } from './world.ts'

/** The worlds of `count` seeds from `first` on, changed by `over`. */
export interface Lane {
  readonly first: number
  readonly count: number
  readonly over: Partial<World>
}

/** Plays them; returns what `play` returns. */
export async function playSampled({ first, count, over }: Lane): Promise<Played> {
  const share = Math.ceil(count / availableParallelism())
  const starts = Array.from({ length: Math.ceil(count / share) }, (_, lane) => lane * share)
  const lanes = await Promise.all(
    starts.map(start =>
      playLane({ first: first + start, count: Math.min(share, count - start), over })
    )
  )
  const endings = new Map<string, number>()
  for (const [ending, times] of lanes.flatMap(lane => [...lane.endings])) {
    endings.set(ending, (endings.get(ending) ?? 0) + times)
  }
  const failures = lanes.reduce((sum, lane) => sum + lane.failures, 0)
  return { failures, broken: lanes.flatMap(({ broken }) => broken), endings }
}

function playLane(workerData: Lane): Promise<Played> {
  const { promise, resolve, reject } = Promise.withResolvers<Played>()
  const worker = new Worker(new URL('./lane.ts', import.meta.url), { workerData })
  worker.once('message', resolve).once('error', reject)
  worker.once('exit', code => reject(new Error(`a thread of worlds ended with ${code}`)))
  return promise
}
