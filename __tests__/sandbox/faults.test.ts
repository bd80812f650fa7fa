// Tests that faults do on the wire what their names say, where no test of an action would notice.
import { request } from 'node:https'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { type Service, startService } from '../../sandbox/service.ts'
import { selfSign } from '../support/tls.ts'
import { converse, goodRequest, products, token, until } from './sending.ts'

let service: Service

beforeEach(async () => {
  service = await startService({ token, products })
})
afterEach(() => service.close())

const { all, start } = goodRequest()

function publish(fault: Fault, data: Buffer = all, enough = /\}$/) {
  service.misbehave(fault)
  return converse(service.origin, data, { until: enough })
}

describe('on the connection', () => {
  test.each<[Fault, 'reset' | 'open' | 'fin', number, number]>([
    [{ kind: 'reset-in-body', bytes: 100 }, 'reset', 0, 0],
    [{ kind: 'reset-after-body', stored: false }, 'reset', 0, 0],
    [{ kind: 'early-answer', status: 413, close: 'keep', stored: true }, 'open', 413, 1],
    [{ kind: 'early-created', bytes: 200, close: 'fin' }, 'fin', 201, 0],
    [{ kind: 'early-created', bytes: 200, close: 'fin', stored: true }, 'fin', 201, 1]
  ])('%o', async (fault, ended, status, stored) => {
    expect(await publish(fault, all, /early/i)).toMatchObject({ ended, status })
    await until(() => service.versions.length === stored)
    expect(await converse(service.origin, all)).toMatchObject({ status: 201 })
    expect(service.versions).toHaveLength(stored + 1)
  })

  test('an early answer can be given to a client that has sent only a part', async () => {
    const part = all.subarray(0, all.length - 20)
    const fault = { kind: 'early-answer', status: 503, bytes: 10, close: 'reset' } as const
    expect((await publish(fault, part, /never/)).ended).toBe('reset')
    const kept = await publish({ ...fault, close: 'keep', body: 'busy' }, part, /busy$/)
    expect(kept.text).toMatch(/^HTTP\/1\.1 503 .*\r\n\r\nbusy$/s)
  })

  test('a silence in the body holds the sender back', async () => {
    service.misbehave({ kind: 'silence-after-headers' })
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
    socket.on('error', () => {})
    const size = 64 * 1024 * 1024
    socket.write(start.replace(/content-length: \d+/, `content-length: ${size}`))
    const sent = new Promise(resolve => socket.write(Buffer.alloc(size - 1), resolve))
    await until(() => service.requests.length === 1)
    expect(await Promise.race([sent, sleep(100, 'held')])).toBe('held')
    expect(service.requests).toMatchObject([{ bytes: 0, completed: false }])
    socket.destroy()
  })

  test('with TLS: the handshake is reset, hangs, or ends in a reset later', async () => {
    const tls = selfSign()
    const secure = await startService({ token, products, tls })
    const ask = (timeout: number): Promise<unknown> =>
      new Promise(resolve => {
        const headers = { authorization: `Bearer ${token}` }
        const url = `${secure.url}/api/products/12/versions`
        const options = { ca: tls.cert, headers, agent: false, method: 'POST' }
        const req = request(url, options, res => resolve(res.resume().statusCode))
        req.on('error', error => resolve('code' in error ? error.code : error)).end()
        sleep(timeout, undefined, { ref: false }).then(() => resolve('silence'))
      })
    secure.misbehave({ kind: 'reset-at-connect' }, { kind: 'silence-at-accept' })
    secure.misbehave({ kind: 'reset-after-body' })
    const outcomes = [await ask(20_000), await ask(100), await ask(20_000), await ask(20_000)]
    await secure.close()
    expect(outcomes).toEqual(['ECONNRESET', 'silence', 'ECONNRESET', 415])
  })
})

test.each<[string, Fault, RegExp]>([
  [
    '429 with seconds',
    { kind: 'answer', status: 429, headers: { 'retry-after': '2' }, body: { message: 'Slow' } },
    /^HTTP\/1\.1 429 .*retry-after: 2\r\n.*\{"message":"Slow"\}$/s
  ],
  ['nulls', { kind: 'odd-answer', shape: 'nulls', status: 200 }, /1 200 .*"title":null,/s],
  ['deep nesting', { kind: 'odd-answer', shape: 'deep' }, /"data":\{"deep":\[{100000}\]/],
  ['odd keys', { kind: 'odd-answer', shape: 'proto' }, /"data":\{"__proto__":\{"id":7,/],
  ['half of its JSON', { kind: 'odd-answer', shape: 'broken-json' }, /"title":[^}]*$/],
  ['HTTP/1.0', { kind: 'http-1.0-answer' }, /^HTTP\/1\.0 201 (?:(?!content-length).)*\}\}$/s],
  ['100 and 103', { kind: 'interim-answers' }, /^HTTP\/1\.1 100 .*1\.1 103 .*1\.1 201 /s],
  ['many headers', { kind: 'many-headers' }, /x-many-9999: 1\r\n/],
  ['gzip', { kind: 'gzip-answer' }, /content-encoding: gzip/]
])('an answer is spoiled: %s', async (_, fault, expected) => {
  expect((await publish(fault, all, /never/)).text).toMatch(expected)
  expect(service.versions).toHaveLength(1)
})

test('faults wait in their order, and downloads use none up', async () => {
  await converse(service.origin, all)
  service.misbehave({ kind: 'answer', status: 500 }, { kind: 'answer', status: 503 })
  const statuses = [(await fetch(service.versions[0]?.record.download_url ?? '')).status]
  for (let time = 0; time < 3; time += 1) {
    statuses.push((await converse(service.origin, all)).status)
  }
  expect(statuses).toEqual([200, 500, 503, 201])
})
