// Tests of src/file/bytes.ts: the bytes and their digest, and files that change on the way.
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { type FilePass, openArtifact } from '../../src/file/artifact.ts'
import { readFile } from '../../src/file/bytes.ts'
import { makeFolder, putFile } from '../support/folders.ts'

const CHUNK = 512 * 1024

async function openFile(content: Buffer) {
  const workspace = makeFolder({ 'app.zip': content })
  const path = join(workspace, 'app.zip')
  return { path, artifact: await openArtifact(path, workspace, [workspace]) }
}

/** Copies each chunk as it comes, since its memory is used again. */
async function readAll(reading: FilePass, between: (turn: number) => void = () => {}) {
  const chunks: Buffer[] = []
  for await (const chunk of reading.chunks()) {
    chunks.push(Buffer.from(chunk))
    between(chunks.length)
  }
  return chunks
}

describe('bytes and digest', () => {
  const sizes = [0, 1, 2].flatMap(chunks => [-1, 0, 1].map(more => chunks * CHUNK + more))
  test.each(sizes.filter(size => size > 0).concat(3 * CHUNK + 17))('of %d bytes', async size => {
    const content = randomBytes(size)
    const { artifact } = await openFile(content)
    const reading = artifact.read()
    expect(reading).toMatchObject({ name: 'app.zip', size })
    const chunks = await readAll(reading)
    expect(Buffer.concat(chunks).equals(content)).toBe(true)
    expect(chunks.map(({ length }) => length)).toEqual([
      ...Array.from({ length: Math.floor(size / CHUNK) }, () => CHUNK),
      ...(size % CHUNK === 0 ? [] : [size % CHUNK])
    ])
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(await reading.seal()).toEqual({ sha256, size })
    await artifact.close()
  })

  test('a reading that is given up leaves the file open for the next', async () => {
    const content = randomBytes(3 * CHUNK)
    const { artifact } = await openFile(content)
    for await (const _ of artifact.read().chunks()) break
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect(await artifact.digest()).toEqual({ sha256, size: content.length })
    await artifact.close()
  })

  test('a slow caller has the same bytes until it asks for more', async () => {
    const content = randomBytes(4 * CHUNK)
    const { artifact } = await openFile(content)
    let position = 0
    for await (const chunk of artifact.read().chunks()) {
      await new Promise(resolve => setTimeout(resolve, 5))
      expect(chunk.equals(content.subarray(position, position + chunk.length))).toBe(true)
      position += chunk.length
    }
    expect(position).toBe(content.length)
    await artifact.close()
  })
})

const CHANGES: readonly (readonly [string, (path: string) => void])[] = [
  ['grows', path => appendFileSync(path, 'more')],
  ['shrinks', path => truncateSync(path, 100)],
  ['shrinks to nothing', path => truncateSync(path, 0)],
  ['is rewritten with as many bytes', path => writeFileSync(path, randomBytes(4 * CHUNK))],
  ['is rewritten, and its time set back', rewriteUnseen],
  ['is replaced', replace],
  ['is deleted', path => rmSync(path)]
]

function rewriteUnseen(path: string): void {
  const { atime, mtime } = statSync(path)
  writeFileSync(path, randomBytes(4 * CHUNK))
  utimesSync(path, atime, mtime)
}

function replace(path: string): void {
  putFile(`${path}.new`, randomBytes(4 * CHUNK))
  renameSync(`${path}.new`, path)
}

describe.each(CHANGES)('a file that %s', (_, change) => {
  const expected = {
    reason: 'file-changed',
    message: expect.stringContaining('"app.zip" changed while it was read')
  }
  test.each([
    ['before it is read', 0],
    ['after the first chunk', 1],
    ['after the last chunk', 4]
  ])('%s', async (__, when) => {
    const { path, artifact } = await openFile(randomBytes(4 * CHUNK))
    // A file system counts time in ticks of some milliseconds; a change within one would go unseen.
    await new Promise(resolve => setTimeout(resolve, 20))
    if (when === 0) change(path)
    const reading = artifact.read()
    const ending = readAll(reading, turn => {
      if (turn === when) change(path)
    }).then(() => reading.seal())
    await expect(ending).rejects.toMatchObject(expected)
    await artifact.close()
  })

  test('after one digest and before the next', async () => {
    const { path, artifact } = await openFile(randomBytes(4 * CHUNK))
    await new Promise(resolve => setTimeout(resolve, 20))
    await artifact.digest()
    change(path)
    await expect(artifact.digest()).rejects.toMatchObject(expected)
    await artifact.close()
  })
})

test('bytes that are not there are never handed on', async () => {
  const { path, artifact } = await openFile(randomBytes(4 * CHUNK))
  const draining = readAll(artifact.read(), turn => {
    if (turn === 1) truncateSync(path, CHUNK + 10)
  })
  await expect(draining).rejects.toMatchObject({ reason: 'file-changed' })
  await artifact.close()
})

test('a read that fails while nobody waits is told to who asks next', async () => {
  const path = join(makeFolder({ 'app.zip': randomBytes(4 * CHUNK) }), 'app.zip')
  const handle = await open(path)
  const version = await handle.stat({ bigint: true })
  const chunks = readFile(handle, 'app.zip', '"app.zip"', version).chunks()[Symbol.asyncIterator]()
  await chunks.next()
  await chunks.next()
  await handle.close()
  await expect(chunks.next().then(() => chunks.next())).rejects.toMatchObject({
    reason: 'bad-file',
    message: expect.stringContaining('"app.zip" cannot be read')
  })
})

test('a read that fails while nobody waits ends no process', () => {
  const path = join(makeFolder({ 'app.zip': randomBytes(4 * CHUNK) }), 'app.zip')
  const script = `
    import { openArtifact } from '${pathToFileURL(join(ROOT, 'src/file/artifact.ts'))}'
    import { truncateSync } from 'node:fs'
    const artifact = await openArtifact('${path}', '/', ['/'])
    const chunks = artifact.read().chunks()[Symbol.asyncIterator]()
    const pause = () => new Promise(resolve => setTimeout(resolve, 100))
    await chunks.next().then(pause)
    truncateSync('${path}', 10)
    await chunks.next().then(pause)
    await chunks.next().catch(error => console.log(error.reason))`
  const printed = execFileSync(execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8'
  })
  expect(printed).toBe('file-changed\n')
})
