// Owns looks into archives: of bytes that are written to a file first, with what is told in plain texts.
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from '@jest/globals'
import { packTar } from 'modern-tar'
import { inspectArchive } from '../../src/file/archive.ts'
import { openArtifact } from '../../src/file/artifact.ts'
import { FileFault } from '../../src/file/fault.ts'
import { makeFolder } from '../support/folders.ts'

export type Files = Readonly<Record<string, string>>

export const PLUGIN = {
  'gallery/gallery.php': '<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n',
  'gallery/readme.txt': 'Read me.'
}
/** What is told of an archive of the plugin. */
export const FINE = { told: [], warnings: [], contents: '2 files, 59 bytes unpacked: "gallery/"' }

type Given = Readonly<{ name?: string; contents?: readonly string[]; limit?: number }>

export async function inspectAt(path: string, { contents = [], limit }: Given = {}) {
  const artifact = await openArtifact(path, dirname(path), [dirname(path)])
  try {
    const found = await inspectArchive(artifact, contents, ['1.4.2'], limit)
    return { ...found, told: found.problems.map(({ message }) => message) }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    return { told: [error.message], problems: [], warnings: [], contents: '' }
  } finally {
    await artifact.close()
  }
}

export const inspect = (content: Buffer, { name = 'gallery.zip', ...given }: Given = {}) =>
  inspectAt(join(makeFolder({ [name]: content }), name), given)

export const inspectTar = async (entries: Parameters<typeof packTar>[0], given: Given = {}) =>
  inspect(gzipSync(await packTar(entries)), { name: 'gallery.tar.gz', ...given })

export const tarEntriesOf = (files: Files) =>
  Object.entries(files).map(([name, body]) => ({
    ...{ header: { name, size: Buffer.byteLength(body), type: 'file' as const }, body }
  }))

export const said = (text: string) => [expect.stringContaining(text)]
