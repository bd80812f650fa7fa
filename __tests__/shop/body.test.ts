// Tests of src/shop/body.ts: an independent reader (busboy, JSON.parse) gets back, byte for byte, what a body was made
// from; and a body short of its tail is no request: refused, or without a field.
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import busboy from 'busboy'
import {
  base64Json,
  encodeBase64,
  type FileReading,
  multipart,
  parseTemplate
} from '../../src/shop/body.ts'
import type { VersionFields } from '../../src/shop/form.ts'
import type { TypedBody } from '../../src/shop/request.ts'
import { ANY_UNIT, fc } from '../support/properties.ts'
import { VERSION_FIELDS } from '../support/version-fields.ts'

/** Any text: controls, quotes, emoji, what looks like headers; well-formed, since UTF-8 holds nothing else. */
const text = fc.string({ unit: ANY_UNIT, maxLength: 40 }).map(made => made.toWellFormed())

/** Any name that may be sent: no controls, no line separators, no quote, no backslash. */
const fileName = fc
  .string({ unit: ANY_UNIT, minLength: 1, maxLength: 30 })
  .map(made => made.toWellFormed().replaceAll('/', ''))
  .filter(made => made !== '' && !/["\\\p{Cc}\u2028\u2029]/u.test(made))

const CHUNK = 64
/** Every size around a chunk's and a base64 group's boundary. */
const SIZES = [1, 2, 3, 4, 5, 6, 62, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193]
/** Lines that look like the form around the file. */
const LINES = ['\r\n--', '----publish-version', '--\r\n', 'Content-Disposition: form-data', '\n']

const sent = fc.record({
  fields: fc
    .record({
      versionName: text,
      title: text,
      changelog: text,
      changelogFormat: fc.constantFrom<VersionFields['changelogFormat'][]>('markdown', 'html')
    })
    .map((made): VersionFields => ({ ...VERSION_FIELDS, ...made })),
  name: fileName,
  content: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 5 * CHUNK }),
    fc.constantFrom(...SIZES).map(size => new Uint8Array(size).fill(size)),
    fc
      .array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 20 })
      .map(parts => new Uint8Array(Buffer.from(parts.join(''))))
  ),
  chunk: fc.constantFrom(1, 2, 3, 5, CHUNK)
})

/** One reading, in chunks of that size whose memory is used again for the next but one. */
function readingOf(name: string, content: Uint8Array, chunk: number): FileReading {
  const buffers = [Buffer.alloc(chunk), Buffer.alloc(chunk)]
  return {
    name,
    size: content.length,
    async *chunks() {
      for (let at = 0, turn = 0; at < content.length; at += chunk, turn = 1 - turn) {
        const buffer = buffers[turn] ?? Buffer.alloc(0)
        const part = content.subarray(at, at + chunk)
        buffer.set(part)
        yield buffer.subarray(0, part.length)
      }
    }
  }
}

interface Parts {
  readonly head: Buffer
  readonly tail: Buffer
  readonly whole: Buffer
}

/** The head, each chunk copied as a connection would have it; then the tail. */
async function partsOf(content: TypedBody): Promise<Parts> {
  const chunks: Buffer[] = []
  for await (const chunk of content.head()) chunks.push(Buffer.from(chunk))

  const head = Buffer.concat(chunks)
  const tail = Buffer.from(content.tail())
  return { head, tail, whole: Buffer.concat([head, tail]) }
}

interface ReadForm {
  /** The first fault; empty if there is none. */
  readonly error: string
  /** The names of all parts, in their order. */
  readonly order: readonly string[]
  readonly fields: Readonly<Record<string, string>>
  readonly fileName: string
  readonly file: Buffer
}

/** All that busboy reads, up to a fault if it finds one. */
function readForm(bytes: Buffer, contentType: string): Promise<ReadForm> {
  const order: string[] = []
  const fields: Record<string, string> = {}
  const chunks: Buffer[] = []
  let fileName = ''
  const parser = busboy({ headers: { 'content-type': contentType }, defParamCharset: 'utf8' })

  return new Promise(resolve => {
    const end = (error = '') =>
      resolve({
        error,
        order,
        fields,
        fileName,
        file: Buffer.concat(chunks)
      })

    parser.on('field', (name, value) => {
      order.push(name)
      fields[name] = value
    })
    parser.on('file', (name, stream, { filename }) => {
      order.push(name)
      fileName = filename ?? ''
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', () => undefined)
    })
    parser.on('error', error => end(String(error)))
    parser.on('close', () => end())
    parser.end(bytes)
  })
}

const TEMPLATE = parseTemplate('{"name": "{file_name}", "content": "{base64}", "x": [1]}')
const TEXTS: VersionFields = {
  ...VERSION_FIELDS,
  title: 'Ünï 🎉',
  changelog: '- one\n- two\n--limit--\r\n'
}

test('both bodies give back the same texts, name and bytes, and their length is exact', async () => {
  const property = fc.asyncProperty(sent, async ({ fields, name, content, chunk }) => {
    const texts = {
      title: fields.title,
      changelog: fields.changelog,
      changelog_format: fields.changelogFormat,
      version_name: fields.versionName
    }

    const body = multipart(fields, readingOf(name, content, chunk))
    const { whole } = await partsOf(body)
    expect(whole.length).toBe(body.length)
    expect(await readForm(whole, body.contentType)).toEqual({
      error: '',
      order: ['title', 'changelog', 'changelog_format', 'file', 'version_name'],
      fields: texts,
      fileName: name,
      file: Buffer.from(content)
    })

    const json = base64Json(fields, readingOf(name, content, chunk), TEMPLATE)
    const text = (await partsOf(json)).whole
    expect(text.length).toBe(json.length)

    const parsed = JSON.parse(text.toString('utf8'))
    expect(Object.keys(parsed).at(-1)).toBe('version_name')
    const file = {
      name,
      content: Buffer.from(content).toString('base64'),
      x: [1]
    }
    expect(parsed).toEqual({ ...texts, file })
  })
  await fc.assert(property, { numRuns: 100 })
})

