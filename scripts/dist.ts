// Owns the check that dist/ is what the sources give, byte for byte.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildInto } from './build.ts'
import { ROOT } from './manifest.ts'

/** How two folders differ: one line a file. */
export function compareFolders(expected: string, actual: string): string[] {
  const wanted = listFiles(expected)
  const found = listFiles(actual)
  return [...new Set([...wanted, ...found])].sort().flatMap(file => {
    if (!found.includes(file)) return [`missing: ${file}`]
    if (!wanted.includes(file)) return [`left over: ${file}`]
    const [fresh, old] = [expected, actual].map(folder => readFileSync(path.join(folder, file)))
    return fresh !== undefined && old?.equals(fresh) ? [] : [`changed: ${file}`]
  })
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry =>
      path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/')
    )
}

if (import.meta.main) {
  const fresh = mkdtempSync(path.join(tmpdir(), 'dist-'))
  try {
    await buildInto(fresh)
    const differences = compareFolders(fresh, path.join(ROOT, 'dist'))
    if (differences.length > 0) {
      process.stdout.write(`dist/ is not what the sources give; run \`npm run build\`.\n`)
      for (const difference of differences) process.stdout.write(`  ${difference}\n`)
      process.exitCode = 1
    }
  } finally {
    rmSync(fresh, { recursive: true })
  }
}
