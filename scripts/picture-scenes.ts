// Owns the scenes that pictures.ts draws: one run of dist/ against the sandbox for each outcome, and its summary; and the
// form of the button.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { zipOf } from '../__tests__/support/archives.ts'
import {
  openShop,
  type PublishOptions,
  type Shop,
  type ShopOptions
} from '../__tests__/support/shop.ts'
import { ROOT } from './manifest.ts'

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

/** A summary says this only because the shop is the sandbox. */
const SIMULATED = ', a simulated shop on this machine&#58;<!-- --> nobody was emailed.'
const REAL = '&#58;<!-- --> the shop emails its buyers.'
const LOCAL_HOST = /127\.0\.0\.1(?:&#58;<!-- -->|:)\d+/g

type Texts = Readonly<Record<string, string>>

interface SceneOptions {
  readonly shop?: ShopOptions
  readonly before?: (shop: Shop) => Promise<unknown>
  readonly run?: PublishOptions
}

/** Publishes, and shows the summary as that of a real shop. */
function scene(name: string, { shop: given, before, run }: SceneOptions): Scene {
  const play = async () => {
    const release = { body: FOR_BUYERS, ...given?.release }
    await using shop = await openShop({ ...given, release })
    await before?.(shop)

    const { summary } = await shop.publish(run)
    return summary
      .replaceAll(shop.service.url, 'https://shop.example.com')
      .replaceAll(LOCAL_HOST, 'shop.example.com')
      .replaceAll('http://shop.example.com', 'https://shop.example.com')
      .replaceAll(SIMULATED, REAL)
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
  await shop.publish({
    event,
    runId: '9000000',
    inputs: ATTACHED
  })

  attach(shop, '1.4.2', {
    'gallery/js/date.js': 'export const byDate\n',
    'gallery/js/sort.js': 'export const sort = albums => albums.toSorted(byDate)\n'
  })
}

const COMPLAINTS = {
  message: 'The given data was invalid.',
  errors: { title: ['The title is taken.'], changelog: ['The changelog is too long.'] }
}

/** A click on the button, with what is given in its form. */
function press(inputs: Texts): PublishOptions {
  return {
    event: { name: 'workflow_dispatch', payload: { inputs } },
    env: { GITHUB_WORKFLOW: 'Publish' },
    inputs: ATTACHED
  }
}

interface FormField {
  readonly description: string
  readonly options?: readonly string[]
}

/** The form of the button, as GitHub shows that of an example. */
async function playButton(): Promise<string> {
  const file = path.join(ROOT, 'examples', 'attached-file.yml')
  const workflow = parse(readFileSync(file, 'utf8'))
  const fields: readonly FormField[] = Object.values(workflow.on.workflow_dispatch.inputs)

  const style =
    'font: inherit; width: 100%; padding: 5px 8px; margin: 4px 0 14px; border-radius: 6px'
  const shown = fields.map(({ description, options }) => {
    const field =
      options === undefined
        ? `<input style="${style}; border: 1px solid #888; box-sizing: border-box">`
        : `<select style="${style}"><option>${options[0]}</option></select>`
    return `<b>${description}</b><br>${field}`
  })

  const button =
    '<span style="background: #1f883d; color: #fff; padding: 6px 14px; border-radius: 6px"><b>Run workflow</b></span>'
  const branch = `Use workflow from<br><select style="${style}; width: auto"><option>Branch: main</option></select><br>`
  return `<div style="max-width: 420px">${branch}${shown.join('')}${button}</div>`
}

/** A scene of a run that only differs in its inputs. */
function inputsScene(name: string, inputs: Texts): Scene {
  return scene(name, { run: { inputs } })
}

/** One scene for each outcome, and for each failure that looks different. */
export const SCENES: readonly Scene[] = [
  { name: 'button', play: playButton },
  scene('checked', { run: press({ mode: 'check', tag: '' }) }),
  scene('published', { before: publishLast, run: { inputs: ATTACHED } }),
  scene('skipped', { before: shop => shop.publish(), run: { attempt: 2 } }),
  scene('planned', { before: publishLast, run: press({ mode: 'plan', tag: 'v1.4.2' }) }),
  scene('unknown', {
    before: async ({ service }) => service.misbehave({ kind: 'reset-after-body', stored: true })
  }),
  inputsScene('failed-no-file', { file: 'build/*.zip' }),
  scene('failed-fields', {
    before: async ({ service }) => {
      service.misbehave({
        kind: 'answer',
        status: 422,
        stored: false,
        body: COMPLAINTS
      })
    }
  }),
  inputsScene('failed-inputs', { product: 'x', 'base-url': 'http://shop', mode: 'go' })
]
