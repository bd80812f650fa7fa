// A shop to publish to: the two stand-ins, a built workspace, and the action run in it as a user would.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type GitHub, type GitHubOptions, startGitHub } from '../../sandbox/github.ts'
import {
  type Release,
  type ReleaseParts,
  type RepositoryParts,
  release,
  releaseEvent
} from '../../sandbox/release.ts'
import type { ReleaseExtras } from '../../sandbox/releases.ts'
import type { Product } from '../../sandbox/routes.ts'
import { type Service, type ServiceOptions, startService } from '../../sandbox/service.ts'
import { OUTCOMES } from '../../src/report/result.ts'
import { packed, zipOf } from './archives.ts'
import { beginTake, describeGitHub, describeHistories, describeShop, IS_PLAY } from './recording.ts'
import { type EventOption, type Run, type RunOptions, runAction } from './runner.ts'

/** The token of the service, with characters that an encoding would change. */
export const TOKEN = 'shop|token/that+opens=nothing~here'
export const GITHUB_TOKEN = 'github-token-of-the-stand-in-that-opens-nothing'
export const RUN_ID = '9000001'
export const FILE = 'dist/gallery-1.4.2.zip'
export const NOTES = 'New in this version:\n\n- Albums can be sorted by date.\n- Faster thumbnails.'
export const BY_HAND: EventOption = { name: 'workflow_dispatch', payload: {} }

/** A run by the button, with these fields. */
export const press = (inputs: Inputs): EventOption => ({
  name: 'workflow_dispatch',
  payload: { inputs }
})

/** Product 12, with the benefit 34, is the token owner's; product 13 is somebody else's. */
const PRODUCTS: readonly Product[] = [
  {
    id: 12,
    yours: true,
    benefits: [{ id: 34, optionId: 5, name: 'Gallery for studios' }]
  },
  {
    id: 13,
    yours: false,
    benefits: []
  }
]

type Inputs = Readonly<Record<string, string>>
type Parts = Partial<ReleaseParts>

export interface ShopOptions {
  readonly service?: Partial<ServiceOptions>
  readonly github?: Partial<GitHubOptions>
  /** Private when left out. */
  readonly private?: boolean
  /** Its differences from `Gallery 1.4.2` of the tag `v1.4.2` with the notes above. */
  readonly release?: Parts
  /** Inputs of every run. */
  readonly inputs?: Inputs
  /** A folder with files, which stays as it is; a new one with a built plugin without it. */
  readonly workspace?: string
}

export interface PublishOptions extends RunOptions {
  /** `released` when left out; for the shop's own release, whose event it is without `event`. */
  readonly action?: string
  /** GITHUB_RUN_ATTEMPT and GITHUB_RUN_ID. */
  readonly attempt?: number
  readonly runId?: string
}

/** Where the stand-in for GitHub has the release. */
const OWNER = 'acme'
const NAME = 'gallery'

/**
 * Opens a shop with one release on GitHub, and its built file in the workspace. It closes itself at the end of the
 * block that says `await using shop = await openShop()`.
 */
export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const endTake = beginTake('servers')
  const service = await startService({
    token: TOKEN,
    sparesChecks: options.inputs?.mode !== 'check',
    products: PRODUCTS,
    ...options.service
  })
  const repository = {
    owner: OWNER,
    name: NAME,
    private: options.private ?? true
  }
  const github = await startGitHub({ token: GITHUB_TOKEN, repository, ...options.github })
  const workspace = options.workspace ?? (await realpath(await mkdtemp(join(tmpdir(), 'shop-'))))

  const shop = new Shop(options, service, github, repository, workspace, endTake)
  if (!options.workspace) await shop.write(FILE, shop.zip)
  shop.addRelease()
  return shop
}

/** The two stand-ins, a release and a workspace, and the action to run in it. */
export class Shop {
  readonly service: Service
  readonly github: GitHub
  readonly workspace: string
  /** The plugin as it was built, and its digest. */
  readonly zip = BUILT
  readonly sha256 = BUILT_SHA256
  readonly #endTake: ReturnType<typeof beginTake>
  readonly #options: ShopOptions
  readonly #repository: RepositoryParts

  /** `openShop` makes it. */
  constructor(
    options: ShopOptions,
    service: Service,
    github: GitHub,
    repository: RepositoryParts,
    workspace: string,
    endTake: ReturnType<typeof beginTake>
  ) {
    this.#endTake = endTake
    this.#options = options
    this.#repository = repository
    this.service = service
    this.github = github
    this.workspace = workspace
  }

