// Tests of dist/: a job's token as GitHub makes it today, a JWT of some 520 characters with dots and underscores.
import { expect, test } from '@jest/globals'
import { openShop } from '../support/shop.ts'

/** As `ghs_` with three parts in base64url; it opens nothing. */
const JWT = `ghs_${[120, 300, 94].map(length => 'fake-Token_0'.repeat(26).slice(0, length)).join('.')}`

test('publishes with it, and shows it nowhere', async () => {
  expect(JWT).toHaveLength(520)

  const content = Buffer.from('A file that is attached to the release.')
  await using shop = await openShop({ github: { token: JWT } })
  shop.addRelease(
    { assets: [{ name: 'gallery-1.4.2.txt', content }] },
    { contents: { 'gallery-1.4.2.txt': content } }
  )

  const inputs = { 'github-token': JWT, file: '', asset: 'gallery-{version}.txt' }
  const run = await shop.publish({ inputs, event: shop.event() })

  expect(run.outputs).toMatchObject({ outcome: 'published', reason: '' })
  expect(shop.github.deployments).toHaveLength(1)
  const shown = [run.log, run.summary, ...Object.values(run.outputs)].join('\n')
  for (const part of JWT.split('.')) expect(shown).not.toContain(part)
})
