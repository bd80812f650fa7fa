// Inspects archives for the tests of src/files/wrong-archive.ts.
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from '@jest/globals'
import { packTar } from 'modern-tar'
import { openArtifact } from '../../src/files/artifact.ts'
import { inspectArchive } from '../../src/files/wrong-archive.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import { makeFolder } from '../support/folders.ts'

/** Texts by their names. */
export type Files = Readonly<Record<string, string>>
export type TarEntries = Parameters<typeof packTar>[0]

interface Given {
  /** The name of the archive. */
  readonly name?: string
  /** The lines of the input `contents`. */
  readonly rules?: readonly string[]
}

/** A healthy plugin, by the names of its files. */
export const PLUGIN: Files = {
  'gallery/gallery.php': '<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n',
  'gallery/readme.txt': 'Read me.'
}

/** A private key. */
export const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n'

interface Inspected {
  /** Empty if the archive passes; otherwise there are no warnings, and no contents. */
  readonly error: string
  readonly reason: string
  readonly advice: string
  readonly warnings: readonly string[]
  readonly contents: string
}

/** Inspects a file for a release of the version 1.4.2. */
export async function inspectAt(path: string, { rules = [] }: Given = {}): Promise<Inspected> {
  const artifact = await openArtifact(path, dirname(path), [dirname(path)])
  try {
    const found = await inspectArchive(artifact, {
      lines: rules,
      versions: ['1.4.2'],
      isAttached: false
    })
    // It is still open.
    const chunks = artifact.read().chunks()[Symbol.asyncIterator]()
    expect(await chunks.next()).toMatchObject({ done: false })

    return {
      error: '',
      reason: '',
      advice: '',
      ...found
    }
  } catch (error) {
    if (!(error instanceof ActionError)) throw error
    const { reason, message, advice } = error
    return {
      error: message,
      reason,
      advice,
      warnings: [],
      contents: ''
    }
  } finally {
    await artifact.close()
  }
}

/** Inspects an archive with these bytes. */
export function inspect(content: Buffer, given: Given = {}): Promise<Inspected> {
  const { name = 'gallery.zip', ...others } = given
  return inspectAt(join(makeFolder({ [name]: content }), name), others)
}

/** Inspects a tar.gz file with these entries. */
export async function inspectTar(entries: TarEntries, given: Given = {}): Promise<Inspected> {
  return inspect(gzipSync(await packTar(entries)), { name: 'gallery.tar.gz', ...given })
}

/** The entries of a tar file with these files. */
export function tarEntriesOf(files: Files): TarEntries {
  return Object.entries(files).map(([name, body]) => {
    const header = {
      name,
      size: Buffer.byteLength(body),
      type: 'file' as const
    }
    return { header, body }
  })
}
