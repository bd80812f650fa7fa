// Tests of dist/: what must not be mailed to buyers, or another version in the file, stops a run before it sends.
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { zipOf } from '../support/archives.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { buildPlugin, FILE, openShop, type ShopOptions } from '../support/shop.ts'

const WITH_ENV = zipOf({ 'gallery/gallery.php': '<?php', 'gallery/.env': 'PASSWORD=x' })
const POINTER = Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n')

/** An archive with one byte of its first file changed. */
function spoiled(archive: Buffer): Buffer {
  const position = archive.readUInt16LE(26) + 40
  archive[position] = (archive[position] ?? 0) ^ 1
  return archive
}

interface Refused {
  readonly name: string
  readonly file: Buffer
  /** What differs from the usual shop. */
  readonly shop?: ShopOptions
  readonly reason: string
  readonly said: RegExp
}

test.each<Refused>([
  {
    name: 'passwords',
    file: WITH_ENV,
    reason: 'bad-file',
    said: /"gallery\/\.env", which often contains passwords/
  },
  {
    name: 'what `contents` misses',
    file: buildPlugin(),
    shop: { inputs: { contents: 'gallery/*.php\nlang/*.po\n!**/*.map' } },
    reason: 'bad-file',
    said: /matches "lang\/\*\.po" of `cont/
  },
  {
    name: 'a file that cannot be unpacked',
    file: spoiled(buildPlugin()),
    reason: 'bad-file',
    said: /contains "gallery\/gallery\.php", which cannot be unpacked \(/
  },
  {
    name: 'credentials of Composer',
    file: zipOf({ 'gallery/auth.json': '{"http-basic":{"repo.example.com":{}}}' }),
    reason: 'bad-file',
    said: /contains "gallery\/auth\.json", which holds credentials of Composer/
  },
  {
    name: 'a web page',
    file: Buffer.from('<!DOCTYPE html><html><body>Not found</body></html>'),
    reason: 'bad-file',
    said: /The file "gallery-1\.4\.2\.zip" is a web page\./
  },
  {
    name: 'a version that no build filled in',
    file: zipOf({ 'META-INF/neoforge.mods.toml': '[[mods]]\nversion="VERSION"\n' }),
    reason: 'file-version',
    said: /has the version "VERSION" in "META-INF\/neoforge\.mods\.toml", which was never filled in/
  },
  {
    name: 'a pointer of Git LFS',
    file: POINTER,
    reason: 'bad-file',
    said: /Set `lfs: true` under `actions\/checkout/
  },
  {
    name: 'another version inside',
    file: buildPlugin('1.4.1'),
    reason: 'file-version',
    said: /states the version "1\.4\.1" in "gallery\/gallery\.php"/
  },
  {
    name: 'another by its name',
    file: buildPlugin(),
    shop: { release: { tag: 'v1.5.0', name: 'Gallery 1.5.0' } },
    reason: 'file-version',
    said: /"1\.4\.2".*"1\.5\.0"/
  }
])('nothing is sent: $name', async ({ file, shop: options, reason, said }) => {
  await using shop = await openShop(options)
  await writeFile(join(shop.workspace, FILE), file)

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

test('a file of another version next to the one that a wildcard should choose is not sent', async () => {
  await using shop = await openShop()
  await shop.write('out/gallery-bootstrap-5.3.2.zip', buildPlugin())
  const refused = await shop.publish({ inputs: { file: 'out/*.zip' } })
  expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'file-version' })
  expect(refused.log).toContain('spell the file’s name out in place of the wildcard.')
  expectNothingAsked(shop)

  const named = await shop.publish({ inputs: { file: 'out/*-bootstrap-5.3.2.zip' } })
  expect(named.outputs.outcome).toBe('published')
})

test.each([
  ['the file', { file: 'out/app.bin' }],
  ['the changelog', { 'changelog-file': 'CHANGELOG.md' }]
])('nothing of Git is sent by a link in place of %s', async (_, inputs) => {
  await using shop = await openShop()
  await shop.write('.git/config', `## 1.4.2\nAUTHORIZATION: basic ${'x'.repeat(40)}`)
  await shop.write('out/other.txt', 'x')
  await symlink('../.git/config', join(shop.workspace, 'out/app.bin'))
  await symlink('.git/config', join(shop.workspace, 'CHANGELOG.md'))

  const run = await shop.publish({ inputs })

  expect(run.outputs).toMatchObject({ outcome: 'failed', reason: 'bad-file' })
  expect(run.log).toContain('Git keeps credentials')
  expectNothingAsked(shop)
  expect(shop.github.deployments).toEqual([])
})
