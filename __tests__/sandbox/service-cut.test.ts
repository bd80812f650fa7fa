// Owns the proof that the stand-in stores nothing of a request that is cut short.
import { describe, expect, test } from '@jest/globals'
import { jsonFile, post, service } from './posting.ts'
import { converse, fields, file, goodRequest, head, multipart } from './sending.ts'

describe('a body that is cut short stores nothing', () => {
  const { all, start, body } = goodRequest()
  const inFile = all.indexOf(file.content) + 5
  const points: readonly [string, number][] = [
    ['in the first field', start.length + 20],
    ['in the file', inFile],
    ['after the file', inFile - 5 + file.content.length],
    ['before the closing boundary', all.length - '--limit--\r\n'.length],
    ['before the last dashes', all.length - 4],
    ['one byte before its end', all.length - 1]
  ]
  test.each(points)('%s, by the end of the sending side', async (_, length) => {
    const heard = await converse(service.origin, all.subarray(0, length), { halfClose: true })
    expect([heard.status, service.versions.length]).toEqual([400, 0])
    expect(service.requests).toMatchObject([{ completed: false, bytes: length - start.length }])
  })

  test.each(points)('%s, by the end of the connection', async (_, length) => {
    await converse(service.origin, all.subarray(0, length), { destroy: true })
    expect([service.requests[0]?.completed, service.versions.length]).toEqual([false, 0])
  })

  test.each(points.slice(0, -1))('%s, with a length that agrees', async (_, length) => {
    const cut = body.subarray(0, length - start.length)
    const { status } = await post(cut, multipart([]).contentType)
    expect([status, service.versions.length, service.notifications.length]).toEqual([400, 0, 0])
  })

  test('and JSON neither', async () => {
    const text = JSON.stringify({ ...fields, file: jsonFile })
    const start = head({ 'content-type': 'application/json', 'content-length': text.length + 3 })
    const heard = await converse(service.origin, start + text, { halfClose: true })
    expect([heard.status, service.versions.length]).toEqual([400, 0])
  })
})
