// Tests of the script on the page for coding assistants: it waits for the run that it has started, and for no other.
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { expect } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'

const { PATH = '' } = env
const [, SCRIPT = ''] =
  /^```sh\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, 'docs/assistants.md'), 'utf8')) ?? []

/** The first two lists show the run from before; of each program, a call is a line in `calls`. */
const PROGRAMS = {
  gh: `#!/bin/sh
echo "gh $*" >> "$CALLS"
if [ "$1 $2" = "workflow run" ]; then exit "$STARTS"; fi
if [ "$1 $2" = "run list" ]; then
  if [ "$(grep -c 'gh run list' "$CALLS")" -le 2 ]; then echo "$BEFORE"; else echo 8; fi
fi
`,
  sleep: '#!/bin/sh\n'
}

/** Runs the script; returns the calls of `gh`. */
function runScript(variables: Readonly<Record<string, string>>): string[] {
  const bin = makeFolder(PROGRAMS)
  for (const name of Object.keys(PROGRAMS)) chmodSync(join(bin, name), 0o755)

  const calls = join(bin, 'calls')
  putFile(calls, '')
  const given = {
    ...env,
    PATH: `${bin}:${PATH}`,
    CALLS: calls,
    ...variables
  }
  execFileSync('bash', ['-c', `${SCRIPT}\ntrue`], { env: given })
  return readFileSync(calls, 'utf8').trim().split('\n')
}

onPosix.each(['7', ''])(
  'the newest run was “%s”: the one after it is watched (POSIX shell)',
  before => {
    const calls = runScript({ BEFORE: before, STARTS: '0' })
    expect(calls).toContain('gh workflow run publish.yml -f mode=check')
    expect(calls.at(-1)).toBe('gh run watch 8 --exit-status')
  }
)

onPosix('a workflow that does not start is not waited for (POSIX shell)', () => {
  const calls = runScript({ BEFORE: '7', STARTS: '1' })
  expect(calls.at(-1)).toBe('gh workflow run publish.yml -f mode=check')
})
