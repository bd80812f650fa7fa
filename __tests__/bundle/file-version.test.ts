// Owns `file-version`: a file that is another version by its name is not published by a wildcard.
import { describe, expect, test } from '@jest/globals'
import { FILE, openShop } from '../support/shop.ts'

const NEXT = { inputs: { once: 'off' }, release: { tag: 'v1.5.0', name: 'Gallery 1.5.0' } }

describe('`agree`', () => {
  test.each(['dist/*.zip', 'dist/gallery-?.?.?.zip', '**/*-[0-9]*.zip'])(
    'what %s finds of another version is an error, before anything is sent',
    async file => {
      await using shop = await openShop(NEXT)
      const run = await shop.publish({ inputs: { file } })
      expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'file-version' })
      expect(run.annotations).toMatchObject([{ kind: 'error', title: 'Not published' }])
      const { message = '' } = run.annotations[0] ?? {}
      expect(message).toMatch(
        /^file: by its name, the file "gallery-1\.4\.2\.zip" is .*"1\.4\.2".*"1\.5\.0"/
      )
      expect(message).toContain('`file-version: any`')
      expect([shop.service.requests, shop.github.requests]).toEqual([[], []])
    }
  )

  test.each([
    ['its whole name', {}],
    ['a version name that agrees', { file: 'dist/*.zip', 'version-name': '1.4.2' }],
    ['a wildcard that excludes alone', { file: `${FILE}\n!dist/*-debug.zip` }]
  ])('by %s it is published', async (_, inputs) => {
    await using shop = await openShop(NEXT)
    const run = await shop.publish({ inputs: { file: FILE, ...inputs } })
    expect(run.outputs).toMatchObject({ outcome: 'published', sha256: shop.sha256 })
  })

  test.each([
    ['without a version', 'gallery.zip'],
    ['of the version', 'gallery-v1.5.0.zip'],
    ['of the version among others', 'gallery-1.5.0-for-php-8.3.zip'],
    ['with a number that is no version', 'gallery2-php8.3.zip'],
    ['with the version of another product', 'gallery-shopware-6.5.1.zip']
  ])('a name %s agrees', async (_, name) => {
    await using shop = await openShop(NEXT)
    await shop.write(`out/${name}`, 'content')
    const run = await shop.publish({ inputs: { file: 'out/*.zip' } })
    expect(run.outputs).toMatchObject({ outcome: 'published', file_name: name })
  })

  test('a plan finds it on the pull request', async () => {
    await using shop = await openShop({ ...NEXT, inputs: { mode: 'plan', token: '' } })
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'file-version' })
  })
})

test('`any`: it is published', async () => {
  await using shop = await openShop(NEXT)
  const run = await shop.publish({ inputs: { 'file-version': 'any' } })
  expect(run.outputs).toMatchObject({ outcome: 'published', file_name: 'gallery-1.4.2.zip' })
  expect(shop.service.versions).toMatchObject([{ versionName: '1.5.0', sha256: shop.sha256 }])
})

test('another word is an error', async () => {
  await using shop = await openShop(NEXT)
  const run = await shop.publish({ inputs: { 'file-version': 'maybe' } })
  expect(run.annotations[0]?.message).toContain(
    'file-version: "maybe" is not one of "agree", "any"'
  )
})
