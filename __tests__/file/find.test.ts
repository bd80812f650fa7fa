// Tests of src/file/find.ts: which file the patterns mean, and what is said when it is none or several.
import { execFileSync } from 'node:child_process'
import { symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join, posix, win32 } from 'node:path'
import { platform } from 'node:process'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { FileFault } from '../../src/file/fault.ts'
import { explainNone, findFile } from '../../src/file/find.ts'
import { fillGlob, loosen, matcherOf, splitPatterns, withinSeconds } from '../../src/file/glob.ts'
import { pick } from '../support/deep.ts'
import { makeFolder, putFile } from '../support/folders.ts'
import { onLinux } from '../support/platform.ts'

// On Windows, a backslash separates folders, and names may not have every sign.
const windows = platform === 'win32'

const folderOf = (...names: string[]) =>
  makeFolder(Object.fromEntries(names.map(name => [name, 'x'])))

const findIn = (workspace: string, ...patterns: string[]) =>
  findFile({ patterns, workspace, versions: ['1.0.0'], attached: [] })

async function messageOf(
  patterns: readonly string[],
  workspace: string,
  version = '1.0.0',
  attached: readonly string[] = []
) {
  const search = { patterns, workspace, versions: [version] as const, attached }
  const found = await findFile(search).catch((error: unknown) => error)
  if (found instanceof FileFault) return found.message
  throw new Error(`found ${found}`)
}

test('the input is split into lines, without comments and white space around', () => {
  const input = '# x\n\n  a b.zip \t\r\n!b\n  # y\n  a#b'
  expect(splitPatterns(input)).toEqual(['a b.zip', '!b', 'a#b'])
})

test('what takes too long is ended, even amid an expression', () => {
  const late = new Error('late')
  const slow = () => /^(?:a+)+$/.test(`${'a'.repeat(99)}b`)
  expect(() => withinSeconds(0.1, slow, late)).toThrow(late)
  expect(withinSeconds(5, () => ['x'], late)).toEqual(['x'])
  const other = () => {
    throw new Error('other')
  }
  expect(() => withinSeconds(5, other, late)).toThrow('other')
})

test('a search looks for more than its pattern, never for less', async () => {
  const letters = fc.string({ unit: fc.constantFrom(...'aab**?[]!\\'), minLength: 1, maxLength: 9 })
  const names = fc.string({ unit: fc.constantFrom(...'aaab[]!'), minLength: 1, maxLength: 6 })
  let matched = 0
  const check = async (pattern: string, name: string) => {
    fc.pre(!pattern.startsWith('!'))
    if (!(await matcherOf([pattern]))(name)) return
    matched += 1
    expect((await matcherOf([loosen(pattern)]))(name)).toBe(true)
  }
  await fc.assert(fc.asyncProperty(letters, names, check), { numRuns: pick(2000, 20_000) })
  expect(matched).toBeGreaterThan(100)
  expect(loosen('/a b/**/x[*]y*-z*.zip')).toBe('/a b/**/x*.zip')
})

test('long names and many wildcards end in time', async () => {
  const folder = folderOf(...Array.from({ length: 99 }, (_, at) => `${'a'.repeat(240)}${at}.zip`))
  const slow = /take too long to compare with `file`: write fewer "\*"/
  await expect(findIn(folder, `${'*a'.repeat(9)}b.zip`)).rejects.toThrow(slow)
})

