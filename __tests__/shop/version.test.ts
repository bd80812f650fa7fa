// Owns what an answer's body is taken for: a version's record, a documented error, or nothing.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseError, parseVersion } from '../../src/shop/version.ts'

const record = (text: string) => parseVersion(Buffer.from(text))
const failure = (text: string) => parseError(Buffer.from(text))

test.each<[string, string, string]>([
  ['an integer', '{"data":{"id":7}}', '7'],
  ['zero', '{"data":{"id":0}}', '0'],
  ['an integer with a fraction of nothing', '{"data":{"id":7.0}}', '7'],
  ['the largest that a number holds', '{"data":{"id":9007199254740991}}', '9007199254740991'],
  ['one larger than a number holds', '{"data":{"id":9007199254740993}}', '9007199254740993'],
  ['one below zero', '{"data":{"id":-9007199254740993}}', '-9007199254740993'],
  ['a power of ten', '{"data":{"id":1e20}}', '100000000000000000000'],
  ['one with 30 digits', `{"data":{"id":${'1234567890'.repeat(3)}}}`, '1234567890'.repeat(3)],
  ['with a byte order mark before it', '\uFEFF{"data":{"id":7}}', '7'],
  ['with blanks around it', ' \r\n{"data":{"id":7}}\n', '7']
])('an id that is %s is kept digit for digit', (_, text, id) => {
  expect(record(text)?.id).toBe(id)
})

test.each<[string, string]>([
  ['nothing', ''],
  ['null', 'null'],
  ['a number', '7'],
  ['a list', '[{"data":{"id":7}}]'],
  ['no data', '{"id":7}'],
  ['data that is null', '{"data":null}'],
  ['data that is a list', '{"data":[{"id":7}]}'],
  ['no id', '{"data":{"name":"x"}}'],
  ['an id that is null', '{"data":{"id":null}}'],
  ['an id in text', '{"data":{"id":"7"}}'],
  ['a broken id', '{"data":{"id":7.5}}'],
  ['an id that is true', '{"data":{"id":true}}'],
  ['an id in the prototype alone', '{"data":{"__proto__":{"id":7}}}'],
  ['half of it', '{"data":{"id":7'],
  ['something behind it', '{"data":{"id":7}}<p>'],
  ['HTML', '<!doctype html>']
])('%s is no record', (_, text) => {
  expect(record(text)).toBeUndefined()
})

test('every field is kept, under its name and with its digits, but for what is nested beyond reason', () => {
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`
  const text = `{"data":{"id":7,"title":null,"big":12345678901234567890,"x":{"y":[1]},"deep":${deep}}}`
  expect(record(text)).toEqual({
    id: '7',
    fields: { id: 7, title: null, big: 12345678901234567890n, x: { y: [1] } }
  })
})

test.each<[string, number, boolean]>([
  ['64 levels are within reason', 64, true],
  ['65 levels are not', 65, false]
])('of nesting, %s', (_, levels, kept) => {
  const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`
  expect('deep' in (record(`{"data":{"id":7,"deep":${deep}}}`)?.fields ?? {})).toBe(kept)
  const complaint = kept ? deep : '…'
  const { fields } = failure(`{"message":"no","errors":{"file":[${deep}]}}`) ?? {}
  expect(fields).toEqual({ file: [complaint] })
})

test('a fraction of many digits, and a byte order mark within a text, stay as they are', () => {
  const text = '{"data":{"id":7,"price":12345678901234567890.5,"title":"a\uFEFFb"}}'
  expect(record(text)?.fields).toMatchObject({ price: 12345678901234567000, title: 'a\uFEFFb' })
})

test('nesting that no stack bears does no harm', () => {
  for (const levels of [1000, 5000, 200_000]) {
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(record(`{"data":{"deep":${deep},"id":7,"title":"t"}}`)).toEqual({
      id: '7',
      fields: { id: 7, title: 't' }
    })
    expect(failure(`{"message":"no","errors":{"file":${deep}}}`)?.message).toBe('no')
  }
})

test('an error is a message, or a message with complaints by field', () => {
  expect(failure('{"message":"No."}')).toEqual({ message: 'No.', fields: {} })
  expect(failure('{"message":"No.","errors":["big"]}')).toEqual({ message: 'No.', fields: {} })
  expect(failure('{"message":"No.","errors":{"file":["big","odd"],"title":"long"}}')).toEqual({
    message: 'No.',
    fields: { file: ['big', 'odd'], title: ['long'] }
  })
  const odd = '{"message":"No.","errors":{"file":[{"n":12345678901234567890},null,1]}}'
  expect(failure(odd)?.fields).toEqual({ file: ['{"n":"12345678901234567890"}', 'null', '1'] })
})

test.each(['', '{}', 'null', '{"message":7}', '"message"', '<p>', '{"errors":{"a":["b"]}}'])(
  '%j is no documented error',
  text => {
    expect(failure(text)).toBeUndefined()
  }
)

test('no bytes at all make a parser throw', () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.json({ maxDepth: 8 }).map(text => Buffer.from(text))
  )
  fc.assert(
    fc.property(bytes, given => {
      parseVersion(Buffer.from(given))
      parseError(Buffer.from(given))
    })
  )
})
