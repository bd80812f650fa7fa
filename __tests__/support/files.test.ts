// Tests of how the runner's files are read.
import { describe, expect, test } from '@jest/globals'
import { parsePairs } from './files.ts'

describe('pairs in a file', () => {
  test.each([
    ['a line', 'a=b', { a: 'b' }],
    ['a line with more equals signs', 'a=b=c<<d', { a: 'b=c<<d' }],
    ['an empty value', 'a=\n', { a: '' }],
    ['empty lines between', '\na=1\n\nb=2\n', { a: '1', b: '2' }],
    ['a block', 'a<<END\nx\ny=z\nEND\n', { a: 'x\ny=z' }],
    ['an empty block', 'a<<END\nEND\n', { a: '' }],
    ['a block of one empty line', 'a<<END\n\nEND', { a: '' }],
    ['a block that keeps CR', 'a<<END\nx\r\ny\nEND\n', { a: 'x\r\ny' }],
    ['a block whose delimiter holds an equals sign', 'a<<E=D\nx\nE=D\n', { a: 'x' }],
    ['the last of two', 'a=1\na=2\n', { a: '2' }]
  ])('%s', (_, text, pairs) => {
    expect(parsePairs(text)).toEqual({ pairs })
  })

  test.each([
    ['a line with neither', 'plain'],
    ['a line without a name', '=b'],
    ['a block without a name', '<<END\nEND\n'],
    ['a block without a delimiter', 'b<<\nx\n'],
    ['a block without its end', 'b<<END\nx\n'],
    ['a block whose end has a blank', 'b<<END\nx\nEND \n']
  ])('%s is a fault, and what stood before it counts', (_, text) => {
    expect(parsePairs(`a=1\n${text}`)).toEqual({ pairs: { a: '1' }, error: expect.any(String) })
  })
})