describe('exactly one file', () => {
  const workspace = folderOf(
    ...['dist/app-1.0.zip', 'dist/app-1.0-debug.zip', 'dist/.hidden/secret.zip'],
    ...['dist/deep/er/tool.jar', 'dist.zip/inner.txt', 'odd/!bang.zip', 'odd/[1].zip'],
    ...['odd/{a,b}.zip', 'odd/a.zip', windows ? 'odd/back.zip' : 'odd/back\\slash.zip']
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
    const message = /stopped: "." and "\.\." cannot be used in a pattern. Write a path from/
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

  test.each([
    ['the workspace itself', 'link', '.', 'link', 'build-7/*.zip', 'link/build-7/app.zip'],
    ['a file counts under its own name', 'app.zip', 'build-7/app.zip', '', '*.zip', 'app.zip'],
    ['a folder is followed', 'build', 'build-7', '', 'build/*.zip', 'build/app.zip']
  ])('may have links: %s', async (_, link, target, inner, pattern, found) => {
    const folder = folderOf('build-7/app.zip')
    symlinkSync(target, join(folder, link))
    expect(await findIn(join(folder, inner), pattern)).toBe(join(folder, found))
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
    for (const [from, to] of folders.flatMap(from => folders.map(to => [from, to] as const))) {
      if (from !== to) symlinkSync(join('..', to), join(folder, from, to))
    }
    expect(await findIn(folder, '**/*.zip')).toBe(join(folder, 'app.zip'))
    await expect(findIn(folder, '**/*.bin')).rejects.toThrow('8 files match')
    expect(await findIn(folder, 'd1//d2/*.bin', '!d2')).toBe(join(folder, 'd1/d2/a.bin'))
    expect(await findIn(folder, '**/*.bin', '!d*', 'd1/d2/**')).toBe(join(folder, 'd1/d2/a.bin'))
    await expect(findIn(folder, 'loop/*')).rejects.toMatchObject({ reason: 'no-file' })
  })
})

const built = folderOf(
  ...['README.md', 'plugin/dist/app-1.0.0.zip', 'build/App.ZIP', 'build/app.tar.gz'],
  ...['out/report.txt', 'node_modules/some/app.zip', '.git/objects/app.zip']
)

describe('no file', () => {
  test('the whole message; folders of tools do not count', async () => {
    expect((await messageOf(['dist/*.zip', '!**/*-debug.zip'], built)).split('\n')).toEqual([
      ...['No file matches:', '  dist/*.zip', '  !**/*-debug.zip'],
      'Is it "plugin/dist/app-1.0.0.zip"? Patterns start at the workspace, upper and lower case differ, and lines that begin with "!" exclude.',
      ...['Files in the workspace:', '  "build/App.ZIP"'],
      ...['  "plugin/dist/app-1.0.0.zip"  fits 1.0.0', '  "README.md"'],
      ...['  "build/app.tar.gz"', '  "out/report.txt"']
    ])
  })

  test('in an empty workspace, or none at all', async () => {
    for (const folder of [makeFolder(), join(makeFolder(), 'gone')]) {
      expect(await messageOf(['*.zip'], folder)).toMatch(
        /^No file matches:\n {2}\*\.zip\nThe workspace is empty: .*\(actions\/checkout, actions\/download-artifact\)\.$/
      )
    }
  })

  const dollar = '$'
  const RELATIVE = 'Write a path relative to the workspace, with "/" between folders.'
  const HOST = 'This job runs in a container, where `github.workspace` and `runner.temp` are paths'
  test.each([
    ['nothing was built', 'target/x.jar', 'There is no folder "target". Was the file built, or'],
    ['another name', 'out/*.zip', 'Its folder has no such file. Did the build run'],
    ['the same name elsewhere', 'app-1.0.0.zip', 'Is it "plugin/dist/app-1.0.0.zip"?'],
    ['a folder', 'out/', '"out/" is a folder. Name the file in it, such as "out/*.zip".'],
    ['a slash too many', '/dist/x.zip', 'There is no folder "/dist".'],
    ['exclusions', 'out/report.txt', 'Is it "out/report.txt"? Patterns start'],
    ['braces', 'build/{App,app}.ZIP', 'Braces and commas are taken literally'],
    ['commas', 'build/a.zip, build/b.zip', 'write one pattern per line.'],
    ['a variable', `build/${dollar}{NAME}.zip`, 'Only {version} and {tag} are filled in'],
    ['another word in braces', 'build/{name}.zip', 'Only {version} and {tag} are filled in'],
    ['quotes', "'build/*.zip'", 'Quotes are taken literally: leave them out.'],
    ['a dash', '- build/*.zip', 'Write one pattern per line, without "-"'],
    ['an address', 'https://example.com/a.zip', 'An address is not a path: download the file'],
    ['backslashes', 'dist\\app.zip', RELATIVE, posix],
    ['a drive', 'C:/build/x.zip', RELATIVE, posix],
    ['Windows: backslashes', 'dist\\app.jar', 'There is no folder "dist"', win32],
    ['Windows: a drive', 'C:/build/x.jar', 'There is no folder "C:/build".', win32],
    ['Windows: Git Bash', '/d/a/x/app.zip', 'Only Git Bash reads that: write D:/a for', win32],
    ['a container', '/home/runner/work/x/x/dist/app.zip', HOST, posix, '/__w/x/x'],
    ['a runner of one’s own', '/opt/runner/_work/x/x/app.zip', HOST, posix, '/__w/x/x'],
    ['no container', '/home/runner/work/x/app.zip', 'There is no folder "/home', posix]
  ])('the likely cause is %s', async (_, pattern, cause, paths = undefined, workspace = built) => {
    const search = { patterns: [pattern], workspace, versions: ['1.0.0'] as const, attached: [] }
    const { message } = await explainNone(search, paths)
    expect(message.startsWith(`No file matches:\n  ${pattern}\n`)).toBe(true)
    expect(message).toContain(cause)
    if (workspace !== built) return
    expect(message).toContain('\nFiles in the workspace:\n')
    expect(message.split('\n').filter(line => /^[A-Z"].*[.?)]$/.test(line))).toHaveLength(1)
  })

  test('a file that is attached leads to `asset`, and one that is spelled otherwise to its name', async () => {
    const attached = ['app-1.0.0.zip', 'app.txt']
    const use =
      '"app-1.0.0.zip" is attached to the release: for that, use `asset: app-{version}.zip`.'
    for (const folder of [built, makeFolder()]) {
      expect(await messageOf(['dist/App*.zip'], folder, '1.0.0', attached)).toContain(use)
      expect(await messageOf(['dist/*.zip'], folder, '2.0.0', attached)).not.toContain('`asset')
    }
    const other = folderOf('dist/Gallery_v1.4.2.zip')
    const message = await messageOf(['dist/gallery-1.4.2.zip'], other, '1.4.2')
    expect(message).toContain('Is it `dist/Gallery_v{version}.zip`? Correct `file`.')
    expect(await messageOf(['dist/gal-1.4.2.zip'], other, '1.4.2')).not.toContain('Is it')
  })

  test('nothing leads to a file of another version', async () => {
    const message = await messageOf(['dist/*.zip'], built, '1.1.0')
    expect(message).toContain('There is no folder "dist".')
    expect(message).toContain('  "plugin/dist/app-1.0.0.zip"  another version')
  })

  test('ten files at most are shown, and names cannot break out of their line', async () => {
    const name = windows ? 'error' : '\n::error::'
    const names = Array.from({ length: 30 }, (_, index) => `dist/${index}${name}\u202e.txt`)
    const message = await messageOf(['dist/app.zip'], folderOf(...names))
    expect(message.match(/^ {2}"dist.*error.*\\u\{202e\}\.txt"$/gm)).toHaveLength(10)
    expect(message).toContain('\n  … and 20 more')
  })
})

describe('several files', () => {
  test('the whole message', async () => {
    const folder = makeFolder({ 'dist/app-1.0.0.zip': 'x'.repeat(1234567), 'dist/a p.zip': 'xy' })
    for (const name of ['app-1.0.0.zip', 'a p.zip']) {
      utimesSync(join(folder, 'dist', name), 0, new Date('2026-01-02T03:04:05.678Z'))
    }
    expect((await messageOf(['dist/*.zip'], folder)).split('\n')).toEqual([
      '2 files match, and exactly one has to:',
      '  "dist/a p.zip"  2 bytes  2026-01-02T03:04:05Z',
      '  "dist/app-1.0.0.zip"  1.23 MB  2026-01-02T03:04:05Z  fits 1.0.0',
      'Use this line, or exclude the others with lines that start with "!":',
      '  dist/app-{version}.zip'
    ])
  })

  const NONE = 'None of them is version "1.4.2": build or attach that one.'
  test.each([
    ['the old file is there too', ['a-1.4.1.zip', 'a-1.4.2.zip'], ['  a-{version}.zip']],
    ['one without a version, one old', ['a.zip', 'a-1.4.1.zip'], ['  a.zip']],
    ['none with a version', ['debug.zip', 'a-full.zip'], ['  debug.zip', '  a-full.zip']],
    ['old ones alone', ['a-1.4.0.zip', 'a-1.4.1.zip'], [NONE]]
  ])('the advice leads to no other version, nor to one by chance: %s', async (_, names, lines) => {
    const message = await messageOf(['**'], folderOf(...names), '1.4.2')
    expect(message.split('\n').slice(-lines.length)).toEqual(lines)
  })

  test('of many lines to choose from, only so many are shown, and that is told', async () => {
    const folder = folderOf(...Array.from({ length: 12 }, (_, at) => `a${'b'.repeat(at)}.zip`))
    const message = await messageOf(['*'], folder)
    expect(message).toMatch(/(?:\n {2}ab*\.zip){10}\n {2}… and 2 more such lines$/)
  })

  test.each(['!a[1].zip', windows ? '#b.zip' : '#b*.zip'])('its advice finds %s', async name => {
    const odd = folderOf(name, `${name}-longer.zip`)
    const line = (await messageOf(['*'], odd)).split('\n').at(-2)?.trim() ?? ''
    expect(await findIn(odd, line)).toBe(join(odd, name))
  })
})
