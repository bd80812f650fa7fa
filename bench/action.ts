// The whole publish action, run from `dist/` as the runner does, but for the guards that tests have.

import path from 'node:path'
import { execPath } from 'node:process'
import { openStep, parsePairs } from '../__tests__/support/runner.ts'
import { release, releaseEvent } from '../sandbox/release.ts'
import { ROOT, readManifest } from '../scripts/manifest.ts'
import { run } from './measure.ts'
import { CHANGELOG, GITHUB_TOKEN, TITLE } from './texts.ts'

/** Whose releases they are. */
export const REPOSITORY = { owner: 'acme', name: 'gallery', private: true }
const TAG = 'v1.0.0'
const MANIFEST = readManifest(path.join(ROOT, 'action.yml'))

export interface ActionRun {
  readonly inputs: Readonly<Record<string, string>>
  /** Holds the workspace and the runner's own folders. */
  readonly folder: string
  /** What the run has to come to; anything else throws. */
  readonly outcome: 'published' | 'skipped' | 'planned' | 'failed'
  /** The release event's action; `released` when left out. */
  readonly action?: string
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArguments?: readonly string[]
}

/** Where the files to publish lie. */
export function workspaceIn(folder: string): string {
  return path.join(folder, 'work')
}

/** The release that every run publishes. */
export function benchRelease() {
  return release({ tag: TAG, name: TITLE, body: CHANGELOG, repository: REPOSITORY })
}

/** Runs the action once, and returns the milliseconds of the whole process. */
export async function runWhole(options: ActionRun): Promise<number> {
  const { inputs, folder, outcome, action = 'released', env = {}, nodeArguments = [] } = options
  const temp = path.join(folder, 'temp')
  const workspace = workspaceIn(folder)
  const event = { name: 'release', payload: releaseEvent(benchRelease(), action, REPOSITORY) }
  const given = { inputs, event, env, githubToken: GITHUB_TOKEN, workspace, temp }
  const step = await openStep(MANIFEST, given)
  const { ms, stdout } = await run({
    program: execPath,
    args: [...nodeArguments, MANIFEST.main],
    cwd: workspace,
    env: step.env,
    exitCode: outcome === 'failed' ? 1 : 0
  })
  const outputs = parsePairs((await step.read()).output)
  await step.remove()
  if (outputs.outcome === outcome) return ms
  throw new Error(`The outcome is ${outputs.outcome}, not ${outcome}:\n${stdout}`)
}
