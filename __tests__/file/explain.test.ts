// Tests of src/file/explain.ts: what a user in a hurry reads when no file matches, or several do.
import { symlinkSync, utimesSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, win32 } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { explainNone } from '../../src/file/explain.ts'
import { findFile } from '../../src/file/find.ts'
import { fillGlob } from '../../src/file/glob.ts'
import { makeFolder, putFile, silenceDebug } from '../support/folders.ts'

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

describe('none', () => {
  test('the whole message', async () => {
    expect(await messageOf(['dist/*.zip', '!**/*-debug.zip'])).toBe(
      [
        'No file matches:',
        '  dist/*.zip',
        '  !**/*-debug.zip',
        'Is it "plugin/dist/app-1.0.0.zip"? Patterns start at the workspace, whatever the working directory of other steps is.',
        'Files that end with .zip:',
        '  "build/App.ZIP"',
        '  "plugin/dist/app-1.0.0.zip"'
      ].join('\n')
    )
  })

  test('an empty workspace', async () => {
    expect(await messageOf(['*.zip'], makeFolder())).toBe(
      [
        'No file matches:',
        '  *.zip',
        'The workspace is empty: every job starts without files. Check out and build before this ' +
          'step, or download what another job built (actions/checkout, actions/download-artifact).'
      ].join('\n')
    )
  })

  test.each([
    [
      'nothing was built',
      ['target/x.jar'],
      'There is no "target". Was the file built, or downloaded'
    ],
    ['a folder that is not there, deep down', ['out/a/b/x.jar'], 'There is no "out/a".'],
    ['another name', ['out/*.zip'], 'Its folder has no such file. Did the build run'],
    ['the same name elsewhere', ['app-1.0.0.zip'], 'Is it "plugin/dist/app-1.0.0.zip"?'],
    ['another case', ['Build/app.zip'], '"build/App.ZIP" differs only in upper and lower case'],
    ['a folder', ['out'], '"out" is a folder. Name the file in it, such as "out/*.zip".'],
    ['a folder with a slash', ['out/'], '"out/" is a folder.'],
    ['a slash too many', ['/dist/x.zip'], 'There is no "/dist". The pattern starts at the root'],
    [
      'braces',
      ['build/{App,app}.ZIP'],
      'Braces are taken literally: write one pattern on each line.'
    ],
    ['a word in braces', ['build/{name}.zip'], 'Only {tag} and {version} are filled in here.'],
    [
      'a version as shells have it',
      [fillGlob(['build/$', '{version}.zip'].join(''), { tag: 'v1.0.0', version: '1.0.0' })],
      'Write {version} without a dollar sign.'
    ],
    ['commas', ['build/a.zip, build/b.zip'], 'A comma is taken literally'],
    ['a path of Windows', ['D:\\a\\x\\app.zip'], 'This is a Windows path'],
    ['a variable in braces', [['build/$', '{NAME}.zip'].join('')], 'Variables are not filled in'],
    ['a variable of Windows', ['build/%NAME%.zip'], 'Variables are not filled in'],
    ['an extended pattern', ['build/@(App|app).ZIP'], 'Parentheses are taken literally'],
    ['quotes', ['"build/App.ZIP"'], 'The quotes are taken literally: leave them out.'],
    ['a backslash', ['build\\App.ZIP'], 'use "/" between folders'],
    ['another home', ['~/gone.zip'], 'has no such file']
  ])('%s', async (_, patterns, cause) => {
    const message = await messageOf(patterns)
    expect(message.startsWith(`No file matches:\n  ${patterns[0]}\n`)).toBe(true)
    expect(message).toContain(cause)
    expect(message).toMatch(/^Files (there|that end with \.\w+):$/m)
  })

  test('a home that has no such folder is named', async () => {
    expect(await messageOf(['~/no such folder/x.zip'])).toContain(`"${homedir()}/no such folder"`)
  })

  test('a hint takes the place of the guess', async () => {
    expect(await messageOf(['build/{a,b}.zip'])).not.toContain('Did the build run')
  })

  test('files with the same ending are listed, and folders of tools do not count', async () => {
    const lines = (await messageOf(['build/*.zip'])).split('\n')
    expect(lines.slice(lines.indexOf('Files that end with .zip:') + 1)).toEqual([
      '  "build/App.ZIP"',
      '  "plugin/dist/app-1.0.0.zip"'
    ])
  })

  test('nothing leads to a file of another version', async () => {
    const message = await messageOf(['dist/*.zip'], workspace, '1.1.0')
    expect(message).toContain('There is no "dist".')
    expect(message).toContain('  "plugin/dist/app-1.0.0.zip" (another version)')
  })

  test('exclusions that leave nothing are named, with what they exclude', async () => {
    expect(await messageOf(['build/*', '!build'])).toBe(
      [
        'No file matches:',
        '  build/*',
        '  !build',
        'The lines that begin with "!" exclude every file that the others match:',
        '  "build/App.ZIP"',
        '  "build/app.tar.gz"'
      ].join('\n')
    )
  })

  test('ten files at most are shown', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `dist/${index}.txt`)
    const folder = makeFolder(Object.fromEntries(names.map(name => [name, 'x'])))
    const message = await messageOf(['dist/app.zip'], folder)
    expect(message.match(/^ {2}"dist/gm)).toHaveLength(10)
    expect(message).toContain('\n  … and 20 more')
  })

  test('names cannot break out of their line', async () => {
    const folder = makeFolder({ 'a\n::error::b.txt': 'x', 'bidi\u202etxt.zip': 'x' })
    const message = await messageOf(['c.zip'], folder)
    expect(message).toContain('"bidi\\u{202e}txt.zip"')
    expect(await messageOf(['c'], folder)).toContain('  "a\\n::error::b.txt"')
  })
})