  /** A release with the shop's parts but for these. GitHub does not have it until it is added. */
  release(parts: Parts = {}): Release {
    const own: ReleaseParts = {
      tag: 'v1.4.2',
      name: 'Gallery 1.4.2',
      body: NOTES,
      repository: this.#repository
    }
    return release({ ...own, ...this.#options.release, ...parts }, this.github.places)
  }

  /** Puts such a release on GitHub, in the place of the one with the same tag. */
  addRelease(parts?: Parts, extras?: ReleaseExtras): void {
    const made = this.release(parts)
    this.github.removeRelease(made.tag_name)
    this.github.addRelease(made, extras)
  }

  /** The event of such a release. */
  event(parts: Parts = {}, action = 'released'): EventOption {
    const { places } = this.github
    return {
      name: 'release',
      payload: releaseEvent(this.release(parts), action, this.#repository, places)
    }
  }

  /** The states of every claim, oldest first: one text a claim. */
  histories(): string[] {
    return this.github.deployments.map(({ statuses }) =>
      statuses.map(({ state }) => state).join(' ')
    )
  }

  /** Writes a file into the workspace; a `.zip` becomes an archive with that content. */
  async write(path: string, content: Buffer | string): Promise<void> {
    const file = join(this.workspace, path)
    await mkdir(dirname(file), { recursive: true })

    // The first two bytes of an archive.
    const isPacked = content.slice(0, 2).toString() === 'PK'
    await writeFile(file, path.endsWith('.zip') && !isPacked ? packed(content) : content)
  }

  /** Inputs of a healthy run, with these over them. */
  inputs(over: Inputs = {}): Inputs {
    return {
      'base-url': this.service.url,
      token: TOKEN,
      product: '12',
      file: 'dist/*.zip',
      ...this.#options.inputs,
      ...over
    }
  }

  /** The commit of the event's own tag, or of the shop's release. */
  #commitAt(event?: EventOption): string {
    const tag: unknown = Object(event?.payload).release?.tag_name
    const own = this.github.commitOf(String(tag))
    return own ?? this.github.commitOf(this.release().tag_name) ?? ''
  }

  /** Runs the action, and throws when the run breaks a promise of every run. */
  async publish(given: PublishOptions = {}): Promise<Run> {
    const { inputs, action, env, attempt = 1, runId = RUN_ID, ...others } = given
    const run = await runAction({
      workspace: this.workspace,
      githubToken: GITHUB_TOKEN,
      secrets: [TOKEN],
      credentials: [TOKEN, GITHUB_TOKEN],
      event: this.event({}, action),
      ...others,
      inputs: this.inputs(inputs),
      env: {
        GITHUB_REPOSITORY: `${OWNER}/${NAME}`,
        GITHUB_API_URL: this.github.url,
        GITHUB_SHA: this.#commitAt(given.event),
        GITHUB_RUN_ID: runId,
        GITHUB_RUN_ATTEMPT: String(attempt),
        ...env
      }
    })

    // Nothing is asked of a run that is killed.
    const breaches = given.interruption?.signal === 'SIGKILL' ? [] : breachesOf(run)
    if (breaches.length > 0 && !IS_PLAY) throw new Error(`${breaches.join('\n')}\n\n${run.log}`)
    return run
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#endTake({
      'requests to the shop': describeShop([...this.service.checks, ...this.service.requests]),
      'requests to GitHub': describeGitHub(this.github.requests),
      'histories of the deployments': describeHistories(this.github.deployments)
    })
    await Promise.all([this.service.close(), this.github.close()])
    if (!this.#options.workspace) await rm(this.workspace, { recursive: true, force: true })
  }
}

/** The promises of every run, whatever happens, that this one breaks. */
function breachesOf(run: Run): string[] {
  const { outcome = '' } = run.outputs
  const fails = ['failed', 'unknown'].includes(outcome)
  const promises: readonly (readonly [broken: boolean, breach: string])[] = [
    [run.missingOutputs.length > 0, `Outputs not set: ${run.missingOutputs.join()}`],
    [run.maskedOutputs.length > 0, `Outputs with a masked text: ${run.maskedOutputs.join()}`],
    [run.stderr !== '', `Something was printed to standard error: ${run.stderr}`],
    [run.summary === '', 'There is no summary'],
    [!Object.hasOwn(OUTCOMES, outcome), `Outcome: ${outcome}`],
    [run.exitCode !== (fails ? 1 : 0), `Exit code ${run.exitCode} with outcome ${outcome}`]
  ]
  return promises.filter(([broken]) => broken).map(([, breach]) => breach)
}

/** What a person reads on the page of a run. */
export function readBy({ annotations }: Run): string {
  return annotations.map(({ message }) => message).join('\n')
}

/** The summary as it reads: entities as their characters, without ports, times and random names. */
export function summaryOf({ summary }: Run): string {
  return summary
    .replaceAll('<!-- -->', '')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll(/127\.0\.0\.1:\d+/g, 'SHOP')
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

/** The same for hundreds of shops. */
const BUILT = buildPlugin()
const BUILT_SHA256 = createHash('sha256').update(BUILT).digest('hex')
