// Tests of connections that load late: when they load, and that closing holds.
import { expect, test } from '@jest/globals'
import type { Connect, Exchange, ExchangeRequest } from '../../src/http/exchange.ts'
import { connectLate } from '../../src/http/late.ts'

const ANSWER: Exchange = {
  kind: 'answer',
  status: 200,
  headers: {},
  body: Buffer.of(),
  tailSent: false
}
const REQUEST: ExchangeRequest = {
  method: 'GET',
  path: '/',
  headers: {},
  patience: { stall: 1000 },
  answerLimit: 10,
  signal: new AbortController().signal
}

/** A `connect` that counts what is done with it. */
function counting() {
  const counts = { loaded: 0, opened: 0, asked: 0, closed: 0 }
  const connect: Connect = () => {
    counts.opened++
    return {
      exchange: async () => {
        counts.asked++
        return ANSWER
      },
      close: () => {
        counts.closed++
      }
    }
  }
  const late = connectLate(async () => {
    counts.loaded++
    return connect
  })
  return { counts, late }
}

test('nothing is loaded before the first request, and then once for all connections', async () => {
  const { counts, late } = counting()
  const [one, other] = [
    late('http://a.test', { keepAlive: true }),
    late('http://b.test', { keepAlive: false })
  ]
  expect(counts).toEqual({ loaded: 0, opened: 0, asked: 0, closed: 0 })
  expect(await Promise.all([one.exchange(REQUEST), other.exchange(REQUEST)])).toEqual([
    ANSWER,
    ANSWER
  ])
  await one.exchange(REQUEST)
  expect(counts).toEqual({ loaded: 1, opened: 2, asked: 3, closed: 0 })
})

test('a connection that is closed without a request loads nothing', () => {
  const { counts, late } = counting()
  late('http://a.test', { keepAlive: true }).close()
  expect(counts.loaded).toBe(0)
})

test('one that is closed while it loads is closed all the same', async () => {
  const { counts, late } = counting()
  const connection = late('http://a.test', { keepAlive: true })
  const asked = connection.exchange(REQUEST)
  connection.close()
  await asked
  expect(counts.closed).toBe(1)
})
