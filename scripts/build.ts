// Owns dist/: an entry for each action, and what they share in dist/chunks/.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { ROOT } from './manifest.ts'
import { writeNotices } from './notices.ts'

/** The file that the runner starts, below dist/ and without its ending, and its source. */
const ENTRIES = {
  'publish/index': 'src/publish/index.ts',
  'licenses/index': 'src/licenses/index.ts',
  'sandbox/index': 'sandbox/action/index.ts'
}

/** Packages that are no ES modules ask for Node's modules by `require`. */
const REQUIRE =
  "import{createRequire}from'node:module';const require=createRequire(import.meta.url);"

/** Bundles the actions into a folder laid out like dist/. */
export async function buildInto(folder: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ENTRIES,
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: REQUIRE },
    // Every job downloads this. Keeping the names of functions would add 20 KB.
    minify: true,
    // They are in licenses.txt, with those of all packages.
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning'
  })
  writeFileSync(path.join(folder, 'licenses.txt'), writeNotices(Object.keys(metafile.inputs)))
  writeFileSync(path.join(folder, 'package.json'), '{\n  "type": "module"\n}\n')
}

/** Builds beside the old files and puts the new ones in their place, so nothing stale remains. */
async function replace(folder: string) {
  const fresh = mkdtempSync(path.join(tmpdir(), 'dist-'))
  try {
    await buildInto(fresh)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    cpSync(fresh, folder, { recursive: true })
  } finally {
    rmSync(fresh, { recursive: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  await replace(path.resolve(values.out ?? path.join(ROOT, 'dist')))
}
