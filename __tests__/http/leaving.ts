// Owns a process that breaks off exchanges in every phase, and then has to end by itself.
import { argv, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/http/connection.ts'
import type { ExchangeRequest } from '../../src/http/exchange.ts'
import { ask, bodyOf, inWords, request } from './peers.ts'

const [mute = '', deaf = '', resetting = '', proxied = '', answering = ''] = argv.slice(2)
const secure = mute.replace('http:', 'https:')
const never = () => new Promise<never>(() => undefined)
const heeding = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('withheld')))
  })

/** Breaks off in one phase: by the signal, and then again by a time-out. */
async function breakOff(origin: string, over: () => Partial<ExchangeRequest>): Promise<string[]> {
  const cancel = new AbortController()
  const long = { stall: 600_000, answer: 600_000, grace: 50 }
  const short = { stall: 500, answer: 500, grace: 50 }
  const told = ask(origin, { patience: long, ...over(), signal: cancel.signal })
  await sleep(300)
  cancel.abort()
  return [inWords(await told), inWords(await ask(origin, { patience: short, ...over() }))]
}

const large = () => ({ body: bodyOf(64 * 1024 * 1024) })
const small = () => ({ body: bodyOf(1000) })
const told = [
  await breakOff(secure, small),
  await breakOff(deaf, large),
  await breakOff(mute, small),
  await breakOff(mute, () => ({})),
  await breakOff(resetting, () => ({ body: bodyOf(1000, heeding) })),
  await breakOff(proxied, small),
  [inWords(await ask('https://shop.invalid', small()))],
  [inWords(await ask(mute, { body: bodyOf(1000, () => Promise.reject(new Error('no'))) }))],
  [inWords(await ask(mute, { body: { ...small().body, head: throwing } }))]
]
// Listeners that were left behind would be warned of.
const kept = connect(answering, { keepAlive: true })
for (let time = 0; time < 40; time += 1) await kept.exchange(request({ body: bodyOf(10) }))
kept.close()

// Nobody waits for this one, and nothing of it may keep the process.
const left = new AbortController()
void ask(mute, { body: bodyOf(1000, never), signal: left.signal })
await sleep(50)
left.abort()
stdout.write(JSON.stringify(told))

async function* throwing(): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(10)
  throw new Error('the file changed')
}
