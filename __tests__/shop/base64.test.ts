// Owns the template of the JSON object that carries a file, and the encoding of a stream.
import { randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { base64Length, encodeBase64, fillTemplate, parseTemplate } from '../../src/shop/base64.ts'

test('chunks of any sizes become one base64 text, with padding at the end alone', async () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(parts, async chunks => {
      const whole = Buffer.concat(chunks)
      async function* source() {
        const memory = Buffer.alloc(20)
        for (const chunk of chunks) {
          memory.set(chunk)
          yield memory.subarray(0, chunk.length)
        }
      }
      const text: Buffer[] = []
      for await (const chunk of encodeBase64(source())) text.push(Buffer.from(chunk))
      expect(Buffer.concat(text).toString('latin1')).toBe(whole.toString('base64'))
      expect(Buffer.concat(text).length).toBe(base64Length(whole.length))
    })
  )
})

test('large chunks of odd sizes are put together where one ends and the next begins', async () => {
  const whole = randomBytes(300_000)
  const cuts = [0, 1, 2, 70_000, 70_001, 199_999, 300_000]
  const source = async function* () {
    for (const [index, cut] of cuts.entries()) yield whole.subarray(cuts[index - 1] ?? 0, cut)
  }
  const text: Buffer[] = []
  for await (const chunk of encodeBase64(source())) text.push(Buffer.from(chunk))
  expect(Buffer.concat(text).toString('latin1') === whole.toString('base64')).toBe(true)
  // Each large chunk is passed on by itself: a file must not gather in memory.
  expect(text.length).toBeGreaterThanOrEqual(3)
})

test('both places are filled, wherever they stand in the object', () => {
  const template = parseTemplate('{"a":{"b":["{file_name}","x {base64} y"]},"c":"{file_name}!"}')
  const { before, after } = fillTemplate(template, 'n"\\ü$&.zip')
  expect(JSON.parse(`${before}QUJD${after}`)).toEqual({
    a: { b: ['n"\\ü$&.zip', 'x QUJD y'] },
    c: 'n"\\ü$&.zip!'
  })
})

test('a file name that looks like a place is left alone', () => {
  const { before, after } = fillTemplate(
    parseTemplate('{"n":"{file_name}","c":"{base64}"}'),
    '{base64}'
  )
  expect(JSON.parse(`${before}${after}`)).toEqual({ n: '{base64}', c: '' })
})

test.each<[string, string, string]>([
  ['no JSON', '{', 'is not JSON'],
  ['a list', '["{base64}"]', 'is not a JSON object'],
  ['a text', '"{base64}"', 'is not a JSON object'],
  ['null', 'null', 'is not a JSON object'],
  ['no place for the file', '{"a":"{file_name}"}', 'contains {base64} 0 times'],
  ['two of them', '{"a":"{base64}","b":"{base64}"}', 'contains {base64} 2 times'],
  ['one in a key', '{"{base64}":"{base64}"}', 'in a key'],
  ['a name in a key', '{"a":"{base64}","b":{"{file_name}":1}}', 'in a key'],
  ['a name in a key within a list', '{"a":"{base64}","b":[[null,{"{file_name}":1}]]}', 'in a key']
])('a template with %s is refused', (_, text, message) => {
  expect(() => parseTemplate(text)).toThrow(message)
})
