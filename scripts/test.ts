// Owns `npm test` and `npm run test:deep`: Jest on native ES modules, with the arguments given.
import { spawnSync } from 'node:child_process'
import { argv, env, execPath } from 'node:process'
import { ROOT } from './manifest.ts'
import { PROGRAMS } from './programs.ts'

// By the environment, so that Jest's workers have them too.
const FLAGS = '--experimental-vm-modules --disable-warning=ExperimentalWarning'
const { NODE_OPTIONS: given = '' } = env

const args = argv.slice(2).filter(argument => argument !== '--deep')
const isDeep = args.length < argv.length - 2
const isWhole = args.every(argument => argument.startsWith('-'))
// All other tests try the same in `npm test`.
const chosen = isDeep && isWhole ? ['--findRelatedTests', '__tests__/support/deep.ts'] : []

const { status } = spawnSync(execPath, [PROGRAMS.jest, ...args, ...chosen], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...env,
    NODE_OPTIONS: `${given} ${FLAGS}`.trim(),
    ...(isDeep ? { DEEP: '1' } : {})
  }
})
process.exitCode = status ?? 1
