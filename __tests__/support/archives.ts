// Archives for tests: real ones, as a build step would leave them.
import { strToU8, type Zippable, zipSync } from 'fflate'
import { pick } from './deep.ts'

/** In bytes: more than a connection takes while nobody reads. */
export const LARGE: number = pick(8, 16) * 1024 * 1024

const mtime = new Date('2026-01-02T03:04:05Z')

/** A ZIP file of these files. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const entries: Zippable = {}
  for (const [name, text] of Object.entries(files)) {
    entries[name] = strToU8(text)
  }
  return Buffer.from(zipSync(entries, { mtime }))
}

/** A ZIP file of one file with this content, as large as that and a little more. */
export function packed(content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return Buffer.from(zipSync({ 'gallery/content': bytes }, { mtime, level: 0 }))
}
