// Tests of dist/: a publication from a GitHub Enterprise Server of some years ago: below `/api/v3`, with a certificate
// of its own, and attached files without a digest.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { BY_HAND, buildPlugin, openShop } from '../support/shop.ts'
import { selfSign } from '../support/tls.ts'

test('a release of an older GitHub Enterprise Server is published once, with its attached file', async () => {
  const name = 'gallery-1.4.2.zip'
  const content = buildPlugin('1.4.2')
  const tls = selfSign()

  await using shop = await openShop({
    github: { tls },
    release: { name: null },
    inputs: {
      file: '',
      asset: '*.zip',
      'asset-timeout': '0.2',
      tag: 'v1.4.2'
    }
  })
  const assets = [{ name, content, digest: null }]
  shop.addRelease({ assets }, { contents: { [name]: content } })

  // The server's certificate is its own, and trusted by this variable.
  const authority = join(shop.workspace, 'authority.pem')
  await writeFile(authority, tls.cert)
  const env = {
    NODE_EXTRA_CA_CERTS: authority,
    GITHUB_SERVER_URL: shop.github.url,
    GITHUB_API_URL: `${shop.github.url}/api/v3`
  }

  const first = await shop.publish({ event: BY_HAND, env })
  expect(first.outputs).toMatchObject({ outcome: 'published', title: 'v1.4.2' })
  expect((await shop.service.versions[0]?.bytes())?.equals(content)).toBe(true)

  const again = await shop.publish({ event: BY_HAND, env, attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'skipped', reason: 'already-published' })
  expect([shop.service.versions.length, shop.histories()]).toEqual([1, ['in_progress success']])
})
