// Tests of src/file/download.ts: what is downloaded is the attached file, or a fault.
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { type Asset, downloadAsset, type Stream } from '../../src/file/asset.ts'
import { FileFault } from '../../src/file/fault.ts'
import { makeFolder } from '../support/folders.ts'

/** The fault of what must not work. */
async function faultOf(work: Promise<unknown>): Promise<FileFault> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught
  )
  if (error instanceof FileFault) return error
  throw new Error('This is no fault of a file', { cause: error })
}

const CONTENT = Buffer.from('the bytes of an archive')
const digest = `sha256:${createHash('sha256').update(CONTENT).digest('hex')}`
const archive: Asset = { id: 5, name: 'app.zip', size: CONTENT.length, state: 'uploaded', digest }

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
