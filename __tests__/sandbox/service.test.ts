// Tests of sandbox/service.ts: the stand-in for the shop keeps to the interface, and to nothing less.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type Service, startService } from '../../sandbox/service.ts'
import { converse, products, token } from './sending.ts'

const productRoute = '/api/products/12/versions'

const fields = {
  version_name: '1.2.3',
  title: 'Plugin 1.2.3',
  changelog_format: 'markdown',
  changelog: 'Line one\nLine two – ünïcode'
}
const file = { name: 'plugin ü.zip', content: Buffer.from('PK\u0003\u0004 some bytes\r\n--not') }

type Part = readonly [name: string, value: string | Buffer, fileName?: string]

const goodParts: readonly Part[] = [...Object.entries(fields), ['file', file.content, file.name]]

/** Good parts but for this one, and then these. */
function without(name: string, ...others: readonly Part[]): readonly Part[] {
  return [...goodParts.filter(([part]) => part !== name), ...others]
}

const FORM = 'multipart/form-data; boundary=limit'

/** A multipart body with these parts. */
function multipart(parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap(([name, value, fileName]) => {
    const more = fileName === undefined ? '' : `; filename="${fileName}"`
    const start = `--limit\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
    return [Buffer.from(start), Buffer.from(value), Buffer.from('\r\n')]
  })
  return Buffer.concat([...chunks, Buffer.from('--limit--\r\n')])
}

/** The head of a publish request. */
function head(headers: Readonly<Record<string, string | number>>) {
  const all = {
    host: '127.0.0.1',
    authorization: `Bearer ${token}`,
    ...headers
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${productRoute} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** The stand-in that runs now: every test has its own. */
let service: Service

beforeEach(async () => {
  service = await startService({ token, products })
})
afterEach(() => service.close())

/** One request with this body, and the right token. */
async function post(
  body: Buffer | string,
  contentType: string,
  path = productRoute,
  headers: Record<string, string> = {}
) {
  const answer = await fetch(service.url + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': contentType,
      ...headers
    }
  })
  return { status: answer.status, answer: await answer.json() }
}

function postParts(parts: readonly Part[], path = productRoute, headers = {}) {
  return post(multipart(parts), FORM, path, headers)
}

test('a good publication is stored, announced, and answered with a whole record', async () => {
  const { status, answer } = await postParts(goodParts)

  const data = {
    id: 1001,
    product_id: '12',
    option_id: null,
    purchase_benefit_id: null,
    benefit_name: null,
    version_number: '1',
    file_name: file.name,
    title: fields.title,
    changelog: fields.changelog,
    download_url: expect.stringMatching(/\/downloads\/[\w-]+\/plugin%20%C3%BC\.zip$/),
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000000Z$/),
    updated_at: expect.any(String)
  }

  expect([status, answer]).toEqual([201, { data }])

  expect(service.notifications).toEqual([{ versionId: 1001, productId: 12, mails: 3 }])
  const [version] = service.versions
  expect(version).toMatchObject({
    route: 'product',
    versionName: '1.2.3',
    changelogFormat: 'markdown',
    size: file.content.length,
    sha256: createHash('sha256').update(file.content).digest('hex')
  })
  expect(await version?.bytes()).toEqual(file.content)
})

test.each([
  ['no token', productRoute, { authorization: '' }, 401],
  ['another scheme', productRoute, { authorization: token }, 401],
  ['an unknown product', '/api/products/99/versions', {}, 404],
  ["another product's benefit", '/api/products/12/benefits/36/versions', {}, 404],
  ['an unknown route', '/api/versions', {}, 404],
  ["somebody else's benefit", '/api/products/13/benefits/36/versions', {}, 403]
])('a refusal of %s has only a message', async (_, path, headers, expected) => {
  const { status, answer } = await postParts(goodParts, path, headers)
  expect([status, answer]).toEqual([expected, { message: expect.any(String) }])
  expect(service.versions).toEqual([])
})

const long = 'ü'.repeat(256)

const cases: readonly [string, readonly Part[], ...string[]][] = [
  ['nothing at all', [], 'version_name', 'title', 'changelog', 'file'],
  ['blank texts', without('title', ['title', ' \n']), 'title'],
  ['a long version name', without('version_name', ['version_name', long]), 'version_name'],
  ['an odd format', without('changelog_format', ['changelog_format', 'pdf']), 'changelog_format'],
  ['an empty file', without('file', ['file', '', 'a.zip']), 'file'],
  ['a file without a name', without('file', ['file', 'text']), 'file'],
  ['a title that is a file', without('title', ['title', 'x', 'a.txt']), 'title'],
  ['an unknown field', [...goodParts, ['no_such_field', '0']], 'no_such_field'],
  ['a field given twice', [...goodParts, ['title', 'again']], 'title'],
  ['a file given twice', [...goodParts, ['file', 'again', 'b.zip']], 'file']
]

test.each(cases)('field errors of %s', async (_, parts, ...names) => {
  const { status, answer } = await postParts(parts)

  const said = { message: expect.any(String), errors: expect.any(Object) }
  expect([status, answer]).toEqual([422, said])
  expect([Object.keys(Object(answer).errors), service.versions]).toEqual([names, []])
})

const body = multipart(goodParts)
const start = head({
  'content-type': FORM,
  'content-length': body.length,
  connection: 'close'
})
const all = Buffer.concat([Buffer.from(start), body])
const inFile = all.indexOf(file.content) + 5

test.each([
  ['in the first field', start.length + 20],
  ['in the file', inFile],
  ['after the file', inFile - 5 + file.content.length],
  ['before the closing boundary', all.length - '--limit--\r\n'.length]
])('cut short %s, by an end or a length that agrees, nothing is stored', async (_, length) => {
  const heard = await converse(service.origin, all.subarray(0, length), { halfClose: true })
  expect(service.requests).toMatchObject([{ completed: false, bytes: length - start.length }])

  const agreed = await post(body.subarray(0, length - start.length), FORM)
  expect([heard.status, agreed.status, service.versions]).toEqual([400, 400, []])
})

test('where checks are spared, a fault waits for an upload, and a check is listed apart', async () => {
  await service.close()
  service = await startService({ token, products, sparesChecks: true })
  service.misbehave({ kind: 'answer', status: 500 })

  const checked = await post('{}', 'application/json')

  expect(checked.status).toBe(422)
  expect(service.checks).toMatchObject([{ path: productRoute, bytes: 2 }])
  expect(service.requests).toEqual([])

  const uploaded = await postParts(goodParts)

  expect(uploaded.status).toBe(500)
  expect(service.requests).toMatchObject([{ path: productRoute }])
  expect(service.checks).toHaveLength(1)
})
