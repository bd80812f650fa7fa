// Tests of src/files/attached.ts: which attached file is meant, how long it is waited for, and its download.
import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { downloadAsset, findAttached } from '../../src/files/attached.ts'
import type { GitHub } from '../../src/github/github.ts'
import type { Asset } from '../../src/github/releases.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import { makeFolder } from '../support/folders.ts'
import { PRIVATE } from '../support/platform.ts'

const named = (name: string, state = 'uploaded'): Asset => {
  return {
    id: name.length,
    name,
    size: 10,
    state,
    digest: ''
  }
}

/** The attached files, look by look; the last look is repeated. */
type Looks = readonly [...(readonly (string | Asset)[])[]]

/** The looks, the waits and the log of a choice. */
interface Played {
  looks: number
  /** In milliseconds. */
  waited: number
  readonly logged: string[]
}

interface Opened {
  readonly played: Played
  /** The name that is chosen, or the reason, the message and the advice of the error. */
  choose(...patterns: string[]): Promise<string>
}

/** The release, with a clock of its own. */
function open(looks: Looks, { timeout = 60_000, immutable = false } = {}): Opened {
  const played: Played = {
    looks: 0,
    waited: 0,
    logged: []
  }

  const look = async () => {
    const seen = looks[Math.min(played.looks++, looks.length - 1)] ?? []
    return { immutable, assets: seen.map(it => (typeof it === 'string' ? named(it) : it)) }
  }
  const sleep = async (ms: number) => {
    played.waited += ms
  }
  const choose = (...patterns: string[]) => {
    const found = findAttached({
      patterns,
      tag: 'v1.2.3',
      timeout,
      look,
      sleep,
      log: message => void played.logged.push(message)
    })
    return found.then(
      ({ name }) => name,
      (error: unknown) => {
        if (!(error instanceof ActionError)) throw error
        return `${error.reason}: ${error.message}\n${error.advice}`
      }
    )
  }
  return { played, choose }
}

describe('the attached file is the only one that', () => {
  test.each<[string, string[], string[], string]>([
    ['matches a wildcard', ['*.zip'], ['a.txt', 'a.zip', 'a.zip.sig'], 'a.zip'],
    ['matches one of several patterns', ['x', '?.zip'], ['ab.zip', 'a.zip'], 'a.zip'],
    ['is not excluded', ['*.zip', '! *-debug.zip'], ['a-debug.zip', 'a.zip'], 'a.zip'],
    ['is named exactly', ['a[1].zip'], ['a1.zip', 'a[1].zip'], 'a[1].zip'],
    ['starts with a point', ['*.zip'], ['.a.zip', 'b.txt'], '.a.zip'],
    ['has braces, which are letters', ['{a,b}.zip'], ['a.zip', '{a,b}.zip'], '{a,b}.zip'],
    ['has brackets, which are letters', ['@(a|b).zip'], ['a.zip', '@(a|b).zip'], '@(a|b).zip'],
    ['begins with a hash', ['./#a.zip'], ['a.zip', '#a.zip'], '#a.zip'],
    ['is in lower case', ['A.zip', 'a*'], ['A.ZIP', 'a.zip'], 'a.zip'],
    ['has a mark, which is a letter', ['./!a.zip'], ['b.zip', '!a.zip'], '!a.zip'],
    ['matches after `./`', ['./a.zip', '!./b.zip'], ['a.zip', 'b.zip'], 'a.zip']
  ])('%s', async (_, patterns, names, expected) => {
    expect(await open([names]).choose(...patterns)).toBe(expected)
  })
})

describe('waiting', () => {
  const unfinished = named('a.zip', 'open')
  test.each<[string, string, Looks, object]>([
    ['is over at once for a name that is spelled out', 'a.zip', [['a.zip']], { looks: 1 }],
    ['takes a second look for a wildcard', '*.zip', [['a.zip']], { looks: 2 }],
    ['goes on until one is there', 'a.zip', [[], [], ['a.zip']], { looks: 3, waited: 6000 }],
    ['goes on until the upload is finished', '*.zip', [[unfinished], ['a.zip']], { looks: 3 }],
    ['starts over for another file', '*.zip', [['ab.zip'], ['a.zip'], ['a.zip']], { looks: 3 }]
  ])('%s', async (_, pattern, looks, expected) => {
    const { choose, played } = open(looks)

    expect(await choose(pattern)).toBe('a.zip')
    expect(played).toMatchObject(expected)
  })

  test('says after the first look which file it waits for, once', async () => {
    const { choose, played } = open([['b.txt'], [unfinished], ['a.zip']])
    await choose('a*.zip')

    expect(played.logged).toEqual([
      'Waiting up to 60 seconds for a complete file that matches a*.zip on the release v1.2.3. ' +
        'Attached now: "b.txt".'
    ])
  })

  test.each([
    ['the time is over', {}, 60_000],
    ['the release is immutable', { immutable: true }, 0],
    ['it is not to wait', { timeout: 0 }, 0]
  ])('ends when %s', async (_, options, waited) => {
    const { choose, played } = open([['a.txt']], options)

    const words = /^no-file: .*v1\.2\.3 has these:\n {2}"a\.txt"/s
    expect(await choose('*.zip')).toMatch(words)
    expect(played).toMatchObject({ waited, looks: 1 + waited / 3000 })
    expect(await open([['a.zip']], options).choose('*.zip')).toBe('a.zip')
  })
})

