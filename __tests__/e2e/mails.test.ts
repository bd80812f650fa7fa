// Tests of dist/: mails that nobody meant to send are not sent, and each way out leads to the end.
import { describe, expect, test } from '@jest/globals'
import { BY_HAND, FILE, openShop, type PublishOptions, press, readBy } from '../support/shop.ts'

const ANY_FILE = { file: FILE, 'allow-other-version': 'true' }

describe('a version that calls itself a pre-release', () => {
  test('is not sent where the box is not ticked, nor planned', async () => {
    await using shop = await openShop({ release: { tag: 'v1.5.0-beta.1' }, inputs: ANY_FILE })
    for (const mode of ['plan', 'publish']) {
      const run = await shop.publish({ inputs: { mode } })
      expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'unmarked-prerelease' })
      expect(readBy(run)).toContain('tick *Set as a pre-release* on GitHub, then press')
    }
    expect(shop.service.versions).toEqual([])
  })

  test('is skipped once the box is ticked, and published with `prerelease: publish`, ticked or not', async () => {
    await using shop = await openShop({ release: { tag: 'v1.5.0-beta.1' }, inputs: ANY_FILE })
    shop.addRelease({ prerelease: true })
    const ticked = await shop.publish({ event: shop.event({ prerelease: true }, 'published') })
    expect(ticked.outputs).toMatchObject({ outcome: 'skipped', reason: 'prerelease' })

    shop.addRelease()
    const only = await shop.publish({ inputs: { prerelease: 'only' } })
    expect(only.outputs).toMatchObject({ outcome: 'failed', reason: 'unmarked-prerelease' })

    const wanted = await shop.publish({ inputs: { prerelease: 'publish' } })
    expect(wanted.outputs.outcome).toBe('published')
  })

  test('of a tag without a release has one way out, which leads to buyers; a mark has none to go', async () => {
    await using shop = await openShop({ inputs: { ...ANY_FILE, changelog: 'Faster.' } })
    shop.github.addTag('v1.5.0-rc.1', 'c0ffee'.padEnd(40, '0'))
    const inputs = { tag: 'v1.5.0-rc.1' }

    const refused = await shop.publish({ event: BY_HAND, inputs })
    expect(refused.outputs.reason).toBe('unmarked-prerelease')
    expect(readBy(refused)).not.toContain('tick')
    expect(readBy(refused)).toContain('set `prerelease: publish`')

    const mark = { ...inputs, mode: 'mark-published' }
    expect((await shop.publish({ event: BY_HAND, inputs: mark })).outputs.outcome).toBe('marked')
  })
})

test.each<[string, string, PublishOptions]>([
  ['a release, of a number that YAML has shortened', 'v1.10', { inputs: { tag: '1.1' } }],
  ['the button', 'v1.4.3', { event: press({ mode: 'publish', tag: 'v1.4.3' }) }],
  [
    'a pushed tag',
    'v1.4.3',
    { event: { name: 'push', payload: {} }, env: { GITHUB_REF: 'refs/tags/v1.4.3' } }
  ]
])(
  'a step’s own tag that is not the one of %s is an error; without it, the version goes out',
  async (_, tag, options) => {
    await using shop = await openShop({ release: { tag }, inputs: ANY_FILE })
    const inputs = { tag: 'v1.4.2', ...options.inputs }

    const refused = await shop.publish({ ...options, inputs })
    expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
    expect(readBy(refused)).toMatch(
      /^tag: ".*" is not the tag that this run is about, "v.*": leave `tag` out/
    )
    expect(shop.service.versions).toEqual([])

    const { outputs } = await shop.publish({ ...options, inputs: {} })
    expect(outputs.outcome).toBe('published')
  }
)

test('the button’s field wins over the ref that it was pressed on', async () => {
  await using shop = await openShop()
  const run = await shop.publish({
    event: press({ mode: 'publish', tag: 'v1.4.2' }),
    env: { GITHUB_REF: 'refs/tags/v1.0.0' },
    inputs: { tag: 'v1.4.2' }
  })
  expect(run.outputs.outcome).toBe('published')
})

