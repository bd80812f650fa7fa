// Owns a shop to publish to: the two stand-ins, a built workspace, and the action run in it as a user would.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type GitHub, type GitHubOptions, startGitHub } from '../../sandbox/github.ts'
import { type Release, type ReleaseParts, release, releaseEvent } from '../../sandbox/release.ts'
import type { ReleaseExtras } from '../../sandbox/releases.ts'
import { type Service, type ServiceOptions, startService } from '../../sandbox/service.ts'
import { packed, zipOf } from './archives.ts'
import type { EventOption } from './environment.ts'
import { type Run, type RunOptions, runAction } from './runner.ts'

/** The token of the service, with characters that an encoding would change. */
export const TOKEN = 'shop|token/that+opens=nothing~here'
export const GITHUB_TOKEN = 'github-token-of-the-stand-in-that-opens-nothing'
export const RUN_ID = '9000001'
export const FILE = 'dist/gallery-1.4.2.zip'
export const NOTES = '## What is new\n\n- Albums can be sorted by date.\n- Faster thumbnails.'
/** Product 12 with benefit 34 are the token's owner's; product 13 is somebody else's. */
const PRODUCTS = [
  { id: 12, yours: true, benefits: [{ id: 34, optionId: 5, name: 'Gallery for studios' }] },
  { id: 13, yours: false, benefits: [] }
]

type Inputs = Readonly<Record<string, string>>
type Parts = Partial<ReleaseParts>

export interface ShopOptions {
  readonly service?: Partial<ServiceOptions>
  readonly github?: Partial<GitHubOptions>
  /** Private when left out. */
  readonly private?: boolean
  /** What differs from `Gallery 1.4.2` of the tag `v1.4.2` with the notes above. */
  readonly release?: Parts
  /** Inputs of every run. */
  readonly inputs?: Inputs
}

export interface PublishOptions extends Partial<Omit<RunOptions, 'inputs' | 'event' | 'env'>> {
  readonly inputs?: Inputs
  /** `released` when left out; for the shop's own release. */
  readonly action?: string
  /** Instead of the event of the shop's release. */
  readonly event?: EventOption
  readonly env?: Readonly<Record<string, string>>
  /** GITHUB_RUN_ATTEMPT and GITHUB_RUN_ID. */
  readonly attempt?: number
  readonly runId?: string
  /** For a run that is killed: nothing is asked of its outputs then. */
  readonly killed?: boolean
}

/** Closes itself at the end of the block that says `await using shop = await openShop()`. */
export interface Shop extends AsyncDisposable {
  readonly service: Service
  readonly github: GitHub
  readonly workspace: string
  readonly zip: Buffer
  readonly sha256: string
  /** A release with the shop's parts but for these; GitHub does not know it by that. */
  release(parts?: Parts): Release
  /** Puts it on GitHub, in the place of the one with the same tag. */
  addRelease(parts?: Parts, extras?: ReleaseExtras): Release
  event(parts?: Parts, action?: string): EventOption
  /** Writes a file into the workspace; a `.zip` becomes an archive with that content. */
  write(path: string, content: Buffer | string): Promise<void>
  /** Inputs of a healthy run, with these over them. */
  inputs(over?: Inputs): Inputs
  /** Runs the action, and throws when the run breaks what holds for every run. */
  publish(options?: PublishOptions): Promise<Run>
  close(): Promise<void>
}

/** Opens a shop with one release on GitHub, and its built file in the workspace. */
export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const repository = { owner: 'acme', name: 'gallery', private: options.private ?? true }
  const service = await startService({
    token: TOKEN,
    sparesChecks: options.inputs?.mode !== 'check',
    products: PRODUCTS,
    ...options.service
  })
  const github = await startGitHub({ token: GITHUB_TOKEN, repository, ...options.github })
  const workspace = await realpath(await mkdtemp(join(tmpdir(), 'shop-')))
  const zip = buildPlugin()
  const shop: Shop = {
    ...{ service, github, workspace, zip },
    sha256: createHash('sha256').update(zip).digest('hex'),
    release(parts = {}) {
      const own = { tag: 'v1.4.2', name: 'Gallery 1.4.2', body: NOTES, repository }
      return release({ ...own, ...options.release, ...parts }, github.places)
    },
    addRelease(parts, extras) {
      const made = shop.release(parts)
      github.removeRelease(made.tag_name)
      github.addRelease(made, extras)
      return made
    },
    event: (parts, action = 'released') => ({
      name: 'release',
      payload: releaseEvent(shop.release(parts), action, repository, github.places)
    }),
    async write(path, content) {
      await mkdir(dirname(join(workspace, path)), { recursive: true })
      const made = path.endsWith('.zip') && content.length > 0 && !isZip(content)
      await writeFile(join(workspace, path), made ? packed(content) : content)
    },
    inputs: over => ({
      ...{ 'base-url': service.url, token: TOKEN, product: '12', file: 'dist/*.zip' },
      ...options.inputs,
      ...over
    }),
    publish: given => runIn(shop, given),
    async close() {
      await Promise.all([service.close(), github.close()])
      await rm(workspace, { recursive: true, force: true })
    },
    [Symbol.asyncDispose]: () => shop.close()
  }
  await shop.write(FILE, zip)
  shop.addRelease()
  return shop
}

