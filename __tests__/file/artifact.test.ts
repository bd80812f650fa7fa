// Tests of src/file/artifact.ts: which files are opened, and which are refused, with which words.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { describe, expect, test } from '@jest/globals'
import { FileFault, openArtifact } from '../../src/file/artifact.ts'
import { makeFolder } from '../support/folders.ts'

const openIn = (workspace: string, name: string, temp = '') =>
  openArtifact(join(workspace, name), workspace, [workspace, temp])

async function refusal(workspace: string, name: string, temp = ''): Promise<FileFault> {
  const opened = await openIn(workspace, name, temp).catch((error: unknown) => error)
  if (opened instanceof FileFault) return opened
  throw new Error(`no FileFault: ${String(opened)}`)
}

describe('a file is opened', () => {
  test('with its path, name, size and digest', async () => {
    const workspace = makeFolder({ 'dist/app.zip': 'content' })
    const artifact = await openIn(workspace, 'dist/app.zip')
    expect(artifact).toMatchObject({ path: 'dist/app.zip', name: 'app.zip', size: 7 })
    const sha256 = createHash('sha256').update('content').digest('hex')
    expect(await artifact.digest()).toEqual({ sha256, size: 7 })
    expect(await artifact.digest()).toEqual({ sha256, size: 7 })
    await artifact.close()
  })

  test.each([
    ['spaces', 'my file  v1.zip'],
    ['letters of all kinds', 'プラグイン-ünï-🎉.zip'],
    ['signs that shells and globs know', "$(x) & [1] {a,b} 'q' `b` *?;|<>.zip"],
    ['a per cent sign', '100%.zip'],
    ['a leading dot', '.zip'],
    ['255 bytes', `${'é'.repeat(125)}x.zip`]
  ])('whose name holds %s', async (_, name) => {
    const artifact = await openIn(makeFolder({ [name]: 'x' }), name)
    expect(artifact.name).toBe(name)
    await artifact.close()
  })

  test('by a link inside the workspace, under the name of the link', async () => {
    const workspace = makeFolder({ 'build/app-7.zip': 'x' })
    symlinkSync('build/app-7.zip', join(workspace, 'app.zip'))
    const artifact = await openIn(workspace, 'app.zip')
    expect(artifact).toMatchObject({ name: 'app.zip', path: 'app.zip' })
    await artifact.close()
  })

  test('in a workspace that is a link itself', async () => {
    const folder = makeFolder({ 'real/app.zip': 'x' })
    symlinkSync('real', join(folder, 'link'))
    const artifact = await openIn(join(folder, 'link'), 'app.zip')
    expect(artifact.path).toBe('app.zip')
    await artifact.close()
  })

  test('in RUNNER_TEMP, and shown with its whole path', async () => {
    const [workspace, temp] = [makeFolder(), makeFolder({ 'app.zip': 'x' })]
    const path = join(temp, 'app.zip')
    const artifact = await openArtifact(path, workspace, [workspace, temp])
    expect(artifact).toMatchObject({ path, name: 'app.zip' })
    await artifact.close()
  })

  test('by a link from the workspace into RUNNER_TEMP', async () => {
    const [workspace, temp] = [makeFolder(), makeFolder({ 'app.zip': 'x' })]
    symlinkSync(join(temp, 'app.zip'), join(workspace, 'app.zip'))
    await (await openIn(workspace, 'app.zip', temp)).close()
  })
})

