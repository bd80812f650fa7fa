// Tests of dist/: an exact name means that file alone, and where no file is, those that are there are named.
import { expect, test } from '@jest/globals'
import { expectNothingAsked } from '../support/asked.ts'
import { makeFolder } from '../support/folders.ts'
import { onLinux } from '../support/platform.ts'
import { openShop, type Shop } from '../support/shop.ts'

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

onLinux(
  'what is there is listed, with invisible characters made visible (macOS and Windows fold some)',
  async () => {
    await using shop = await openShop()
    await shop.write('out/Gallery.bin', 'x')
    await shop.write('out/gallery\u00a0pro.bin', 'x')
    await shop.write('out/galerie-e\u0301.bin', 'x')

    for (const file of ['out/gallery.bin', 'out/gallery pro.bin', 'build/Gallery.bin']) {
      const message = await refusalOf(shop, 'no-file', { file })
      expect(message).toContain(
        'The workspace has these files:\n' +
          '  "dist/gallery-1.4.2.zip"\n' +
          '  "out/Gallery.bin"\n' +
          '  "out/galerie-e\\u{301}.bin"\n' +
          '  "out/gallery\\u{a0}pro.bin"\n'
      )
    }

    const invisible = await refusalOf(shop, 'no-file', { file: 'out/galle\u200bry.bin' })
    expect(invisible).toContain('matches `file`:\n  out/galle\\u{200b}ry.bin')
  }
)

test.each([
  ['docs/CHANGELOG.md', 'CHANGELOG.md'],
  ['changelogs/1.4.1.md', 'changelogs/{version}.md']
])('where a changelog file is not, those that are there are named: %s', async (name, path) => {
  await using shop = await openShop()
  await shop.write(name, '## 1.4.1\n- Older')

  const message = await refusalOf(shop, 'no-changelog', { 'changelog-file': path })

  const missing = `changelog-file: "${path.replace('{version}', '1.4.2')}" does not exist.`
  expect(message).toContain(`${missing} The workspace has these files:\n`)
  expect(message).toContain(`  "${name}"\n`)
})

test('in an empty workspace, the advice is to check out the repository', async () => {
  await using shop = await openShop({ workspace: makeFolder() })
  const message = await refusalOf(shop, 'no-changelog', { 'changelog-file': 'CHANGELOG.md' })

  expect(message).toMatch(
    /"CHANGELOG\.md" does not exist: the workspace is empty\.\n.*check out the/
  )
})
