// Owns what pictures.ts draws: one run of dist/ against the sandbox for each outcome, and its summary.
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { zipOf } from '../__tests__/support/archives.ts'
import { runAction } from '../__tests__/support/runner.ts'
import {
  openShop,
  type PublishOptions,
  type Shop,
  type ShopOptions
} from '../__tests__/support/shop.ts'
import { pagesByWeek } from '../sandbox/licenses.ts'
import { startService } from '../sandbox/service.ts'
import { ROOT } from './manifest.ts'

/** A summary to draw. */
export interface Scene {
  readonly name: string
  /** Whether the documentation shows it. */
  readonly documented?: true
  play(): Promise<string>
}

const FOR_BUYERS = [
  '## What is new',
  '',
  '* Albums can be sorted by date by @mona in https://github.com/acme/gallery/pull/57',
  '* Faster thumbnails (#61)',
  '* Portrait photos keep their orientation',
  '',
  '**Full Changelog**: https://github.com/acme/gallery/compare/v1.4.1...v1.4.2'
].join('\n')

/** What only a shop on this machine makes a summary say. */
const SIMULATED = ', a simulated shop on this machine&#58;<!-- --> nobody was'

function scene(
  name: string,
  options: {
    readonly shop?: ShopOptions
    readonly before?: (shop: Shop) => Promise<unknown>
    readonly run?: PublishOptions
    readonly documented?: true
  }
): Scene {
  return {
    name,
    ...(options.documented ? { documented: true } : {}),
    async play() {
      const release = { body: FOR_BUYERS, ...options.shop?.release }
      await using shop = await openShop({ ...options.shop, release })
      await options.before?.(shop)
      const { summary } = await shop.publish(options.run)
      return summary
        .replaceAll(shop.service.url, 'https://shop.example.com')
        .replaceAll(/127\.0\.0\.1&#58;<!-- -->\d+|127\.0\.0\.1:\d+/g, 'shop.example.com')
        .replaceAll(SIMULATED, name === 'rehearsal' ? SIMULATED : '&#58;<!-- --> buyers were')
        .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '6f1c2d3e')
    }
  }
}

