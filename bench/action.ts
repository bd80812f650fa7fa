// Whole actions, run from `dist/` as the runner does, but for the guards that tests have.
import path from 'node:path'
import { openStep, parsePairs } from '../__tests__/support/runner.ts'
import { type GitHub, startGitHub } from '../sandbox/github.ts'
import { release, releaseEvent } from '../sandbox/release.ts'
import { type Manifest, ROOT, readManifest } from '../scripts/manifest.ts'
import { run } from './measure.ts'

export const TOKEN = 'bench-token-that-opens-nothing'
export const GITHUB_TOKEN = 'bench-token-of-github-that-opens-nothing'
export const TITLE = 'Bench 1.0.0'
export const CHANGELOG = '- Faster.'
export const REPOSITORY = {
  owner: 'acme',
  name: 'gallery',
  private: true
}
/** A GitHub of the repository, without anything in it. */
export const GITHUB = { token: GITHUB_TOKEN, repository: REPOSITORY }
export const PUBLISH = readManifest(path.join(ROOT, 'action.yml'))

/** How to run an action. */
export interface ActionRun {
  readonly inputs: Readonly<Record<string, string>>
  /** The workspace. */
  readonly folder: string
  /** An output with the value that it must have, or it throws; without it, any end will do. */
  readonly expected?: readonly [name: string, value: string]
  readonly notes?: string
  /** One of its own that answers at once, without it. */
  readonly github?: GitHub
}

/** Runs an action once, and returns the milliseconds of the whole process. */
export async function runWhole(manifest: Manifest, options: ActionRun): Promise<number> {
  const { inputs, folder, expected, notes = CHANGELOG } = options
  const own = options.github ? undefined : await startGitHub(GITHUB)
  const github = options.github ?? own
  const released = release({
    tag: 'v1.0.0',
    name: TITLE,
    repository: REPOSITORY,
    body: notes
  })
  github?.addRelease(released)
  const step = await openStep(manifest, {
    inputs,
    githubToken: GITHUB_TOKEN,
    env: {
      GITHUB_API_URL: github?.url ?? '',
      GITHUB_SHA: github?.commitOf(released.tag_name) ?? ''
    },
    workspace: folder,
    temp: path.join(folder, '.temp'),
    event: { name: 'release', payload: releaseEvent(released, 'released', REPOSITORY) }
  })

  const { ms, stdout } = await run({
    args: [manifest.main],
    cwd: folder,
    env: step.env,
    mayFail: true
  })
  const outputs = parsePairs((await step.read()).output)
  await step.remove()
  await own?.close()

  if (!expected) return ms
  const [name, value] = expected
  if (outputs[name] === value) return ms
  throw new Error(`The output ${name} is "${outputs[name]}", not "${value}":\n${stdout}`)
}
