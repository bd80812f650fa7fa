// Owns `npm test`: Jest on native ES modules, with the arguments given.
import { argv, env } from 'node:process'
import { PROGRAMS, runVisibly } from './programs.ts'

// By the environment, so that Jest's workers have them too.
const FLAGS = '--experimental-vm-modules --disable-warning=ExperimentalWarning'
const { NODE_OPTIONS: given = '' } = env

process.exitCode = await runVisibly(PROGRAMS.jest, argv.slice(2), {
  NODE_OPTIONS: `${given} ${FLAGS}`.trim()
})
