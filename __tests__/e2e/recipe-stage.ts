// All that is around the workflows of the documentation: a repository, programs, GitHub and a shop.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { env } from 'node:process'
import type { GitHub } from '../../sandbox/github.ts'
import { madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import type { Service } from '../../sandbox/service.ts'
import { readRecipes } from '../../scripts/workflows.ts'
import { zipOf } from '../support/archives.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { GITHUB_TOKEN, openShop, RUN_ID, type Shop, TOKEN } from '../support/shop.ts'
import { type Place, type Played, playWorkflow } from '../support/workflow.ts'

const API_KEY = 'a-key-of-the-shop-that-opens-nothing'
export const WEBHOOK = 'https://discord.example.com/webhook-that-leads-nowhere'
const NOTES = '- Albums can be sorted by date.'

const { PATH = '' } = env

/** The files of the repository; the programs that build are scripts of its own. */
const SOURCES = {
  'gallery.php': '<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n',
  'readme.txt': `=== Gallery ===\n== Changelog ==\n= 1.4.2 =\n${NOTES}\n= 1.4.1 =\n- Old.\n`,
  'plugin.yml': 'name: Gallery\nversion: 1.4.2\n',
  'style.css': '/*\nTheme Name: Gallery\nVersion: 1.4.2\n*/\n',
  'composer.json': '{"name": "acme/gallery"}',
  'src/Gallery.php': '<?php\n',
  'includes/albums.php': '<?php\n',
  'assets/gallery.css': 'a {}\n',
  'CHANGELOG.md': `# Changelog\n\n## [1.4.2](https://example.com) (2026-01-31)\n\n${NOTES}\n\n## 1.4.1\n\n- Old.\n`,
  '.release-please-manifest.json': '{".": "1.4.2"}',
  '.gitattributes': '*.sh export-ignore\n',
  'build.sh': `#!/bin/sh
case "$1" in '') name=gallery ;; pro) name=gallery-pro ;; *) name=$1 ;; esac
mkdir -p dist && git archive --prefix gallery/ -o "dist/$name-1.4.2.zip" HEAD
`,
  gradlew: `#!/bin/sh\nmkdir -p build/libs && git archive --format zip -o "build/libs/gallery-\${2#-Pversion=}.jar" HEAD\n`
}

/** The archive that is attached to a release. */
export const built = zipOf({ 'gallery/gallery.php': SOURCES['gallery.php'] })

/** Notes its name, its folder and its arguments. */
const NOTED = `#!/bin/sh
{ printf '%s\\t' "$(basename "$0")" "$PWD" "$@"; echo; } >> "$CALLS"
`

/** The programs around the steps: all note how they are called, and some do what the recipe needs of them. */
const PROGRAMS = {
  gh: `${NOTED}case "$1 $2" in
  "attestation verify") [ -f "$(dirname "$0")/attested" ] ;;
  "api --paginate")
    case "$*" in
      *deployments*) cat "$(dirname "$0")/deployments" ;;
      *) cat "$(dirname "$0")/tags" ;;
    esac ;;
  api\\ repos/*/statuses) cat "$(dirname "$0")/status-$(basename "$(dirname "$2")")" ;;
esac
`,
  sleep: NOTED,
  npm: NOTED,
  composer: NOTED,
  curl: NOTED,
  rsync: `${NOTED}for to; do :; done && mkdir -p "$to" && cp gallery.php readme.txt style.css "$to"\n`,
  zip: `${NOTED}out=$PWD/$2 && cd .. && git add --force pack && git archive --output "$out" "$(git write-tree):pack"\n`
}

function runGit(cwd: string, ...args: readonly string[]): string {
  const who = [
    'user.name=a',
    'user.email=a@example.com',
    'core.hooksPath=/none',
    'maintenance.auto=false'
  ]
  const variables = {
    ...env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null'
  }
  const given = [...who.flatMap(it => ['-c', it]), ...args]
  return execFileSync('git', given, { cwd, env: variables }).toString().trim()
}

interface Sources {
  /** The repository. */
  readonly folder: string
  /** The programs. */
  readonly bin: string
  /** The commit of the tag. */
  readonly commit: string
}

/** Makes the repository and the programs, of which every stage has a copy. */
function makeSources(): Sources {
  const folder = makeFolder(SOURCES)
  const bin = makeFolder()
  for (const [name, text] of Object.entries(PROGRAMS)) {
    putFile(join(bin, name), text)
    chmodSync(join(bin, name), 0o755)
  }
  for (const name of ['build.sh', 'gradlew']) chmodSync(join(folder, name), 0o755)

  runGit(folder, 'init', '--quiet', '--initial-branch=main')
  runGit(folder, 'add', '.')
  runGit(folder, 'commit', '--quiet', '--message=a')
  const commit = runGit(folder, 'rev-parse', 'HEAD')

  // A build of the branch's code under the tag's name has this file, too.
  putFile(join(folder, 'later.php'))
  runGit(folder, 'add', '.')
  runGit(folder, 'commit', '--quiet', '--message=b')
  return { folder, bin, commit }
}

const sources = makeSources()

/** How a recipe is started. */
export interface Start {
  /** `release`, `hand` with inputs, `tag`, or another name; `release` when left out. */
  readonly event?: string
  readonly tag?: string
  readonly inputs?: Readonly<Record<string, string>>
  /** Which of the workflows under the heading, from 0. */
  readonly nth?: number
  /** What its reader changes in the workflow. */
  readonly edit?: (text: string) => string
  /** The value of the secret `SHOP_TOKEN`. */
  readonly token?: string
  /** The attempt of the run, from 1. */
  readonly attempt?: number
}

type Files = Readonly<Record<string, Buffer>>

/** What may be said about a release. */
interface ReleaseParts {
  readonly draft?: boolean
  /** Its date, in ISO 8601. */
  readonly at?: string
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
  /** The tags of the repository, as `gh` lists them. */
  #tags: readonly string[] = []
  /** How many of the calls were obeyed. */
  #obeyed = 0

  constructor(shop: Shop) {
    this.service = shop.service
    this.github = shop.github
    this.#shop = shop
    cpSync(sources.folder, this.#folder, { recursive: true })
    cpSync(sources.bin, this.#bin, { recursive: true })
    putFile(this.#calls, '')
    putFile(join(this.#bin, 'tags'), '')
  }

  /** From now on, the attached file is attested. */
  attest(): void {
    putFile(join(this.#bin, 'attested'))
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

  /** Makes a release with these files, and its tag unless it is a draft. */
  addRelease(
    tag: string,
    files: Files,
    { draft = false, at, notes = NOTES }: ReleaseParts = {}
  ): void {
    const { commit } = sources
    const assets = Object.entries(files).map(([name, content]) => ({ name, content }))
    const parts = {
      tag,
      name: `Gallery ${tag}`,
      body: notes,
      draft,
      assets,
      ...(at === undefined ? {} : { at })
    }
    this.#shop.addRelease(parts, { contents: files, commit })
    if (draft) return

    putFile(join(this.#folder, '.git/refs/tags', tag), `${commit}\n`)
    this.#tags = [...this.#tags, tag]
    putFile(join(this.#bin, 'tags'), `${this.#tags.join('\n')}\n`)
  }

  /** The calls of programs so far: name, folder and arguments; an empty one is the last. */
  listCalls(): string[][] {
    return readFileSync(this.#calls, 'utf8')
      .split('\n')
      .map(line => line.split('\t').slice(0, -1))
  }

  /** Plays a recipe to its end; returns its steps and jobs by name. */
  play(heading: string, start: Start = {}): Promise<Map<string, Played>> {
    const { event = 'release', tag = 'v1.4.2', inputs = {}, nth = 0 } = start
    const { edit = text => text, token = TOKEN, attempt = 1 } = start
    const recipe = readRecipes().filter(it => it.heading === heading)[nth]
    if (recipe === undefined) throw new Error(`There is no workflow under #${heading}`)

    const isTagged = event === 'release' || event === 'tag'
    const ref = isTagged ? `refs/tags/${tag}` : 'refs/heads/main'
    const name = { tag: 'push', hand: 'workflow_dispatch' }[event] ?? event
    const text = recipe.text.replaceAll('https://shop.example.com', this.service.url)

    return playWorkflow(edit(text), {
      githubToken: GITHUB_TOKEN,
      env: { ...this.#variables(ref), GITHUB_RUN_ATTEMPT: String(attempt) },
      event: { name, payload: this.#payloadOf(event, tag, inputs) },
      contexts: {
        inputs,
        secrets: {
          SHOP_TOKEN: token,
          SHOP_API_KEY: API_KEY,
          DISCORD_WEBHOOK: WEBHOOK
        },
        github: {
          ref,
          ref_name: basename(ref),
          event_name: name,
          head_ref: event === 'pull_request' ? 'release-please--branches--main' : '',
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
      endScript: async () => {
        for (const call of this.listCalls().slice(this.#obeyed)) this.#obey(call)
        this.#obeyed = this.listCalls().length - 1
      },
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

  #payloadOf(event: string, tag: string, inputs: Start['inputs']): unknown {
    if (event === 'hand') return { inputs }
    if (event !== 'release') return {}
    return this.#shop.event({ tag, name: `Gallery ${tag}`, body: NOTES }).payload
  }

  /** Does on GitHub what a script asked `gh` for. */
  #obey([program, place = '', ...args]: readonly string[]): void {
    const [group, verb, tag = '', ...others] = args
    if (program !== 'gh' || group !== 'release') return

    if (verb === 'download') {
      putFile(join(place, others.at(-1) ?? ''), built)
      return
    }

    const files = others.filter(it => it.endsWith('.zip')).map(it => resolve(place, it))
    const contents = Object.fromEntries(files.map(file => [basename(file), readFileSync(file)]))
    if (verb === 'create') {
      this.addRelease(tag, contents)
    }
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

    if (name === 'changesets/action') {
      const packages = ['pkg-a', 'pkg-b'].map(one => ({ name: one, version: '1.4.2' }))
      for (const one of packages) this.addRelease(`${one.name}@${one.version}`, {})
      return { published: 'true', 'published-packages': JSON.stringify(packages) }
    }

    if (name === 'googleapis/release-please-action') this.addRelease('v1.4.2', {})
    return { release_created: 'true', tag_name: 'v1.4.2' }
  }
}

function levelOf(text: string): 'write' | 'read' | 'none' {
  return text === 'write' || text === 'read' ? text : 'none'
}

/** The outcomes of our actions, by step. */
export function outcomesOf(played: ReadonlyMap<string, Played>): Record<string, string> {
  const ended = [...played].filter(([name, { outputs }]) => name.includes('.') && outputs.outcome)
  return Object.fromEntries(ended.map(([name, { outputs }]) => [name, outputs.outcome ?? '']))
}
