// Tests of src/shop/upload.ts with src/files/artifact.ts: a file that changes while it is sent is never published as
// what it was not.
import { appendFile, open, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Service } from '../../sandbox/service.ts'
import { type FileDigest, openArtifact } from '../../src/files/artifact.ts'
import type { PublishResult } from '../../src/shop/upload.ts'
import { makeFolder } from '../support/folders.ts'
import { inWords, openService, publishTo } from './trying.ts'

const SIZE = 2 * 1024 * 1024 + 7
let service: Service
let path: string

beforeEach(async () => {
  service = await openService()
  path = join(makeFolder({ 'gallery.zip': Buffer.alloc(SIZE, 'before') }), 'gallery.zip')
  // A whole second, so that it can be set again.
  await utimes(path, 1e9, 1e9)
})
afterEach(() => service.close())

async function overwrite(at: number): Promise<void> {
  const handle = await open(path, 'r+')
  await handle.write(Buffer.alloc(1000, 'after'), 0, 1000, at)
  await handle.close()
}

const CHANGES: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['grows', () => appendFile(path, 'more')],
  ['shrinks', () => truncate(path, Math.floor(SIZE / 2))],
  ['shrinks by its last byte', () => truncate(path, SIZE - 1)],
  ['is written over at its end', () => overwrite(SIZE - 1000)],
  ['is written again, as long as before', () => writeFile(path, Buffer.alloc(SIZE, 'after'))],
  ['is replaced', () => writeFile(`${path}2`, 'x').then(() => rename(`${path}2`, path))],
  ['is deleted', () => rm(path)],
  ['is written over, its time set back', () => overwrite(100).then(() => utimes(path, 1e9, 1e9))]
]

type Moment = 'inspected' | 'read' | 'sealed'

interface Ended {
  readonly result: PublishResult
  /** Undefined if only the tail was never left. */
  readonly sealed: FileDigest | undefined
}

/** Publishes the file, which changes before it is read, after the second chunk, or when only the tail is left. */
async function publishWhile(change: () => Promise<unknown>, when: Moment): Promise<Ended> {
  const artifact = await openArtifact(path, dirname(path), [dirname(path)])
  await artifact.digest()
  if (when === 'inspected') await change()

  const reading = artifact.read()
  let sealed: FileDigest | undefined
  async function* chunks() {
    let count = 0
    for await (const chunk of reading.chunks()) {
      if (when === 'read' && count++ === 1) await change()
      yield chunk
    }
  }

  const decide = async () => {
    sealed = await reading.seal()
    if (when === 'sealed') await change()
  }

  const result = await publishTo(service.url, { file: { ...reading, chunks } }, decide)
  await artifact.close()

  return { result, sealed }
}

const UNSEALED = CHANGES.flatMap(([name, change]) => [
  [`${name} once it is inspected`, change, 'inspected'] as const,
  [`${name} while it is read`, change, 'read'] as const
])

test.each(UNSEALED)(
  'a file that %s is published as it was, or not at all',
  async (_, change, when) => {
    const { result, sealed } = await publishWhile(change, when)
    if (result.kind === 'published') {
      // A file that was read already, or has only lost its name, still has the bytes that were looked at.
      const [version] = service.versions
      expect(version).toMatchObject({ ...sealed })
      expect((await version?.bytes())?.equals(Buffer.alloc(SIZE, 'before'))).toBe(true)
      return
    }

    const cause = { name: 'ActionError', reason: 'file-changed' }
    expect(result).toMatchObject({ kind: 'notSent', cause })
    expect(sealed).toBeUndefined()
    expect(service.versions).toHaveLength(0)
  }
)

test.each(CHANGES)(
  'a file that %s with only the tail left is published as it was',
  async (_, change) => {
    const { result, sealed } = await publishWhile(change, 'sealed')

    expect(inWords(result)).toBe('published 1001')
    const [version] = service.versions
    expect(version).toMatchObject({ ...sealed })
    expect((await version?.bytes())?.equals(Buffer.alloc(SIZE, 'before'))).toBe(true)
  }
)
