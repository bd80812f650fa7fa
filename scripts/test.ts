// Owns `npm test` and `npm run test:deep`: Jest on native ES modules, with the arguments given.
import { argv, env } from 'node:process'
import { PROGRAMS, runVisibly } from './programs.ts'

// By the environment, so that Jest's workers have them too.
const FLAGS = '--experimental-vm-modules --disable-warning=ExperimentalWarning'
const { NODE_OPTIONS: given = '' } = env

const args = argv.slice(2).filter(argument => argument !== '--deep')
const isDeep = args.length < argv.length - 2
const isWhole = args.every(argument => argument.startsWith('-'))
// All other tests try the same in `npm test`.
const chosen = isDeep && isWhole ? ['--findRelatedTests', '__tests__/support/deep.ts'] : []

process.exitCode = await runVisibly(PROGRAMS.jest, [...args, ...chosen], {
  NODE_OPTIONS: `${given} ${FLAGS}`.trim(),
  ...(isDeep ? { DEEP: '1' } : {})
})
