// Tests of src/files/find.ts: which file the patterns mean, and the errors when it is none or several.
import { execFileSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { platform } from 'node:process'
import { describe, expect, test } from '@jest/globals'
import { findFile } from '../../src/files/find.ts'
import { fillGlob, splitPatterns } from '../../src/files/patterns.ts'
import { ActionError } from '../../src/runner/action-error.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { onLinux } from '../support/platform.ts'
import { fc } from '../support/properties.ts'

// On Windows, a backslash separates folders, and names may not have every sign.
const windows = platform === 'win32'

const folderOf = (...names: string[]) =>
  makeFolder(Object.fromEntries(names.map(name => [name, 'x'])))

const findIn = (workspace: string, ...patterns: string[]) => findFile(patterns, workspace)

/** The error that ends the search. */
async function errorOf(patterns: readonly string[], workspace: string): Promise<ActionError> {
  const found = await findFile(patterns, workspace).catch((error: unknown) => error)
  if (found instanceof ActionError) return found
  throw new Error(`found ${found}`)
}

test('the input is split into lines, without comments and white space around', () => {
  const input = '# x\n\n  a b.zip \t\r\n!b\n  # y\n  a#b'
  expect(splitPatterns(input)).toEqual(['a b.zip', '!b', 'a#b'])
})

describe('exactly one file', () => {
  const workspace = folderOf(
    'dist/app-1.0.zip',
    'dist/app-1.0-debug.zip',
    'dist/.hidden/secret.zip',
    'dist/deep/er/tool.jar',
    'dist.zip/inner.txt',
    'odd/!bang.zip',
    'odd/[1].zip',
    'odd/{a,b}.zip',
    'odd/a.zip',
    windows ? 'odd/back.zip' : 'odd/back\\slash.zip'
  )

  test.each([
    ['an absolute path', [join(workspace, 'dist/app-1.0.zip')], 'dist/app-1.0.zip'],
    ['any depth', ['**/*.jar'], 'dist/deep/er/tool.jar'],
    ['a hidden folder', ['dist/*/secret.zip'], 'dist/.hidden/secret.zip'],
    ['an exclusion', ['dist/*.zip', '! dist/*-debug.zip'], 'dist/app-1.0.zip'],
    ['excluded folders', ['dist/**/*.[zj]*', '!dist/.hidden', '!dist/a*'], 'dist/deep/er/tool.jar'],
    ['an exclamation mark', ['./odd/!bang.zip'], 'odd/!bang.zip'],
    ['brackets, escaped', ['odd/[[]1].zip'], 'odd/[1].zip'],
    ['braces, taken literally', ['odd/{a,b}.zip'], 'odd/{a,b}.zip'],
    ['a backslash', ['odd/back*.zip'], windows ? 'odd/back.zip' : 'odd/back\\slash.zip']
  ])('%s', async (_, patterns, expected) => {
    expect(await findIn(workspace, ...patterns)).toBe(join(workspace, expected))
  })

  test.each([
    ['no-file', 'folders do not count', ['dist*']],
    ['no-file', 'a folder by its name', ['dist.zip', 'dist/']],
    ['several-files', 'an exclusion above its pattern', ['!dist/*-debug.zip', 'dist/*.zip']]
  ])('%s: %s', async (reason, _, patterns) => {
    await expect(findIn(workspace, ...patterns)).rejects.toMatchObject({ reason })
  })

  test.each(['../x.zip', '!../x', 'a/..'])('%s is refused: it leads out', async pattern => {
    const message = /stopped: "." and "\.\." cannot be used in a pattern\./
    await expect(findIn(workspace, 'dist/app-1.0.zip', pattern)).rejects.toThrow(message)
  })

  test('a version in a pattern means itself alone, whatever it is, at the start of a line too', async () => {
    const folder = folderOf('decoy.x', '1.x', 'a.x')
    const letters = windows ? '[]!{}()+@#~^-,ab1 é$' : '[]!*?{}\\()+@#~^-,.:ab1 é$'
    const names = fc
      .string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 })
      .filter(text => text.trim() === text && !/^\.+$/.test(text))

    const check = async (version: string) => {
      const path = join(folder, `${version}.x`)
      putFile(path)
      expect(await findIn(folder, fillGlob('{version}.x', { tag: version, version }))).toBe(path)
    }

    const odd = ['!1', '#1', '[!1]', '~', '{1,2}', ...(windows ? [] : ['\\1'])]
    const examples = odd.map((text): [string] => [text])
    await fc.assert(fc.asyncProperty(names, check), { numRuns: 40, examples })
  })
})

