// Tests of src/release/mismatch.ts: what a user in a hurry reads when no file matches, or several do.
import { symlinkSync, utimesSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { findFile } from '../../src/file/find.ts'
import { makeFolder, putFile, silenceDebug } from '../support/folders.ts'

silenceDebug()

const workspace = makeFolder({
  'README.md': 'x',
  'plugin/dist/app-1.0.zip': 'x',
  'build/App.ZIP': 'x',
  'build/app.tar.gz': 'x',
  'out/report.txt': 'x',
  'node_modules/some/app.zip': 'x',
  '.git/objects/app.zip': 'x'
})
symlinkSync('nowhere', join(workspace, 'dead.zip'))

async function messageOf(patterns: readonly string[], folder = workspace): Promise<string> {
  const found = await findFile(patterns, folder).catch((error: Error) => error)
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
        'Is it "plugin/dist/app-1.0.zip"? Patterns begin at the workspace, whatever the working directory of other steps is.',
        'The nearest files that exist:',
        '  "plugin/dist/app-1.0.zip"',
        '  "build/App.ZIP"'
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
    ['another name', ['out/*.zip'], 'The folder "out" has no such file. Did the build run'],
    ['another name, at the top', ['*.exe'], 'The workspace has no such file. Did the build run'],
    ['the same name elsewhere', ['app-1.0.zip'], 'Is it "plugin/dist/app-1.0.zip"?'],
    ['another case', ['Build/app.zip'], '"build/App.ZIP" differs in upper and lower case alone'],
    ['a folder', ['out'], '"out" is a folder. Name the file in it, such as "out/*.zip".'],
    ['a folder with a slash', ['out/'], '"out/" is a folder.'],
    ['a slash too many', ['/dist/app.zip'], '"/dist/app.zip" begins with a slash'],
    ['a link to nothing', ['dead.zip'], '"dead.zip" is a link to a file that is not there.'],
    [
      'braces',
      ['build/{App,app}.ZIP'],
      'Braces are taken literally: write one pattern a line instead.'
    ],
    [
      'a word in braces',
      ['build/{name}.zip'],
      'In `file`, only {tag} and {version} are filled in.'
    ],
    ['a variable', ['build/$NAME.zip'], 'Variables are not filled in'],
    ['a variable in braces', [['build/$', '{NAME}.zip'].join('')], 'Variables are not filled in'],
    ['a variable of Windows', ['build/%NAME%.zip'], 'Variables are not filled in'],
    ['an extended pattern', ['build/@(App|app).ZIP'], 'Parentheses are taken literally'],
    ['quotes', ['"build/App.ZIP"'], 'The quotes are taken literally: leave them out.'],
    ['a backslash', ['build\\App.ZIP'], 'put "/" between folders'],
    ['another home', ['~/gone.zip'], `has no such file`]
  ])('%s', async (_, patterns, cause) => {
    const message = await messageOf(patterns)
    expect(message.startsWith(`No file matches:\n  ${patterns[0]}\n`)).toBe(true)
    expect(message).toContain(cause)
    expect(message).toContain('The nearest files that exist:')
  })

  test('a home that has no such folder is named', async () => {
    expect(await messageOf(['~/no such folder/x.zip'])).toContain(`"${homedir()}/no such folder"`)
  })

  test('a hint takes the place of the guess', async () => {
    expect(await messageOf(['build/{a,b}.zip'])).not.toContain('Did the build run')
  })

  test('the nearest come first, and folders of tools do not count', async () => {
    const lines = (await messageOf(['build/*.zip'])).split('\n')
    const [first, second] = lines.slice(lines.indexOf('The nearest files that exist:') + 1)
    expect([first, second]).toEqual(['  "build/App.ZIP"', '  "plugin/dist/app-1.0.zip"'])
    expect(lines.join()).not.toMatch(/node_modules|\.git/)
  })

  test('every pattern has its cause', async () => {
    const message = await messageOf(['out/*.zip', 'target/*.jar', '!x'])
    expect(message).toContain('The folder "out" has no such file')
    expect(message).toContain('There is no "target"')
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

describe('several', () => {
  const folder = makeFolder({ 'dist/app-1.0.zip': 'x'.repeat(1234567), 'dist/a p.zip': 'xy' })
  symlinkSync('a p.zip', join(folder, 'dist/latest.zip'))
  for (const name of ['app-1.0.zip', 'a p.zip']) {
    utimesSync(join(folder, 'dist', name), 0, new Date('2026-01-02T03:04:05.678Z'))
  }

  test('the whole message', async () => {
    expect(await messageOf(['dist/*.zip'], folder)).toBe(
      [
        '3 files match, and exactly one can be published:',
        '  path                size             last changed (UTC)',
        '  "dist/a p.zip"      2 bytes          2026-01-02 03:04:05',
        '  "dist/app-1.0.zip"  1,234,567 bytes  2026-01-02 03:04:05',
        '  "dist/latest.zip"   2 bytes          2026-01-02 03:04:05  link to "a p.zip"',
        'To narrow it to the right one, write lines such as these:',
        '  dist/a p.zip            to name one file, or',
        '  dist/app-{version}.zip  to go by the version, or',
        '  !dist/latest.zip        below the patterns, to exclude one'
      ].join('\n')
    )
  })

  test('an exclusion above its pattern is explained', async () => {
    const message = await messageOf(['!dist/latest.zip', 'dist/*.zip'], folder)
    expect(message).toContain(
      'A line with "!" counts only for the patterns above it: move it down.'
    )
    const right = await messageOf(['dist/*.zip', '!dist/latest.zip'], folder)
    expect(right).not.toContain('move it down')
  })

  test('ten are shown at most, and all are counted', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `${index}.zip`)
    const many = makeFolder(Object.fromEntries(names.map(name => [name, 'x'])))
    const message = await messageOf(['*'], many)
    expect(message).toContain('25 files match')
    expect(message.match(/^ {2}"/gm)).toHaveLength(10)
    expect(message).toContain('\n  … and 15 more\n')
    expect(message).not.toContain('{version}')
  })

  test('the version is suggested in the shortest name that holds one', async () => {
    const names = ['dist/1.2/app-1.10.2-debug.zip', 'dist/1.2/app-1.10.2.zip', 'dist/1.2/app.zip']
    const built = makeFolder(Object.fromEntries(names.map(name => [name, 'x'])))
    const lines = (await messageOf(['dist/**/*.zip'], built)).split('\n')
    expect(lines.filter(line => line.includes('{version}'))).toEqual([
      expect.stringMatching(/^ {2}dist\/1\.2\/app-\{version\}\.zip +to go by the version, or$/)
    ])
    expect(lines[2]).toMatch(/ 1 byte /)
  })

  test('what it suggests is right, whatever the names are', async () => {
    const odd = makeFolder()
    for (const name of ['!a[1].zip', '#b*.zip']) putFile(join(odd, name))
    const lines = (await messageOf(['*'], odd)).split('\n')
    const at = lines.indexOf('To narrow it to the right one, write lines such as these:')
    const suggested = (index: number) => lines[at + index]?.trim().split('  ')[0] ?? ''
    expect(await findFile([suggested(1)], odd)).toBe(join(odd, '#b*.zip'))
    expect(await findFile(['*', suggested(2)], odd)).toBe(join(odd, '#b*.zip'))
  })
})
