// Owns drafts on dist/: planned before anybody sees them, published by that plan, and refused by all else.
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import type { ReleaseParts } from '../../sandbox/release.ts'
import { zipOf } from '../support/archives.ts'
import { makeFolder } from '../support/folders.ts'
import { BY_HAND, GITHUB_TOKEN, openShop, type Shop, summaryOf } from '../support/shop.ts'

const NAME = 'gallery-1.5.0.zip'
const FILES = {
  'gallery-1.5.0/gallery.php': '<?php // new',
  'gallery-1.5.0/lib.js': 'x'.repeat(99)
}
const SMALL = Array.from({ length: 22 }, (_, at) => `gallery-1.5.0/small-${at}`)
const ZIP = zipOf({ ...FILES, ...Object.fromEntries(SMALL.map(name => [name, '1'])) })
const NOTES = '- Faster thumbnails (#61)'
const LINKED = '- Faster thumbnails ([#61](https://github.com/acme/gallery/pull/61))'
const BODY_HTML = NOTES.replace(
  '#61',
  '<a class="issue-link" href="https://github.com/acme/gallery/pull/61">#61</a>'
)
const COMMIT = 'd'.repeat(40)

/** A shop whose GitHub shows drafts, and puts its files on another origin. */
const open = () =>
  openShop({
    private: false,
    github: { redirectsAssets: true, permissions: { contents: 'write' } },
    inputs: { tag: 'v1.5.0', file: '', asset: 'gallery-{version}.zip' }
  })

function addRelease(shop: Shop, parts: Partial<ReleaseParts>) {
  const own = { tag: 'v1.5.0', name: 'Gallery 1.5', body: NOTES }
  const assets = [{ name: NAME, content: ZIP }]
  const extras = { contents: { [NAME]: ZIP }, bodyHtml: BODY_HTML, commit: COMMIT }
  shop.addRelease({ ...own, assets, ...parts }, extras)
}

const addDraft = (shop: Shop, parts: Partial<ReleaseParts> = {}) =>
  addRelease(shop, { draft: true, ...parts })

const run = (shop: Shop, mode: string, inputs: Readonly<Record<string, string>> = {}) => {
  const token = ['plan', 'settle'].includes(mode) ? { token: '' } : {}
  const env = { GITHUB_REF: 'refs/heads/main' }
  return shop.publish({ event: BY_HAND, env, inputs: { mode, ...token, ...inputs } })
}

describe('what is planned of a draft', () => {
  test.each([
    ['attached to it', {}],
    ['built in the job', { asset: '', file: 'dist/*.zip', 'allow-other-version': 'true' }]
  ])('is published with its release, with the file %s', async (_, inputs) => {
    await using shop = await open()
    addDraft(shop)
    const planned = await run(shop, 'plan', inputs)
    expect(planned.outputs).toMatchObject({ outcome: 'planned', reason: '' })
    const { plan_digest: digest = '' } = planned.outputs
    expect(planned.annotations.filter(({ kind }) => kind !== 'notice')).toEqual([])
    expect(planned.annotations[0]?.message).toMatch(
      /^The release v1\.5\.0 is still a draft\. To pub/
    )
    const summary = summaryOf(planned)
    for (const text of ['is still a draft', '/releases/tag/untagged-', digest, LINKED]) {
      expect(summary).toContain(text)
    }
    const written = shop.github.requests.filter(({ method }) => method !== 'GET')
    expect([written, shop.service.requests]).toEqual([[], []])
    expect(JSON.stringify(shop.github.storageRequests)).not.toContain(GITHUB_TOKEN)

    // On GitHub, somebody publishes it.
    addRelease(shop, {})
    shop.github.setPermissions({ contents: 'read' })
    const published = await run(shop, 'publish', { ...inputs, 'approved-plan': digest })
    expect(published.outputs).toMatchObject({ outcome: 'published', changelog: LINKED })
    expect(published.outputs.title).toBe('Gallery 1.5')
    expect(shop.service.versions).toMatchObject([{ sha256: planned.outputs.sha256 }])
    expect(shop.github.deployments).toMatchObject([{ ref: 'v1.5.0', sha: COMMIT }])
  })

  test('is not published once the notes have changed', async () => {
    await using shop = await open()
    addDraft(shop)
    const { plan = '' } = (await run(shop, 'plan')).outputs
    addRelease(shop, { body: '- Other notes' })
    const refused = await run(shop, 'publish', { 'approved-plan': plan })
    expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'not-approved' })
    expect(shop.service.requests).toEqual([])
  })
})

