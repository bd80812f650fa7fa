// Tests of dist/: which parts can print or write to the runner's files, so that a new way out is seen.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'

const folder = join(ROOT, 'dist', 'bundle')
const code = readdirSync(folder)
  .filter(name => name.endsWith('.js'))
  .map(name => readFileSync(join(folder, name), 'utf8'))
  .join('\n')

/**
 * Of the writers, our adapter uses those of @actions/core. The others are defaults that are never reached:
 * Octokit is given a silent log, and minimatch and undici print when they are debugged. One that is added is a new way
 * out: find it, and keep it behind that adapter.
 */
test.each([
  ['process.stdout', /process\d*\.stdout/g, 4],
  ['process.stderr', /process\d*\.stderr/g, 0],
  ['console', /\bconsole\.\w+/g, 5],
  ['emitWarning', /emitWarning\(/g, 11]
])('the bundle prints by %s in known places alone', (_, pattern, known) => {
  expect([...code.matchAll(pattern)].length).toBeLessThanOrEqual(known)
})
