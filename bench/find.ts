// Looks for the one archive in a folder, by the action's patterns or by a bare walk. Prints the milliseconds.
import { readdir } from 'node:fs/promises'
import process from 'node:process'
import { findFile } from '../src/file/find.ts'

async function walk(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile() && entry.name.endsWith('.zip')).length
}

const [, , kind = '', folder = ''] = process.argv
const startedAt = performance.now()
const found =
  kind === 'walk'
    ? await walk(folder)
    : [await findFile({ patterns: ['**/*.zip'], workspace: folder, versions: [''] })].length
const ms = performance.now() - startedAt
if (found !== 1) throw new Error(`${found} files were found, not 1`)
process.stdout.write(String(ms))
