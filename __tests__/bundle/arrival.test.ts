// Owns what arrives at the service: the bytes of the file and of every field, on both routes.
import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { some } from '../support/deep.ts'
import { NOTES, openShop, TOKEN } from '../support/shop.ts'

const off = { inputs: { once: 'off' } }

describe('both routes', () => {
  test('without a benefit, the version goes to the product, once, and tells the holders once', async () => {
    await using shop = await openShop(off)
    await shop.publish()
    expect(shop.service.versions).toHaveLength(1)
    const [version] = shop.service.versions
    expect(version).toMatchObject({
      route: 'product',
      versionName: '1.4.2',
      changelogFormat: 'markdown',
      fileName: 'gallery-1.4.2.zip',
      size: shop.zip.length,
      sha256: shop.sha256,
      record: { title: 'Gallery 1.4.2', changelog: NOTES }
    })
    expect(await version?.bytes()).toEqual(shop.zip)
    expect(shop.service.notifications).toEqual([{ versionId: 1001, productId: 12, mails: 3 }])
  })

  test('with a benefit, the version goes to the benefit', async () => {
    await using shop = await openShop(off)
    await shop.publish({ inputs: { benefit: '34' } })
    expect(shop.service.versions).toHaveLength(1)
    const [version] = shop.service.versions
    expect(version).toMatchObject({
      route: 'benefit',
      versionName: '1.4.2',
      changelogFormat: 'markdown',
      fileName: 'gallery-1.4.2.zip',
      sha256: shop.sha256,
      record: { title: 'Gallery 1.4.2', changelog: NOTES, purchase_benefit_id: 34, option_id: 5 }
    })
    expect(await version?.bytes()).toEqual(shop.zip)
  })

  test('the request names its length, its sender and what it wants, and there is only one', async () => {
    await using shop = await openShop(off)
    await shop.publish()
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

  test('as base64 in JSON, the same arrives', async () => {
    await using shop = await openShop(off)
    await shop.publish({ inputs: { upload: 'base64' } })
    const [version] = shop.service.versions
    expect(shop.service.requests[0]?.headers['content-type']).toBe('application/json')
    expect(version).toMatchObject({
      versionName: '1.4.2',
      changelogFormat: 'markdown',
      fileName: 'gallery-1.4.2.zip',
      record: { title: 'Gallery 1.4.2', changelog: NOTES }
    })
    expect(await version?.bytes()).toEqual(shop.zip)
  })

  test('with the memory, the same arrives', async () => {
    await using shop = await openShop()
    await shop.publish()
    expect(shop.service.versions).toMatchObject([{ sha256: shop.sha256, versionName: '1.4.2' }])
  })
})

describe('the changelog, byte for byte', () => {
  const rows: readonly (readonly [name: string, notes: string, arrives: string])[] = [
    ['line ends of a browser become \\n', 'One\r\n\r\n- Two\r\n', 'One\n\n- Two'],
    ['a lone CR is a line end, too', 'One\rTwo', 'One\nTwo'],
    ['blank lines and spaces around it go', '\n\n  One\n\n', 'One'],
    ['spaces at line ends and tabs stay', 'One  \n\tTwo\n\n\n\nThree', 'One  \n\tTwo\n\n\n\nThree'],
    ['umlauts, either way of writing them', 'f\u00fcr fu\u0308r', 'f\u00fcr fu\u0308r'],
    ['scripts of all directions', '修复 עברית العربية', '修复 עברית العربية'],
    ['emoji of several code points', '👩🏽‍🚀 🏳️‍🌈 🇪🇺 done', '👩🏽‍🚀 🏳️‍🌈 🇪🇺 done'],
    ['percent signs and escapes as they are', '100 %25 %0A \\n &amp;', '100 %25 %0A \\n &amp;'],
    [
      'lines that look like a form',
      '--\n------x\nContent-Type: a\n\nb',
      '--\n------x\nContent-Type: a\n\nb'
    ],
    ['lines that look like the output file', 'a<<b\nghadelimiter_1\nb', 'a<<b\nghadelimiter_1\nb']
  ]
  test.each(some(rows, 4))('%s', async (_, notes, arrives) => {
    await using shop = await openShop({ ...off, release: { body: notes } })
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
    expect(obeyed).toEqual([])
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

  test('the input `changelog` stands in for the notes', async () => {
    await using shop = await openShop(off)
    await shop.publish({ inputs: { changelog: 'For you:\r\n- “nice” things\n' } })
    expect(shop.service.versions[0]?.record.changelog).toBe('For you:\n- “nice” things')
  })
})

describe('the file', () => {
  test.each(some(['x', 'xy', 'xyz'], 1))('as base64, "%s" arrives', async content => {
    await using shop = await openShop(off)
    await shop.write('out/app.bin', content)
    await shop.publish({ inputs: { upload: 'base64', file: 'out/*' } })
    expect((await shop.service.versions[0]?.bytes())?.toString()).toBe(content)
  })

  test.each([
    ['one byte', Buffer.from('x')],
    ['several chunks and a bit', randomBytes(3 * 1024 * 1024 + 17)],
    ['exactly one chunk', randomBytes(512 * 1024)]
  ])('%s arrives', async (_, content) => {
    await using shop = await openShop(off)
    await shop.write('out/app.bin', content)
    const run = await shop.publish({ inputs: { file: 'out/*' } })
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(shop.service.versions).toMatchObject([{ size: content.length, sha256 }])
    expect(run.outputs).toMatchObject({ sha256, size: String(content.length) })
  })

  test.each([
    ['spaces', 'My Gallery (final).zip'],
    ['umlauts', 'Galerie für Ärzte.zip'],
    ['emoji', '🎁 gift.zip'],
    ['signs that a shell or an address would read', "a&b=c;d'e%20+#1.zip"]
  ])('a name with %s arrives', async (_, name) => {
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

  test('255 emoji fit, with a warning that some count them twice', async () => {
    await using shop = await openShop(off)
    const run = await shop.publish({ inputs: { title: '🎉'.repeat(255) } })
    expect(shop.service.versions[0]?.record.title).toBe('🎉'.repeat(255))
    expect(run.annotations).toMatchObject([
      { kind: 'warning', message: expect.stringMatching(/^title: has 255 characters, but 510/) }
    ])
  })
})
