// Tests that the workflows of the documentation do what their pages say, on dist/ and with stand-ins for all around them.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { env } from 'node:process'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { madeUpLicenses, pagesOf } from '../../sandbox/licenses.ts'
import { ROOT } from '../../scripts/manifest.ts'
import { readRecipes } from '../../scripts/workflows.ts'
import { zipOf } from '../support/archives.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'
import { GITHUB_TOKEN, openShop, RUN_ID, TOKEN } from '../support/shop.ts'
import { type Place, type Played, playWorkflow, type Stage } from '../support/workflow.ts'

const API_KEY = 'a-key-of-the-shop-that-opens-nothing'
const WEBHOOK = 'https://discord.example.com/webhook-that-leads-nowhere'
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
  '.distignore': 'build.sh\n',
  '.gitattributes': '*.sh export-ignore\n',
  'build.sh': `#!/bin/sh\nmkdir -p dist && git archive --prefix gallery/ -o dist/gallery-1.4.2.zip HEAD\n`,
  gradlew: `#!/bin/sh\nmkdir -p build/libs && git archive --format zip -o "build/libs/gallery-\${2#-Pversion=}.jar" HEAD\n`
}
/** The archive that is attached to a release. */
const built = zipOf({ 'gallery/gallery.php': SOURCES['gallery.php'] })
/** Notes its name, its folder and its arguments. */
const NOTED = `#!/bin/sh
{ printf '%s\\t' "$(basename "$0")" "$PWD" "$@"; echo; } >> "$CALLS"
`
/** The programs around the steps: all note how they are called, and these two do what the recipe needs of them. */
const PROGRAMS = {
  gh: NOTED,
  npm: NOTED,
  curl: NOTED,
  rsync: `${NOTED}mkdir -p theme/gallery && cp style.css theme/gallery/\n`,
  zip: `${NOTED}out=$PWD/$2 && cd .. && git add --force theme && git archive --output "$out" "$(git write-tree):theme"\n`
}

