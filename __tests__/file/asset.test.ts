// Tests of src/release/asset.ts: which attached file is meant, and that what is downloaded is that file.
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type Asset, chooseAsset, downloadAsset, type Stream } from '../../src/file/asset.ts'
import { FileFault } from '../../src/file/fault.ts'
import { fillGlob } from '../../src/file/glob.ts'
import { makeFolder } from '../support/folders.ts'

const named = (name: string, id = 1): Asset => {
  return { id, name, size: 10, state: 'uploaded', digest: '' }
}
const choose = (patterns: readonly string[], ...names: readonly string[]) =>
  chooseAsset(patterns, names.map(named), 'v1.2.3')

/** The fault of what must not work. */
async function faultOf(work: Promise<unknown>): Promise<FileFault> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught
  )
  if (error instanceof FileFault) return error
  throw new Error('This is no fault of a file', { cause: error })
}

describe('the attached file is the only one that', () => {
  test.each<[string, string[], string[], string]>([
    ['has the name', ['a.zip'], ['b.zip', 'a.zip'], 'a.zip'],
    ['matches a wildcard', ['*.zip'], ['a.txt', 'a.zip', 'a.zip.sig'], 'a.zip'],
    ['matches one of several patterns', ['x', '?.zip'], ['ab.zip', 'a.zip'], 'a.zip'],
    ['is not excluded', ['*.zip', '!*-debug.zip'], ['a-debug.zip', 'a.zip'], 'a.zip'],
    ['is excluded with a space', ['*.zip', '! *-debug.zip'], ['a-debug.zip', 'a.zip'], 'a.zip'],
    ['is included again', ['*.zip', '!a*', 'ab*'], ['a.zip', 'ab.zip'], 'ab.zip'],
    ['starts with a point', ['*.zip'], ['.a.zip', 'b.txt'], '.a.zip'],
    ['has braces, which are letters', ['{a,b}.zip'], ['a.zip', '{a,b}.zip'], '{a,b}.zip'],
    ['has a mark, which is a letter', ['./!a.zip'], ['a.zip', '!a.zip'], '!a.zip'],
    ['matches after `./`', ['./a.zip', '!./b.zip'], ['a.zip', 'b.zip'], 'a.zip']
  ])('%s', async (_, patterns, names, expected) => {
    expect((await choose(patterns, ...names)).name).toBe(expected)
  })

  test.each([
    ['{version}.zip', '1.2.3.zip'],
    ['{tag}-pro.zip', 'v[1]-pro.zip'],
    ['!{tag}.zip', 'a.zip']
  ])('matches the filled-in template %s', async (template, expected) => {
    const names = { tag: 'v[1]', version: '1.2.3', name: '' }
    const patterns = [template.startsWith('!') ? 'a.zip' : 'none', fillGlob(template, names)]
    expect((await choose(patterns, 'v[1].zip', 'v1.zip', expected)).name).toBe(expected)
  })
})

