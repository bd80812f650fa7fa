// Owns the proof that an independent reader gets back, byte for byte, what a body was made from.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseTemplate } from '../../src/shop/base64.ts'
import { base64Json, multipart, type VersionFields } from '../../src/shop/body.ts'
import { bytesOf, fileName, readForm, readingOf, text } from './reading.ts'

const CHUNK = 64
/** Every size around a chunk's and a base64 group's boundary. */
const SIZES = [1, 2, 3, 4, 5, 6, 62, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193]
const BOUNDARY = '----publish-version-0123456789abcdef'
const TEMPLATE = parseTemplate('{"name": "{file_name}", "content": "{base64}", "x": [1]}')
const TEXTS = { versionName: '1', title: 't', changelog: 'c', changelogFormat: 'html' } as const
const ONE = new Uint8Array([1])

const fields = fc.record<VersionFields>({
  versionName: text,
  title: text,
  changelog: text,
  changelogFormat: fc.constantFrom('markdown', 'html')
})
const content = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 5 * CHUNK }),
  fc.constantFrom(...SIZES).map(size => new Uint8Array(size).fill(size)),
  boundaryLike()
)

/** Content with lines that look like boundaries and headers of the form itself. */
function boundaryLike() {
  const lines = ['\r\n--', BOUNDARY.slice(0, -1), '--\r\n', 'Content-Disposition: form-data', '\n']
  return fc
    .array(fc.constantFrom(...lines), { minLength: 1, maxLength: 20 })
    .map(parts => new Uint8Array(Buffer.from(parts.join(''))))
}

const sent = fc.record({
  fields,
  name: fileName,
  content,
  chunk: fc.constantFrom(1, 2, 3, 5, CHUNK)
})

describe('multipart', () => {
  test('a reader gets back the same texts, name and bytes, and the length is exact', async () => {
    await fc.assert(
      fc.asyncProperty(sent, async ({ fields, name, content, chunk }) => {
        const body = multipart(fields, readingOf(name, content, chunk), BOUNDARY)
        const bytes = await bytesOf(body)
        expect(bytes.length).toBe(body.length)
        const form = await readForm(bytes, body.contentType)
        expect(form).toEqual({
          error: undefined,
          order: ['title', 'changelog', 'changelog_format', 'file', 'version_name'],
          fields: {
            title: fields.title,
            changelog: fields.changelog,
            changelog_format: fields.changelogFormat,
            version_name: fields.versionName
          },
          fileName: name,
          file: Buffer.from(content)
        })
      }),
      { numRuns: 100 }
    )
  })

  test('the texts go as UTF-8, and a line feed stays one', async () => {
    const fields = { ...TEXTS, title: 'Ünï 🎉', changelog: 'a\nb' }
    const made = multipart(fields, readingOf('ü.zip', ONE, 1), BOUNDARY)
    const bytes = await bytesOf(made)
    expect(bytes.includes(Buffer.from('name="title"\r\n\r\nÜnï 🎉\r\n'))).toBe(true)
    expect(bytes.includes(Buffer.from('\r\n\r\na\nb\r\n'))).toBe(true)
    expect(bytes.includes(Buffer.from('filename="ü.zip"'))).toBe(true)
  })
})

test('a file name with quotes and line breaks adds no line to the form', async () => {
  const body = multipart(TEXTS, readingOf('a "b" "c"\r\nX: y\r\n.zip', ONE, 1), BOUNDARY)
  const form = await bytesOf(body)
  expect(form.toString()).toContain('; filename="a %22b%22 %22c%22%0D%0AX: y%0D%0A.zip"\r\n')
})

describe('base64 in JSON', () => {
  test('a reader gets back the same texts, name and bytes, and the length is exact', async () => {
    await fc.assert(
      fc.asyncProperty(sent, async ({ fields, name, content, chunk }) => {
        const body = base64Json(fields, readingOf(name, content, chunk), TEMPLATE)
        const bytes = await bytesOf(body)
        expect(bytes.length).toBe(body.length)
        const parsed = JSON.parse(bytes.toString('utf8'))
        expect(Object.keys(parsed).at(-1)).toBe('version_name')
        expect(parsed).toEqual({
          title: fields.title,
          changelog: fields.changelog,
          changelog_format: fields.changelogFormat,
          file: { name, content: Buffer.from(content).toString('base64'), x: [1] },
          version_name: fields.versionName
        })
        expect(Buffer.from(parsed.file.content, 'base64')).toEqual(Buffer.from(content))
      }),
      { numRuns: 100 }
    )
  })
})

describe.each(['multipart', 'base64'])('a file that is no longer what it was, as %s', kind => {
  test.each<[string, number, number]>([
    ['has fewer bytes', 99, 100],
    ['has more bytes', 101, 100],
    ['is empty', 0, 100]
  ])('%s: the head ends in an error', async (_, there, announced) => {
    const reading = { ...readingOf('a.zip', new Uint8Array(there), 10), size: announced }
    const body =
      kind === 'base64' ? base64Json(TEXTS, reading, TEMPLATE) : multipart(TEXTS, reading, BOUNDARY)
    // 99 and 100 bytes have base64 texts of different lengths; 101 bytes and 100 do not.
    if (kind === 'base64' && there === 101) return
    await expect(bytesOf(body)).rejects.toThrow('differ by')
  })
})
