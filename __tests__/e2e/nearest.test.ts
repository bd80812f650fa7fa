// Tests of dist/: for a name that is nearly right, only the exact file is taken, and the nearest ones are listed.
import { expect, test } from '@jest/globals'
import { expectNothingAsked } from '../support/asked.ts'
import { makeFolder } from '../support/folders.ts'
import { onLinux } from '../support/platform.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** As a shell writes them. */
const VERSION = `\${version}`
const WORKSPACE = `\${GITHUB_WORKSPACE}`

/** The message of a run that sent nothing. */
async function refusalOf(shop: Shop, reason: string, inputs: Record<string, string>) {
  const run = await shop.publish({ inputs })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason })
  expectNothingAsked(shop)
  expect(shop.github.deployments).toEqual([])
  return run.annotations[0]?.message ?? ''
}

test.each([
  ['dist/gallery[1].bin', 'gallery[1].bin'],
  ['dist/*.bin\n!dist/gallery[1].bin', 'gallery1.bin'],
  ['dist/gallery[12].bin', 'gallery1.bin'],
  ['out/[1.20.1] gallery-{version}.jar', '[1.20.1] gallery-1.4.2.jar']
])('a line that is the exact path of a file means that file: %j', async (file, name) => {
  await using shop = await openShop()
  for (const each of ['dist/gallery[1].bin', 'dist/gallery1.bin']) await shop.write(each, each)
  await shop.write('out/[1.20.1] gallery-1.4.2.jar', shop.zip)

  const run = await shop.publish({ inputs: { file } })

  expect(run.outputs).toMatchObject({ outcome: 'published', file_name: name })
})

test('the exact name of an attached file means that file', async () => {
  const assets = ['gallery[1].zip', 'gallery1.zip'].map(name => ({ name, content: 'x' }))
  await using shop = await openShop({ release: { assets } })

  const contents = Object.fromEntries(assets.map(({ name }) => [name, 'x']))
  shop.addRelease({}, { contents })

  const message = await refusalOf(shop, 'bad-file', { file: '', asset: 'gallery[1].zip' })
  expect(message).toMatch(/^The file "gallery\[1\]\.zip" cannot be read as an archive/)
})

onLinux(
  'what is there is listed, nearest first, with invisible characters made visible (macOS and Windows fold some)',
  async () => {
    await using shop = await openShop()
    await shop.write('out/Gallery.bin', 'x')
    await shop.write('out/Warps-1.6.0-SNAPSHOT-all.bin', 'x')
    await shop.write('out/gallery\u00a0pro.bin', 'x')
    await shop.write('out/galerie-e\u0301.bin', 'x')

    const cases = [
      ['out/gallery.bin', '"out/Gallery.bin"'],
      ['out/gallery pro.bin', '"out/gallery\\u{a0}pro.bin"'],
      ['out/galerie-\u00e9.bin', '"out/galerie-e\\u{301}.bin"'],
      ['build/Gallery.bin', '"out/Gallery.bin"'],
      ['out/Warps-{version}-all.bin', '"out/Warps-1.6.0-SNAPSHOT-all.bin"']
    ] as const
    for (const [file, nearest] of cases) {
      const message = await refusalOf(shop, 'no-file', { file })
      expect(message).toContain(`The workspace has these files, nearest first:\n  ${nearest}`)
    }

    await shop.write('Changelog.md', '## 1.4.1\n- Older')
    const other = await refusalOf(shop, 'no-changelog', { 'changelog-file': 'CHANGELOG.md' })
    expect(other).toContain('nearest first:\n  "Changelog.md"')

    const invisible = await refusalOf(shop, 'no-file', { file: 'out/galle\u200bry.bin' })
    expect(invisible).toContain('matches `file`:\n  out/galle\\u{200b}ry.bin')
  }
)

test('a habit from another tool is named, with what to write here', async () => {
  await using shop = await openShop()
  const cases = [
    ['D:\\a\\gallery\\out\\Gallery.bin', 'the drive and the folders above the workspace differ'],
    ['~/out/Gallery.bin', 'In "~/out/Gallery.bin", `~` is not expanded'],
    ['- out/Gallery.bin', '"- " does not begin a list here: write the pattern alone'],
    ['out/{Gallery,gallery}.bin', 'braces have no special meaning here: write one pattern a line'],
    [
      `out/gallery-${VERSION}.bin`,
      `In "out/gallery-${VERSION}.bin", write {version} in place of "${VERSION}".`
    ],
    ['out/gallery-{{version}}.bin', 'write {version} in place of "{{version}}".'],
    ['out/gallery-%VERSION%.bin', 'write {version} in place of "%VERSION%".'],
    ['out/gallery-{ Version }.bin', 'write {version} in place of "{ Version }".'],
    ['out/$TAG_NAME.bin', 'write {tag} in place of "$TAG_NAME".'],
    [`${WORKSPACE}/out/*.bin`, `"${WORKSPACE}" is not filled in: only {version} and {tag} are.`]
  ] as const

  for (const [file, text] of cases) {
    const message = await refusalOf(shop, 'no-file', { file })
    expect(message).toContain(text)
    expect(message).toContain('The workspace has these files, nearest first:')
  }
})

test('an attached file that GitHub renamed is the nearest', async () => {
  const assets = ['a.txt', '1.20.1.gallery-1.4.2.jar'].map(name => ({ name, content: 'x' }))
  await using shop = await openShop({ release: { assets }, inputs: { 'asset-timeout': '0' } })

  const asset = '[1.20.1] gallery-{version}.jar'
  const message = await refusalOf(shop, 'no-file', { file: '', asset })

  expect(message).toContain('nearest first:\n  "1.20.1.gallery-1.4.2.jar"\n  "a.txt"')
})

test.each<[string, string[], string, string[]]>([
  ['its folder', ['docs/CHANGELOG.md'], 'CHANGELOG.md', ['docs/CHANGELOG.md']],
  [
    'its version',
    ['a.md', 'changelogs/1.4.1.md'],
    'changelogs/{version}.md',
    ['changelogs/1.4.1.md']
  ]
])('a changelog file that differs in %s is named', async (_, files, path, expected) => {
  await using shop = await openShop()
  for (const file of files) await shop.write(file, '## 1.4.1\n- Older')

  const message = await refusalOf(shop, 'no-changelog', { 'changelog-file': path })

  const lines = expected.map(name => `  "${name}"\n`).join('')
  const missing = `changelog-file: "${path.replace('{version}', '1.4.2')}" does not exist.`
  expect(message).toContain(`${missing} The workspace has these files, nearest first:\n${lines}`)
})

test('in an empty workspace, the advice is to check out the repository', async () => {
  await using shop = await openShop({ workspace: makeFolder() })
  const message = await refusalOf(shop, 'no-changelog', { 'changelog-file': 'CHANGELOG.md' })

  expect(message).toMatch(
    /"CHANGELOG\.md" does not exist: the workspace is empty\.\n.*check out the/
  )
})
