// Owns `npm test` and `npm run test:deep`: Jest on native ES modules, with the arguments given.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { argv, env, execPath } from 'node:process'
import { ROOT } from './manifest.ts'
import { PROGRAMS } from './programs.ts'

// By the environment, so that Jest's workers have them too.
const FLAGS = '--experimental-vm-modules --disable-warning=ExperimentalWarning'
const { NODE_OPTIONS: given = '' } = env

const args = argv.slice(2).filter(argument => argument !== '--deep')
const isDeep = args.length < argv.length - 2
const isWhole = args.every(argument => argument.startsWith('-'))
const chosen = isDeep && isWhole ? findDeeper() : []

/**
 * The tests that try more in the deep suite: they, or a file of their own folder, ask for it. All others would repeat
 * `npm test`.
 */
function findDeeper(): string[] {
  const files = globSync('__tests__/**/*.ts', { cwd: ROOT })
  const sources = files.map(file => [file, readFileSync(path.join(ROOT, file), 'utf8')] as const)
  const isNamed = (source: string, name: string) => source.includes(`/${name}'`)

  const helpers = sources.filter(([, source]) => isNamed(source, 'support/deep.ts'))
  const deeper = sources.filter(([file, source]) => {
    return helpers.some(([helper]) => {
      const isOwn = path.dirname(helper) === path.dirname(file)
      return helper === file || (isOwn && isNamed(source, path.basename(helper)))
    })
  })
  return deeper.map(([file]) => file).filter(file => file.endsWith('.test.ts'))
}

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
