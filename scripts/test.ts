// Owns `npm test` and `npm run test:deep`: Jest on native ES modules, with the arguments given.
import { spawnSync } from 'node:child_process'
import { argv, env, execPath } from 'node:process'
import { ROOT } from './manifest.ts'
import { PROGRAMS } from './programs.ts'

// By the environment, so that Jest's workers have them too.
const FLAGS = '--experimental-vm-modules --disable-warning=ExperimentalWarning'
const { NODE_OPTIONS: given = '' } = env

const args = argv.slice(2).filter(argument => argument !== '--deep')
const deep = args.length < argv.length - 2 ? { DEEP: '1' } : {}

const { status } = spawnSync(execPath, [PROGRAMS.jest, ...args], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...env, NODE_OPTIONS: `${given} ${FLAGS}`.trim(), ...deep }
})
process.exitCode = status ?? 1
