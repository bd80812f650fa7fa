// Owns dist/: one bundle for all actions, and a main file for each that starts its part.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import ncc from '@vercel/ncc'
import { minify } from 'terser'
import { ACTION_FILES, ROOT, readManifest } from './manifest.ts'
import { writeNotices } from './notices.ts'
import { PROGRAMS, runProgram } from './programs.ts'
import { withEagerModules, withoutRequire } from './quick-start.ts'

/** The bundle's own folder in dist/; the actions' main files only start it. */
const BUNDLE = 'bundle'

/** The sandbox has a bundle of its own: no job loads it that does not rehearse. */
const SANDBOX = {
  entry: path.join(ROOT, 'build', 'sandbox', 'action', 'index.js'),
  main: path.join(ROOT, 'dist', 'sandbox', 'index.js')
}

/** Every job of every user downloads the bundle; the names in it stay, so that a stack trace can be read. */
const SMALLER = { module: true, keep_fnames: true, keep_classnames: true }

/** Bundles the actions into a folder laid out like dist/. */
export async function buildInto(folder: string): Promise<void> {
  rmSync(path.join(ROOT, 'build'), { recursive: true, force: true })
  await compile()
  await bundle(path.join(ROOT, 'build', 'src', 'bundle.js'), path.join(folder, BUNDLE))
  for (const file of ACTION_FILES) {
    const { main } = readManifest(file)
    if (main !== SANDBOX.main) writeStarter(folder, main)
  }
  await bundle(SANDBOX.entry, path.join(folder, 'sandbox'))
  writeFileSync(path.join(folder, 'sandbox', 'package.json'), MODULE)
}

/** dist/publish/index.js starts what the bundle exports as `publish`. */
function writeStarter(folder: string, main: string) {
  const name = path.basename(path.dirname(main))
  const at = path.join(folder, name)
  mkdirSync(at, { recursive: true })
  const start = `import { ${name} } from '../${BUNDLE}/index.js'\n\nawait ${name}()\n`
  writeFileSync(path.join(at, path.basename(main)), start)
  writeFileSync(path.join(at, 'package.json'), MODULE)
}

const MODULE = '{\n  "type": "module"\n}\n'

async function bundle(entry: string, folder: string) {
  const options = { cache: false, quiet: true, target: 'es2024' }
  const { code, assets, stats } = await ncc(entry, options)
  mkdirSync(folder, { recursive: true })
  const files = { ...assets, 'index.js': { source: withoutRequire(code) } }
  for (const [name, { source }] of Object.entries(files)) {
    const text = name.endsWith('.js') ? await smaller(String(source)) : String(source)
    writeFileSync(path.join(folder, name), `${text.trimEnd()}\n`)
  }
  writeFileSync(path.join(folder, 'licenses.txt'), writeNotices(stats.toJson()))
}

async function smaller(source: string): Promise<string> {
  const { code } = await minify(source, SMALLER)
  return withEagerModules(code ?? '')
}

async function compile() {
  const { exitCode, output } = await runProgram(PROGRAMS.tsc, ['-p', 'tsconfig.build.json'])
  if (exitCode !== 0) throw new Error(`tsc failed:\n${output}`)
}

/** Builds beside the old files and puts the new ones in their place, so nothing stale remains. */
async function build(folder: string) {
  const fresh = mkdtempSync(path.join(tmpdir(), 'dist-'))
  try {
    await buildInto(fresh)
    rmSync(folder, { recursive: true, force: true })
    cpSync(fresh, folder, { recursive: true })
  } finally {
    rmSync(fresh, { recursive: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  await build(path.resolve(values.out ?? path.join(ROOT, 'dist')))
}
