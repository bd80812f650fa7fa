// Tests of dist/: what must not be mailed to buyers, or another version in the file, stops a run before it sends.
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { zipOf } from '../support/archives.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { buildPlugin, openShop, type ShopOptions } from '../support/shop.ts'

interface Refused {
  readonly name: string
  /** What differs from the usual shop. */
  readonly shop: ShopOptions
  readonly reason: string
  readonly said: RegExp
}

test.each<Refused>([
  {
    name: 'what `contents` misses',
    shop: { inputs: { contents: 'gallery/*.php\nlang/*.po\n!**/*.map' } },
    reason: 'bad-file',
    said: /matches "lang\/\*\.po" of `cont/
  },
  {
    name: 'another version by its name',
    shop: { release: { tag: 'v1.5.0', name: 'Gallery 1.5.0' } },
    reason: 'file-version',
    said: /"1\.4\.2".*"1\.5\.0"[\s\S]*spell the file’s name out in place of the wildcard\./
  }
])('nothing is sent: $name', async ({ shop: options, reason, said }) => {
  await using shop = await openShop(options)

  const run = await shop.publish()

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason })
  expect(run.log).toMatch(said)
  expectNothingAsked(shop)
  expect(shop.github.deployments).toEqual([])
})

test('a file that states another version is published where that is allowed', async () => {
  await using shop = await openShop()
  await shop.write('out/gallery-1.4.1.zip', buildPlugin('1.4.1'))
  const inputs = { file: 'out/*', 'allow-other-version': 'true' }

  const run = await shop.publish({ inputs })

  expect(run.outputs).toMatchObject({ outcome: 'published' })
  expect(run.log).toMatch(/contents {3}\d files?, \d+ bytes unpacked: "gallery\/"/)
})

test('a WordPress folder with a version in its name is a warning', async () => {
  await using shop = await openShop({ inputs: { mode: 'plan' } })
  const header = '<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n'
  await shop.write('out/gallery.zip', zipOf({ 'gallery-1.4.2/gallery.php': header }))
  const planned = await shop.publish({ inputs: { file: 'out\\gallery.zip' } })
  expect(planned.outputs.outcome).toBe('planned')
  expect(planned.log).toContain(
    'theme in the folder "gallery-1.4.2/": WordPress takes it for another'
  )
})

test('a file that nothing here can look into is planned, and the plan says so', async () => {
  await using shop = await openShop({ inputs: { mode: 'plan' } })
  await shop.write('out/setup.exe', 'MZ')
  const planned = await shop.publish({ inputs: { file: 'out/setup.exe' } })
  expect(planned.outputs.outcome).toBe('planned')
  expect(planned.log).toMatch(/contents {3}not looked into/)
  expect(planned.summary).toContain('not looked into')
})

test('nothing of Git is sent by a link in place of the changelog', async () => {
  await using shop = await openShop({ inputs: { 'changelog-file': 'CHANGELOG.md' } })
  await shop.write('.git/config', `## 1.4.2\nAUTHORIZATION: basic ${'x'.repeat(40)}`)
  await symlink('.git/config', join(shop.workspace, 'CHANGELOG.md'))

  const run = await shop.publish()

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-file' })
  expect(run.log).toContain('Git keeps credentials')
  expectNothingAsked(shop)
  expect(shop.github.deployments).toEqual([])
})