describe('on Windows', () => {
  const folder = makeFolder({ 'app.zip': 'x' })
  const explain = (pattern: string) =>
    explainNone([], { patterns: [pattern], workspace: folder, versions: ['1.0.0'], paths: win32 })

  test.each([
    ['a path with backslashes', 'dist\\app.jar', 'There is no "dist"'],
    ['a drive', 'C:/build/x.jar', 'There is no "C:\\\\build". The pattern starts at the root'],
    ['a path of Git Bash', '/d/a/x.jar', 'here it is "D:/a/x.jar"']
  ])('%s is read as it is there', async (_, pattern, text) => {
    const message = await explain(pattern)
    expect(message).toContain(text)
    expect(message).not.toContain('backslash')
  })
})

test.each(['/home/runner/work/shop/shop/dist/app.zip', '/home/runner/work/_temp/app.zip'])(
  'in a container, %s is a path of the host',
  async pattern => {
    const versions = ['1.0.0'] as const
    const search = { patterns: [pattern], workspace: '/__w/shop/shop', versions }
    expect(await explainNone([], search)).toContain('are paths of the host')
    const own = { ...search, patterns: ['/__w/shop/shop/dist/app.zip'] }
    expect(await explainNone([], own)).not.toContain('are paths of the host')
  }
)

describe('several', () => {
  const folder = makeFolder({ 'dist/app-1.0.0.zip': 'x'.repeat(1234567), 'dist/a p.zip': 'xy' })
  symlinkSync('a p.zip', join(folder, 'dist/latest.zip'))
  for (const name of ['app-1.0.0.zip', 'a p.zip']) {
    utimesSync(join(folder, 'dist', name), 0, new Date('2026-01-02T03:04:05.678Z'))
  }

  test('the whole message', async () => {
    expect(await messageOf(['dist/*.zip'], folder)).toBe(
      [
        '3 files match, and exactly one can be published:',
        '  path                  size             last changed (UTC)',
        '  "dist/a p.zip"        2 bytes          2026-01-02 03:04:05',
        '  "dist/app-1.0.0.zip"  1,234,567 bytes  2026-01-02 03:04:05  fits 1.0.0',
        '  "dist/latest.zip"     2 bytes          2026-01-02 03:04:05  link to "a p.zip"',
        'To narrow it to the right one, write lines such as these:',
        '  dist/app-{version}.zip  to go by the version'
      ].join('\n')
    )
  })

  /** The lines that are proposed for these files. */
  const advised = async (version: string, ...names: string[]) => {
    const built = makeFolder(Object.fromEntries(names.map(name => [name, 'x'])))
    const [, advice] = (await messageOf(['**'], built, version)).split('such as these:\n')
    return advice?.split('\n').map(line => line.trim().split('  ')[0])
  }

  test.each([
    ['the old file is there too', ['a-1.4.1.zip', 'a-1.4.2.zip'], ['a-{version}.zip']],
    [
      'two of the version',
      ['d/1.4/a-1.4.2.zip', 'd/1.4/a-1.4.2-debug.zip'],
      ['d/1.4/a-{version}.zip', '!d/1.4/a-{version}-debug.zip']
    ],
    ['one without a version, one old', ['a.zip', 'a-1.4.1.zip'], ['a.zip']],
    ['none with a version', ['a.zip', 'a-pro.zip'], ['a.zip', '!a-pro.zip']],
    ['old ones alone', ['a-1.4.0.zip', 'a-1.4.1.zip'], undefined]
  ])('what is advised leads to no other version: %s', async (_, names, lines) => {
    expect(await advised('1.4.2', ...names)).toEqual(lines)
  })

  test('with old ones alone, it says that the right one is missing', async () => {
    const old = makeFolder({ 'a-1.4.0.zip': 'x', 'a-1.4.1.zip': 'x' })
    expect(await messageOf(['*'], old, '1.4.2')).toContain('None of them is version "1.4.2"')
  })

  test('an exclusion above its pattern is explained', async () => {
    const message = await messageOf(['!dist/latest.zip', 'dist/*.zip'], folder)
    expect(message).toContain('counts only for the patterns above it: move it down.')
    const right = await messageOf(['dist/*.zip', '!dist/latest.zip'], folder)
    expect(right).not.toContain('move it down')
  })

  test('ten are shown at most, and all are counted', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `${index}.zip`)
    const message = await messageOf(['*'], makeFolder(Object.fromEntries(names.map(n => [n, 'x']))))
    expect(message).toContain('25 files match')
    expect(message.match(/^ {2}"/gm)).toHaveLength(10)
    expect(message).toContain('\n  … and 15 more\n')
  })

  test('what it suggests is right, whatever the names are', async () => {
    const odd = makeFolder()
    for (const name of ['!a[1].zip', '#b*.zip']) putFile(join(odd, name))
    const lines = (await messageOf(['*'], odd)).split('\n')
    const at = lines.indexOf('To narrow it to the right one, write lines such as these:')
    const suggested = (index: number) => lines[at + index]?.trim().split('  ')[0] ?? ''
    expect(await findFile([suggested(1)], odd, [''])).toBe(join(odd, '#b*.zip'))
    expect(await findFile(['*', suggested(2)], odd, [''])).toBe(join(odd, '#b*.zip'))
  })
})