async function runIn(shop: Shop, given: PublishOptions = {}): Promise<Run> {
  const { inputs, action, event, env, attempt = 1, runId = RUN_ID, killed, ...options } = given
  const run = await runAction({
    workspace: shop.workspace,
    githubToken: GITHUB_TOKEN,
    secrets: [TOKEN],
    credentials: [TOKEN, GITHUB_TOKEN],
    ...options,
    inputs: shop.inputs(inputs),
    event: event ?? shop.event({}, action),
    env: {
      GITHUB_REPOSITORY: 'acme/gallery',
      GITHUB_API_URL: shop.github.url,
      GITHUB_RUN_ID: runId,
      GITHUB_RUN_ATTEMPT: String(attempt),
      ...env
    }
  })
  const breaches = killed ? [] : breachesOf(run)
  if (breaches.length > 0) throw new Error(`${breaches.join('\n')}\n\n${run.log}`)
  return run
}

const KINDS = ['error', 'warning', 'notice']

/** What every run promises, whatever happens; empty when it is kept. */
export function breachesOf(run: Run): string[] {
  const { outcome = '' } = run.outputs
  const fails = ['failed', 'unknown'].includes(outcome)
  const promises: readonly (readonly [broken: boolean, breach: string])[] = [
    [run.missingOutputs.length > 0, `Outputs not set: ${run.missingOutputs.join()}`],
    [run.undeclaredOutputs.length > 0, `Outputs not declared: ${run.undeclaredOutputs.join()}`],
    [run.maskedOutputs.length > 0, `Outputs with a masked text: ${run.maskedOutputs.join()}`],
    [run.unexpectedInputs.length > 0, `Inputs not declared: ${run.unexpectedInputs.join()}`],
    [
      KINDS.some(kind => run.annotations.filter(one => one.kind === kind).length > 10),
      'Too many annotations: GitHub shows ten of a kind'
    ],
    [run.faults.length > 0, `The runner found fault: ${run.faults.join()}`],
    [run.stderr !== '', `Something was printed to standard error: ${run.stderr}`],
    [run.summary === '', 'There is no summary'],
    [!OUTCOMES.includes(outcome), `Outcome: ${outcome}`],
    [run.exitCode !== (fails ? 1 : 0), `Exit code ${run.exitCode} with outcome ${outcome}`]
  ]
  return promises.filter(([broken]) => broken).map(([, breach]) => breach)
}

/** The summary as it reads: entities as their characters, without ports, times and random names. */
export function summaryOf({ summary }: Run): string {
  return summary
    .replaceAll('<!-- -->', '')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll(/127\.0\.0\.1:\d+/g, 'SHOP')
    .replaceAll(/(?<= · )[\d.]+ seconds/g, 'N seconds')
    .replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
}

/** A plugin as a build step would leave it. */
export function buildPlugin(version?: string): Buffer {
  const header = version === undefined ? '' : `\n * Version: ${version}`
  return zipOf({
    'gallery/gallery.php': `<?php\n/* Plugin Name: Gallery${header} */\n`,
    'gallery/readme.txt': '=== Gallery ===\nAlbums, sorted.\n'
  })
}

function isZip(content: Buffer | string): boolean {
  return content.slice(0, 2).toString() === 'PK'
}

const OUTCOMES = [
  ...['published', 'skipped', 'planned', 'checked', 'settled', 'audited', 'failed', 'unknown']
]
