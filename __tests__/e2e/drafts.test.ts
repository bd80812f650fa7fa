// Tests of dist/: drafts are planned before anybody sees them, and published by that plan.
import { expect, test } from '@jest/globals'
import type { ReleaseParts } from '../../sandbox/release.ts'
import { zipOf } from '../support/archives.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { BY_HAND, GITHUB_TOKEN, openShop, type Shop, summaryOf } from '../support/shop.ts'

const NAME = 'gallery-1.5.0.zip'
const FILES = {
  'gallery-1.5.0/gallery.php': '<?php // new',
  'gallery-1.5.0/lib.js': 'x'.repeat(99)
}
const SMALL = Array.from({ length: 22 }, (_, at) => `gallery-1.5.0/small-${at}`)
const ZIP = zipOf({ ...FILES, ...Object.fromEntries(SMALL.map(name => [name, '1'])) })
const NOTES = '- Faster thumbnails (#61)'
const COMMIT = 'd'.repeat(40)

/** A shop whose GitHub shows drafts, and puts its files on another origin. */
const open = () =>
  openShop({
    private: false,
    github: { redirectsAssets: true, permissions: { contents: 'write' } },
    inputs: { tag: 'v1.5.0', file: '', asset: 'gallery-{version}.zip' }
  })

function addRelease(shop: Shop, parts: Partial<ReleaseParts>) {
  const own = {
    tag: 'v1.5.0',
    name: 'Gallery 1.5',
    body: NOTES,
    assets: [{ name: NAME, content: ZIP }]
  }
  const extras = {
    contents: { [NAME]: ZIP },
    commit: COMMIT
  }
  shop.addRelease({ ...own, ...parts }, extras)
}

const run = (shop: Shop, inputs: Readonly<Record<string, string>>) => {
  const env = { GITHUB_REF: 'refs/heads/main' }
  return shop.publish({ event: BY_HAND, env, inputs })
}

test.each([
  ['attached to it', {}],
  ['built in the job', { asset: '', file: 'dist/*.zip', 'allow-other-version': 'true' }]
])(
  'what is planned of a draft is published with its release, with the file %s',
  async (_, inputs) => {
    await using shop = await open()
    addRelease(shop, { draft: true })

    const planned = await run(shop, { mode: 'plan', token: '', ...inputs })
    expect(planned.outputs).toMatchObject({ outcome: 'planned', reason: '' })
    expect(planned.annotations).toEqual([])

    const { sha256 = '' } = planned.outputs
    const shown = ['is still a draft', '/releases/tag/untagged-', sha256, 'Faster thumbnails']
    for (const text of shown) {
      expect(summaryOf(planned)).toContain(text)
    }

    const written = shop.github.requests.filter(({ method }) => method !== 'GET')
    expect(written).toEqual([])
    expectNothingAsked(shop)
    expect(JSON.stringify(shop.github.storageRequests)).not.toContain(GITHUB_TOKEN)

    // On GitHub, somebody publishes it.
    addRelease(shop, {})
    shop.github.setPermissions({ contents: 'read' })

    const published = await run(shop, { mode: 'publish', ...inputs, sha256 })
    expect(published.outputs).toMatchObject({ outcome: 'published', changelog: NOTES })
    expect(published.outputs.title).toBe('Gallery 1.5')
    expect(shop.service.versions).toMatchObject([{ sha256 }])
    expect(shop.github.deployments).toMatchObject([{ ref: 'v1.5.0', sha: COMMIT }])
  }
)
