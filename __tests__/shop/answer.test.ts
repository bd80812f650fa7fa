// Tests of src/shop/answer.ts: what an answer's body is taken for: a version's record, a documented error, or nothing.
import { expect, test } from '@jest/globals'
import { parseError, parseVersion } from '../../src/shop/answer.ts'
import { fc } from '../support/properties.ts'

const answered = (body: Buffer) => parseVersion({ body })
const record = (text: string) => answered(Buffer.from(text))
const failure = (text: string) => parseError(Buffer.from(text))

test.each<[string, string, string]>([
  ['an integer', '{"data":{"id":7}}', '7'],
  ['an integer with a fraction of nothing', '{"data":{"id":7.0}}', '7'],
  ['one larger than a number holds', '{"data":{"id":9007199254740993}}', '9007199254740993'],
  ['one below zero', '{"data":{"id":-9007199254740993}}', '-9007199254740993'],
  ['a power of ten', '{"data":{"id":1e20}}', '100000000000000000000'],
  ['with blanks around it', ' \r\n{"data":{"id":7}}\n', '7']
])('an id that is %s is kept digit for digit', (_, text, id) => {
  expect(record(text)?.id).toBe(id)
})

test.each<[string, string]>([
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[{"data":{"id":7}}]'],
  ['no data', '{"id":7}'],
  ['data that is null', '{"data":null}'],
  ['data that is a list', '{"data":[{"id":7}]}'],
  ['no id', '{"data":{"name":"x"}}'],
  ['an id that is null', '{"data":{"id":null}}'],
  ['an id in text', '{"data":{"id":"7"}}'],
  ['a broken id', '{"data":{"id":7.5}}'],
  ['an id in the prototype alone', '{"data":{"__proto__":{"id":7}}}'],
  ['half of it', '{"data":{"id":7'],
  ['something behind it', '{"data":{"id":7}}<p>']
])('%s is no record', (_, text) => {
  expect(record(text)).toBeUndefined()
})

test('every field is kept, under its name, and integers with their digits', () => {
  const text =
    '{"data":{"id":7,"title":null,"big":12345678901234567890,"x":{"y":[1]},"z":"a\uFEFFb"}}'
  const kept = record(text)
  expect(kept).toMatchObject({
    id: '7',
    fields: { id: 7, title: null, x: { y: [1] }, z: 'a\uFEFFb' }
  })
  expect(JSON.stringify(kept?.fields.big)).toBe('12345678901234567890')
})

test.each([65, 1000, 5000, 200_000])(
  'a value that nests %i times is left out, and does no harm',
  levels => {
    const deep = `${'[0,'.repeat(levels)}[]${']'.repeat(levels)}`
    const fields = { id: 7, title: 't' }
    expect(record(`{"data":{"deep":${deep},"id":7,"title":"t"}}`)).toMatchObject({
      id: '7',
      fields
    })

    const error = { message: 'no', fields: { file: ['…'] } }
    expect(failure(`{"message":"no","errors":{"file":[${deep}]}}`)).toEqual(error)
  }
)

test('an error is a message, or a message with complaints by field', () => {
  expect(failure('{"message":"No."}')).toEqual({ message: 'No.', fields: {} })
  expect(failure('{"message":"No.","errors":["big"]}')).toEqual({ message: 'No.', fields: {} })

  const text = '{"message":"No.","errors":{"file":["big","odd",null,1,{"n":2}],"title":"long"}}'
  const fields = {
    file: ['big', 'odd', 'null', '1', '…'],
    title: ['long']
  }
  expect(failure(text)).toEqual({ message: 'No.', fields })
})

test.each(['', '{}', 'null', '{"message":7}', '"message"', '<p>', '{"errors":{"a":["b"]}}'])(
  '%j is no documented error',
  text => {
    expect(failure(text)).toBeUndefined()
  }
)

test('no bytes make a parser throw', () => {
  const json = fc.json({ maxDepth: 8 }).map(text => Buffer.from(text))
  const property = fc.property(fc.oneof(fc.uint8Array(), json), given => {
    answered(Buffer.from(given))
    parseError(Buffer.from(given))
  })
  fc.assert(property)
})
