// A thread that plays sampled worlds, and says how they ended.
import { parentPort } from 'node:worker_threads'
import type { Lane } from './lanes.ts'
import { play } from './play.ts'
import { sample, type World } from './world.ts'

// Errors are what the worlds are full of, and their stacks took a quarter of the time.
Error.stackTraceLimit = 0

function* worlds({ first, count, over }: Lane): Iterable<World> {
  for (let seed = first; seed < first + count; seed++) {
    yield { ...sample(seed), ...over }
  }
}

parentPort?.on('message', async (lane: Lane) => parentPort?.postMessage(await play(worlds(lane))))
