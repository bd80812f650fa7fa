// Tests of src/file/find.ts: which file the patterns mean, in real folders, odd ones too.
import { execFileSync } from 'node:child_process'
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { FileFault } from '../../src/file/artifact.ts'
import { findFile as findIn } from '../../src/file/find.ts'
import { fillGlob, splitPatterns } from '../../src/file/glob.ts'
import { makeFolder, putFile, silenceDebug } from '../support/folders.ts'

silenceDebug()

const findFile = (patterns: readonly string[], workspace: string) =>
  findIn(patterns, workspace, ['1.0.0'])

describe('the input', () => {
  test.each([
    ['one line', 'a.zip', ['a.zip']],
    ['lines with LF', 'a\nb', ['a', 'b']],
    ['lines with CRLF', 'a\r\nb\r\n', ['a', 'b']],
    ['comments and empty lines', '# x\n\n  \na\n  # y', ['a']],
    ['exclusions', 'a\n!b', ['a', '!b']],
    ['white space around, but not within', '  a b.zip \t', ['a b.zip']],
    ['a # within a name', 'a#b', ['a#b']]
  ])('%s', (_, input, patterns) => {
    expect(splitPatterns(input)).toEqual(patterns)
  })
})

const files = [
  'dist/app-1.0.zip',
  'dist/app-1.0-debug.zip',
  'dist/.hidden/secret.zip',
  'dist/deep/er/tool.jar',
  'dist.zip/inner.txt',
  'with space/ünï čode.zip',
  'odd/!bang.zip',
  'odd/#hash.zip',
  'odd/[1].zip',
  'odd/{a,b}.zip',
  'odd/a.zip',
  'odd/q"uote.zip',
  'odd/back\\slash.zip',
  'odd/line\nbreak.zip',
  `odd/${'x'.repeat(251)}.zip`
]
const workspace = makeFolder(Object.fromEntries(files.map(name => [name, name])))
const find = (...patterns: string[]) => findFile(patterns, workspace)

describe('exactly one file', () => {
  test.each([
    ['a plain path', ['dist/app-1.0.zip'], 'dist/app-1.0.zip'],
    ['a path from the workspace', ['./dist/app-1.0.zip'], 'dist/app-1.0.zip'],
    ['a path with slashes too many', ['dist//app-1.0.zip'], 'dist/app-1.0.zip'],
    ['a wildcard', ['dist/*-debug.zip'], 'dist/app-1.0-debug.zip'],
    ['a class', ['dist/app-[0-9].0.zip'], 'dist/app-1.0.zip'],
    ['any depth', ['**/*.jar'], 'dist/deep/er/tool.jar'],
    ['a hidden folder', ['dist/*/secret.zip'], 'dist/.hidden/secret.zip'],
    ['an exclusion', ['dist/*.zip', '!dist/*-debug.zip'], 'dist/app-1.0.zip'],
    ['an exclusion with a space', ['dist/*.zip', '! dist/*-debug.zip'], 'dist/app-1.0.zip'],
    [
      'an excluded folder',
      ['dist/**/*.[zj]*', '!dist/deep', '!dist/app*'],
      'dist/.hidden/secret.zip'
    ],
    ['an absolute path', [join(workspace, 'dist/app-1.0.zip')], 'dist/app-1.0.zip'],
    ['spaces and letters of all kinds', ['with space/*čode.zip'], 'with space/ünï čode.zip'],
    ['a name that begins with an exclamation mark', ['./odd/!bang.zip'], 'odd/!bang.zip'],
    ['a name with brackets, escaped', ['odd/[[]1].zip'], 'odd/[1].zip'],
    ['braces, taken literally', ['odd/{a,b}.zip'], 'odd/{a,b}.zip'],
    ['a quote', ['odd/q*.zip'], 'odd/q"uote.zip'],
    ['a backslash', ['odd/back*.zip'], 'odd/back\\slash.zip'],
    ['a line break', ['odd/line*.zip'], 'odd/line\nbreak.zip'],
    ['a name of 255 bytes', ['odd/xxx*.zip'], `odd/${'x'.repeat(251)}.zip`]
  ])('%s', async (_, patterns, expected) => {
    expect(await find(...patterns)).toBe(join(workspace, expected))
  })

  test.each([
    ['folders do not count', ['dist*']],
    ['a folder by its name', ['dist.zip']],
    ['a folder with a slash behind', ['dist/']],
    ['an exclusion of everything', ['dist/*.zip', '!**']],
    ['extended patterns are not known', ['odd/+(a).zip']],
    ['upper and lower case differ', ['DIST/app-1.0.zip']]
  ])('none: %s', async (_, patterns) => {
    await expect(find(...patterns)).rejects.toMatchObject({ reason: 'no-file' })
  })

  test.each([
    ['two files', ['dist/*.zip']],
    ['an exclusion above its pattern', ['!dist/*-debug.zip', 'dist/*.zip']],
    ['two patterns', ['dist/app-1.0.zip', 'odd/a.zip']]
  ])('several: %s', async (_, patterns) => {
    await expect(find(...patterns)).rejects.toMatchObject({ reason: 'several-files' })
  })

  test('names that differ in upper and lower case alone are two files', async () => {
    const folder = makeFolder({ 'App.zip': 'upper', 'app.zip': 'lower' })
    expect(await findFile(['app.zip'], folder)).toBe(join(folder, 'app.zip'))
    await expect(findFile(['*.zip'], folder)).rejects.toThrow(/"App\.zip".*"app\.zip"/s)
  })

  test.each(['../x.zip', 'dist/../../x.zip', '!../x', 'a/..', '..'])(
    '%s is refused: it leads out of the workspace',
    async pattern => {
      const finding = find('dist/app-1.0.zip', pattern)
      await expect(finding).rejects.toThrow(`${JSON.stringify(pattern)} contains ".."`)
      await expect(finding).rejects.toBeInstanceOf(FileFault)
    }
  )

  test('two dots in a name are no way up', async () => {
    const folder = makeFolder({ 'a..b/c..zip': 'x' })
    expect(await findFile(['a..b/*..zip'], folder)).toBe(join(folder, 'a..b/c..zip'))
  })
})