/** Lists licenses with these inputs, a week after a list that they may be compared with. */
function licensesScene(name: string, inputs: Readonly<Record<string, string>>): Scene {
  return {
    name,
    async play() {
      const temp = await mkdtemp(path.join(tmpdir(), 'licenses-'))
      const licenses = { apiKey: 'key', pageOf: pagesByWeek(340, [12, 12, 13]) }
      const service = await startService({ token: 'none', products: [], licenses })
      const list = (output: string, more: typeof inputs = {}) =>
        runAction({
          ...{ action: path.join(ROOT, 'licenses', 'action.yml'), workspace: temp, temp },
          inputs: { 'base-url': service.url, 'api-key': 'key', output, ...more }
        })
      await list('last-week.json')
      const { summary } = await list('licenses.json', inputs)
      await service.close()
      await rm(temp, { recursive: true })
      return summary
        .replaceAll(temp, '/home/runner/work/gallery/gallery')
        .replaceAll(/127\.0\.0\.1&#58;<!-- -->\d+/g, 'shop.example.com')
    }
  }
}

const loseAnswer = async (shop: Shop) => {
  shop.service.misbehave({ kind: 'reset-after-body', stored: true })
}

const BY_HAND = { name: 'workflow_dispatch', payload: {} }
const SETTLE = { mode: 'settle', 'settle-as': 'published', token: '', file: '', tag: 'v1.4.2' }
const AUDIT = { mode: 'audit', token: '', file: '' }
const audited = { release: { at: '2026-01-01T00:00:00Z' } }
/** Attaches an archive as large as a real one to the release of that version, and gives its event. */
function attach(
  shop: Shop,
  version: string,
  more: Readonly<Record<string, string>>,
  draft = false
) {
  const pictures = Array.from({ length: 48 }, (_, index) => {
    const name = `gallery/assets/frame-${index}.svg`
    const noise = createHash('shake256', { outputLength: 32_000 }).update(name)
    return [name, noise.digest('base64')]
  })
  const header = `<?php\n/* Plugin Name: Gallery\n * Version: ${version} */\n`
  const files = { 'gallery/gallery.php': header, ...Object.fromEntries(pictures), ...more }
  const name = `gallery-${version}.zip`
  const content = zipOf(files)
  const parts = {
    tag: `v${version}`,
    name: `Gallery ${version}`,
    draft,
    assets: [{ name, content }]
  }
  shop.addRelease(parts, { contents: { [name]: content } })
  return shop.event(parts)
}

const ATTACHED = { file: '', asset: 'gallery-{version}.zip' }

/** Publishes a version, and makes the release of the next one. */
async function publishLast(shop: Shop, draft = false) {
  const event = attach(shop, '1.4.1', { 'gallery/js/date.js': 'export {}\n' })
  await shop.publish({ event, runId: '9000000', inputs: ATTACHED })
  const sort = { 'gallery/js/sort.js': 'export const sort = albums => albums.toSorted(byDate)\n' }
  const tests = draft ? { 'gallery/tests/sort.test.js': 'test()\n' } : {}
  attach(shop, '1.4.2', { 'gallery/js/date.js': 'export const byDate\n', ...sort, ...tests }, draft)
}

const TARGETS = '- product: 12\n  file: dist/*.zip\n- product: 12\n  file: dist/*.zip\n  benefit: '

/** Publishes the release, and makes another. */
async function releaseAnother(shop: Shop) {
  await shop.publish()
  shop.addRelease({ tag: 'v1.5.0', name: 'Gallery 1.5.0', at: '2026-02-01T00:00:00Z' })
}

async function publishAnother(shop: Shop) {
  await releaseAnother(shop)
  const event = shop.event({ tag: 'v1.5.0', name: 'Gallery 1.5.0' })
  await shop.publish({ event, runId: '9000002', inputs: { 'file-version': 'any' } })
}

/** Every outcome, and the failures that look different. */
export const SCENES: readonly Scene[] = [
  scene('published', {}),
  scene('skipped', { before: shop => shop.publish(), run: { attempt: 2 } }),
  scene('skipped-event', { run: { action: 'created' } }),
  scene('planned', {
    documented: true,
    before: shop => publishLast(shop),
    run: { inputs: { mode: 'plan', ...ATTACHED } }
  }),
  scene('planned-draft', {
    shop: { github: { permissions: { contents: 'write' } } },
    before: shop => publishLast(shop, true),
    run: { event: BY_HAND, inputs: { mode: 'plan', token: '', tag: 'v1.4.2', ...ATTACHED } }
  }),
  scene('rehearsal', { run: { event: { name: 'pull_request', payload: {} } } }),
  scene('checked', { run: { inputs: { mode: 'check' } } }),
  scene('settled', { run: { event: BY_HAND, inputs: SETTLE } }),
  scene('settled-not', {
    before: shop => shop.publish(),
    run: { event: BY_HAND, inputs: { ...SETTLE, 'settle-as': 'not-published' } }
  }),
  scene('audited', {
    shop: audited,
    before: publishAnother,
    run: { event: BY_HAND, inputs: AUDIT }
  }),
  scene('audited-missing', {
    ...{ shop: audited, before: releaseAnother, run: { event: BY_HAND, inputs: AUDIT } }
  }),
  scene('unknown', { before: loseAnswer }),
  scene('in-doubt', {
    before: async shop => {
      await loseAnswer(shop)
      await shop.publish()
    },
    run: { attempt: 2 }
  }),
  scene('failed-no-file', { run: { inputs: { file: 'build/*.zip' } } }),
  scene('failed-several', {
    before: shop => shop.write('dist/gallery-1.4.1.zip', shop.zip),
    run: { inputs: { file: 'dist/*.zip' } }
  }),
  scene('failed-token', { run: { inputs: { token: 'another-token-that-opens-nothing' } } }),
  scene('failed-fields', {
    before: async shop => {
      shop.service.misbehave({
        ...{ kind: 'answer', status: 422, stored: false },
        body: {
          message: 'The given data was invalid.',
          errors: {
            title: ['The title is taken.'],
            changelog: ['The changelog must not contain HTML.', 'The changelog is too long.']
          }
        }
      })
    }
  }),
  scene('failed-permission', {
    shop: { github: { permissions: { contents: 'read', deployments: 'read' } } }
  }),
  scene('failed-inputs', {
    run: { inputs: { product: 'x', 'base-url': 'http://shop', mode: 'go' } }
  }),
  scene('failed-not-approved', { run: { inputs: { 'approved-plan': 'a'.repeat(64) } } }),
  scene('targets', { run: { inputs: { file: '', targets: `${TARGETS}34` } } }),
  scene('targets-failed', { run: { inputs: { file: '', targets: `${TARGETS}99` } } }),
  licensesScene('licenses', { 'compare-with': 'last-week.json', 'expires-within': '14' }),
  licensesScene('licenses-failed', { 'compare-with': 'last-week.json', 'api-key': 'another-key' })
]
