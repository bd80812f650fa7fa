// Tests of src/shop/form.ts: the table of the form’s fields reaches all that is made from it.
import { expect, test } from '@jest/globals'
import type { PublishConfig } from '../../src/publish/config.ts'
import { type Publication, partsOf, planDigestOf } from '../../src/publish/publication.ts'
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

test('each field is in a plan, whose digest stays the same from version to version', () => {
  const publication = {
    ...VERSION_FIELDS,
    route: { product: 12 },
    file: { name: 'gallery.zip', size: 9 },
    sha256: 'ab'.repeat(32)
  } as Publication
  const config = {
    baseUrl: 'https://shop.example',
    upload: 'base64',
    base64File: TEMPLATE
  } as PublishConfig

  const parts = partsOf(config, publication)
  expect(parts.map(({ name }) => name)).toEqual([
    'base_url',
    'product',
    'benefit',
    'version_name',
    'title',
    'file_name',
    'size',
    'sha256',
    'changelog_sha256',
    'changelog_format',
    'upload',
    'base64_file'
  ])
  expect(planDigestOf(parts)).toBe(
    'cd17737fb287f955191ddc34873b60d83b2b175bd363f1f10904484a394d717c'
  )
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
