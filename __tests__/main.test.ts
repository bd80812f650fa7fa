// Tests of src/main.ts: before an action is loaded, an old Node is asked to be updated, and a newer one goes on.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { ROOT } from '../scripts/manifest.ts'
import { makeFolder } from './support/folders.ts'

const run = promisify(execFile)
const START = pathToFileURL(join(ROOT, 'src', 'main.ts')).href

interface Started {
  readonly code: number
  readonly stdout: string
  /** The outputs, as they are written. */
  readonly output: string
}

/** Starts an action that only says so, as if on this version of Node. */
async function start(
  version: string,
  variables: Readonly<Record<string, string>> = {}
): Promise<Started> {
  const output = join(makeFolder({ output: '' }), 'output')
  const script = `import { startOn } from '${START}'
await startOn('${version}', async () => console.log('loaded'))`
  const env = { GITHUB_OUTPUT: output, ...variables }

  const end = await run(process.execPath, ['--input-type=module', '-e', script], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, stdout: error.stdout })
  )
  return { ...end, output: await readFile(output, 'utf8') }
}

test.each(['24.0.0', '26.1.0'])('Node %s loads the action', async version => {
  expect(await start(version)).toEqual({
    code: 0,
    stdout: 'loaded\n',
    output: ''
  })
})

test.each(['22.22.0', '23.11.1', '16.0.0'])('Node %s is refused as too old', async version => {
  const { stdout, ...end } = await start(version)
  expect(end).toEqual({ code: 1, output: 'outcome=failed\nreason=node-version\n' })
  expect(stdout).toMatch(/^::error title=.* 2\.327\.1 or newer/)
  expect(stdout).toContain(version)
})

test.each(['GITEA_ACTIONS', 'FORGEJO_ACTIONS'])('%s: the image needs a newer Node', async name => {
  const { stdout, ...end } = await start('20.1.0', { [name]: 'true' })
  expect(end).toEqual({ code: 1, output: 'outcome=failed\nreason=node-version\n' })
  expect(stdout).toMatch(/^error: .* Use an image, or a host, that has Node\.js 24 or newer\.$/m)
  expect(stdout).not.toContain('2.327.1')
})