describe('it is an error', () => {
  test('that none matches, with those that are there and what to do', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}.txt`)
    const { choose } = open([names], { timeout: 0 })
    expect((await choose('*.zip', '!b*')).split('\n')).toEqual([
      'no-file: No attached file matches `asset`:',
      '  *.zip',
      '  !b*',
      'The release v1.2.3 has these:',
      ...names.slice(0, 10).map(name => `  "${name}"`),
      '  … and 2 more',
      'If the file is still to come, attach it, then press *Re-run failed jobs* (if a job attaches it, name that job in `needs:`). If `asset` is wrong, correct it.'
    ])
  })

  test.each<[string, string, Looks]>([
    ['nothing is attached', 'The release v1.2.3 has no attached files', [[]]],
    ['the upload is unfinished', '(its upload is not finished: "open")', [[named('a.zip', 'open')]]]
  ])('that %s', async (_, text, looks) => {
    expect(await open(looks).choose('*')).toContain(text)
  })

  test('that several match, also one look later', async () => {
    const { choose } = open([['a-1.2.2.zip'], ['a-1.2.2.zip', 'a-1.2.3.zip']])

    expect((await choose('*')).split('\n')).toEqual([
      'several-files: 2 attached files match, and exactly one has to:',
      '  "a-1.2.2.zip"  10 bytes',
      '  "a-1.2.3.zip"  10 bytes',
      expect.stringContaining('Write the whole name of the one that buyers need, with {version}')
    ])
  })
})

const CONTENT = Buffer.from('the bytes of an archive')
const digest = `sha256:${createHash('sha256').update(CONTENT).digest('hex')}`
const archive: Asset = {
  id: 5,
  name: 'app.zip',
  size: CONTENT.length,
  state: 'uploaded',
  digest
}

/** Streams the content in two chunks; breaks so many times before. */
function streamOf(breaks = 0): GitHub['streamAsset'] {
  return async (_, start) => {
    for (let left = breaks; left > 0; left--) start()(CONTENT.subarray(0, 9))
    const receive = start()
    receive(CONTENT.subarray(0, 9))
    receive(CONTENT.subarray(9))
  }
}

describe('a download', () => {
  test.each(['a.zip', '../../a.zip'])('is in a new folder, for this user alone: %s', async name => {
    const temp = makeFolder({ 'a.zip': 'another' })
    const { path, remove } = await downloadAsset({ ...archive, name }, temp, {
      streamAsset: streamOf()
    })

    expect(await readFile(path)).toEqual(CONTENT)
    expect([dirname(dirname(path)), basename(path)]).toEqual([temp, 'a.zip'])
    expect((await stat(path)).mode & 0o777).toBe(PRIVATE)

    await remove()
    expect(await readdir(temp)).toEqual(['a.zip'])
  })

  test.each([
    ['that is missing: then it counts by its size', ''],
    ['in upper case', digest.toUpperCase()],
    ['with a dash', digest.replace('sha', 'SHA-')],
    ['by another algorithm, which is passed over', 'sha512:ab']
  ])('may have a digest %s', async (_, given) => {
    const asset = { ...archive, digest: given }
    const { path } = await downloadAsset(asset, makeFolder(), { streamAsset: streamOf() })
    expect(await readFile(path)).toEqual(CONTENT)
  })

  test.each<[string, Partial<Asset>, string]>([
    ['too short', { size: 24 }, '"app.zip" is not 24 bytes long'],
    ['too long', { size: 22 }, '"app.zip" is not 22 bytes long'],
    ['another', { digest: `sha256:${'0'.repeat(64)}` }, `its digest is ${digest}, and GitHub says`]
  ])('that is %s is an error, and leaves nothing', async (_, over, text) => {
    const temp = makeFolder()
    const download = downloadAsset({ ...archive, ...over }, temp, { streamAsset: streamOf() })

    await expect(download).rejects.toThrow(text)
    expect(await readdir(temp)).toEqual([])
  })

  test('that breaks starts again from its first byte', async () => {
    const { path } = await downloadAsset(archive, makeFolder(), { streamAsset: streamOf(2) })
    expect(await readFile(path)).toEqual(CONTENT)
  })
})
