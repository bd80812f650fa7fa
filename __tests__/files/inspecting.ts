// Inspects files for the tests of src/files/inspect.ts and of what it calls.
import { dirname, join } from 'node:path'
import { expect } from '@jest/globals'
import { openArtifact } from '../../src/files/artifact.ts'
import { inspectFile } from '../../src/files/inspect.ts'
import { BUILT, type Origin } from '../../src/files/wrong-file.ts'
import type { Names } from '../../src/release/tag.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import { makeFolder } from '../support/folders.ts'

/** Texts by their names. */
export type Files = Readonly<Record<string, string>>

interface Given {
  /** The name of the file. */
  readonly name?: string
  /** The lines of the input `contents`. */
  readonly rules?: readonly string[]
  /** The version of the release, 1.4.2 when left out. */
  readonly version?: string
  readonly origin?: Origin
}

/** A healthy plugin, by the names of its files. */
export const PLUGIN: Files = {
  'gallery/gallery.php': '<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n',
  'gallery/readme.txt': 'Read me.'
}

/** A private key. */
export const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n'

/** The first lines of what Git LFS has not fetched. */
export const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 5\n`

interface Inspected {
  /** Empty if the file passes; otherwise there are no warnings, and no contents. */
  readonly error: string
  readonly reason: string
  readonly advice: string
  readonly warnings: readonly string[]
  readonly contents: string
}

/** Inspects a file. */
export async function inspectAt(path: string, given: Given = {}): Promise<Inspected> {
  const { rules = [], version = '1.4.2', origin = BUILT } = given
  // As a run passes them; a line of `contents` knows only two of them.
  const names: Names = {
    tag: `v${version}`,
    version,
    name: 'gallery'
  }
  try {
    await using opened = new AsyncDisposableStack()
    const artifact = await openArtifact(path, dirname(path), [dirname(path)], origin)
    opened.defer(() => artifact.close())
    const found = await inspectFile(artifact, {
      lines: rules,
      names,
      versions: [version]
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
  }
}

/** Inspects a file with these bytes. */
export function inspect(content: Buffer | string, given: Given = {}): Promise<Inspected> {
  const { name = 'gallery.zip', ...others } = given
  return inspectAt(join(makeFolder({ [name]: content }), name), others)
}
