// Tests of src/file/artifact.ts: which files are opened, what is read of them, and what changes on the way.
import { execFileSync, fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { FileFault, type FilePass, openArtifact } from '../../src/file/artifact.ts'
import { makeFolder, putFile } from '../support/folders.ts'

const CHUNK = 512 * 1024

const openIn = (workspace: string, name: string, temp = '') =>
  openArtifact(join(workspace, name), workspace, [workspace, temp])

async function refusal(workspace: string, name: string, temp = ''): Promise<FileFault> {
  const opened = await openIn(workspace, name, temp).catch((error: unknown) => error)
  if (opened instanceof FileFault) return opened
  throw new Error(`no FileFault: ${String(opened)}`)
}

describe('a file is opened', () => {
  test.each([
    ['spaces', 'my file  v1.zip'],
    ['letters of all kinds', 'プラグイン-ünï-🎉.zip'],
    ['signs that shells and globs know', "$(x) & [1] {a,b} 'q' `b` *?;|<>.zip"],
    ['a per cent sign', '100%.zip'],
    ['a leading dot', '.zip'],
    ['255 bytes', `${'é'.repeat(125)}x.zip`]
  ])('whose name holds %s', async (_, name) => {
    await using artifact = await disposable(makeFolder({ [`dist/${name}`]: 'x' }), `dist/${name}`)
    expect(artifact).toMatchObject({ path: `dist/${name}`, name, size: 1 })
  })

  test('by a link inside a workspace that is a link itself, under the name of the link', async () => {
    const folder = makeFolder({ 'real/build/app-7.zip': 'x' })
    fs.symlinkSync('real', join(folder, 'link'))
    fs.symlinkSync('build/app-7.zip', join(folder, 'real/app.zip'))
    await using artifact = await disposable(join(folder, 'link'), 'app.zip')
    expect(artifact).toMatchObject({ name: 'app.zip', path: 'app.zip' })
  })

  test('in RUNNER_TEMP, shown with its whole path, and by a link into it', async () => {
    const [workspace, temp] = [makeFolder(), makeFolder({ 'app.zip': 'x' })]
    const path = join(temp, 'app.zip')
    const artifact = await openArtifact(path, workspace, [workspace, temp])
    expect(artifact).toMatchObject({ path, name: 'app.zip' })
    await artifact.close()
    fs.symlinkSync(path, join(workspace, 'app.zip'))
    await (await openIn(workspace, 'app.zip', temp)).close()
  })
})

async function disposable(workspace: string, name: string) {
  const artifact = await openIn(workspace, name)
  return { ...artifact, [Symbol.asyncDispose]: artifact.close }
}

describe('a file outside is refused', () => {
  const outside = makeFolder({ 'secret.zip': 'x' })
  test.each([
    ['without RUNNER_TEMP', ''],
    ['with a RUNNER_TEMP that is not there', '/no/such/folder'],
    ['with a RUNNER_TEMP whose name begins like the folder', outside.slice(0, -1)]
  ])('by a link, %s', async (_, temp) => {
    const workspace = makeFolder()
    fs.symlinkSync(join(outside, 'secret.zip'), join(workspace, 'app.zip'))
    const { reason, message } = await refusal(workspace, 'app.zip', temp)
    expect(reason).toBe('bad-file')
    expect(message).toContain(`"app.zip" leads to "${outside}/secret.zip", outside the workspace`)
  })

  test('by a linked folder, and by a chain of links, of which the first stay inside', async () => {
    const workspace = makeFolder({ 'builds/note.txt': 'x' })
    fs.symlinkSync(outside, join(workspace, 'dist'))
    fs.symlinkSync('builds/newest.zip', join(workspace, 'app.zip'))
    fs.symlinkSync('../last', join(workspace, 'builds/newest.zip'))
    fs.symlinkSync(join(outside, 'secret.zip'), join(workspace, 'last'))
    for (const name of ['dist/secret.zip', 'app.zip']) {
      const { message } = await refusal(workspace, name)
      expect(message).toContain(`leads to "${outside}/secret.zip", outside the workspace`)
    }
  })

  test('by a path that is no link, also where its folder begins like the workspace', async () => {
    const folder = makeFolder({ 'work-2/app.zip': 'x', 'work/x': 'x' })
    const path = join(folder, 'work-2/app.zip')
    const opening = openArtifact(path, join(folder, 'work'), [join(folder, 'work')])
    await expect(opening).rejects.toThrow(`"${path}" is outside the workspace`)
  })
})

describe('what cannot be published is refused', () => {
  const workspace = makeFolder({ 'empty.zip': '', 'locked.zip': 'x' })
  fs.mkdirSync(join(workspace, 'folder.zip'))
  fs.symlinkSync('loop.zip', join(workspace, 'loop.zip'))
  execFileSync('mkfifo', [join(workspace, 'pipe.zip')])

  test.each([
    ['an empty file', 'empty.zip', '"empty.zip" is empty'],
    ['a folder', 'folder.zip', '"folder.zip" is not a regular file'],
    ['a named pipe, without waiting for a writer', 'pipe.zip', '"pipe.zip" is not a regular file'],
    ['a link to itself', 'loop.zip', '"loop.zip" is a link that leads in a circle'],
    ['a file that is gone', 'gone.zip', '"gone.zip" no longer exists']
  ])('%s', async (_, name, text) => {
    const message = expect.stringContaining(text)
    expect(await refusal(workspace, name)).toMatchObject({ reason: 'bad-file', message })
  })

  test('a socket', async () => {
    const server = createServer()
    const folder = makeFolder()
    await new Promise<void>(resolve => server.listen(join(folder, 's.zip'), resolve))
    expect((await refusal(folder, 's.zip')).message).toContain('not a regular file')
    server.close()
  })

  test.each([
    ['a quote', 'a"b.zip', '"a\\"b.zip"'],
    ['a backslash', 'a\\b.zip', '"a\\\\b.zip"'],
    ['a line feed', 'a\nb.zip', '"a\\nb.zip"'],
    ['a carriage return', 'a\rb.zip', '"a\\rb.zip"'],
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
})

/** A process of its own, so that the swaps fall between any two steps of the opening. */
const SWAPPER = `
import { renameSync, symlinkSync } from 'node:fs'
const [, , folder, name, target] = process.argv
process.on('disconnect', () => process.exit())
const [place, aside, link] = [folder + '/' + name, folder + '/aside', folder + '/link']
symlinkSync(target, link)
const spin = () => {
  for (let i = 0; i < 50; i++) {
    renameSync(place, aside)
    renameSync(link, place)
    renameSync(place, link)
    renameSync(aside, place)
  }
  setImmediate(spin)
}
spin()
process.send('ready')
`

describe('what takes the place of another meanwhile is never followed out', () => {
  const script = join(makeFolder({ 'swapper.mjs': SWAPPER }), 'swapper.mjs')
  test.each([
    ['a link instead of the file', 'app.zip', 'app.zip'],
    ['a link instead of its folder', 'dist', 'dist/app.zip']
  ])('%s', async (_, swapped, name) => {
    const workspace = makeFolder({ [name]: 'public' })
    const outside = makeFolder({ [name]: 'SECRET' })
    const swapper = fork(script, [workspace, swapped, join(outside, swapped)], { execArgv: [] })
    const reasons = new Set<string>()
    try {
      await new Promise(resolve => swapper.once('message', resolve))
      for (let i = 0; i < 1500; i++) {
        const artifact = await openIn(workspace, name).catch((error: unknown) => {
          if (!(error instanceof FileFault)) throw error
          reasons.add(error.reason)
        })
        // Where the file lies may change its times: that it is read at all is not the point here.
        const chunks = artifact ? await readAll(artifact.read()) : []
        expect(Buffer.concat(chunks).toString()).toBe(artifact ? 'public' : '')
        await artifact?.close()
      }
    } finally {
      swapper.disconnect()
    }
    // What was seen shows that the swaps did fall in between.
    expect(reasons).toContain('bad-file')
    reasons.delete('file-changed')
    expect([...reasons]).toEqual(['bad-file'])
  })
})

/** Copies each chunk as it comes, since its memory is used again. */
async function readAll(reading: FilePass, between: (turn: number) => void = () => {}) {
  const chunks: Buffer[] = []
  for await (const chunk of reading.chunks()) {
    chunks.push(Buffer.from(chunk))
    between(chunks.length)
  }
  return chunks
}

async function openFile(content: Buffer) {
  const workspace = makeFolder({ 'app.zip': content })
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { path: join(workspace, 'app.zip'), sha256, artifact: await openIn(workspace, 'app.zip') }
}

describe('bytes and digest', () => {
  test.each([1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 17])(
    'of %d bytes',
    async size => {
      const content = randomBytes(size)
      const { artifact, sha256 } = await openFile(content)
      const reading = artifact.read()
      expect(reading).toMatchObject({ name: 'app.zip', size })
      const chunks = await readAll(reading)
      expect(Buffer.concat(chunks).equals(content)).toBe(true)
      expect(chunks.slice(0, -1).every(({ length }) => length === CHUNK)).toBe(true)
      expect(await reading.seal()).toEqual({ sha256, size })
      await artifact.close()
    }
  )

  test('a reading that is given up leaves the file open for the next', async () => {
    const { artifact, sha256 } = await openFile(randomBytes(3 * CHUNK))
    for await (const _ of artifact.read().chunks()) break
    for (const _ of ['first', 'known']) {
      expect(await artifact.digest()).toEqual({ sha256, size: 3 * CHUNK })
    }
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

function rewriteUnseen(path: string): void {
  const { atime, mtime } = fs.statSync(path)
  fs.writeFileSync(path, randomBytes(4 * CHUNK))
  fs.utimesSync(path, atime, mtime)
}

function replace(path: string): void {
  putFile(`${path}.new`, randomBytes(4 * CHUNK))
  fs.renameSync(`${path}.new`, path)
}

describe.each<[string, (path: string) => void]>([
  ['grows', path => fs.appendFileSync(path, 'more')],
  ['shrinks', path => fs.truncateSync(path, 100)],
  ['shrinks to nothing', path => fs.truncateSync(path, 0)],
  ['is rewritten, and its time set back', rewriteUnseen],
  ['is replaced', replace],
  ['is deleted', path => fs.rmSync(path)]
])('a file that %s', (_, change) => {
  const message = expect.stringContaining('"app.zip" changed while it was read')
  const expected = { reason: 'file-changed', message }

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
    const { path, artifact } = await openFile(randomBytes(CHUNK))
    await new Promise(resolve => setTimeout(resolve, 20))
    await artifact.digest()
    change(path)
    await expect(artifact.digest()).rejects.toMatchObject(expected)
    await artifact.close()
  })
})

test('a read that fails while nobody waits is told to who asks next', async () => {
  const { path, artifact } = await openFile(randomBytes(4 * CHUNK))
  const chunks = artifact.read().chunks()[Symbol.asyncIterator]()
  const pause = () => new Promise(resolve => setTimeout(resolve, 50))
  await chunks.next().then(pause)
  fs.truncateSync(path, 10)
  await chunks.next().then(pause)
  await expect(chunks.next()).rejects.toMatchObject({ reason: 'file-changed' })
  await artifact.close()
})
