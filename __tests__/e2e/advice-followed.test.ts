// Tests of dist/: each advice is followed to its end, as a person who reads it would.
import { expect, test } from '@jest/globals'
import type { AssetParts } from '../../sandbox/release.ts'
import { packed, zipOf } from '../support/archives.ts'
import type { Run } from '../support/runner.ts'
import { BY_HAND, FILE, openShop, type Shop } from '../support/shop.ts'
import { press } from './advice-scenes.ts'

/** The text that a person reads. */
function readBy(run: Run): string {
  return run.annotations.map(({ message }) => message).join('\n')
}

const NAME = 'gallery-1.4.2.zip'
const BY_ASSET = { file: '', asset: NAME, 'asset-timeout': '0' }

/** Attaches a file to the shop's release, in place of any other. */
function attach(shop: Shop, content: Buffer): void {
  const assets: AssetParts[] = [{ name: NAME, content }]
  shop.addRelease({ assets }, { contents: { [NAME]: content } })
}

test('a pre-release: it is final, so the box is unticked, and the job is run again', async () => {
  await using shop = await openShop({ release: { prerelease: true } })
  const event = shop.event({}, 'published')

  const skipped = await shop.publish({ event })
  expect(readBy(skipped)).toMatch(
    /\nIs it final\? Untick \*Set as a pre-release\* on GitHub, then press \*Re-run all jobs\* \(.*`released`.*\)\. To publish pre-releases, too, set `prerelease: publish`: .*every beta/
  )

  shop.addRelease({ prerelease: false })
  const again = await shop.publish({ event, attempt: 2 })
  expect(again.outputs.outcome).toBe('published')
})

test('a lower version: `allow-lower` is set', async () => {
  await using shop = await openShop({ inputs: { 'allow-other-version': 'true', file: FILE } })
  shop.addRelease({ tag: 'v1.5.0' })
  await shop.publish({ event: shop.event({ tag: 'v1.5.0' }) })

  const refused = await shop.publish({ runId: '2' })
  expect(refused.outputs.reason).toBe('lower-version')
  expect(readBy(refused)).toContain('set `allow-lower: true`.')

  const event = press({ mode: 'publish', tag: 'v1.4.2' })
  const inputs = { 'allow-lower': 'true' }
  const allowed = await shop.publish({ event, inputs, runId: '3' })
  expect(allowed.outputs.outcome).toBe('published')
})

const refusal = (field: string) =>
  ({
    kind: 'answer',
    status: 422,
    body: { message: 'No.', errors: { [field]: ['is too long'] } },
    stored: false
  }) as const

test('a title that the shop refuses is edited in the release', async () => {
  await using shop = await openShop()
  shop.service.misbehave(refusal('title'))
  const refused = await shop.publish()
  expect(readBy(refused)).toContain('Edit the release, then press *Re-run failed jobs*.')
  expect(readBy(refused)).not.toContain('Correct the workflow')

  shop.addRelease({ name: 'Gallery' })
  const again = await shop.publish({ attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'published', title: 'Gallery' })
})

test('a title of the workflow’s own that the shop refuses is corrected there', async () => {
  await using shop = await openShop({ inputs: { title: 'Gallery {version}' } })
  shop.service.misbehave(refusal('title'))
  const refused = await shop.publish()
  expect(readBy(refused)).toMatch(
    /Correct the workflow .*, and once that is green, with mode `publish`/
  )
})

test('a file that was attached late: it is attached, and the job is run again', async () => {
  await using shop = await openShop({ inputs: BY_ASSET })
  const early = await shop.publish()
  expect(early.outputs.reason).toBe('no-file')
  expect(readBy(early)).toContain(
    'If the file is still to come, attach it, then press *Re-run failed jobs*'
  )

  attach(shop, packed('The plugin.'))
  expect((await shop.publish({ attempt: 2 })).outputs.outcome).toBe('published')
})

test('a wrong pattern is corrected, and the button ends what the release began', async () => {
  await using shop = await openShop({ inputs: { ...BY_ASSET, asset: 'galery.zip' } })
  attach(shop, packed('The plugin.'))
  const wrong = await shop.publish()
  expect(readBy(wrong)).toMatch(
    /If `asset` is wrong, correct it\. Correct the workflow .*`publish` and tag `v1\.4\.2`/
  )

  const corrected = { event: press({ mode: 'publish', tag: 'v1.4.2' }), inputs: { asset: NAME } }
  expect((await shop.publish(corrected)).outputs.outcome).toBe('published')
})

test('a file that is not attached to an immutable release takes a new release', async () => {
  await using shop = await openShop({ inputs: BY_ASSET })
  shop.github.removeRelease('v1.4.2')
  shop.github.addRelease({ ...shop.release(), immutable: true })
  const sealed = await shop.publish()
  expect(readBy(sealed)).toContain('make a new release from a draft that has it')
})

test('an attached zip in a zip is replaced, and the job is run again', async () => {
  await using shop = await openShop({ inputs: BY_ASSET })
  attach(shop, zipOf({ 'inner.zip': 'PK' }))
  const wrapped = await shop.publish()
  expect(readBy(wrapped)).toContain('Replace the attached file, then press *Re-run failed jobs*.')
  expect(readBy(wrapped)).not.toContain('builds it')

  attach(shop, packed('The plugin.'))
  expect((await shop.publish({ attempt: 2 })).outputs.outcome).toBe('published')
})

test('the tag of a draft that GitHub does not show: the draft is published', async () => {
  await using shop = await openShop()
  shop.addRelease({ tag: 'v2.0.0', draft: true })
  const hidden = await shop.publish({ event: press({ mode: 'plan', tag: 'v2.0.0' }) })
  expect(readBy(hidden)).toContain('once it is published, that starts this workflow by itself')
})

test('a token that the shop refuses is replaced, and the workflow stays as it is', async () => {
  await using shop = await openShop()
  const refused = await shop.publish({ inputs: { token: 'another-token-here' } })
  expect(readBy(refused)).toContain('The token is wrong, expired or revoked')
  expect(readBy(refused)).not.toContain('Correct the workflow')

  expect((await shop.publish({ attempt: 2 })).outputs.outcome).toBe('published')
})

test('a plan without a token is not told to give one, whatever else is wrong', async () => {
  await using shop = await openShop()
  const run = await shop.publish({
    event: BY_HAND,
    inputs: { mode: 'plan', token: '', tag: 'v1.4.2', product: 'gallery' }
  })
  expect(readBy(run)).toMatch(/^product: /)
  expect(readBy(run)).not.toContain('token')
})

test('a `sha256` that is empty may be an output that GitHub has dropped', async () => {
  await using shop = await openShop()
  const run = await shop.publish({ inputs: { sha256: '' } })
  expect(readBy(run)).toContain('GitHub drops a job’s output that contains the value of a secret')
})

test('a check says what it asked, and leads to a plan', async () => {
  await using shop = await openShop()
  const checked = await shop.publish({ event: press({ mode: 'check', tag: '' }) })
  expect(checked.log).toMatch(/takes the token and knows product 12, with an empty form: it does/)
  expect(checked.log).toMatch(/\nNext: with the tag of a release, .* with mode `plan`\.\n/)
  expect(checked.summary).toContain('**Next:**')

  const planned = await shop.publish({ event: press({ mode: 'plan', tag: 'v1.4.2' }) })
  expect(planned.outputs.outcome).toBe('planned')
})
