// Owns dist/: one bundle for the main file of each action.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ACTION_FILES, ROOT, readManifest } from './manifest.ts'
import { writeNotices } from './notices.ts'
import { PROGRAMS, runProgram } from './programs.ts'

/** Bundles every action into a folder laid out like dist/. */
export async function buildInto(folder: string): Promise<void> {
  rmSync(path.join(ROOT, 'build'), { recursive: true, force: true })
  await run('tsc', ['-p', 'tsconfig.build.json'])
  for (const file of ACTION_FILES) {
    // dist/publish/index.js is the bundle of build/publish/index.js.
    const main = path.relative(path.join(ROOT, 'dist'), readManifest(file).main)
    await bundle(path.join(ROOT, 'build', main), path.join(folder, path.dirname(main)))
  }
}

async function bundle(entry: string, folder: string) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'bundle-'))
  const stats = path.join(scratch, 'stats.json')
  try {
    await run('ncc', [
      ...['build', entry, '--out', folder, '--stats-out', stats],
      ...['--target', 'es2024', '--no-cache', '--quiet']
    ])
    const notices = writeNotices(JSON.parse(readFileSync(stats, 'utf8')))
    writeFileSync(path.join(folder, 'licenses.txt'), notices)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

async function run(program: 'tsc' | 'ncc', args: readonly string[]) {
  const { exitCode, output } = await runProgram(PROGRAMS[program], args)
  if (exitCode !== 0) throw new Error(`${program} failed:\n${output}`)
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
