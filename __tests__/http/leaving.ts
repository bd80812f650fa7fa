// Owns a process that breaks off exchanges in every phase, and then has to end by itself.
import { argv, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/http/connection.ts'
import { ask, bodyOf, request } from './peers.ts'

const [answering = '', ...origins] = argv.slice(2)
const never = () => new Promise<never>(() => undefined)
const bodies = [() => bodyOf(1000), () => bodyOf(64 * 1024 * 1024), () => bodyOf(1000, refusing)]

async function refusing(): Promise<never> {
  throw new Error('withheld')
}

// By a time limit, and by the signal: which phase is reached in that time does not matter here.
for (const origin of origins) {
  for (const make of bodies) {
    const cancel = new AbortController()
    const long = { stall: 600_000, answer: 600_000, grace: 20 }
    const told = ask(origin, { body: make(), patience: long, signal: cancel.signal })
    await sleep(30)
    cancel.abort()
    await told
    await ask(origin, { body: make(), patience: { stall: 50, answer: 50 } })
  }
}
// Listeners that were left behind would be warned of.
const kept = connect(answering, { keepAlive: true })
for (let time = 0; time < 40; time += 1) await kept.exchange(request({ body: bodyOf(10) }))
kept.close()

// Nobody waits for this one, and nothing of it may keep the process.
const left = new AbortController()
void ask(answering, { body: bodyOf(1000, never), signal: left.signal })
await sleep(30)
left.abort()
stdout.write('done')
