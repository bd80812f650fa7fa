// A thread that plays sampled worlds, and says how they ended.
import { parentPort, workerData } from 'node:worker_threads'
import type { Lane } from './lanes.ts'
import { play } from './simulation.ts'
import { sample, type World } from './world.ts'

// Errors are what the worlds are full of, and their stacks took a quarter of the time.
Error.stackTraceLimit = 0

const { first, count, over }: Lane = workerData

function* worlds(): Iterable<World> {
  for (let seed = first; seed < first + count; seed++) yield { ...sample(seed), ...over }
}

parentPort?.postMessage(await play(worlds()))
