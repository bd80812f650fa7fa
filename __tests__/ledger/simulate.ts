// By hand: `npm run simulate -- 1000000 0 '{"wait":0}'` plays so many sampled worlds, and counts how they end.
import { argv, stdout } from 'node:process'
import { playSampled } from './lanes.ts'

const [count = '50000', first = '0', changes = '{}'] = argv.slice(2)
const { broken, failures, endings } = await playSampled({
  first: Number(first),
  count: Number(count),
  over: JSON.parse(changes)
})

for (const [ending, times] of [...endings].toSorted()) {
  stdout.write(`${times}\t${ending}\n`)
}
for (const line of broken) {
  stdout.write(`BROKEN ${line}\n`)
}
stdout.write(`${count} worlds, ${failures} of them broke a promise\n`)
