// Tests of dist/: the bytes of the file and of every field arrive at the service unchanged, on both routes.
import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { NOTES, openShop, TOKEN } from '../support/shop.ts'

const FORM = 'multipart/form-data; boundary='

interface Arrival {
  readonly name: string
  readonly inputs: Readonly<Record<string, string>>
  readonly path: string
  readonly type: string
}

const ARRIVALS: readonly Arrival[] = [
  {
    name: 'to the product',
    inputs: {},
    path: '/products/12/versions',
    type: FORM
  },
  {
    name: 'to the benefit',
    inputs: { benefit: '34' },
    path: '/products/12/benefits/34/versions',
    type: FORM
  },
  {
    name: 'as base64 in JSON',
    inputs: { upload: 'base64' },
    path: '/products/12/versions',
    type: 'application/json'
  }
]

test.each(ARRIVALS)(
  'one request brings the version $name, and its holders are notified once',
  async ({ inputs, path, type }) => {
    await using shop = await openShop({ service: { pathPrefix: '/eu/shop' } })
    await shop.publish({ inputs: { 'base-url': `${shop.service.url}///`, ...inputs } })

    expect(shop.service.versions).toMatchObject([
      {
        versionName: '1.4.2',
        changelogFormat: 'markdown',
        fileName: 'gallery-1.4.2.zip',
        route: inputs.benefit ? 'benefit' : 'product',
        size: shop.zip.length,
        sha256: shop.sha256,
        record: { title: 'Gallery 1.4.2', changelog: NOTES }
      }
    ])
    expect(await shop.service.versions[0]?.bytes()).toEqual(shop.zip)
    expect(shop.service.notifications).toMatchObject([{ versionId: 1001, mails: 3 }])

    expect(shop.service.requests).toHaveLength(1)
    const [request] = shop.service.requests
    expect(request).toMatchObject({
      method: 'POST',
      path: `/eu/shop/api${path}`,
      completed: true
    })

    // No other headers are sent.
    expect(request?.headers).toEqual({
      host: new URL(shop.service.url).host,
      connection: 'close',
      accept: 'application/json',
      authorization: `Bearer ${TOKEN}`,
      'content-type': expect.stringContaining(type),
      'content-length': String(request?.bytes),
      'user-agent': expect.stringMatching(/^publish-version\/\d/)
    })
  }
)

const AS_IT_IS = [
  'Spaces at line ends  \n\tand tabs\n\n\n\nstay',
  'f\u00fcr fu\u0308r修复 עברית العربية 👩🏽‍🚀 🏳️‍🌈 🇪🇺',
  '100 %25 %0A \\n &amp;',
  '--\n------x\nContent-Type: a\n\nlooks like a form',
  'a<<b\nghadelimiter_1\nb'
].join('\n\n')
const COMMANDS = [
  '::error::boo',
  '  ::set-output name=outcome::hacked',
  '::add-mask::Albums',
  'see ##[group]here ##[set-output name=id]1',
  '\u0085::stop-commands::never',
  '::set-env name=PATH::/nowhere'
].join('\n')

test('a changelog arrives byte for byte, except for line ends and the blank lines around it, and gives no commands', async () => {
  const body = `\n\n  One\r\n\r\nTwo\rThree\n\n${AS_IT_IS}\n\n${COMMANDS}\n\n`
  const arrives = `  One\n\nTwo\nThree\n\n${AS_IT_IS}\n\n${COMMANDS}`
  await using shop = await openShop({ release: { body, name: '::error::name' } })
  const run = await shop.publish()

  const record = { changelog: arrives, title: '::error::name' }
  expect(shop.service.versions).toMatchObject([{ record }])
  expect(run.outputs.changelog).toBe(arrives)
  expect(shop.service.requests[0]?.body.includes(`\r\n\r\n${arrives}\r\n`)).toBe(true)
  expect(run.annotations).toEqual([])

  const obeyed = run.commands.filter(({ name }) => name !== 'debug' && name !== 'add-mask')
  const group = expect.stringMatching(/^::group::Changelog: \d+ lines of markdown$/)
  expect(obeyed.map(({ line }) => line)).toEqual([group, '::endgroup::'])

  expect(run.masks).not.toContain('Albums')
  expect(run.log).toContain('| ::error::boo')
})

test('a file with letters and signs of all kinds in its name arrives', async () => {
  await using shop = await openShop()

  const fileName = "Galerie für Ärzte 🎁 (final) a&b=c;d'e% 20+#1.bin"
  const content = randomBytes(3_000_017)
  await shop.write(`out/${fileName}`, content)

  // 255 characters fit, also where some count them twice.
  const title = `{name}${'🎉'.repeat(242)}`
  const run = await shop.publish({
    inputs: {
      'version-name': '{version} ({tag})',
      title,
      file: 'out/*'
    }
  })

  const sha256 = createHash('sha256').update(content).digest('hex')
  expect(shop.service.versions).toMatchObject([
    {
      fileName,
      size: content.length,
      sha256,
      versionName: '1.4.2 (v1.4.2)',
      record: { title: title.replace('{name}', 'Gallery 1.4.2') }
    }
  ])
  expect(run.outputs).toMatchObject({ sha256, size: `${content.length}`, file_name: fileName })
})
