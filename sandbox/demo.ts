// `npm run demo`: a release of a small plugin, published through `dist/` to the sandbox, as a runner would.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { type Run, runAction } from '../__tests__/support/runner.ts'
import { playListing } from './demo-licenses.ts'
import { type GitHub, startGitHub } from './github.ts'
import { release, releaseEvent } from './release.ts'
import { type Service, startService } from './service.ts'

const TOKEN = 'demo-token-that-opens-nothing'
const GITHUB_TOKEN = 'demo-github-token-that-opens-nothing'
const REPOSITORY = { owner: 'acme', name: 'gallery', private: true }
const NOTES = [
  '## What is new',
  '',
  '- Albums can be sorted by date.',
  '- Faster thumbnails.',
  '',
  'Thank you for all your reports!'
].join('\r\n')

/** One scene of the demo: what it comes to, and the inputs that differ. */
interface Scene {
  readonly title: string
  readonly outcome: string
  readonly inputs: Readonly<Record<string, string>>
  readonly attempt?: number
}

const SCENES: readonly Scene[] = [
  { title: 'A release, published as a version of product 12', outcome: 'published', inputs: {} },
  {
    title: 'The same job again: nothing is published twice',
    outcome: 'skipped',
    inputs: {},
    attempt: 2
  },
  {
    title: 'The same file for benefit 34, on the benefit’s route',
    outcome: 'published',
    inputs: { benefit: '34' }
  },
  {
    title: 'A wrong pattern: the most common mistake',
    outcome: 'failed',
    inputs: { file: 'build/*.zip' }
  }
]

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'))
  const service = await startService({
    token: TOKEN,
    products: [
      { id: 12, yours: true, benefits: [{ id: 34, optionId: 5, name: 'Gallery for studios' }] }
    ]
  })
  const github = await startGitHub({
    token: GITHUB_TOKEN,
    repository: REPOSITORY,
    permissions: { contents: 'read', deployments: 'write' }
  })
  try {
    await play(folder, service, github)
    await playLicenses(folder)
  } finally {
    await Promise.all([service.close(), github.close()])
    await rm(folder, { recursive: true, force: true })
  }
}

async function play(folder: string, service: Service, github: GitHub): Promise<void> {
  await buildPlugin(join(folder, 'dist', 'gallery-1.4.2.zip'))
  const made = release(
    { tag: 'v1.4.2', name: 'Gallery 1.4.2', body: NOTES, repository: REPOSITORY },
    github.places
  )
  github.addRelease(made)
  const payload = releaseEvent(made, 'released', REPOSITORY, github.places)
  for (const [index, { title, outcome, inputs, attempt = 1 }] of SCENES.entries()) {
    say(heading(`${index + 1}. ${title}`))
    const given = {
      'base-url': service.url,
      token: TOKEN,
      product: '12',
      file: 'dist/*.zip',
      ...inputs
    }
    say(indent(workflowOf(given)))
    const run = await runAction({
      inputs: given,
      event: { name: 'release', payload },
      workspace: folder,
      githubToken: GITHUB_TOKEN,
      secrets: [TOKEN],
      env: {
        GITHUB_REPOSITORY: 'acme/gallery',
        GITHUB_REF: 'refs/tags/v1.4.2',
        GITHUB_API_URL: github.url,
        GITHUB_RUN_ID: '9000001',
        GITHUB_RUN_ATTEMPT: String(attempt)
      }
    })
    show(run, outcome)
  }
  say(heading('What the sandbox holds now'))
  for (const { record, route, fileName, size } of service.versions) {
    say(`  version ${record.id}  ${record.title}  ${fileName}, ${size} bytes  POST ${route}`)
  }
  for (const { versionId, mails } of service.notifications) {
    say(`  notification of version ${versionId}: ${mails} mails to license holders`)
  }
  for (const { environment, ref, statuses } of github.deployments) {
    const last = statuses.at(-1)
    say(`  deployment of ${ref} to ${environment}: ${last?.state}, “${last?.description}”`)
  }
}

/** The other action. */
async function playLicenses(folder: string): Promise<void> {
  const { title, uses, inputs, run, excerpt } = await playListing(folder)
  say(heading(`${SCENES.length + 1}. ${title}`))
  say(indent(workflowOf(inputs, uses)))
  show(run, 'listed')
  say(section('The first lines of the file'), indent(`${excerpt}\n…`))
}

/** A plugin as a build step would leave it. */
async function buildPlugin(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const files = {
    'gallery/gallery.php': strToU8('<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n'),
    'gallery/readme.txt': strToU8('=== Gallery ===\nStable tag: 1.4.2\n')
  }
  await writeFile(path, zipSync(files, { mtime: new Date('2026-01-02T03:04:05Z') }))
}

/** The step as it stands in a workflow. */
function workflowOf(inputs: Readonly<Record<string, string>>, uses = 'OWNER/REPO@v1'): string {
  const lines = Object.entries(inputs).map(([name, value]) => {
    return `    ${name}: ${name === 'token' ? `\${{ secrets.SHOP_TOKEN }}` : value}`
  })
  return [`- uses: ${uses}`, '  with:', ...lines].join('\n')
}

/** Shows a run, and throws when it came to something else than it should. */
function show(run: Run, outcome: string): void {
  say(section('The log'), indent(run.log.trimEnd()))
  const outputs = Object.entries(run.outputs).filter(([, value]) => value !== '')
  const rows = outputs.map(([name, value]) => `${name.padEnd(20)}  ${shorten(value)}`)
  say(section('The outputs that are not empty'), indent(rows.join('\n')))
  say(section('The job summary'), indent(run.summary.trimEnd()))
  say('', `The step ended with ${run.conclusion} after ${(run.durationMs / 1000).toFixed(1)} s.`)
  if (run.outputs.outcome !== outcome) throw new Error(`This should have been ${outcome}`)
}

function shorten(value: string): string {
  const line = value.replaceAll('\n', '⏎')
  return line.length > 90 ? `${line.slice(0, 89)}…` : line
}

function heading(text: string): string {
  return `\n${text}\n${'='.repeat(text.length)}\n`
}

function section(text: string): string {
  return `\n${text}\n${'-'.repeat(text.length)}`
}

function indent(text: string): string {
  return text
    .split('\n')
    .map(line => `  ${line}`.trimEnd())
    .join('\n')
}

function say(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

await main()
