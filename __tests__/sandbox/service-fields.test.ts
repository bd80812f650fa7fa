// Owns the proof that the stand-in refuses every wrong field by its name.
import { describe, expect, test } from '@jest/globals'
import { json, jsonFile, postParts, service, without } from './posting.ts'
import { fields, goodParts, type Part } from './sending.ts'

const long = 'ü'.repeat(256)

describe('field errors', () => {
  const cases: readonly [string, readonly Part[], readonly string[]][] = [
    ['nothing at all', [], ['version_name', 'title', 'changelog', 'file']],
    ['blank texts', without('title', ['title', ' \n']), ['title']],
    ['a long version name', without('version_name', ['version_name', long]), ['version_name']],
    ['a long title', without('title', ['title', long]), ['title']],
    [
      'an odd format',
      without('changelog_format', ['changelog_format', 'pdf']),
      ['changelog_format']
    ],
    ['an empty file', without('file', ['file', '', 'a.zip']), ['file']],
    ['a file without a name', without('file', ['file', 'text']), ['file']],
    ['a title that is a file', without('title', ['title', 'x', 'a.txt']), ['title']],
    ['an unknown field', [...goodParts, ['notify', '0']], ['notify']],
    ['a field given twice', [...goodParts, ['title', 'again']], ['title']],
    ['a file given twice', [...goodParts, ['file', 'again', 'b.zip']], ['file']]
  ]
  test.each(cases)('of %s', async (_, parts, names) => {
    const { status, answer } = await postParts(parts)
    expect(status).toBe(422)
    expect(answer).toEqual({ message: expect.any(String), errors: expect.any(Object) })
    expect(Object.keys(Object(answer).errors)).toEqual(names)
    expect(service.versions).toEqual([])
  })

  test.each([
    ['no file', fields, ['file']],
    ['a file that is text', { ...fields, file: 'UEs=' }, ['file']],
    [
      'a file of another shape',
      { ...fields, file: { filename: 'a', data: '' } },
      ['file.filename', 'file.data', 'file.name', 'file.content']
    ],
    ['base64 with a blank', { ...fields, file: { name: 'a', content: 'UEs= ' } }, ['file.content']],
    ['base64 for addresses', { ...fields, file: { name: 'a', content: '_-8=' } }, ['file.content']],
    [
      'base64 without padding',
      { ...fields, file: { name: 'a', content: 'UEs' } },
      ['file.content']
    ],
    ['an empty file', { ...fields, file: { name: 'a', content: '' } }, ['file']],
    ['a title that is a number', { ...fields, title: 1, file: jsonFile }, ['title']],
    ['an unknown field', { ...fields, extra: 'x', file: jsonFile }, ['extra']]
  ])('of JSON with %s', async (_, body, names) => {
    const { status, answer } = await json(body)
    expect({ status, names: Object.keys(Object(answer).errors) }).toEqual({ status: 422, names })
  })

  test('count code points, not code units', async () => {
    const { status } = await postParts(without('title', ['title', '😀'.repeat(255)]))
    expect(status).toBe(201)
  })
})
