// A folder for one bench, gone when the process ends, however that comes.

import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

/** Makes the folder; files of a gigabyte must not stay behind when somebody loses patience. */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => process.exit(1))
  }
  return folder
}