describe('it is a fault', () => {
  test('that none matches, with those that are there', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}.txt`)
    const { reason, message } = await faultOf(choose(['*.zip', '!b*'], ...names))
    expect(reason).toBe('no-file')
    expect(message.split('\n')).toEqual([
      ...['No attached file matches:', '  *.zip', '  !b*'],
      ...['Attached to the release v1.2.3:', ...names.slice(0, 10).map(name => `  ${name}`)],
      '  … and 2 more'
    ])
  })

  test('that there is none at all', async () => {
    const { reason, message } = await faultOf(choose(['*.zip']))
    expect(reason).toBe('no-file')
    expect(message).toContain('The release v1.2.3 has no attached files.')
  })

  test('that several match', async () => {
    const { reason, message } = await faultOf(choose(['*'], 'a.zip', 'b.zip'))
    expect(reason).toBe('several-files')
    expect(message).toContain('2 attached files match')
    expect(message).toContain('  a.zip  10 bytes\n  b.zip  10 bytes\n')
  })

  test.each(['open', ''])('that the upload is not finished: state %j', async state => {
    const fault = await faultOf(chooseAsset(['*'], [{ ...named('a.zip'), state }], 'v1'))
    expect(fault.reason).toBe('bad-file')
    expect(fault.message).toContain('is not finished')
  })

  test.each(['a/b', 'a\\b', '..', '.', '', '\0'])(
    'that the name is no plain one: %j',
    async name => {
      // Matched by whatever pattern: GitHub itself has no such names.
      const fault = await faultOf(
        chooseAsset([name === '' ? '' : fillName(name)], [named(name)], 'v1')
      )
      expect(fault.message).toContain('is no plain file name')
    }
  )
})

/** A pattern that matches the name, whatever stands in it. */
function fillName(name: string): string {
  return name === '.' || name === '..' ? name : name.replaceAll('\\', '\\\\')
}

const CONTENT = Buffer.from('the bytes of an archive')
const digest = `sha256:${createHash('sha256').update(CONTENT).digest('hex')}`
const archive: Asset = { ...named('app.zip', 5), size: CONTENT.length, digest }

/** A stream of these chunks. */
const streamOf =
  (...chunks: readonly Buffer[]): Stream =>
  async (_, receive) => {
    for (const chunk of chunks) receive(chunk)
  }

const once = { tries: 1, pause: () => Promise.resolve() }

describe('a download', () => {
  test('lies in a new folder under its own name, for this user alone', async () => {
    const temp = makeFolder({ 'app.zip': 'another' })
    const halves = [CONTENT.subarray(0, 7), CONTENT.subarray(7)]
    const { path, remove } = await downloadAsset(archive, temp, streamOf(...halves), once)
    expect(await readFile(path)).toEqual(CONTENT)
    expect([dirname(dirname(path)), path.endsWith('/app.zip')]).toEqual([temp, true])
    expect((await stat(path)).mode & 0o077).toBe(0)
    await remove()
    expect(await readdir(temp)).toEqual(['app.zip'])
  })

  test.each(['', 'sha512:00'])('with the digest %j counts by its size', async other => {
    const asset = { ...archive, digest: other }
    const { path } = await downloadAsset(asset, makeFolder(), streamOf(CONTENT), once)
    expect(await readFile(path)).toEqual(CONTENT)
  })

  test.each<[string, Partial<Asset>, string]>([
    ['too short', { size: 24 }, 'it has 23 bytes, not 24'],
    ['too long', { size: 22 }, 'it is longer than 22 bytes'],
    ['another', { digest: `sha256:${'0'.repeat(64)}` }, `its digest is ${digest}, and GitHub says`]
  ])('that is %s is a fault, tried once, and leaves nothing', async (_, over, text) => {
    const temp = makeFolder()
    let tries = 0
    const stream: Stream = (id, receive) => {
      tries += 1
      return streamOf(CONTENT)(id, receive)
    }
    const retry = { tries: 4, pause: () => Promise.resolve() }
    const fault = await faultOf(downloadAsset({ ...archive, ...over }, temp, stream, retry))
    expect(fault.reason).toBe('bad-file')
    expect(fault.message).toContain(text)
    expect([tries, await readdir(temp)]).toEqual([1, []])
  })

  test('that is too long is a fault, also when the connection hides why it broke', async () => {
    const hiding: Stream = async (_, receive) => {
      try {
        receive(CONTENT)
      } catch (cause) {
        throw new Error('lost', { cause })
      }
    }
    const asset = { ...archive, size: 5 }
    const fault = await faultOf(downloadAsset(asset, makeFolder(), hiding, once))
    expect(fault.message).toContain('it is longer than 5 bytes')
  })
})

describe('a download that breaks', () => {
  /** Breaks so many times, after a few bytes. */
  const breaking = (times: number): Stream => {
    let left = times
    return async (id, receive) => {
      if (left-- > 0) {
        receive(CONTENT.subarray(0, 9))
        throw new Error(`broke, ${left} left`)
      }
      await streamOf(CONTENT)(id, receive)
    }
  }

  test('starts again from its first byte', async () => {
    const told: string[] = []
    const pause = async (tried: number, error: unknown) => {
      told.push(`${tried}: ${error instanceof Error ? error.message : ''}`)
    }
    const retry = { tries: 3, pause }
    const { path } = await downloadAsset(archive, makeFolder(), breaking(2), retry)
    expect(await readFile(path)).toEqual(CONTENT)
    expect(told).toEqual(['1: broke, 1 left', '2: broke, 0 left'])
  })

  test('every time ends as the last one did, and leaves nothing', async () => {
    const temp = makeFolder()
    const retry = { tries: 3, pause: () => Promise.resolve() }
    await expect(downloadAsset(archive, temp, breaking(9), retry)).rejects.toThrow('broke, 6 left')
    expect(await readdir(temp)).toEqual([])
  })

  test('ends when the pause says so, and leaves nothing', async () => {
    const temp = makeFolder()
    const retry = { tries: 3, pause: () => Promise.reject(new Error('cancelled')) }
    await expect(downloadAsset(archive, temp, breaking(9), retry)).rejects.toThrow('cancelled')
    expect(await readdir(temp)).toEqual([])
  })
})
