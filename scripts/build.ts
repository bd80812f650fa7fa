// Owns dist/: one bundle by ncc for both actions, which share their code, and a starter for each.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import ncc from '@vercel/ncc'
import { minify } from 'terser'
import { ROOT } from './manifest.ts'
import { writeNotices } from './notices.ts'
import { PROGRAMS, runProgram } from './programs.ts'

const OPTIONS = {
  cache: false,
  quiet: true,
  target: 'es2022',
  // undici's experimental parser, which only `UNDICI_USE_MILO` loads: a sixth of what a job downloads.
  externals: ['../milo/simd.js', '../milo/no-simd.js']
}
const BUILD = path.join(ROOT, 'build')
const MODULE = '{\n  "type": "module"\n}\n'

/** Bundles the actions into a new folder laid out like dist/, calls `use` with it, and removes it. */
export async function buildFor(use: (folder: string) => void): Promise<void> {
  rmSync(BUILD, { recursive: true, force: true })
  await compile()

  const folder = mkdtempSync(path.join(tmpdir(), 'dist-'))
  try {
    const files = await bundle(path.join(BUILD, 'src', 'main.js'), path.join(folder, 'bundle'))

    for (const name of ['publish', 'licenses']) {
      mkdirSync(path.join(folder, name))
      const start = `import { ${name} } from '../bundle/index.js'\n\nawait ${name}()\n`
      writeFileSync(path.join(folder, name, 'index.js'), start)
    }

    writeFileSync(path.join(folder, 'licenses.txt'), writeNotices(files))
    writeFileSync(path.join(folder, 'package.json'), MODULE)
    use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function compile() {
  const { exitCode, output } = await runProgram(PROGRAMS.tsc, ['-p', 'tsconfig.build.json'])
  if (exitCode !== 0) throw new Error(`tsc failed:\n${output}`)
  // Without a package.json of their own, ncc would take the files for CommonJS.
  writeFileSync(path.join(BUILD, 'package.json'), MODULE)
}

/** Writes a bundle, and returns the paths of the modules in it. */
async function bundle(entry: string, folder: string): Promise<string[]> {
  const { code, assets, stats } = await ncc(entry, OPTIONS)

  mkdirSync(folder, { recursive: true })
  const sources = { ...assets, 'index.js': { source: code } }
  for (const [name, { source }] of Object.entries(sources)) {
    if (name !== 'package.json') writeFileSync(path.join(folder, name), await smaller(source))
  }

  const { modules } = stats.toJson()
  return modules
    .flatMap(module => [module, ...(module.modules ?? [])])
    .flatMap(({ nameForCondition }) => nameForCondition ?? [])
    .map(file => path.relative(ROOT, file))
}

/**
 * Every job downloads the bundle. ncc's own `minify` leaves out the files of what loads late, which are nearly
 * all of it, so the minifier that it uses takes all of them here.
 */
async function smaller(source: string | Uint8Array): Promise<string> {
  const { code = '' } = await minify(source.toString(), { module: true, ecma: 2020 })
  return `${code}\n`
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  const folder = path.resolve(values.out ?? path.join(ROOT, 'dist'))

  // Nothing stale remains, and the old files stay until the new ones are complete.
  await buildFor(fresh => {
    rmSync(folder, { recursive: true, force: true })
    cpSync(fresh, folder, { recursive: true })
  })
}
