// Tests of src/file/asset.ts: which attached file is meant, and how long it is waited for.
import { describe, expect, test } from '@jest/globals'
import { type Asset, type Attached, openAttached } from '../../src/file/asset.ts'
import { FileFault } from '../../src/file/fault.ts'
import { fillGlob } from '../../src/file/glob.ts'

const named = (name: string, state = 'uploaded'): Asset => {
  return { id: name.length, name, size: 10, state, digest: '' }
}

/** What is attached, look by look; the last is repeated. */
type Looks = readonly [...(readonly (string | Asset)[])[]]

interface Played {
  readonly looks: number
  readonly waited: number
  readonly told: readonly string[]
  /** The name that was chosen, or the message of the fault. */
  readonly ended: string
}

/** Chooses with a clock of its own. */
async function choose(
  patterns: readonly string[],
  looks: Looks,
  { timeout = 60_000, immutable = false, version = '1.2.3' } = {}
): Promise<Played> {
  const told: string[] = []
  const played = { looks: 0, waited: 0 }
  const attached = openAttached({
    tag: `v${version}`,
    timeout,
    look: async (): Promise<Attached> => {
      const seen = looks[Math.min(played.looks++, looks.length - 1)] ?? []
      return { immutable, assets: seen.map(it => (typeof it === 'string' ? named(it) : it)) }
    },
    sleep: async ms => {
      played.waited += ms
    },
    tell: message => void told.push(message)
  })
  const ended = await attached({ patterns, versions: [version] }).then(
    ({ name }) => name,
    (error: unknown) => {
      if (error instanceof FileFault) return `${error.reason}: ${error.message}`
      throw error
    }
  )
  return { ...played, told, ended }
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
    expect((await choose(patterns, [names])).ended).toBe(expected)
  })

  test.each([
    ['{version}.zip', '1.2.3.zip'],
    ['{tag}-pro.zip', 'v[1]-pro.zip'],
    ['!{tag}.zip', 'a.zip']
  ])('matches the filled-in template %s', async (template, expected) => {
    const pattern = fillGlob(template, { tag: 'v[1]', version: '1.2.3' })
    const patterns = [template.startsWith('!') ? 'a.zip' : 'none', pattern]
    expect((await choose(patterns, [['v[1].zip', 'v1.zip', expected]])).ended).toBe(expected)
  })
})