test('a form whose field for the mode has another name publishes nothing, unless the step decides', async () => {
  await using shop = await openShop()
  const event = press({ dry_run: 'true', tag: 'v1.4.2' })
  const run = await shop.publish({ event })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(readBy(run)).toContain(
    'the button’s form has `dry_run`, and no field `mode`: call the field'
  )
  expect(readBy(run)).not.toContain('with mode `publish`')
  expect(shop.service.versions).toEqual([])

  const decided = await shop.publish({ event, inputs: { mode: 'publish' } })
  expect(decided.outputs.outcome).toBe('published')
})

test.each([
  ['SHOP_TOKEN', 'SHOP_TOKEN'],
  ['$SHOP_TOKEN', 'SHOP_TOKEN'],
  ['secrets.SHOP_TOKEN', 'SHOP_TOKEN'],
  ['env.SHOP_TOKEN', 'SHOP_TOKEN'],
  ['secrets.Shop_Token_2', 'Shop_Token_2'],
  ['$' + '{{ secrets.MY_KEY', 'MY_KEY']
])(
  'the name of a secret in place of the secret is an error that shows the line: %s',
  async (token, name) => {
    await using shop = await openShop()
    const run = await shop.publish({ inputs: { token }, secrets: [] })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
    expect(readBy(run)).toContain(`write \`token: $${'{{'} secrets.${name} }}\``)
    expect(shop.service.requests).toEqual([])
  }
)

test.each([
  [
    'the workflow’s own title',
    { title: 'Release refs/tags/v1.4.2' },
    {},
    /^title: "Release refs\/tags\/v1\.4\.2" has "refs\/tags\/" in it/
  ],
  [
    'a version',
    { 'version-name': '$' + '{{ github.ref_name }}' },
    {},
    /^version-name: "\$\{\{ github\.ref_name \}\}" contains/
  ],
  [
    'a release’s title',
    {},
    { name: 'Release refs/tags/v1.4.2' },
    /\nEdit the release, then press \*Re-run failed jobs\*\./
  ]
])('%s in which a step did not fill something in is not sent', async (_, inputs, release, said) => {
  await using shop = await openShop({ release })
  const run = await shop.publish({ inputs })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  expect(readBy(run)).toMatch(said)
  expect(shop.service.versions).toEqual([])
})

describe('the shop’s answers', () => {
  test('complaints about every required field mean that the server dropped the form', async () => {
    await using shop = await openShop()
    const errors = Object.fromEntries(
      ['version_name', 'title', 'changelog', 'file'].map(name => [name, ['The field is required.']])
    )
    shop.service.misbehave({
      kind: 'answer',
      status: 422,
      body: { message: 'The given data was invalid.', errors },
      stored: false
    })
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'rejected' })
    expect(readBy(run)).toMatch(
      /It received none of the fields\.\nThe server dropped the whole form, most likely for the size of the file \(in PHP: `post_max_size`/
    )
    expect(readBy(run)).not.toContain('in the shop already')
  })

  test('an answer that is not JSON is told as that, with its first words', async () => {
    await using shop = await openShop()
    shop.service.misbehave({
      kind: 'answer',
      status: 201,
      headers: { 'content-type': 'text/html' },
      body: '<br />\n<b>Warning</b>: Undefined variable $x in <b>/srv/app.php</b>\n{"data":{"id":7}}',
      stored: true
    })
    const run = await shop.publish()
    expect(run.outputs).toMatchObject({ outcome: 'unknown', reason: 'strange-answer' })
    expect(readBy(run)).toContain(`no JSON: "Warning : Undefined variable $x in /srv/app.php`)
  })

  test('a 401 that asks for a password is not about the token', async () => {
    await using shop = await openShop({ inputs: { mode: 'check' } })
    shop.service.misbehave({
      kind: 'answer',
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="Staging"' },
      body: 'Authorization required',
      stored: false
    })
    const run = await shop.publish({ event: press({ mode: 'check', tag: '' }) })
    expect(run.outputs.outcome).toBe('failed')
    expect(readBy(run)).toContain('A password protects the whole site')
    expect(readBy(run)).not.toContain('create one in the admin dashboard')
  })
})