test.each([
  ['publish', 'failed', 'draft'],
  ['settle', 'failed', 'draft'],
  ['check', 'checked', '']
])('`mode: %s` with the tag of a draft ends as %s', async (mode, outcome, reason) => {
  await using shop = await open()
  addDraft(shop)
  const file = mode === 'check' ? { asset: '' } : {}
  const as = mode === 'settle' ? { 'settle-as': 'published' } : {}
  const ended = await run(shop, mode, { ...file, ...as })
  expect(ended.outputs).toMatchObject({ outcome, reason })
  expect(shop.github.deployments).toEqual([])
  expect(shop.service.versions).toEqual([])
  const advice = 'Plan it now with `mode: plan`. For anything else, publish the release on GitHub'
  expect(ended.log.includes(advice)).toBe(reason === 'draft')
})

test('a draft that the job may not see is missing, with the permission that shows it', async () => {
  await using shop = await open()
  addDraft(shop)
  shop.github.setPermissions({ contents: 'read' })
  const planned = await run(shop, 'plan')
  expect(planned.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-input' })
  const advice =
    'add `contents: write` to the permissions of this job, and start the workflow again: GitHub shows drafts only with it, and `mode: plan` writes nothing.'
  expect(planned.log.split(advice)).toHaveLength(3)
})

test('two drafts with the same tag are listed', async () => {
  await using shop = await open()
  addDraft(shop)
  shop.github.addRelease(
    shop.release({ tag: 'v1.5.0', name: 'Again ::error::', draft: true, id: 77 })
  )
  const planned = await run(shop, 'plan')
  expect(planned.outputs).toMatchObject({ outcome: 'failed', reason: 'draft' })
  expect(planned.annotations[0]?.message).toMatch(
    /^2 releases have the tag v1\.5\.0.*\n {2}draft {2}"Again ::error::" {2}http:.*untagged-4d\n {2}draft {2}"Gallery 1\.5"/
  )
})

test('a plan shows what buyers will find changed in the file, and its digest does not depend on that', async () => {
  await using shop = await open()
  const last = zipOf({ 'gallery-1.4.2/gallery.php': '<?php // old', 'gallery-1.4.2/<b>.txt': 'b' })
  const assets = [{ name: 'gallery-1.4.2.zip', content: last }]
  shop.addRelease({ assets }, { contents: { 'gallery-1.4.2.zip': last } })
  addDraft(shop)
  const alone = await run(shop, 'plan')
  expect(alone.log).toContain('no version of product 12 is recorded as published')
  await run(shop, 'publish', { tag: 'v1.4.2' })

  const temp = makeFolder()
  const inputs = { ...shop.inputs(), mode: 'plan', token: '' }
  const planned = await shop.publish({ event: BY_HAND, temp, inputs })
  expect(planned.outputs.plan_digest).toBe(alone.outputs.plan_digest)
  const line = `Compared with "gallery-1.4.2.zip" of v1.4.2, which buyers have now: 23 files added, 1 removed, 1 changed; ${last.length} bytes before, 2.97 kB now.`
  expect(planned.log).toContain(line)
  expect(summaryOf(planned)).toContain(`<details><summary>${line}</summary>

| Added | Size |
|---|---|
| "gallery-1.5.0/lib.js" | 99 bytes |
${SMALL.slice(0, 19)
  .map(name => `| "${name}" | 1 byte |`)
  .join('\n')}
| … and 3 more |  |

| Removed | Size |
|---|---|
| "gallery-1.4.2/<b>.txt" | 1 byte |

| Changed | Before | Now |
|---|---|---|
| "gallery-1.5.0/gallery.php" | 12 bytes | 12 bytes |

</details>`)
  expect(planned.summary).not.toContain('<b>')
  expect(await readdir(temp)).toEqual([])
  expect(JSON.stringify(shop.github.storageRequests)).not.toContain(GITHUB_TOKEN)
})
