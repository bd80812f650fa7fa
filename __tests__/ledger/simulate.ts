// By hand: `node __tests__/ledger/simulate.ts 1000000` plays so many sampled worlds and counts how they end.
import { argv, stdout } from 'node:process'
import { play } from './tally.ts'
import { sample } from './world.ts'

const worlds = Number(argv[2] ?? 50_000)
const first = Number(argv[3] ?? 0)
const { broken, endings } = await play(
  Array.from({ length: worlds }, (_, index) => sample(first + index))
)
for (const [ending, count] of [...endings].toSorted()) stdout.write(`${count}\t${ending}\n`)
for (const line of broken) stdout.write(`BROKEN ${line}\n`)
stdout.write(
  `${worlds} worlds, ${broken.length === 0 ? 'every promise kept' : 'PROMISES BROKEN'}\n`
)