test('a version in a pattern means itself alone, whatever it is, at the start of a line too', async () => {
  const folder = makeFolder({ 'decoy.x': 'x', '1.x': 'x', 'a.x': 'x' })
  const unit = fc.constantFrom(...'[]!*?{}\\()+@#~^-,.:ab1 é$')
  const names = fc
    .string({ unit, minLength: 1, maxLength: 12 })
    .filter(text => text.trim() === text && !/^\.+$/.test(text))
  const check = async (version: string) => {
    const path = join(folder, `${version}.x`)
    putFile(path)
    expect(await findFile([fillGlob('{version}.x', { tag: version, version })], folder)).toBe(path)
  }
  const examples = ['!1', '#1', '[!1]', '~', '{1,2}', '\\1'].map((text): [string] => [text])
  await fc.assert(fc.asyncProperty(names, check), { numRuns: 200, examples })
})

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
  test.each([
    ['to a file count under their own name', 'app.zip', 'build-7/app.zip', '*.zip', 'app.zip'],
    ['in a chain, too', 'app.zip', 'link/app.zip', '*.zip', 'app.zip'],
    ['to a folder are followed', 'build', 'build-7', 'build/*.zip', 'build/app.zip'],
    ['to nothing do not count', 'dead.zip', 'nowhere', '**/app.zip', 'build-7/app.zip'],
    ['in a circle come to an end', 'build-7/up', '..', 'build-7/**/*.zip', 'build-7/app.zip']
  ])('%s', async (_, link, target, pattern, found) => {
    const folder = makeFolder({ 'build-7/app.zip': 'x' })
    if (target.startsWith('link')) symlinkSync('build-7', join(folder, 'link'))
    symlinkSync(target, join(folder, link))
    const finding = findFile([pattern, '!link'], folder)
    expect(await finding).toBe(join(folder, found))
  })

  test('to themselves are named', async () => {
    const folder = makeFolder({ 'app.zip': 'x' })
    symlinkSync('loop', join(folder, 'loop'))
    await expect(findFile(['**/*.zip'], folder)).rejects.toThrow(
      /^The search for \*\*\/\*\.zip stopped: ELOOP: .*loop/
    )
  })
})

describe('what is no usable file', () => {
  test('a name that is not UTF-8 keeps no other from being found', async () => {
    const folder = makeFolder({ 'app.zip': 'x' })
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x2e, 0x7a])]), 'x')
    expect(await findFile(['*.zip'], folder)).toBe(join(folder, 'app.zip'))
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
    await expect(finding).rejects.toThrow(/EACCES.*locked/)
    chmodSync(join(folder, 'locked'), 0o755)
  })
})
