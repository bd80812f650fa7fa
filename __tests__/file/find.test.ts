// Tests of src/release/find-file.ts: which file the patterns mean, in real folders.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { FileFault } from '../../src/file/artifact.ts'
import { findFile, splitPatterns } from '../../src/file/find.ts'
import { fillGlob } from '../../src/file/glob.ts'
import { makeFolder, putFile, silenceDebug } from '../support/folders.ts'

silenceDebug()

describe('the input', () => {
  test.each([
    ['one line', 'a.zip', ['a.zip']],
    ['lines with LF', 'a\nb', ['a', 'b']],
    ['lines with CRLF', 'a\r\nb\r\n', ['a', 'b']],
    ['lines with a lone CR', 'a\rb', ['a', 'b']],
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
    ['a path with dots in it', ['././dist/./app-1.0.zip'], 'dist/app-1.0.zip'],
    ['a path with slashes too many', ['dist//app-1.0.zip'], 'dist/app-1.0.zip'],
    ['a wildcard', ['dist/*-debug.zip'], 'dist/app-1.0-debug.zip'],
    ['a question mark', ['dist/app-?.0.zip'], 'dist/app-1.0.zip'],
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
    ['two patterns for one file', ['dist/app-1.0.zip', 'd*/app-?.0.zip'], 'dist/app-1.0.zip'],
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
      await expect(finding).rejects.toThrow(`${JSON.stringify(pattern)} holds ".."`)
      await expect(finding).rejects.toBeInstanceOf(FileFault)
    }
  )

  test('two dots in a name are no way up', async () => {
    const folder = makeFolder({ 'a..b/c..zip': 'x' })
    expect(await findFile(['a..b/*..zip'], folder)).toBe(join(folder, 'a..b/c..zip'))
  })

  test('~ is the home folder', async () => {
    const pattern = '~/no such file of anybody.zip'
    const message = expect.stringContaining(`"${homedir()}`)
    await expect(find(pattern)).rejects.toMatchObject({ reason: 'no-file', message })
  })
})

describe('a version in a pattern', () => {
  const versions = [
    '!1',
    '#1',
    '[1]',
    '[!1]',
    '*',
    '?',
    '1*',
    '{1,2}',
    '\\1',
    '~',
    '1 2',
    '+(1)',
    '$1'
  ]

  test.each(versions)('%j means itself alone', async version => {
    const folder = makeFolder()
    for (const name of [...versions, '1', '2', '12', 'a']) putFile(join(folder, `${name}.zip`))
    const names = { tag: `v${version}`, version, name: '' }
    const pattern = fillGlob('{version}.zip', names)
    expect(await findFile([pattern], folder)).toBe(join(folder, `${version}.zip`))
    const others = findFile(['*.zip', fillGlob('!{version}.zip', names)], folder)
    await expect(others).rejects.toThrow(`${versions.length + 3} files match`)
  })

  test('means itself alone, whatever it is', async () => {
    const folder = makeFolder({ 'd/decoy.zip': 'x' })
    const name = fc
      .string({
        unit: fc.constantFrom(...'[]!*?{}\\()+@#~^-,.:ab1 é'),
        minLength: 1,
        maxLength: 12
      })
      .filter(text => text.trim() === text && !/^\.+$/.test(text))
    await fc.assert(
      fc.asyncProperty(name, async version => {
        const path = join(folder, 'd', `${version}.x`)
        putFile(path)
        const names = { tag: version, version, name: '' }
        expect(await findFile([fillGlob('d/{version}.x', names)], folder)).toBe(path)
      }),
      { numRuns: 400 }
    )
  })
})
