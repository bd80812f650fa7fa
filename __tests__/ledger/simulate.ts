// By hand: `node __tests__/ledger/simulate.ts 1000000` plays so many sampled worlds and counts how they end.
import { argv, stdout } from 'node:process'
import { play } from './simulation.ts'
import { sample, type World } from './world.ts'

const [worlds = '50000', first = '0', changes = '{}'] = argv.slice(2)
const over: Partial<World> = JSON.parse(changes)
const { broken, failures, endings } = await play(
  Array.from({ length: Number(worlds) }, (_, index) => ({
    ...sample(Number(first) + index),
    ...over
  }))
)
for (const [ending, count] of [...endings].toSorted()) stdout.write(`${count}\t${ending}\n`)
for (const line of broken) stdout.write(`BROKEN ${line}\n`)
stdout.write(`${worlds} worlds, ${failures} of them broke a promise\n`)
