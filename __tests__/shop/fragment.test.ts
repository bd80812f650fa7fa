// Owns the proof that a request short of its tail is no request: refused by a reader, or without a field.
import { expect, test } from '@jest/globals'
import { parseTemplate } from '../../src/shop/base64.ts'
import { base64Json, type Content, multipart } from '../../src/shop/body.ts'
import { bytesOf, partsOf, readForm, readingOf } from './reading.ts'

const TEXTS = {
  versionName: '1.4.2',
  title: 'Gallery',
  changelog: '- one\n- two\n--limit--\r\n',
  changelogFormat: 'markdown'
} as const
const TEMPLATE = parseTemplate('{"name": "{file_name}", "content": "{base64}"}')
const SIZES = [1, 3, 30]

function contentOf(size: number): Uint8Array {
  return new Uint8Array(size).fill(65)
}

test.each([1, 3])('multipart with %i bytes, cut at every offset of its head', async size => {
  const made = (): Content => multipart(TEXTS, readingOf('a.zip', contentOf(size), 4), 'limit7')
  const { head } = await partsOf(made())
  const whole = await bytesOf(made())
  expect(whole.subarray(0, head.length)).toEqual(head)
  for (let cut = 0; cut <= head.length; cut += 1) {
    const form = await readForm(whole.subarray(0, cut), made().contentType)
    // A lenient server may go on after the error; it has an unfinished file and lacks a required field.
    expect(form.error).toBeDefined()
    expect(form.fields).not.toHaveProperty('version_name')
    expect(form.file?.length ?? 0).toBeLessThan(size)
  }
})

test.each(SIZES)('JSON with %i bytes, cut at every offset', async size => {
  const made = () => base64Json(TEXTS, readingOf('a.zip', contentOf(size), 4), TEMPLATE)
  const { head } = await partsOf(made())
  const whole = await bytesOf(made())
  expect(whole.subarray(0, head.length)).toEqual(head)
  for (let cut = 0; cut < whole.length; cut += 1) {
    expect(() => JSON.parse(whole.subarray(0, cut).toString('utf8'))).toThrow()
  }
  // A lenient reader that closes what is open lacks the field, and has an unfinished file.
  expect(head.toString('utf8')).not.toContain('version_name')
  const text = /"content":"([^"]*)$/.exec(head.toString('utf8'))?.[1] ?? ''
  expect(Buffer.from(text, 'base64').length).toBeLessThan(size)
})

test('the tail holds the file’s end, the version name and the closing boundary, and no more', async () => {
  const form = await partsOf(multipart(TEXTS, readingOf('a.zip', contentOf(9), 4), 'limit7'))
  expect(form.tail.toString()).toBe(
    'A\r\n--limit7\r\nContent-Disposition: form-data; name="version_name"\r\n\r\n1.4.2\r\n--limit7--\r\n'
  )
  const json = await partsOf(base64Json(TEXTS, readingOf('a.zip', contentOf(9), 4), TEMPLATE))
  expect(json.tail.toString()).toBe('QUFB"},"version_name":"1.4.2"}')
})
