// Whole actions, run from `dist/` as the runner does, but for the guards that tests have.
import path from 'node:path'
import { openStep, parsePairs } from '../__tests__/support/runner.ts'
import { release, releaseEvent } from '../sandbox/release.ts'
import { type Manifest, ROOT, readManifest } from '../scripts/manifest.ts'
import { run } from './measure.ts'

export const TOKEN = 'bench-token-that-opens-nothing'
export const TITLE = 'Bench 1.0.0'
export const CHANGELOG = '- Faster.'
export const REPOSITORY = {
  owner: 'acme',
  name: 'gallery',
  private: true
}
export const PUBLISH = readManifest(path.join(ROOT, 'action.yml'))
export const LICENSES = readManifest(path.join(ROOT, 'licenses', 'action.yml'))

/** How to run an action. */
export interface ActionRun {
  readonly inputs: Readonly<Record<string, string>>
  /** The workspace. */
  readonly folder: string
  /** An output with the value that it must have, or it throws; without it, any end will do. */
  readonly expected?: readonly [name: string, value: string]
  readonly notes?: string
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArguments?: readonly string[]
}

/** Runs an action once, and returns the milliseconds of the whole process. */
export async function runWhole(manifest: Manifest, options: ActionRun): Promise<number> {
  const { inputs, folder, expected, notes = CHANGELOG, env = {}, nodeArguments = [] } = options
  const released = release({
    tag: 'v1.0.0',
    name: TITLE,
    repository: REPOSITORY,
    body: notes
  })
  const step = await openStep(manifest, {
    inputs,
    env,
    workspace: folder,
    temp: path.join(folder, '.temp'),
    event: { name: 'release', payload: releaseEvent(released, 'released', REPOSITORY) }
  })

  const { ms, stdout } = await run({
    args: [...nodeArguments, manifest.main],
    cwd: folder,
    env: step.env,
    mayFail: true
  })
  const outputs = parsePairs((await step.read()).output)
  await step.remove()

  if (!expected) return ms
  const [name, value] = expected
  if (outputs[name] === value) return ms
  throw new Error(`The output ${name} is "${outputs[name]}", not "${value}":\n${stdout}`)
}
