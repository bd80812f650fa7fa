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
  play(): Promise<string>
}

const FOR_BUYERS = `## What is new

* Albums can be sorted by date by @mona in https://github.com/acme/gallery/pull/57
* Faster thumbnails (#61)
* Portrait photos keep their orientation

**Full Changelog**: https://github.com/acme/gallery/compare/v1.4.1...v1.4.2`

/** What only a shop on this machine makes a summary say. */
const SIMULATED = ', a simulated shop on this machine&#58;<!-- --> nobody was'
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
      .replaceAll(SIMULATED, name === 'rehearsal' ? SIMULATED : '&#58;<!-- --> buyers were')
      .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '6f1c2d3e')
  }
  return { name, play }
}

/** Lists licenses with these inputs, a week after a list that they may be compared with. */
function licensesScene(name: string, more: Texts): Scene {
  const play = async () => {
    const temp = await mkdtemp(path.join(tmpdir(), 'licenses-'))
    const licenses = { apiKey: 'key', pageOf: pagesByWeek(340, [12, 12, 13]) }
    const service = await startService({ token: 'none', products: [], licenses })
    const action = path.join(ROOT, 'licenses', 'action.yml')
    const inputs = { 'base-url': service.url, 'api-key': 'key', output: 'last-week.json' }
    await runAction({ action, workspace: temp, temp, inputs })
    const now = { ...inputs, 'compare-with': 'last-week.json', output: 'licenses.json', ...more }
    const { summary } = await runAction({ action, workspace: temp, temp, inputs: now })
    await service.close()
    await rm(temp, { recursive: true })
    return summary
      .replaceAll(temp, '/home/runner/work/gallery/gallery')
      .replaceAll(LOCAL_HOST, 'shop.example.com')
  }
  return { name, play }
}

const loseAnswer = async (shop: Shop) => {
  shop.service.misbehave({ kind: 'reset-after-body', stored: true })
}

const SETTLE = { mode: 'settle', 'settle-as': 'published', token: '', file: '', tag: 'v1.4.2' }
const AUDIT = { mode: 'audit', token: '', file: '' }
const AUDITED = { release: { at: '2026-01-01T00:00:00Z' } }

/** A run by hand with these inputs. */
function byHand(inputs: Texts): PublishOptions {
  return { event: { name: 'workflow_dispatch', payload: {} }, inputs }
}

/** Attaches an archive as large as a real one to the release of that version, and returns its event. */
function attach(shop: Shop, version: string, more: Texts, draft = false) {
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
  const assets = [{ name, content }]
  const parts = { tag: `v${version}`, name: `Gallery ${version}`, draft, assets }
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

const changelog = ['The changelog must not contain HTML.', 'The changelog is too long.']
const errors = { title: ['The title is taken.'], changelog }
const COMPLAINTS = { message: 'The given data was invalid.', errors }
const PLAN = { mode: 'plan', ...ATTACHED }

/** A scene of a run that only differs in its inputs. */
function inputsScene(name: string, inputs: Texts): Scene {
  return scene(name, { run: { inputs } })
}

/** Every outcome, and the failures that look different. */
export const SCENES: readonly Scene[] = [
  scene('published', {}),
  scene('skipped', { before: shop => shop.publish(), run: { attempt: 2 } }),
  scene('skipped-event', { run: { action: 'created' } }),
  scene('planned', { before: shop => publishLast(shop), run: { inputs: PLAN } }),
  scene('planned-draft', {
    shop: { github: { permissions: { contents: 'write' } } },
    before: shop => publishLast(shop, true),
    run: byHand({ ...PLAN, token: '', tag: 'v1.4.2' })
  }),
  scene('rehearsal', { run: { event: { name: 'pull_request', payload: {} } } }),
  inputsScene('checked', { mode: 'check' }),
  scene('settled', { run: byHand(SETTLE) }),
  scene('settled-not', {
    before: shop => shop.publish(),
    run: byHand({ ...SETTLE, 'settle-as': 'not-published' })
  }),
  scene('audited', { shop: AUDITED, before: publishAnother, run: byHand(AUDIT) }),
  scene('audited-missing', { shop: AUDITED, before: releaseAnother, run: byHand(AUDIT) }),
  scene('unknown', { before: loseAnswer }),
  scene('in-doubt', {
    before: async shop => {
      await loseAnswer(shop)
      await shop.publish()
    },
    run: { attempt: 2 }
  }),
  inputsScene('failed-no-file', { file: 'build/*.zip' }),
  scene('failed-several', {
    before: shop => shop.write('dist/gallery-1.4.1.zip', shop.zip),
    run: { inputs: { file: 'dist/*.zip' } }
  }),
  inputsScene('failed-token', { token: 'another-token-that-opens-nothing' }),
  scene('failed-fields', {
    before: async ({ service }) => {
      service.misbehave({ kind: 'answer', status: 422, stored: false, body: COMPLAINTS })
    }
  }),
  scene('failed-permission', {
    shop: { github: { permissions: { contents: 'read', deployments: 'read' } } }
  }),
  inputsScene('failed-inputs', { product: 'x', 'base-url': 'http://shop', mode: 'go' }),
  inputsScene('failed-not-approved', { 'approved-plan': 'a'.repeat(64) }),
  inputsScene('targets', { file: '', targets: `${TARGETS}34` }),
  inputsScene('targets-failed', { file: '', targets: `${TARGETS}99` }),
  licensesScene('licenses', { 'expires-within': '14' }),
  licensesScene('licenses-failed', { 'api-key': 'another-key' })
]
