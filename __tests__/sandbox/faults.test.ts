// Tests that faults do on the wire what their names say, where no test of an action would notice.
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Fault } from '../../sandbox/faults.ts'
import { type Service, startService } from '../../sandbox/service.ts'
import { converse, products, token } from './sending.ts'

let service: Service

beforeEach(async () => {
  service = await startService({ token, products })
})
afterEach(() => service.close())

const file = { name: 'plugin.zip', content: 'UEsDBA==' }
const body = JSON.stringify({ version_name: '1.2.3', title: 'Plugin', changelog: 'New', file })
const head = {
  ...{ host: '127.0.0.1', authorization: `Bearer ${token}`, connection: 'close' },
  ...{ 'content-type': 'application/json', 'content-length': body.length }
}
const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
const all = Buffer.from(`POST /api/products/12/versions HTTP/1.1\r\n${lines.join('')}\r\n${body}`)

function publish(fault: Fault, data: Buffer = all, enough = /\}$/) {
  service.misbehave(fault)
  return converse(service.origin, data, { until: enough })
}

test.each<[string, Fault, RegExp]>([
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
