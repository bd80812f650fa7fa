// Owns what arrives at the service: the bytes of the file and of every field, on both routes.
import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { NOTES, openShop, TOKEN } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }

describe('both routes', () => {
  const arrived = {
    versionName: '1.4.2',
    changelogFormat: 'markdown',
    fileName: 'gallery-1.4.2.zip',
    record: { title: 'Gallery 1.4.2', changelog: NOTES }
  }

  test('without a benefit, one request brings the version to the product, and tells the holders once', async () => {
    await using shop = await openShop(off)
    await shop.publish()
    const { size, sha256 } = { size: shop.zip.length, sha256: shop.sha256 }
    expect(shop.service.versions).toMatchObject([{ ...arrived, route: 'product', size, sha256 }])
    expect(await shop.service.versions[0]?.bytes()).toEqual(shop.zip)
    expect(shop.service.notifications).toEqual([{ versionId: 1001, productId: 12, mails: 3 }])
    expect(shop.service.requests).toHaveLength(1)
    const [request] = shop.service.requests
    expect(request).toMatchObject({
      method: 'POST',
      path: '/api/products/12/versions',
      completed: true,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${TOKEN}`,
        'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/),
        'content-length': String(request?.bytes),
        'user-agent': expect.stringMatching(/^publish-version\/\d/)
      }
    })
    expect(request?.headers['transfer-encoding']).toBeUndefined()
  })

  test.each([
    ['with a benefit, to the benefit', { benefit: '34' }, 'benefit', /^multipart/],
    ['as base64 in JSON, to the product', { upload: 'base64' }, 'product', /^application\/json$/]
  ])('%s, the same arrives', async (_, inputs, route, type) => {
    await using shop = await openShop(off)
    await shop.publish({ inputs })
    expect(shop.service.versions).toMatchObject([{ ...arrived, route }])
    expect(await shop.service.versions[0]?.bytes()).toEqual(shop.zip)
    expect(shop.service.requests[0]?.headers['content-type']).toMatch(type)
  })
})

describe('the changelog, byte for byte', () => {
  const AS_IT_IS = [
    'Spaces at line ends  \n\tand tabs\n\n\n\nstay',
    'f\u00fcr fu\u0308r 修复 עברית العربية 👩🏽‍🚀 🏳️‍🌈 🇪🇺',
    '100 %25 %0A \\n &amp;',
    '--\n------x\nContent-Type: a\n\nlooks like a form',
    'a<<b\nghadelimiter_1\nb'
  ].join('\n\n')

  test('line ends become \\n, blanks around it go, and nothing else changes', async () => {
    const body = `\n\n  One\r\n\r\nTwo\rThree\n\n${AS_IT_IS}\n\n`
    const arrives = `One\n\nTwo\nThree\n\n${AS_IT_IS}`
    await using shop = await openShop({ ...off, release: { body } })
    const run = await shop.publish()
    expect(shop.service.versions[0]?.record.changelog).toBe(arrives)
    expect(run.outputs.changelog).toBe(arrives)
    expect(shop.service.requests[0]?.body.includes(`\r\n\r\n${arrives}\r\n`)).toBe(true)
  })

  test('lines that look like commands arrive, and command nothing', async () => {
    const notes = [
      '::error::boo',
      '  ::set-output name=outcome::hacked',
      '::add-mask::Albums',
      'see ##[group]here ##[set-output name=id]1',
      '\u0085::stop-commands::never',
      '::set-env name=PATH::/nowhere'
    ].join('\n')
    await using shop = await openShop({ ...off, release: { body: notes, name: '::error::name' } })
    const run = await shop.publish()
    expect(shop.service.versions[0]?.record).toMatchObject({
      changelog: notes,
      title: '::error::name'
    })
    expect(run.outputs.changelog).toBe(notes)
    expect(run.annotations).toEqual([])
    const obeyed = run.commands.filter(({ name }) => name !== 'debug' && name !== 'add-mask')
    expect(obeyed.map(({ line }) => line)).toEqual([
      '::group::Changelog: 6 lines of markdown',
      '::endgroup::'
    ])
    expect(run.masks).not.toContain('Albums')
    expect(run.log).toContain('| ::error::boo')
  })

  test('125,000 characters arrive, are an output, and stand in the summary', async () => {
    const line = '- Grüße 🎉 an alle, die <mit> `uns` gebaut haben.\n'
    const notes = line
      .repeat(Math.ceil(125_000 / line.length))
      .slice(0, 125_000)
      .trim()
    await using shop = await openShop({ ...off, release: { body: notes } })
    const run = await shop.publish()
    expect(shop.service.versions[0]?.record.changelog).toBe(notes)
    expect(run.outputs.changelog).toBe(notes)
    expect(run.summary).toContain(`\n${notes}\n`)
  })
})

describe('the file', () => {
  test.each([
    ['one byte', Buffer.from('x')],
    ['several chunks and a bit', randomBytes(3 * 1024 * 1024 + 17)]
  ])('%s arrives', async (_, content) => {
    await using shop = await openShop(off)
    await shop.write('out/app.bin', content)
    const run = await shop.publish({ inputs: { file: 'out/*' } })
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(shop.service.versions).toMatchObject([{ size: content.length, sha256 }])
    expect(run.outputs).toMatchObject({ sha256, size: String(content.length) })
  })

  test('a name with letters and signs of all kinds arrives', async () => {
    const name = "Galerie für Ärzte 🎁 (final) a&b=c;d'e%20+#1.zip"
    await using shop = await openShop(off)
    await shop.write(`out/${name}`, 'content')
    const run = await shop.publish({ inputs: { file: 'out/*.zip' } })
    expect(shop.service.versions.map(({ fileName }) => fileName)).toEqual([name])
    expect(run.outputs.file_name).toBe(name)
  })
})

describe('the texts', () => {
  test('templates are filled in with tag, version and name', async () => {
    await using shop = await openShop(off)
    await shop.publish({
      inputs: {
        'version-name': '{version} ({tag})',
        title: '{name} – {version}',
        file: '*/*-{version}.zip'
      }
    })
    expect(shop.service.versions[0]).toMatchObject({
      versionName: '1.4.2 (v1.4.2)',
      record: { title: 'Gallery 1.4.2 – 1.4.2' }
    })
  })

  test('a release without a name or an author is called by its tag', async () => {
    await using shop = await openShop({ ...off, release: { name: null, author: null } })
    await shop.publish()
    expect(shop.service.versions[0]?.record.title).toBe('v1.4.2')
  })

  test('255 emoji fit', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({ inputs: { title: '🎉'.repeat(255) } })
    expect(shop.service.versions[0]?.record.title).toBe('🎉'.repeat(255))
    expect(run.annotations).toEqual([])
  })
})
