// Tests of src/shop/form.ts: the table of the form’s fields reaches all that is made from it.
import { expect, test } from '@jest/globals'
import { base64Json, multipart, parseTemplate } from '../../src/shop/body.ts'
import { type FieldSources, FORM_FIELDS } from '../../src/shop/form.ts'
import type { TypedBody } from '../../src/shop/request.ts'
import { VERSION_FIELDS } from '../support/version-fields.ts'
import { fileOf } from './trying.ts'

const NAMES = FORM_FIELDS.map(({ name }) => name)
const TEMPLATE = parseTemplate('{"content": "{base64}"}')

async function textOf(body: TypedBody): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body.head()) chunks.push(Buffer.from(chunk))
  return Buffer.concat([...chunks, body.tail()]).toString()
}

test('each field is in both bodies, once', async () => {
  const form = await textOf(multipart(VERSION_FIELDS, fileOf(9)))
  const names = Array.from(form.matchAll(/form-data; name="(\w+)"/g), ([, name]) => name)
  expect(names.toSorted()).toEqual(NAMES.toSorted())

  const json = await textOf(base64Json(VERSION_FIELDS, fileOf(9), TEMPLATE))
  expect(Object.keys(JSON.parse(json))).toEqual(names)
})

test.each<[string, string, Partial<FieldSources>]>([
  ['title', 'title', {}],
  ['changelog', 'the release notes', {}],
  ['changelog', 'changelog', { textSource: 'changelog' }],
  ['changelog', 'changelog-file', { textSource: 'changelog-file' }],
  ['file', 'file', {}],
  ['file', 'asset', { asset: ['*.zip'] }]
])('the field %s comes from %s', (name, source, given) => {
  const inputs: FieldSources = { textSource: 'notes', asset: [], ...given }

  expect(FORM_FIELDS.find(field => field.name === name)?.source(inputs)).toBe(source)
})