test('texts are sent as UTF-8, line feeds stay, and a file name adds no line', async () => {
  const reading = readingOf('ü "b"\r\nX: y\r\n.zip', new Uint8Array([1]), 1)
  const { whole } = await partsOf(multipart(TEXTS, reading))

  expect(whole.includes(Buffer.from('name="title"\r\n\r\nÜnï 🎉\r\n'))).toBe(true)
  expect(whole.includes(Buffer.from('\r\n\r\n- one\n- two\n--limit--\r\n\r\n'))).toBe(true)
  expect(whole.toString()).toContain('; filename="ü %22b%22%0D%0AX: y%0D%0A.zip"\r\n')
})

const zip = (size: number) => readingOf('a.zip', new Uint8Array(size).fill(65), 4)

test.each([1, 3])('multipart with %i bytes, cut anywhere in its head, is short', async size => {
  const body = multipart(TEXTS, zip(size))
  const { head } = await partsOf(body)

  for (let cut = 0; cut <= head.length; cut += 1) {
    const form = await readForm(head.subarray(0, cut), body.contentType)
    // A lenient server may go on after the error; it has an unfinished file and lacks a required field.
    expect(form.error).not.toBe('')
    expect(form.fields).not.toHaveProperty('version_name')
    expect(form.file.length).toBeLessThan(size)
  }
})

test.each([1, 3, 30])('JSON with %i bytes, cut at any offset, is short', async size => {
  const { head, whole } = await partsOf(base64Json(TEXTS, zip(size), TEMPLATE))
  for (let cut = 0; cut < whole.length; cut += 1) {
    expect(() => JSON.parse(whole.subarray(0, cut).toString('utf8'))).toThrow()
  }

  // A lenient reader that closes what is open lacks the field, and has an unfinished file.
  expect(head.toString('utf8')).not.toContain('version_name')
  const content = /"content":"([^"]*)$/.exec(head.toString('utf8'))?.[1] ?? ''
  expect(Buffer.from(content, 'base64').length).toBeLessThan(size)
})

test('the tail is the end of the file, the version name and the end of the body, and no more', async () => {
  const body = multipart(TEXTS, zip(9))
  const limit = body.contentType.replace(/.*=/, '--')
  expect((await partsOf(body)).tail.toString()).toBe(
    `A\r\n${limit}\r\nContent-Disposition: form-data; name="version_name"\r\n\r\n1.4.2\r\n${limit}--\r\n`
  )

  const { tail } = await partsOf(base64Json(TEXTS, zip(9), TEMPLATE))
  expect(tail.toString()).toBe('QUFB","x":[1]},"version_name":"1.4.2"}')
})

test.each([99, 101, 0])('with %i bytes in place of 100, the head ends in an error', async there => {
  const reading = { ...readingOf('a.zip', new Uint8Array(there), 10), size: 100 }

  await expect(partsOf(multipart(TEXTS, reading))).rejects.toThrow('differ by')
  // 99 and 100 bytes have base64 texts of different lengths; 101 bytes and 100 do not.
  if (there === 101) return
  await expect(partsOf(base64Json(TEXTS, reading, TEMPLATE))).rejects.toThrow('differ by')
})

test('large chunks of odd sizes become one base64 text, and do not gather in memory', async () => {
  const whole = randomBytes(300_000)
  const cuts = [0, 1, 2, 70_000, 70_001, 199_999, 300_000]
  const source = async function* () {
    for (const [index, cut] of cuts.entries()) yield whole.subarray(cuts[index - 1] ?? 0, cut)
  }

  const made: Buffer[] = []
  for await (const chunk of encodeBase64(source())) made.push(Buffer.from(chunk))

  expect(Buffer.concat(made).toString('latin1') === whole.toString('base64')).toBe(true)
  expect(made.length).toBeGreaterThanOrEqual(3)
})

describe('a template', () => {
  test('is filled in everywhere, and a file name that looks like a place is left alone', async () => {
    const template = parseTemplate('{"a":{"b":["{file_name}","x {base64} y"]},"c":"{file_name}!"}')
    const name = 'n"\\ü$&{base64}.zip'
    const reading = { ...zip(3), name }

    const { whole } = await partsOf(base64Json(TEXTS, reading, template))

    const { file } = JSON.parse(whole.toString())
    expect(file).toEqual({ a: { b: [name, 'x QUFB y'] }, c: `${name}!` })
  })

  test.each<[string, string, string]>([
    ['no JSON', '{', 'is not JSON'],
    ['a list', '["{base64}"]', 'is not a JSON object'],
    ['null', 'null', 'is not a JSON object'],
    ['no place for the file', '{"a":"{file_name}"}', 'contains {base64} 0 times'],
    ['two of them', '{"a":"{base64}","b":"{base64}"}', 'contains {base64} 2 times']
  ])('with %s is refused', (_, given, message) => {
    expect(() => parseTemplate(given)).toThrow(message)
  })
})
