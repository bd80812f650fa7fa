// What the bundle starts from: checks the version of Node, then loads an action. Both are in it, so that what
// they share is there once. An old Node must be able to parse this file and the entries.
import { appendFileSync } from 'node:fs'

/** Loads the action; or fails, on a Node that could not run it, and says what to update. */
export async function startOn(version: string, load: () => Promise<unknown>): Promise<void> {
  if (Number.parseInt(version, 10) >= 22) {
    await load()
    return
  }
  const { env } = process
  const file = env.GITHUB_OUTPUT
  if (file) appendFileSync(file, 'outcome=failed\nreason=node-version\n')
  process.stdout.write(
    `::error title=Node.js is too old::This action needs Node.js 24, and was started with ${version}. Nothing was sent. Update the runner to 2.327.1 or newer.\n`
  )
  process.exitCode = 1
}

const { node } = process.versions

export const publish = () => startOn(node, () => import('./publish/index.ts'))
export const licenses = () => startOn(node, () => import('./licenses/index.ts'))
