// The entry points of the one bundle for both actions. An old Node must be able to load all its imports.
import { appendFileSync } from 'node:fs'
import { connect } from './http/connection.ts'
import { listLicenses } from './licenses/list.ts'
import { publishRelease } from './publish/run.ts'
import { sleep } from './runner/cancellation.ts'
import { forgeOf, runAction } from './runner/runner.ts'

/** Runs the action; if Node (its `version`, such as `24.4.0`) is too old, fails and says what to update. */
export async function startOn(version: string, run: () => Promise<unknown>): Promise<void> {
  // GitHub's runner starts `node24` with that, but act and Gitea with the Node of their image. An older one may load the
  // code and fail halfway: Node 22 does not know all of its regular expressions.
  if (Number.parseInt(version, 10) >= 24) {
    await run()
    return
  }

  const { env } = process
  const file = env.GITHUB_OUTPUT
  if (file) appendFileSync(file, 'outcome=failed\nreason=node-version\n')

  const message = `This action needs Node.js 24, and was started with ${version}. Nothing was sent.`
  process.stdout.write(
    forgeOf(env) === 'GitHub'
      ? `::error title=Node.js is too old::${message} Update the runner to 2.327.1 or newer.\n`
      : `error: ${message} Use an image, or a host, that has Node.js 24 or newer.\n`
  )
  process.exitCode = 1
}

const { node } = process.versions
const adapters = { connect, sleep }

/** Runs the publish action; `dist/publish/index.js` calls this. */
export const publish = () =>
  startOn(node, () => runAction(runner => publishRelease({ runner, ...adapters })))

/** Runs the licenses action; `dist/licenses/index.js` calls this. */
export const licenses = () =>
  startOn(node, () => runAction(runner => listLicenses({ runner, ...adapters })))
