// Starts an older Node again as the one that `npm ci` installs: an older one cannot read TypeScript. Not every npm puts
// it first by itself.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const { argv, env, execArgv, exit, stderr, version } = process
const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)

if (major < 24 || (major === 24 && minor < 2)) {
  const installed = findInstalled()
  if (installed === undefined) {
    stderr.write(`This needs Node.js 24.2 or newer, and was started with ${version}.
\`npm ci\` installs one for most systems, unless it is told to --omit=optional.\n`)
    exit(1)
  }

  // Programs that it starts as `node` get the same one.
  const PATH = `${path.dirname(installed)}${path.delimiter}${env.PATH ?? ''}`
  const { status } = spawnSync(installed, [...execArgv, ...argv.slice(1)], {
    stdio: 'inherit',
    env: { ...env, PATH }
  })
  exit(status ?? 1)
}

/** The Node that is installed for this system; undefined if there is none. */
function findInstalled() {
  const { arch, platform } = process
  const system = platform === 'win32' ? 'win' : platform
  const program = platform === 'win32' ? 'node.exe' : 'node'
  const packages = fileURLToPath(new URL('../node_modules', import.meta.url))

  return [`node-${system}-${arch}`, `node-bin-${system}-${arch}`]
    .map(name => path.join(packages, name, 'bin', program))
    .find(file => existsSync(file))
}
