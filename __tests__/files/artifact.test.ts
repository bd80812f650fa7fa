// Tests of src/files/artifact.ts: which files are opened, and their bytes and digests.
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { openArtifact } from '../../src/files/artifact.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import type { FileReading } from '../../src/shop/body.ts'
import { makeFolder } from '../support/folders.ts'
import { onPosix } from '../support/platform.ts'

const CHUNK = 510 * 1024
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 5\n`

const openIn = (workspace: string, name: string, temp = '') =>
  openArtifact(join(workspace, name), workspace, [workspace, temp])

async function refusal(workspace: string, name: string, temp = ''): Promise<string> {
  const opened = await openIn(workspace, name, temp).catch((error: unknown) => error)
  if (opened instanceof ActionError) return `${opened.reason}: ${opened.message}`
  throw new Error(`no ActionError: ${String(opened)}`)
}

describe('a file is opened', () => {
  onPosix('whatever letters and signs its name has (Windows allows fewer)', async () => {
    const name = 'プラグイン-ünï-🎉 100% $(x) & [1] {a,b} *?;|<>.zip'
    const artifact = await openIn(makeFolder({ [`dist/${name}`]: 'x' }), `dist/${name}`)
    expect(artifact).toMatchObject({ path: `dist/${name}`, name, size: 1 })
    await artifact.close()
  })

  test('by a link inside a workspace that is a link itself, under the name of the link', async () => {
    const folder = makeFolder({ 'real/build/app-7.zip': 'x' })
    fs.symlinkSync('real', join(folder, 'link'))
    fs.symlinkSync('build/app-7.zip', join(folder, 'real/app.zip'))
    const artifact = await openIn(join(folder, 'link'), 'app.zip')

    expect(artifact).toMatchObject({ name: 'app.zip', path: 'app.zip' })
    await artifact.close()
  })

  test('in RUNNER_TEMP, shown with its whole path, and by a link into it', async () => {
    const workspace = makeFolder()
    const temp = makeFolder({ 'app.zip': 'x' })
    const path = join(temp, 'app.zip')
    const artifact = await openArtifact(path, workspace, [workspace, temp])

    expect(artifact).toMatchObject({ path, name: 'app.zip' })
    await artifact.close()

    fs.symlinkSync(path, join(workspace, 'app.zip'))
    await (await openIn(workspace, 'app.zip', temp)).close()
  })
})

describe('a file outside is refused', () => {
  const outside = makeFolder({ 'secret.zip': 'x' })

  test.each([
    ['by a link', 'app.zip', ''],
    ['by a linked folder', 'dist/secret.zip', outside.slice(0, -1)]
  ])('%s', async (_, name, temp) => {
    const workspace = makeFolder()
    fs.symlinkSync(outside, join(workspace, 'dist'))
    fs.symlinkSync(join(outside, 'secret.zip'), join(workspace, 'app.zip'))

    const target = JSON.stringify(join(outside, 'secret.zip'))
    expect(await refusal(workspace, name, temp)).toContain(
      `bad-file: The file "${name}" leads to ${target}, outside of the workspace`
    )
  })

  test('by a path that is no link, also where its folder begins like the workspace', async () => {
    const folder = makeFolder({ 'work-2/app.zip': 'x', 'work/x': 'x' })
    const path = join(folder, 'work-2/app.zip')
    const opening = openArtifact(path, join(folder, 'work'), [join(folder, 'work')])
    await expect(opening).rejects.toThrow(`${JSON.stringify(path)} is outside of the workspace`)
  })
})

describe('a file of Git’s own is refused', () => {
  const workspace = makeFolder({
    '.git/config': 'x',
    'sub/.GIT/modules/a/config': 'x',
    'GIT~1/config': 'x'
  })
  const temp = makeFolder({ 'git-credentials-1.config': 'x' })
  fs.symlinkSync('.git/config', join(workspace, 'app.zip'))
  fs.symlinkSync(join(temp, 'git-credentials-1.config'), join(workspace, 'b.zip'))

  test.each(['.git/config', 'sub/.GIT/modules/a/config', 'GIT~1/config', 'app.zip', 'b.zip'])(
    '%s',
    async name => {
      const message = await refusal(workspace, name, temp)
      expect(message).toMatch(
        /^bad-file: The file ".*" (?:is|leads to ".*",) where Git keeps credentials/
      )
    }
  )
})

describe('a file that cannot be published is refused:', () => {
  const workspace = makeFolder({ 'empty.zip': '', 'pointer.zip': POINTER })
  fs.mkdirSync(join(workspace, 'folder.zip'))
  fs.symlinkSync('loop.zip', join(workspace, 'loop.zip'))

  test.each([
    ['an empty file', 'empty.zip', '"empty.zip" is empty'],
    ['a folder', 'folder.zip', '"folder.zip" is not a regular file'],
    ['what Git LFS has not fetched', 'pointer.zip', '"pointer.zip" is a Git LFS pointer'],
    ['a link to itself', 'loop.zip', '"loop.zip" cannot be read: ELOOP'],
    ['a file that is gone', 'gone.zip', '"gone.zip" cannot be read: ENOENT']
  ])('%s', async (_, name, text) => {
    expect(await refusal(workspace, name)).toContain(`bad-file: The file ${text}`)
  })

  onPosix('a named pipe, which Windows lacks, without waiting for a writer', async () => {
    execFileSync('mkfifo', [join(workspace, 'pipe.zip')])
    expect(await refusal(workspace, 'pipe.zip')).toContain('"pipe.zip" is not a regular file')
  })

  // Windows has no files of such names.
  onPosix.each([
    ['a quote', 'a"b.zip', '"a\\"b.zip"'],
    ['a backslash', 'a\\b.zip', '"a\\\\b.zip"'],
    ['a control character of two bytes', 'a\x85b.zip', '"a\\u{85}b.zip"'],
    ['a line separator', 'a\u2028b.zip', '"a\\u{2028}b.zip"'],
    ['a quote as browsers send it', 'a%22b.zip', '"a%22b.zip"'],
    ['what reads like a part of the header', 'a;FileName*=b.zip', '"a;FileName*=b.zip"']
  ])('a name with %s', async (_, name, shown) => {
    const message = await refusal(makeFolder({ [name]: 'x' }), name)
    expect(message).toBe(
      `bad-file: The file ${shown} has a quote, a backslash, a control character, "%22" or "; name=" ` +
        'in its name, which servers read differently.'
    )
  })
})

/** Copies each chunk, whose memory is used again for the next. */
async function readAll(reading: FileReading): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of reading.chunks()) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

async function openFile(size: number) {
  const content = randomBytes(size)
  const workspace = makeFolder({ 'app.zip': content })
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { content, sha256, artifact: await openIn(workspace, 'app.zip') }
}

test.each([1, CHUNK, CHUNK + 1, 3 * CHUNK + 17])('%d bytes and their digest', async size => {
  const { artifact, sha256, content } = await openFile(size)
  const reading = artifact.read()
  expect(reading).toMatchObject({ name: 'app.zip', size })

  expect((await readAll(reading)).equals(content)).toBe(true)

  expect(await reading.seal()).toEqual({ sha256, size })
  await artifact.close()
})

test('a reading that is given up leaves the file open for the next', async () => {
  const { artifact, sha256 } = await openFile(3 * CHUNK)
  for await (const _ of artifact.read().chunks()) break
  for (const _ of ['first', 'known']) {
    expect(await artifact.digest()).toEqual({ sha256, size: 3 * CHUNK })
  }
  await artifact.close()
})
