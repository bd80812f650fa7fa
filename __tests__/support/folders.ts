// Temporary folders with files in them; they go when the tests of a file are over.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from '@jest/globals'

const made: string[] = []

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** Makes a folder with these files, and returns its real path. */
export function makeFolder(files: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'folder-')))
  made.push(folder)

  for (const [name, content] of Object.entries(files)) {
    putFile(join(folder, name), content)
  }
  return folder
}

/** Writes a file, and makes the folders on the way to it. */
export function putFile(path: string, content: string | Buffer = 'content'): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
