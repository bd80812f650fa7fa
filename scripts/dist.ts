// Owns the check that dist/ is what the sources give, byte for byte.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { buildFor } from './build.ts'
import { ROOT } from './manifest.ts'

/** How two folders differ: one line a file. */
export function compareFolders(expected: string, actual: string): string[] {
  const wanted = listFiles(expected)
  const found = listFiles(actual)
  const all = new Set([...wanted, ...found])

  return [...all].sort().flatMap(file => {
    if (!found.includes(file)) return [`missing: ${file}`]
    if (!wanted.includes(file)) return [`left over: ${file}`]

    const fresh = readFileSync(path.join(expected, file))
    const old = readFileSync(path.join(actual, file))
    return old.equals(fresh) ? [] : [`changed: ${file}`]
  })
}

function listFiles(folder: string): string[] {
  const entries = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
    : []
  const files = entries.filter(name => statSync(path.join(folder, name)).isFile())
  return files.map(name => name.replaceAll('\\', '/'))
}

if (import.meta.main) {
  await buildFor(fresh => {
    const differences = compareFolders(fresh, path.join(ROOT, 'dist'))
    if (differences.length === 0) return

    process.stdout.write(`dist/ is not what the sources give; run \`npm run build\`.\n`)
    for (const difference of differences) {
      process.stdout.write(`  ${difference}\n`)
    }
    process.exitCode = 1
  })
}