describe('the workspace', () => {
  const odd = ['a[1]b', '{a,b}', '!no', '#no', ...(windows ? [] : ['st*r', 'back\\slash'])]

  test.each(odd)('may be called %j', async name => {
    const folder = join(makeFolder(), name)
    putFile(join(folder, 'dist/app.zip'))
    for (const pattern of ['dist/*.zip', '**/app.zip']) {
      expect(await findIn(folder, pattern)).toBe(join(folder, 'dist/app.zip'))
    }
    await expect(findIn(folder, '*.jar')).rejects.toThrow('"dist/app.zip"')
  })

  test('may have links: a file counts under its own name, and a folder is followed', async () => {
    const folder = folderOf('build-7/app.zip')
    symlinkSync('build-7/app.zip', join(folder, 'app.zip'))
    symlinkSync('build-7', join(folder, 'build'))

    expect(await findIn(folder, '*.zip')).toBe(join(folder, 'app.zip'))
    expect(await findIn(folder, 'build/*.zip')).toBe(join(folder, 'build/app.zip'))
  })

  test('may find a file by another case: it counts under the name that it has', async () => {
    const folder = folderOf('dist/gallery.bin')
    const found = await findIn(folder, 'dist/GALLERY.bin').catch(({ reason }) => reason)
    expect(['no-file', join(folder, 'dist/gallery.bin')]).toContain(found)
  })

  onLinux('may have a name that is not UTF-8, which others refuse, and a pipe', async () => {
    const folder = makeFolder()
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x2e, 0x7a])]), 'x')
    execFileSync('mkfifo', [join(folder, 'pipe.zip')])
    expect(await findIn(folder, '*.zip')).toBe(join(folder, 'pipe.zip'))
  })

  test('may have links that lead around in circles: only a named one is followed', async () => {
    const folders = Array.from({ length: 8 }, (_, index) => `d${index}`)
    const folder = folderOf('app.zip', ...folders.map(name => `${name}/a.bin`))
    symlinkSync('loop', join(folder, 'loop'))
    symlinkSync('gone', join(folder, 'broken.bin'))
    // Each folder has a link to each other one.
    for (const from of folders) {
      for (const to of folders) {
        if (from !== to) symlinkSync(join('..', to), join(folder, from, to))
      }
    }

    expect(await findIn(folder, '**/*.zip')).toBe(join(folder, 'app.zip'))
    await expect(findIn(folder, '**/*.bin')).rejects.toThrow('8 files match')

    expect(await findIn(folder, 'd1//d2/*.bin', '!d2')).toBe(join(folder, 'd1/d2/a.bin'))
    expect(await findIn(folder, '**/*.bin', '!d*', 'd1/d2/**')).toBe(join(folder, 'd1/d2/a.bin'))
    await expect(findIn(folder, 'loop/*')).rejects.toMatchObject({ reason: 'no-file' })
  })
})

test('none matches: the patterns, the files that are there, and what may be missing', async () => {
  const workspace = folderOf(
    'README.md',
    'plugin/dist/app-1.0.0.zip',
    'build/App.ZIP',
    'out/report.txt',
    'node_modules/some/app.zip',
    '.git/objects/app.zip'
  )
  const { reason, message, advice } = await errorOf(['dist/*.zip', '!**/*-debug.zip'], workspace)
  expect([reason, ...message.split('\n')]).toEqual([
    'no-file',
    'No file matches `file`:',
    '  dist/*.zip',
    '  !**/*-debug.zip',
    'The workspace has these files:',
    '  "README.md"',
    '  "build/App.ZIP"',
    '  "out/report.txt"',
    '  "plugin/dist/app-1.0.0.zip"'
  ])
  expect(advice).toContain('check that a step of this job builds or downloads the file')
})

test('none matches in an empty workspace, or in none', async () => {
  for (const folder of [makeFolder(), join(makeFolder(), 'gone')]) {
    const { message } = await errorOf(['*.zip'], folder)
    expect(message).toBe('No file matches `file`:\n  *.zip\nThe workspace is empty.')
  }
})

test('none matches: ten of the files that are there are named, those higher up first', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `d/${String.fromCharCode(97 + index)}.zip`)
  const { message } = await errorOf(['d/*.jar'], folderOf('z.txt', ...names))
  expect(message.split('\n').slice(2)).toEqual([
    'The workspace has these files:',
    '  "z.txt"',
    ...names.slice(0, 9).map(name => `  "${name}"`),
    '  … and 3 more'
  ])
})

test('several match: ten at most are shown, and no name can break out of its line', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${String.fromCharCode(97 + index)}.zip`)
  const { reason, message, advice } = await errorOf(['*.zip'], folderOf(...names))
  expect([reason, ...message.split('\n')]).toEqual([
    'several-files',
    '12 files match, and exactly one has to:',
    ...names.slice(0, 10).map(name => `  "${name}"  1 byte`),
    '  … and 2 more'
  ])
  expect(advice).toContain('Write the whole name of the one that buyers need, with {version}')

  const odd = await errorOf(['*.jar'], folderOf('a\u202eb.zip', `${'x'.repeat(240)}.zip`))
  expect(odd.message).toMatch(/\n {2}"a\\u\{202e\}b\.zip"\n {2}"x{200}…"$/)
})
