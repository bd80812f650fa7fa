// All that is around the workflows of the documentation: a repository, programs, GitHub and a shop.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { env } from 'node:process'
import type { GitHub } from '../../sandbox/github.ts'
import { madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import type { Service } from '../../sandbox/service.ts'
import { readRecipes } from '../../scripts/workflows.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { GITHUB_TOKEN, openShop, RUN_ID, type Shop, TOKEN } from '../support/shop.ts'
import { type Place, type Played, playWorkflow } from '../support/workflow.ts'
import { NOTED, NOTES, sources } from './recipe-sources.ts'

const { PATH = '' } = env

const API_KEY = 'a-key-of-the-shop-that-opens-nothing'
export const WEBHOOK = 'https://discord.example.com/webhook-that-leads-nowhere'
/** How a recipe is started. */
export interface Start {
  /** `release`, `hand` or, on the tag, `started` with inputs, or another name; `release` when left out. */
  readonly event?: string
  /** The action of a `release`; `released` when left out. */
  readonly action?: string
  readonly tag?: string
  readonly inputs?: Readonly<Record<string, string>>
  /** What its reader changes in the workflow. */
  readonly edit?: (text: string) => string
  /** The value of the secret `SHOP_TOKEN`. */
  readonly token?: string
  /** The value of the secret `SHOP_API_KEY`. */
  readonly apiKey?: string
  /** The attempt of the run, from 1. */
  readonly attempt?: number
  /** How the attempt before ended, when only its failed jobs run again. */
  readonly failed?: ReadonlyMap<string, Played>
}

/** A run that a workflow has started with `gh`. */
export interface StartedRun {
  readonly file: string
  readonly ref: string
  readonly inputs: Readonly<Record<string, string>>
}

type Files = Readonly<Record<string, Buffer>>

/** What may be said about a release. */
interface ReleaseParts {
  readonly prerelease?: boolean
  readonly notes?: string
}

/** Opens a repository with the tag `v1.4.2`, GitHub, and a shop. */
export async function openStage(): Promise<RecipeStage> {
  const products = [12, 14].map(id => ({
    id,
    yours: true,
    benefits: [34, 35].map(benefit => ({
      id: benefit,
      optionId: 5,
      name: 'Other'
    }))
  }))
  const licenses = { apiKey: API_KEY, pageOf: pagesOf(madeUpLicenses(20)) }

  const shop = await openShop({ service: { products, licenses } })
  shop.github.removeRelease('v1.4.2')
  return new RecipeStage(shop)
}

/** All that is around the workflow of a recipe: the repository, GitHub, a shop, and programs that note their calls. */
export class RecipeStage {
  readonly service: Service
  readonly github: GitHub
  readonly #shop: Shop
  readonly #folder = makeFolder()
  readonly #bin = makeFolder()
  /** Each program adds a line for each call. */
  readonly #calls = join(this.#bin, 'calls')
  /** What a release tool makes when it runs next. */
  #due: readonly string[] = []

  constructor(shop: Shop) {
    this.service = shop.service
    this.github = shop.github
    this.#shop = shop
    cpSync(sources.folder, this.#folder, { recursive: true })
    cpSync(sources.bin, this.#bin, { recursive: true })
    putFile(this.#calls, '')
    putFile(join(this.#bin, 'refused'), '')
  }

  /** A release tool makes these releases when it runs next, and none after that. */
  setDue(...tags: readonly string[]): void {
    this.#due = tags
  }

  /** From now on, GitHub starts no workflow on this tag. */
  refuseToStart(tag: string): void {
    putFile(join(this.#bin, 'refused'), `${tag}\n`)
  }

  /** From now on, `gh` shows these deployments of an environment, and each one's newest status. */
  showDeployments(
    shown: readonly { readonly id: number; readonly tag: string; readonly status: string }[]
  ): void {
    const lines = shown.map(({ id, tag }) => `${id} ${tag}\n`)
    putFile(join(this.#bin, 'deployments'), lines.join(''))
    for (const { id, status } of shown) putFile(join(this.#bin, `status-${id}`), status)
  }

  /** From now on, a program fails. */
  breakProgram(name: string): void {
    putFile(join(this.#bin, name), `${NOTED}exit 22\n`)
  }

  /** Makes a release with these files, and its tag. */
  addRelease(
    tag: string,
    files: Files,
    { prerelease = false, notes = NOTES }: ReleaseParts = {}
  ): void {
    const { commit } = sources
    const assets = Object.entries(files).map(([name, content]) => ({ name, content }))
    const parts = {
      tag,
      name: `Gallery ${tag}`,
      body: notes,
      prerelease,
      assets
    }
    this.#shop.addRelease(parts, { contents: files, commit })
    putFile(join(this.#folder, '.git/refs/tags', tag), `${commit}\n`)
  }

  /** The calls of programs so far: name, folder and arguments; an empty one is the last. */
  listCalls(): string[][] {
    return readFileSync(this.#calls, 'utf8')
      .split('\n')
      .map(line => line.split('\t').slice(0, -1))
  }

  /** The runs that workflows have asked GitHub to start so far, those that it refused included. */
  listStarted(): StartedRun[] {
    const calls = this.listCalls().filter(
      ([, , group, verb]) => `${group} ${verb}` === 'workflow run'
    )
    return calls.map(([, , , , file = '', , ref = '', ...fields]) => {
      const pairs = fields.filter(it => it !== '-f').map(it => it.split('='))
      return { file, ref, inputs: Object.fromEntries(pairs) }
    })
  }

  /** Plays a recipe to its end; returns its steps and jobs by name. */
  play(heading: string, start: Start = {}): Promise<Map<string, Played>> {
    const { event = 'release', tag = 'v1.4.2', inputs = {} } = start
    const { edit = text => text, token = TOKEN, apiKey = API_KEY } = start
    const { attempt = 1, failed = new Map() } = start
    const recipe = readRecipes().find(it => it.heading === heading)
    if (recipe === undefined) throw new Error(`There is no workflow under #${heading}`)

    const isTagged = event === 'release' || event === 'started'
    const ref = isTagged ? `refs/tags/${tag}` : 'refs/heads/main'
    const isByHand = event === 'hand' || event === 'started'
    const name = isByHand ? 'workflow_dispatch' : event
    const text = recipe.text.replaceAll('https://shop.example.com', this.service.url)

    return playWorkflow(edit(text), {
      githubToken: GITHUB_TOKEN,
      env: { ...this.#variables(ref), GITHUB_RUN_ATTEMPT: String(attempt) },
      event: { name, payload: this.#payloadOf(start) },
      contexts: {
        inputs,
        secrets: {
          SHOP_TOKEN: token,
          SHOP_API_KEY: apiKey,
          DISCORD_WEBHOOK: WEBHOOK
        },
        github: {
          ref,
          ref_name: basename(ref),
          event_name: name,
          repository: 'acme/gallery',
          server_url: 'https://github.com',
          run_id: RUN_ID,
          sha: sources.commit,
          token: GITHUB_TOKEN
        }
      },
      startJob: ({ contents = 'none', deployments = 'none' }) => {
        const permissions = { contents: levelOf(contents), deployments: levelOf(deployments) }
        this.github.setPermissions(permissions)
      },
      ended: new Map([...failed].filter(([, { result }]) => result === 'success')),
      use: (action, given, place) => this.#use(action, given, place)
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#shop[Symbol.asyncDispose]()
  }

  #variables(ref: string): Record<string, string> {
    return {
      PATH: `${this.#bin}:${PATH}`,
      CALLS: this.#calls,
      GITHUB_REPOSITORY: 'acme/gallery',
      GITHUB_API_URL: this.github.url,
      GITHUB_SHA: sources.commit,
      GITHUB_WORKFLOW: 'Publish',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GITHUB_RUN_ID: RUN_ID,
      GITHUB_REF: ref,
      GITHUB_REF_NAME: basename(ref)
    }
  }

  #payloadOf({ event = 'release', action, tag = 'v1.4.2', inputs = {} }: Start): unknown {
    if (event === 'hand' || event === 'started') return { inputs }
    if (event !== 'release') return {}
    return this.#shop.event({ tag, name: `Gallery ${tag}`, body: NOTES }, action).payload
  }

  /** Does what somebody else's action does, as far as a recipe needs it. */
  async #use(
    action: string,
    inputs: Readonly<Record<string, string>>,
    { workspace }: Place
  ): Promise<Record<string, string>> {
    const [name = ''] = action.split('@')
    if (name === 'actions/checkout') {
      // A clone would start three programs more.
      cpSync(this.#folder, workspace, { recursive: true })
      const at = inputs.ref?.replace(/^refs\/(?:heads|tags)\//, '') || 'main'
      execFileSync('git', ['checkout', '--quiet', '--detach', at], { cwd: workspace })
    }

    const isTool = name === 'changesets/action' || name === 'googleapis/release-please-action'
    if (!isTool) return {}

    const tags = this.#due
    this.#due = []
    for (const tag of tags) this.addRelease(tag, {})
    return name === 'changesets/action' ? outputsOfChangesets(tags) : outputsOfReleasePlease(tags)
  }
}

/** Of tags such as `gallery@1.4.2`. */
function outputsOfChangesets(tags: readonly string[]): Record<string, string> {
  const packages = tags.map(tag => tag.split('@')).map(([name, version]) => ({ name, version }))
  return {
    published: String(packages.length > 0),
    'published-packages': JSON.stringify(packages)
  }
}

/** Of tags such as `v1.4.2` at the root, and `gallery-v1.4.2` in a folder. */
function outputsOfReleasePlease(tags: readonly string[]): Record<string, string> {
  const outputs: Record<string, string> = {
    releases_created: String(tags.length > 0),
    prs_created: 'false'
  }
  for (const tag of tags) {
    const [, name] = /^(.*)-v\d/.exec(tag) ?? []
    const before = name === undefined ? '' : `packages/${name}--`
    outputs[`${before}release_created`] = 'true'
    outputs[`${before}tag_name`] = tag
    outputs[`${before}body`] = NOTES
  }
  return outputs
}

function levelOf(text: string): 'write' | 'read' | 'none' {
  return text === 'write' || text === 'read' ? text : 'none'
}

/** The outcomes of our actions, by step. */
export function outcomesOf(played: ReadonlyMap<string, Played>): Record<string, string> {
  const ended = [...played].filter(([name, { outputs }]) => name.includes('.') && outputs.outcome)
  return Object.fromEntries(ended.map(([name, { outputs }]) => [name, outputs.outcome ?? '']))
}
