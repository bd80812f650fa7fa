// Tests of src/file/explain.ts: what a user in a hurry reads when no file matches, or several do.
import { utimesSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, win32 } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { explainNone } from '../../src/file/explain.ts'
import { findFile } from '../../src/file/find.ts'
import { fillGlob } from '../../src/file/glob.ts'
import { makeFolder, silenceDebug } from '../support/folders.ts'

silenceDebug()

const workspace = makeFolder({
  'README.md': 'x',
  'plugin/dist/app-1.0.0.zip': 'x',
  'build/App.ZIP': 'x',
  'build/app.tar.gz': 'x',
  'out/report.txt': 'x',
  'node_modules/some/app.zip': 'x',
  '.git/objects/app.zip': 'x'
})

async function messageOf(
  patterns: readonly string[],
  folder = workspace,
  version = '1.0.0'
): Promise<string> {
  const found = await findFile(patterns, folder, [version]).catch((error: Error) => error)
  if (typeof found === 'string') throw new Error(`found ${found}`)
  return found.message
}

/** A folder of files with these names. */
const folderOf = (...names: string[]) =>
  makeFolder(Object.fromEntries(names.map(name => [name, 'x'])))

describe('none', () => {
  test('the whole message; folders of tools do not count', async () => {
    expect(await messageOf(['dist/*.zip', '!**/*-debug.zip'])).toBe(
      [
        'No file matches:',
        '  dist/*.zip',
        '  !**/*-debug.zip',
        'Is it "plugin/dist/app-1.0.0.zip"? Patterns start at the workspace, and upper and lower case differ.',
        'Files that end with .zip:',
        '  "build/App.ZIP"',
        '  "plugin/dist/app-1.0.0.zip"'
      ].join('\n')
    )
  })

  test('an empty workspace, or none at all', async () => {
    for (const folder of [makeFolder(), join(makeFolder(), 'gone')]) {
      expect(await messageOf(['*.zip'], folder)).toMatch(
        /^No file matches:\n {2}\*\.zip\nThe workspace is empty: .*\(actions\/checkout, actions\/download-artifact\)\.$/
      )
    }
  })

  const dollar = '$'
  test.each([
    ['nothing was built', 'target/x.jar', 'There is no folder "target". Was the file built, or'],
    ['a folder that is not there, deep down', 'out/a/b/x.jar', 'There is no folder "out/a/b".'],
    ['another name', 'out/*.zip', 'Its folder has no such file. Did the build run'],
    ['the same name elsewhere', 'app-1.0.0.zip', 'Is it "plugin/dist/app-1.0.0.zip"?'],
    ['another case', 'Build/app.zip', 'Is it "build/App.ZIP"?'],
    ['a folder', 'out', '"out" is a folder. Name the file in it, such as "out/*.zip".'],
    ['a folder with a slash', 'out/', '"out/" is a folder.'],
    [
      'a slash too many',
      '/dist/x.zip',
      'There is no folder "/dist". The pattern starts at the root'
    ],
    ['a home', '~/no such folder/x.zip', `There is no folder "${homedir()}/no such folder".`],
    ['braces', 'build/{App,app}.ZIP', 'Braces are taken literally'],
    ['an extended pattern', 'build/@(App|app).ZIP', 'as are parentheses'],
    ['commas', 'build/a.zip, build/b.zip', 'write one pattern on each line.'],
    ['a word in braces', 'build/{name}.zip', 'Only {tag} and {version} are filled in here.'],
    [
      'a version as shells have it',
      fillGlob(`build/${dollar}{version}.zip`, { tag: 'v1.0.0', version: '1.0.0' }),
      'write {version} or {tag} without a dollar sign'
    ],
    ['a variable', `build/${dollar}{NAME}.zip`, 'Variables are not filled in'],
    ['a variable of Windows', 'build/%NAME%.zip', 'Variables are not filled in'],
    ['quotes', '"build/App.ZIP"', 'The quotes are taken literally: leave them out.'],
    ['a path of Windows', 'D:\\a\\x\\app.zip', 'is a path of Windows']
  ])('%s', async (_, pattern, cause) => {
    const message = await messageOf([pattern])
    expect(message.startsWith(`No file matches:\n  ${pattern}\n`)).toBe(true)
    expect(message).toContain(cause)
    expect(message).toMatch(/^Files (there|that end with \.\w+):$/m)
    expect(message.split('\n').filter(line => /^[A-Z"].*[.?)]$/.test(line))).toHaveLength(1)
  })

  test('nothing leads to a file of another version', async () => {
    const message = await messageOf(['dist/*.zip'], workspace, '1.1.0')
    expect(message).toContain('There is no folder "dist".')
    expect(message).toContain('  "plugin/dist/app-1.0.0.zip"  another version')
  })

  test('exclusions that leave nothing are named, with what they exclude', async () => {
    const message = await messageOf(['build/*', '!build'])
    expect(message.split('\n').slice(3)).toEqual([
      'The lines that begin with "!" exclude every file that the others match:',
      '  "build/App.ZIP"',
      '  "build/app.tar.gz"'
    ])
  })

  test('ten files at most are shown, and names cannot break out of their line', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `dist/${index}\n::error::\u202e.txt`)
    const message = await messageOf(['dist/app.zip'], folderOf(...names))
    expect(message.match(/^ {2}"dist.*\\n::error::\\u\{202e\}\.txt"$/gm)).toHaveLength(10)
    expect(message).toContain('\n  … and 20 more')
  })

  test.each([
    ['a path with backslashes', 'dist\\app.jar', 'There is no folder "dist"'],
    ['a drive', 'C:/build/x.jar', 'There is no folder "C:/build". The pattern starts at the root']
  ])('on Windows, %s is read as it is there', async (_, pattern, text) => {
    const search = { patterns: [pattern], workspace, versions: ['1.0.0'], paths: win32 } as const
    const message = await explainNone([], search)
    expect(message).toContain(text)
    expect(message).not.toContain('backslash')
  })
})

describe('several', () => {
  test('the whole message', async () => {
    const folder = makeFolder({ 'dist/app-1.0.0.zip': 'x'.repeat(1234567), 'dist/a p.zip': 'xy' })
    for (const name of ['app-1.0.0.zip', 'a p.zip']) {
      utimesSync(join(folder, 'dist', name), 0, new Date('2026-01-02T03:04:05.678Z'))
    }
    expect(await messageOf(['dist/*.zip'], folder)).toBe(
      [
        '2 files match, and exactly one can be published:',
        '  "dist/a p.zip"        2 bytes  2026-01-02T03:04:05Z',
        '  "dist/app-1.0.0.zip"  1.23 MB  2026-01-02T03:04:05Z  fits 1.0.0',
        'Name the right one, such as by this line, or exclude the others by lines with "!" below the patterns:',
        '  dist/app-{version}.zip'
      ].join('\n')
    )
  })

  test.each([
    ['the old file is there too', ['a-1.4.1.zip', 'a-1.4.2.zip'], '  a-{version}.zip'],
    [
      'two of the version',
      ['d/1.4/a-1.4.2.zip', 'd/1.4/a-1.4.2-debug.zip'],
      '  d/1.4/a-{version}.zip'
    ],
    ['one without a version, one old', ['a.zip', 'a-1.4.1.zip'], '  a.zip'],
    ['none with a version', ['a.zip', 'a-pro.zip'], '  a.zip'],
    [
      'old ones alone',
      ['a-1.4.0.zip', 'a-1.4.1.zip'],
      'None of them is version "1.4.2": build or attach that one.'
    ]
  ])('what is advised leads to no other version: %s', async (_, names, line) => {
    const message = await messageOf(['**'], folderOf(...names), '1.4.2')
    expect(message.split('\n').at(-1)).toBe(line)
  })

  test('ten are shown at most, and all are counted', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `${index}.zip`)
    const message = await messageOf(['*'], folderOf(...names))
    expect(message).toMatch(/^25 files match/)
    expect(message.match(/^ {2}"/gm)).toHaveLength(10)
    expect(message).toContain('\n  … and 15 more\n')
  })

  test.each(['!a[1].zip', '#b*.zip'])('the line that it suggests finds %s', async name => {
    const odd = folderOf(name, `${name}-longer.zip`)
    const line = (await messageOf(['*'], odd)).split('\n').at(-1)?.trim() ?? ''
    expect(await findFile([line], odd, [''])).toBe(join(odd, name))
  })
})