describe('a file outside is refused', () => {
  const outside = makeFolder({ 'secret.zip': 'x' })
  test.each([
    ['without RUNNER_TEMP', ''],
    ['with a RUNNER_TEMP that is not there', '/no/such/folder'],
    ['with a RUNNER_TEMP whose name begins like the folder', outside.slice(0, -1)]
  ])('%s', async (_, temp) => {
    const workspace = makeFolder()
    symlinkSync(join(outside, 'secret.zip'), join(workspace, 'app.zip'))
    const { reason, message } = await refusal(workspace, 'app.zip', temp)
    expect(reason).toBe('bad-file')
    expect(message).toContain(`"app.zip" leads to "${outside}/secret.zip", outside the workspace`)
  })

  test('by a linked folder', async () => {
    const workspace = makeFolder()
    symlinkSync(outside, join(workspace, 'dist'))
    expect((await refusal(workspace, 'dist/secret.zip')).message).toContain('outside the workspace')
  })

  test('by a chain of links, of which the first stay inside', async () => {
    const workspace = makeFolder({ 'builds/note.txt': 'x' })
    symlinkSync('builds/newest.zip', join(workspace, 'app.zip'))
    symlinkSync('../last', join(workspace, 'builds/newest.zip'))
    symlinkSync(join(outside, 'secret.zip'), join(workspace, 'last'))
    const { message } = await refusal(workspace, 'app.zip')
    expect(message).toContain(`leads to "${outside}/secret.zip", outside the workspace`)
  })

  test('by its own path, which is no link', async () => {
    const workspace = makeFolder()
    const opening = openArtifact(join(outside, 'secret.zip'), workspace, [workspace])
    await expect(opening).rejects.toThrow(`"${outside}/secret.zip" is outside the workspace`)
  })

  test('by a folder whose name begins like the workspace', async () => {
    const folder = makeFolder({ 'work-2/app.zip': 'x', 'work/x': 'x' })
    const opening = openArtifact(join(folder, 'work-2/app.zip'), join(folder, 'work'), [
      join(folder, 'work')
    ])
    await expect(opening).rejects.toThrow('is outside the workspace')
  })

  test('by a link to a device', async () => {
    const workspace = makeFolder()
    symlinkSync('/dev/zero', join(workspace, 'app.zip'))
    expect((await refusal(workspace, 'app.zip')).message).toContain('"/dev/zero", outside')
  })
})

describe('what cannot be published is refused', () => {
  const workspace = makeFolder({ 'empty.zip': '' })
  mkdirSync(join(workspace, 'folder.zip'))
  symlinkSync('loop.zip', join(workspace, 'loop.zip'))
  execFileSync('mkfifo', [join(workspace, 'pipe.zip')])

  test.each([
    ['an empty file', 'empty.zip', '"empty.zip" is empty'],
    ['a folder', 'folder.zip', '"folder.zip" is a folder'],
    ['a named pipe, without waiting for a writer', 'pipe.zip', '"pipe.zip" is a named pipe'],
    ['a link to itself', 'loop.zip', '"loop.zip" is a link that leads in a circle'],
    ['a file that is gone', 'gone.zip', '"gone.zip" no longer exists']
  ])('%s', async (_, name, text) => {
    expect(await refusal(workspace, name)).toMatchObject({
      reason: 'bad-file',
      message: expect.stringContaining(text)
    })
  })

  test('a socket', async () => {
    const server = createServer()
    const folder = makeFolder()
    await new Promise<void>(resolve => server.listen(join(folder, 's.zip'), resolve))
    try {
      expect((await refusal(folder, 's.zip')).message).toContain('"s.zip" is a socket')
    } finally {
      server.close()
    }
  })

  test.each([
    ['a quote', 'a"b.zip', '"a\\"b.zip"'],
    ['a backslash', 'a\\b.zip', '"a\\\\b.zip"'],
    ['a line feed', 'a\nb.zip', '"a\\nb.zip"'],
    ['a carriage return', 'a\rb.zip', '"a\\rb.zip"'],
    ['a tab', 'a\tb.zip', '"a\\tb.zip"'],
    ['DEL', 'a\x7fb.zip', '"a\\u{7f}b.zip"'],
    ['a control character of two bytes', 'a\x85b.zip', '"a\\u{85}b.zip"'],
    ['a line separator', 'a\u2028b.zip', '"a\\u{2028}b.zip"'],
    ['a quote as browsers send it', 'a%22b.zip', '"a%22b.zip"'],
    ['what reads like a part of the header', 'a; name=b.zip', '"a; name=b.zip"'],
    ['the same in other spellings', 'a;FileName*=b.zip', '"a;FileName*=b.zip"']
  ])('a name with %s', async (_, name, shown) => {
    const { message } = await refusal(makeFolder({ [name]: 'x' }), name)
    expect(message).toBe(
      `The file name in ${shown} contains a quote, a backslash, a control character, "%22" or "; name=", ` +
        'which servers read differently. Rename the file.'
    )
  })

  const locked = getuid?.() === 0 ? test.skip : test
  locked('a file that may not be read (root may read everything)', async () => {
    const folder = makeFolder({ 'app.zip': 'x' })
    chmodSync(join(folder, 'app.zip'), 0)
    expect((await refusal(folder, 'app.zip')).message).toContain('cannot be read by the user')
  })
})