describe('waiting', () => {
  test.each<[string, string[], Looks, Partial<Played>]>([
    ['is over at once for a name that is spelled out', ['a.zip'], [['a.zip']], { looks: 1 }],
    ['takes a second look for a wildcard', ['*.zip'], [['a.zip']], { looks: 2 }],
    ['goes on until one is there', ['a.zip'], [[], [], ['a.zip']], { looks: 3, waited: 6000 }],
    [
      'goes on until the upload is finished',
      ['*.zip'],
      [[named('a.zip', 'open')], ['a.zip'], ['a.zip']],
      { looks: 3 }
    ],
    [
      'starts over when the file is another',
      ['*.zip'],
      [['a.zip'], ['ab.zip'], ['ab.zip']],
      { looks: 3, ended: 'ab.zip' }
    ]
  ])('%s', async (_, patterns, looks, expected) => {
    expect(await choose(patterns, looks)).toMatchObject({ ended: 'a.zip', ...expected })
  })

  test('says after the first look what it waits for, once', async () => {
    const { told } = await choose(['a-*.zip'], [['b.txt'], [], ['a-1.zip']])
    expect(told).toEqual([
      'Waiting up to 60 seconds for a file that matches a-*.zip to be attached to the release v1.2.3. Attached now: "b.txt".'
    ])
    const unfinished = await choose(['*'], [[named('a.zip', 'starter')], ['a.zip']])
    expect(unfinished.told).toEqual([expect.stringContaining('the upload of "a.zip"')])
  })

  test('a second match that comes one look later is an error that names both', async () => {
    const { ended, looks } = await choose(['*.zip'], [['a.zip'], ['a.zip', 'a-pro.zip']])
    expect(looks).toBe(2)
    expect(ended).toMatch(/^several-files: 2 attached.*"a\.zip".*"a-pro\.zip"/s)
  })

  test.each([
    ['the time is over', {}, 60_000],
    ['the release is immutable', { immutable: true }, 0],
    ['it is not to wait', { timeout: 0 }, 0]
  ])('ends when %s', async (_, options, waited) => {
    const played = await choose(['*.zip'], [['a.txt']], options)
    expect(played).toMatchObject({ waited, looks: 1 + waited / 3000 })
    expect(played.ended).toMatch(/^no-file: .*Attached to the release v1\.2\.3:\n {2}"a\.txt"/s)
    expect(played.told).toHaveLength(waited === 0 ? 0 : 1)
    expect((await choose(['*.zip'], [['a.zip']], options)).ended).toBe('a.zip')
  })

  test('is shared by several targets', async () => {
    let [looks, waited] = [0, 0]
    const choosing = openAttached({
      tag: 'v1',
      timeout: 60_000,
      look: async () => ({ immutable: false, assets: looks++ < 2 ? [] : [named('a.zip')] }),
      sleep: async ms => {
        waited += ms
      },
      tell: () => undefined
    })
    const wanted = (pattern: string) => choosing({ patterns: [pattern], versions: ['1'] })
    expect([(await wanted('*.zip')).name, (await wanted('a*')).name]).toEqual(['a.zip', 'a.zip'])
    expect([looks, waited]).toEqual([4, 9000])
    await expect(wanted('b')).rejects.toThrow('after 60 seconds')
    await expect(wanted('c')).rejects.toThrow('after 60 seconds')
    expect([looks, waited]).toEqual([21, 60_000])
  })
})

describe('it is a fault', () => {
  test('that none matches, with those that are there and what to do', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}.txt`)
    const { ended } = await choose(['*.zip', '!b*'], [['a-1.2.2.txt', ...names]], { timeout: 0 })
    expect(ended.split('\n')).toEqual([
      ...['no-file: No attached file matches:', '  *.zip', '  !b*'],
      ...['Attached to the release v1.2.3:', '  "a-1.2.2.txt"  another version'],
      ...names.slice(0, 9).map(name => `  "${name}"`),
      '  … and 3 more',
      'Attach the built file before this job runs (`needs:`), raise `asset-timeout`, or use `file`.'
    ])
  })

  test.each([
    ['nothing is attached', ['*.zip'], [], 'The release v1.2.3 has no attached files.'],
    ['a folder is written', ['dist/a.zip'], ['a.zip'], 'Attached files have no folder'],
    ['braces are written', ['{a,b}.zip'], ['a.zip'], 'Braces are taken literally']
  ])('%s', async (_, patterns, names, text) => {
    expect((await choose(patterns, [names], { timeout: 0 })).ended).toContain(text)
  })

  test('that several match: the advice goes by the version', async () => {
    const { ended } = await choose(['*'], [['a-1.2.2.zip', 'a-1.2.3.zip']])
    expect(ended.split('\n')).toEqual([
      'several-files: 2 attached files match, and exactly one can be published:',
      '  "a-1.2.2.zip"  10 bytes  another version',
      '  "a-1.2.3.zip"  10 bytes  fits 1.2.3',
      expect.stringContaining('Name the right one'),
      '  a-{version}.zip'
    ])
  })

  test.each(['open', ''])('that the upload is not finished: state %j', async state => {
    const { ended } = await choose(['*'], [[named('a.zip', state)]])
    expect(ended).toMatch(/^bad-file: .* is not finished after 60 seconds/)
  })

  test.each(['a/b', 'a\\b', '..', '.', '', '\0'])('that the name is %j', async name => {
    // Matched by whatever pattern: GitHub itself has no such names.
    const { ended } = await choose([name.replaceAll('\\', '\\\\')], [[name]])
    expect(ended).toContain('is not a plain file name')
  })
})
