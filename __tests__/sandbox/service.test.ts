// Owns the proof that the stand-in keeps to the interface, and to nothing less.
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { startService } from '../../sandbox/service.ts'
import { json, jsonFile, post, postParts, restart, service, without } from './posting.ts'
import {
  benefitRoute,
  converse,
  fields,
  file,
  goodParts,
  goodRequest,
  head,
  multipart,
  productRoute,
  products,
  token
} from './sending.ts'

describe('a good publication', () => {
  test('of a product is answered with a whole record, stored and announced', async () => {
    const { status, answer } = await postParts(goodParts)
    expect({ status, answer }).toEqual({
      status: 201,
      answer: {
        data: {
          id: 1001,
          product_id: '12',
          option_id: null,
          purchase_benefit_id: null,
          benefit_name: null,
          version_number: '1',
          title: fields.title,
          changelog: fields.changelog,
          download_url: expect.stringMatching(/\/downloads\/[\w-]+\/plugin%20%C3%BC\.zip$/),
          file_name: file.name,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000000Z$/),
          updated_at: expect.any(String)
        }
      }
    })
    expect(service.notifications).toEqual([{ versionId: 1001, productId: 12, mails: 3 }])
    const [version] = service.versions
    expect(await version?.bytes()).toEqual(file.content)
    expect(version).toMatchObject({
      record: service.versions[0]?.record,
      route: 'product',
      versionName: '1.2.3',
      changelogFormat: 'markdown',
      size: file.content.length,
      sha256: createHash('sha256').update(file.content).digest('hex')
    })
    const download = await fetch(version?.record.download_url ?? '')
    expect(Buffer.from(await download.arrayBuffer())).toEqual(file.content)
  })

  test('of an option names the option, and counts its versions apart', async () => {
    await postParts(goodParts)
    await postParts(goodParts, benefitRoute)
    const { answer } = await postParts(without('changelog_format'), benefitRoute)
    expect(answer).toMatchObject({
      data: { option_id: 5, purchase_benefit_id: 34, benefit_name: 'Pro', version_number: '2' }
    })
    expect(service.versions.map(({ route }) => route)).toEqual(['product', 'benefit', 'benefit'])
  })

  test('may come as JSON with the file in base64', async () => {
    const { status } = await json({ ...fields, file: jsonFile })
    expect(status).toBe(201)
    expect(await service.versions[0]?.bytes()).toEqual(file.content)
  })

  test('of a large file goes through the disk, and close removes it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-test-'))
    await restart({ folder })
    const content = randomBytes(9 * 1024 * 1024)
    await postParts(without('file', ['file', content, 'big.zip']))
    expect((await service.versions[0]?.bytes())?.equals(content)).toBe(true)
    expect(await readdir(folder)).toHaveLength(1)
    const url = service.versions[0]?.record.download_url ?? ''
    const download = Buffer.from(await (await fetch(url)).arrayBuffer())
    expect(download.equals(content)).toBe(true)
    await service.close()
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
  })

  test('stays under a path prefix', async () => {
    const other = await startService({ token, products, pathPrefix: '/shop' })
    const inside = await converse(other.origin, goodRequest(`/shop${productRoute}`).all, {
      untilAnswered: true
    })
    const outside = await converse(other.origin, goodRequest().all, { untilAnswered: true })
    await other.close()
    expect([other.url, inside.status, outside.status]).toEqual([`${other.origin}/shop`, 201, 404])
  })
})

describe('a refusal', () => {
  test.each([
    ['no token', productRoute, { authorization: '' }, 401],
    ['another token', productRoute, { authorization: 'Bearer other' }, 401],
    ['another scheme', productRoute, { authorization: token }, 401],
    ['an unknown product', '/api/products/99/versions', {}, 404],
    ['a product id that is no number', '/api/products/12x/versions', {}, 404],
    ['an unknown benefit', '/api/products/12/benefits/99/versions', {}, 404],
    ["another product's benefit", '/api/products/12/benefits/36/versions', {}, 404],
    ['an unknown route', '/api/versions', {}, 404],
    ["somebody else's product", '/api/products/13/versions', {}, 403],
    ["somebody else's benefit", '/api/products/13/benefits/36/versions', {}, 403]
  ])('of %s has a message only', async (_, path, headers, expected) => {
    const { status, answer } = await postParts(goodParts, path, headers)
    expect({ status, answer }).toEqual({
      status: expected,
      answer: { message: expect.any(String) }
    })
    expect(service.versions).toEqual([])
  })

  test('of another method names the one that is allowed', async () => {
    const answer = await fetch(service.url + productRoute, { method: 'PUT' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test.each([
    ['a form that is not multipart', 'a=1', 'application/x-www-form-urlencoded', productRoute, 415],
    ['JSON on the benefit route', '{}', 'application/json', benefitRoute, 415],
    ['JSON that does not parse', '{"title":', 'application/json', productRoute, 400],
    ['JSON that is no object', '[]', 'application/json', productRoute, 400],
    ['multipart without a boundary', 'x', 'multipart/form-data', productRoute, 400],
    ['multipart of another boundary', 'x', 'multipart/form-data; boundary=a', productRoute, 400]
  ])('of %s', async (_, body, contentType, path, expected) => {
    expect((await post(body, contentType, path)).status).toBe(expected)
  })

  test('of a multipart body without a length', async () => {
    const { contentType } = multipart([])
    const start = head({ 'content-type': contentType, 'transfer-encoding': 'chunked' })
    const { status } = await converse(service.origin, `${start}0\r\n\r\n`, { untilAnswered: true })
    expect(status).toBe(411)
  })
})
