// Tests of src/release/find-file.ts in odd folders: their names, links, and what is no usable file.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { describe, expect, test } from '@jest/globals'
import { findFile } from '../../src/file/find.ts'
import { makeFolder, putFile, silenceDebug } from '../support/folders.ts'

silenceDebug()

describe('the workspace', () => {
  test.each(['a[1]b', 'st*r', 'wh?t', '{a,b}', '!no', '#no', 'sp ace', '[!x]', 'back\\slash'])(
    'may be called %j',
    async name => {
      const folder = join(makeFolder(), name)
      putFile(join(folder, 'dist/app.zip'))
      for (const pattern of ['dist/*.zip', '**/app.zip']) {
        expect(await findFile([pattern], folder)).toBe(join(folder, 'dist/app.zip'))
      }
      await expect(findFile(['*.jar'], folder)).rejects.toThrow('"dist/app.zip"')
    }
  )

  test('may be a link', async () => {
    const folder = makeFolder({ 'real/dist/app.zip': 'x' })
    symlinkSync('real', join(folder, 'link'))
    const path = await findFile(['dist/*.zip'], join(folder, 'link'))
    expect(path).toBe(join(folder, 'link/dist/app.zip'))
  })
})

describe('links', () => {
  test('to a file count under their own name', async () => {
    const folder = makeFolder({ 'build/app-7.zip': 'x' })
    symlinkSync('build/app-7.zip', join(folder, 'app.zip'))
    expect(await findFile(['*.zip'], folder)).toBe(join(folder, 'app.zip'))
    await expect(findFile(['**/*.zip'], folder)).rejects.toMatchObject({ reason: 'several-files' })
  })

  test('in a chain lead to the file, and count under the name of the first', async () => {
    const folder = makeFolder({ 'build/app-7.zip': 'x' })
    symlinkSync('build/app-7.zip', join(folder, 'newest'))
    symlinkSync('newest', join(folder, 'app.zip'))
    expect(await findFile(['*.zip'], folder)).toBe(join(folder, 'app.zip'))
  })

  test('to a folder are followed', async () => {
    const folder = makeFolder({ 'build-7/app.zip': 'x' })
    symlinkSync('build-7', join(folder, 'build'))
    expect(await findFile(['build/*.zip'], folder)).toBe(join(folder, 'build/app.zip'))
  })

  test('to nothing do not count', async () => {
    const folder = makeFolder({ 'app.zip': 'x' })
    symlinkSync('nowhere', join(folder, 'dead.zip'))
    expect(await findFile(['*.zip'], folder)).toBe(join(folder, 'app.zip'))
  })

  test('between folders, in a circle, come to an end', async () => {
    const folder = makeFolder({ 'a/app.zip': 'x' })
    symlinkSync('..', join(folder, 'a/up'))
    symlinkSync('.', join(folder, 'self'))
    expect(await findFile(['a/**/*.zip'], folder)).toBe(join(folder, 'a/app.zip'))
  })

  test('to themselves are named', async () => {
    const folder = makeFolder({ 'app.zip': 'x' })
    symlinkSync('loop', join(folder, 'loop'))
    await expect(findFile(['**/*.zip'], folder)).rejects.toThrow(
      'The search stopped: "loop" is a link that leads in a circle'
    )
  })
})

describe('what is no usable file', () => {
  test('a name that is not UTF-8 cannot be meant', async () => {
    const folder = makeFolder()
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.zip')]),
      'x'
    )
    await expect(findFile(['*.zip'], folder)).rejects.toThrow('not UTF-8')
    putFile(join(folder, 'app.zip'))
    expect(await findFile(['app.zip'], folder)).toBe(join(folder, 'app.zip'))
  })

  test('a named pipe is found, for the next step to refuse', async () => {
    const folder = makeFolder()
    execFileSync('mkfifo', [join(folder, 'pipe.zip')])
    expect(await findFile(['*.zip'], folder)).toBe(join(folder, 'pipe.zip'))
  })

  const locked = getuid?.() === 0 ? test.skip : test
  locked('a folder that may not be read is named (root may read everything)', async () => {
    const folder = makeFolder({ 'locked/app.zip': 'x' })
    chmodSync(join(folder, 'locked'), 0)
    const finding = findFile(['**/*.zip'], folder)
    await expect(finding).rejects.toThrow('"locked" may not be read by the user')
    chmodSync(join(folder, 'locked'), 0o755)
  })

  test('an empty workspace, a workspace that is not there', async () => {
    for (const folder of [makeFolder(), join(makeFolder(), 'gone')]) {
      await expect(findFile(['*.zip'], folder)).rejects.toThrow('The workspace is empty')
    }
  })

  test('a folder that is empty', async () => {
    const folder = makeFolder({ 'readme.md': 'x' })
    mkdirSync(join(folder, 'dist'))
    await expect(findFile(['dist/*.zip'], folder)).rejects.toThrow('"dist" has no such file')
  })
})