function runGit(cwd: string, ...args: readonly string[]): string {
  const who = ['user.name=a', 'user.email=a@example.com', 'core.hooksPath=/none']
  const variables = { ...env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  const given = [...who.flatMap(it => ['-c', it]), ...args]
  return execFileSync('git', given, { cwd, env: variables }).toString().trim()
}

/** Every stage has a copy of it: the repository, and the programs. */
function makeSources() {
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

let stage: Awaited<ReturnType<typeof openStage>>
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage[Symbol.asyncDispose]())

/** A repository with the tag `v1.4.2`, GitHub, and a a shop. */
async function openStage() {
  const products = [12, 14].map(id => {
    const benefits = [34, 35].map(benefit => ({ id: benefit, optionId: 5, name: 'Other' }))
    return { id, yours: true, benefits }
  })
  const licenses = { apiKey: API_KEY, pageOf: pagesOf(madeUpLicenses(20)) }
  const shop = await openShop({ service: { products, licenses } })
  const { service, github } = shop
  github.removeRelease('v1.4.2')
  const folder = makeFolder()
  const bin = makeFolder()
  cpSync(sources.folder, folder, { recursive: true })
  cpSync(sources.bin, bin, { recursive: true })
  const git = (...args: readonly string[]) => runGit(folder, ...args)
  const { commit } = sources
  const calls = join(bin, 'calls')
  putFile(calls, '')
  const listCalls = () =>
    readFileSync(calls, 'utf8')
      .split('\n')
      .map(line => line.split('\t').slice(0, -1))
  let seen = 0

  /** Makes a release with these files, and its tag unless it is a draft. */
  function addRelease(tag: string, files: Readonly<Record<string, Buffer>>, draft = false): void {
    const assets = Object.entries(files).map(([name, content]) => ({ name, content }))
    const parts = { tag, name: `Gallery ${tag}`, body: NOTES, draft, assets }
    shop.addRelease(parts, { contents: files, commit })
    if (!draft) git('tag', '--force', tag, commit)
  }
  /** Does on GitHub what a script asked `gh` for. */
  function obey([program, place = '', ...args]: readonly string[]): void {
    const [group, verb, tag = '', ...others] = args
    if (program !== 'gh' || group !== 'release') return
    const files = others.flatMap(it => (it.endsWith('.zip') ? [resolve(place, it)] : []))
    const contents = Object.fromEntries(files.map(file => [basename(file), readFileSync(file)]))
    if (verb === 'create') addRelease(tag, contents, others.includes('--draft'))
    if (verb === 'edit') addRelease(tag, drafted, false)
    if (verb === 'create') drafted = contents
  }
  let drafted: Readonly<Record<string, Buffer>> = {}

  const around: Omit<Stage, 'event' | 'contexts'> = {
    githubToken: GITHUB_TOKEN,
    env: {
      PATH: `${bin}:${PATH}`,
      CALLS: calls,
      GITHUB_REPOSITORY: 'acme/gallery',
      GITHUB_API_URL: github.url,
      GITHUB_SHA: commit,
      GITHUB_WORKFLOW: 'Publish',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GITHUB_RUN_ID: RUN_ID,
      GITHUB_RUN_ATTEMPT: '1'
    },
    startJob({ contents = 'none', deployments = 'none' }) {
      github.setPermissions({ contents: levelOf(contents), deployments: levelOf(deployments) })
    },
    async endScript() {
      for (const call of listCalls().slice(seen)) obey(call)
      seen = listCalls().length - 1
    },
    async use(action, inputs, { workspace }: Place) {
      const [name = ''] = action.split('@')
      if (name === 'actions/checkout') {
        execFileSync('git', ['clone', '--quiet', folder, workspace])
        const at = inputs.ref?.replace(/^refs\/(?:heads|tags)\//, '') || 'main'
        execFileSync('git', ['checkout', '--quiet', '--detach', at], { cwd: workspace })
      }
      if (name === 'googleapis/release-please-action') addRelease('v1.4.2', {})
      return { release_created: 'true', tag_name: 'v1.4.2' }
    }
  }
  return {
    service,
    github,
    addRelease,
    listCalls,
    commit,
    /** Plays a recipe on an event; `event` is one of a release, by hand with inputs, or of another name. */
    play(heading: string, { event = 'release', tag = 'v1.4.2', inputs = {}, nth = 0 }: Start = {}) {
      const recipe = readRecipes().filter(it => it.heading === heading)[nth]
      if (recipe === undefined) throw new Error(`There is no workflow under #${heading}`)
      const text = recipe.text.replaceAll('https://shop.example.com', service.url)
      const isTagged = event === 'release' || event === 'tag'
      const ref = isTagged ? `refs/tags/${tag}` : 'refs/heads/main'
      const { payload: released } = shop.event({ tag, name: `Gallery ${tag}`, body: NOTES })
      const payload = event === 'release' ? released : event === 'hand' ? { inputs } : {}
      const name = { tag: 'push', hand: 'workflow_dispatch' }[event] ?? event
      const secrets = { SHOP_TOKEN: TOKEN, SHOP_API_KEY: API_KEY }
      return playWorkflow(text, {
        ...around,
        env: { ...around.env, GITHUB_REF: ref, GITHUB_REF_NAME: basename(ref) },
        event: { name, payload },
        contexts: {
          inputs,
          secrets: { ...secrets, DISCORD_WEBHOOK: WEBHOOK },
          github: {
            ref,
            ref_name: basename(ref),
            event_name: name,
            repository: 'acme/gallery',
            server_url: 'https://github.com',
            run_id: RUN_ID,
            sha: commit,
            token: GITHUB_TOKEN
          }
        }
      })
    },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]()
  }
}

interface Start {
  readonly event?: string
  readonly tag?: string
  readonly inputs?: Readonly<Record<string, string>>
  /** Which of the workflows under the heading. */
  readonly nth?: number
}

function levelOf(text: string): 'write' | 'read' | 'none' {
  return text === 'write' || text === 'read' ? text : 'none'
}

/** The inputs and secrets of a workflow that is called. */
const CALLED: Start = { inputs: { tag: 'v1.4.2', product: '12', mode: 'publish' } }
const ATTACHED = { 'gallery-1.4.2.zip': built, 'gallery-pro-1.4.2.zip': built }
const EDITIONS = { 'publish.standard': 'published', 'publish.pro': 'published' }
const PLANS = {
  'publish.1': 'planned',
  'publish.2': 'planned',
  'publish.3': 'published',
  'publish.4': 'published'
}
const TESTERS = { 'publish.1': 'published', 'publish.2': 'published' }
const BOTH = 'a-product-and-its-pro-edition'

/** The outcomes of our actions, by step. */
function outcomesOf(played: ReadonlyMap<string, Played>): Record<string, string> {
  const ended = [...played].filter(([name, { outputs }]) => name.includes('.') && outputs.outcome)
  return Object.fromEntries(ended.map(([name, { outputs }]) => [name, outputs.outcome ?? '']))
}

describe('a release is published', () => {
  onPosix.each<[heading: string, start: Start, outcomes: Record<string, string>, versions: number]>(
    [
      ['the-workflow', {}, { 'publish.0': 'published' }, 1],
      ['a-wordpress-plugin', {}, { 'publish.2': 'published' }, 1],
      ['a-wordpress-theme-built-by-npm', {}, { 'publish.2': 'published' }, 1],
      ['a-minecraft-plugin', {}, { 'publish.2': 'published' }, 1],
      ['a-laravel-or-composer-package', {}, { 'publish.2': 'published' }, 1],
      ['release-please', { event: 'push' }, { 'publish.2': 'published' }, 1],
      ['release-on-a-tag', { event: 'tag' }, { 'publish.0': 'published' }, 1],
      ['a-reusable-workflow', CALLED, { 'publish.0': 'published' }, 1],
      ['a-product-and-its-pro-edition', {}, EDITIONS, 2],
      ['a-product-and-its-pro-edition', { nth: 1 }, { 'publish.3': 'published' }, 2],
      ['nothing-is-sent-unless-both-plans-are-good', {}, PLANS, 2],
      ['testers-who-also-get-final-releases', {}, TESTERS, 2]
    ]
  )('%s (POSIX shell) %j', async (heading, start, outcomes, versions) => {
    stage.addRelease('v1.4.2', ATTACHED)
    const played = await stage.play(heading, start)
    expect([outcomesOf(played), stage.service.versions.length]).toEqual([outcomes, versions])
  })
})

describe('the button', () => {
  onPosix.each(['the-workflow', 'release-please'])(
    '%s: settings, a plan, the tag’s own code, and what a person found (POSIX shell)',
    async heading => {
      stage.addRelease('v1.4.2', ATTACHED)
      const press = async (mode: string, tag = 'v1.4.2') => {
        const inputs = { mode, tag }
        const played = await stage.play(heading, { event: 'hand', inputs })
        return Object.values(outcomesOf(played))
      }
      expect(await press('check', '')).toEqual(['checked'])
      expect(await press('plan')).toEqual(['planned'])
      expect(stage.service.versions).toEqual([])
      expect(await press('publish')).toEqual(['published'])
      expect(await press('mark-published')).toEqual(['marked'])
      const [version, ...others] = stage.service.versions
      expect(others).toEqual([])
      expect((await version?.bytes())?.includes('later.php')).toBe(false)
    }
  )
})

describe('a product and its Pro edition', () => {
  onPosix.each([0, 1])(
    'the button marks one edition, and does all else with both (POSIX shell, workflow %d)',
    async nth => {
      stage.addRelease('v1.4.2', ATTACHED)
      const press = async (mode: string, edition: string) => {
        const inputs = { mode, tag: 'v1.4.2', edition }
        const before = stage.github.deployments.length
        const played = await stage.play(BOTH, { event: 'hand', inputs, nth })
        if (played.get('publish')?.result === 'failure') return 'failure'
        return stage.github.deployments.slice(before).map(({ environment }) => environment)
      }
      expect(await press('check', 'both')).toEqual([])
      expect(await press('mark-published', 'both')).toBe('failure')
      const { host } = new URL(stage.service.url)
      expect(await press('mark-published', 'pro')).toEqual([`${host}/products/12/benefits/34`])
      expect(await press('publish', 'both')).toEqual([`${host}/products/12`])
      expect(stage.service.versions).toMatchObject([{ versionName: '1.4.2' }])
    }
  )

  onPosix('one goes out when the other fails; with plans first, none (POSIX shell)', async () => {
    const page = Buffer.from('<!DOCTYPE html><title>Sign in</title>')
    stage.addRelease('v1.4.2', { ...ATTACHED, 'gallery-1.4.2.zip': page })
    const planned = await stage.play('nothing-is-sent-unless-both-plans-are-good')
    expect(outcomesOf(planned)).toEqual({ 'publish.1': 'failed' })
    expect(stage.service.requests).toEqual([])
    const played = await stage.play(BOTH)
    expect(outcomesOf(played)).toEqual({ ...EDITIONS, 'publish.standard': 'failed' })
    expect([played.get('publish')?.result, stage.service.versions.length]).toEqual(['failure', 1])
  })
})

onPosix('one plugin of several: the tag chooses it (POSIX shell)', async () => {
  const tag = 'slider-v1.4.2'
  stage.addRelease(tag, { 'slider-1.4.2.zip': built })
  const played = await stage.play('several-plugins-in-one-repository', { tag })
  expect(outcomesOf(played)).toEqual({ 'slider.0': 'published' })
  const version = { record: { product_id: '14' }, versionName: '1.4.2' }
  expect(stage.service.versions).toMatchObject([version])
})

onPosix(
  'pull requests: a plan, and a rehearsal that publishes elsewhere (POSIX shell)',
  async () => {
    stage.addRelease('v1.4.2', ATTACHED)
    const heading = 'preview-and-rehearse-on-a-pull-request'
    const plan = await stage.play(heading, { event: 'pull_request' })
    const rehearsal = await stage.play(heading, { event: 'pull_request', nth: 1 })
    expect(outcomesOf(plan)).toEqual({ 'plan.2': 'planned' })
    expect(outcomesOf(rehearsal)).toEqual({ 'rehearse.publish': 'published' })
    expect([rehearsal.get('rehearse')?.result, stage.service.requests]).toEqual(['success', []])
  }
)

onPosix('a plan that is approved in the same run (POSIX shell)', async () => {
  stage.addRelease('v1.4.2', ATTACHED)
  const played = await stage.play('a-person-approves-what-is-published')
  expect(outcomesOf(played)).toEqual({ 'plan.plan': 'planned', 'publish.0': 'published' })
})

onPosix(
  'a draft is planned, approved by its digest, made public and published (POSIX shell)',
  async () => {
    const heading = 'approve-a-draft'
    const draft = await stage.play(heading, { event: 'hand', inputs: { version: '1.4.2' } })
    expect(outcomesOf(draft)).toEqual({ 'draft.3': 'planned' })
    const approve = async (digest = '') => {
      const inputs = { tag: 'v1.4.2', digest }
      return outcomesOf(await stage.play(heading, { event: 'hand', inputs, nth: 1 }))
    }
    expect(await approve('0'.repeat(64))).toEqual({ 'release.plan': 'planned' })
    expect(stage.listCalls().filter(call => call.includes('edit'))).toEqual([])
    const digest = draft.get('draft.3')?.outputs.plan_digest
    expect(await approve(digest)).toEqual({ 'release.plan': 'planned', 'publish.0': 'published' })
    expect(stage.service.versions).toHaveLength(1)
  }
)

onPosix('an announcement follows a publication, and no re-run (POSIX shell)', async () => {
  stage.addRelease('v1.4.2', ATTACHED)
  for (const outcome of ['published', 'skipped']) {
    const played = await stage.play('announce-a-version-once')
    expect(outcomesOf(played)).toEqual({ 'publish.shop': outcome })
    expect(stage.listCalls().filter(([program]) => program === 'curl')).toHaveLength(1)
  }
  expect(stage.listCalls().flat()).toContain(WEBHOOK)
})

onPosix('the nightly audit opens an issue for what is missing (POSIX shell)', async () => {
  stage.addRelease('v1.4.0', {})
  const played = await stage.play('check-every-night-for-missed-releases', { event: 'schedule' })
  expect(outcomesOf(played)).toEqual({ 'audit.audit': 'failed' })
  expect(stage.listCalls().flat()).toContain('issue')
})

onPosix('licenses: listed, and kept for a week (POSIX shell)', async () => {
  const list = await stage.play('list-the-licenses-of-your-shop', { event: 'hand' })
  expect(outcomesOf(list)).toEqual({ 'list.licenses': 'listed' })
  expect(list.get('list')?.result).toBe('success')
})

const jqTest = hasJq() ? test : test.skip
describe('what jq makes of lists (needs jq)', () => {
  const [expiring = '', changed = ''] = Array.from(
    readFileSync(join(ROOT, 'licenses/README.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm),
    ([, script = '']) => script
  )
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const license = (id: string, days: number) => ({ id, expires: day(days), maxIps: 1 })
  const run = (script: string, files: Readonly<Record<string, readonly object[]>>): string => {
    const texts = Object.entries(files).map(([name, list]): [string, string] => {
      return [name, list.map(one => `${JSON.stringify(one)}\n`).join('')]
    })
    const cwd = makeFolder(Object.fromEntries(texts))
    return execFileSync('bash', ['-eo', 'pipefail', '-c', script], { cwd }).toString()
  }

  jqTest('what expires within 30 days', () => {
    const lists = [license('gone', -2), license('soon', 20), license('late', 40)]
    expect(JSON.parse(run(expiring, { 'licenses.ndjson': lists }))).toMatchObject({ id: 'soon' })
  })

  jqTest('what was added, removed and changed', () => {
    const a = license('a', 1)
    const b = license('b', 1)
    const c = license('c', 1)
    const more = { ...b, maxIps: 2 }
    const files = { 'last.ndjson': [a, b, c], 'licenses.ndjson': [c, more, license('d', 9)] }
    const { added, removed, changed: other } = JSON.parse(run(changed, files))
    expect([added, removed, other]).toMatchObject([[{ id: 'd' }], [a], [more]])
  })
})

function hasJq(): boolean {
  try {
    return execFileSync('jq', ['--version']).length > 0
  } catch {
    return false
  }
}

test('every workflow of the documentation is played here, or it is said why not', () => {
  const source = readFileSync(import.meta.filename, 'utf8')
  // The same as on pull requests, by hand.
  const others = ['rehearse-publishing-without-emailing-anyone']
  const headings = new Set(readRecipes().map(({ heading }) => heading))
  const played = [...headings].filter(heading => source.includes(`'${heading}'`))
  expect(played.sort()).toEqual([...headings].sort())
  expect(others.every(heading => headings.has(heading))).toBe(true)
})
