// Owns the scenes that pictures.ts draws: runs of dist/ against the sandbox, and their summaries.
import { createHash } from 'node:crypto'
import { zipOf } from '../__tests__/support/archives.ts'
import { openShop, type PublishOptions, press, type Shop } from '../__tests__/support/shop.ts'

/** A summary to draw. */
export interface Scene {
  readonly name: string
  play(): Promise<string>
}

const FOR_BUYERS = `## What is new

* Albums can be sorted by date by @mona in https://github.com/acme/gallery/pull/57
* Faster thumbnails (#61)
* Portrait photos keep their orientation

**Full Changelog**: https://github.com/acme/gallery/compare/v1.4.1...v1.4.2`

const LOCAL_HOST = /127\.0\.0\.1(?:&#58;<!-- -->|:)\d+/g

type Texts = Readonly<Record<string, string>>

/** Publishes after the last version, and shows the summary as that of a real shop. */
function scene(name: string, run: PublishOptions): Scene {
  const play = async () => {
    await using shop = await openShop({ release: { body: FOR_BUYERS }, inputs: ATTACHED })
    await publishLast(shop)

    const { summary } = await shop.publish(run)
    return summary
      .replaceAll(shop.service.url, 'https://shop.example.com')
      .replaceAll(LOCAL_HOST, 'shop.example.com')
      .replaceAll('http://shop.example.com', 'https://shop.example.com')
      .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '6f1c2d3e')
  }
  return { name, play }
}

/** Attaches an archive as large as a real one to the release of that version, and returns its event. */
function attach(shop: Shop, version: string, more: Texts) {
  const files: Record<string, string> = {
    'gallery/gallery.php': `<?php\n/* Plugin Name: Gallery\n * Version: ${version} */\n`
  }
  for (let index = 0; index < 48; index++) {
    const name = `gallery/assets/frame-${index}.svg`
    const noise = createHash('shake256', { outputLength: 32_000 }).update(name)
    files[name] = noise.digest('base64')
  }

  const name = `gallery-${version}.zip`
  const content = zipOf({ ...files, ...more })
  const parts = {
    tag: `v${version}`,
    name: `Gallery ${version}`,
    assets: [{ name, content }]
  }
  shop.addRelease(parts, { contents: { [name]: content } })
  return shop.event(parts)
}

const ATTACHED = { file: '', asset: 'gallery-{version}.zip' }

/** Publishes a version, and makes the release of the next one. */
async function publishLast(shop: Shop) {
  const event = attach(shop, '1.4.1', { 'gallery/js/date.js': 'export {}\n' })
  await shop.publish({ event, runId: '9000000' })

  attach(shop, '1.4.2', {
    'gallery/js/date.js': 'export const byDate\n',
    'gallery/js/sort.js': 'export const sort = albums => albums.toSorted(byDate)\n'
  })
}

export const SCENES: readonly Scene[] = [
  scene('published', {}),
  scene('planned', {
    event: press({ mode: 'plan', tag: 'v1.4.2' }),
    env: { GITHUB_WORKFLOW: 'Publish' }
  })
]
