// Tests of dist/: what must not be mailed to buyers, or another version in the file, stops a run before it sends.
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from '@jest/globals'
import { rawZip } from '../files/raw-zip.ts'
import { zipOf } from '../support/archives.ts'
import { expectNothingAsked } from '../support/asked.ts'
import { buildPlugin, FILE, openShop, type ShopOptions } from '../support/shop.ts'

const WITH_ENV = zipOf({ 'gallery/gallery.php': '<?php', 'gallery/.env': 'PASSWORD=x' })
const POINTER = Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n')

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
    name: 'an entry that is not counted',
    file: rawZip([{ name: 'gallery/gallery.php' }, { name: 'gallery/.env' }], 1),
    reason: 'bad-file',
    said: /it has 2 entries, and counts 1/
  },
  {
    name: 'a name with a NUL',
    file: rawZip([{ name: 'gallery/.env\0.txt' }]),
    reason: 'bad-file',
    said: /"gallery\/\.env\\u0000\.txt", whose name or link target has a NUL character/
  },
  {
    name: 'a content that is said to be none',
    file: rawZip([
      { name: 'a.php', content: 'x', packed: deflateRawSync('x'), method: 8, size: 0 }
    ]),
    reason: 'bad-file',
    said: /"a\.php", which has content, and is said to have none/
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

test('a WordPress folder with a version in its name is a warning; a jar behind a script is read', async () => {
  await using shop = await openShop({ inputs: { mode: 'plan' } })
  const header = '<?php\n/* Plugin Name: Gallery\n * Version: 1.4.2 */\n'
  await shop.write('out/gallery.zip', zipOf({ 'gallery-1.4.2/gallery.php': header }))
  const planned = await shop.publish({ inputs: { file: 'out\\gallery.zip' } })
  expect(planned.outputs.outcome).toBe('planned')
  expect(planned.log).toContain(
    'theme in the folder "gallery-1.4.2/": WordPress takes it for another'
  )

  const jar = zipOf({ 'plugin.yml': 'version: 1.4.1\n' })
  await shop.write('out/gallery.jar', Buffer.concat([Buffer.from('#!/bin/bash\n'), jar]))
  const refused = await shop.publish({ inputs: { file: 'out/gallery.jar' } })
  expect(refused.log).toContain('states the version "1.4.1" in "plugin.yml"')
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

test('a jar next to one with the libraries in it is not sent, unless that is excluded', async () => {
  const inputs = { file: 'build/*-{version}.jar' }
  await using shop = await openShop({ inputs })
  const jar = zipOf({ 'plugin.yml': 'name: Gallery\nversion: 1.4.2\n' })
  await shop.write('build/gallery-1.4.2.jar', jar)
  await shop.write('build/gallery-1.4.2-all.jar', jar)

  const refused = await shop.publish()
  expect(refused.outputs).toMatchObject({ outcome: 'failed', reason: 'several-files' })
  expect(refused.annotations[0]?.message).toMatch(
    /^"build\/gallery-1\.4\.2-all\.jar" lies next to "build\/gallery-1\.4\.2\.jar": .*\n.* line "!build\/gallery-1\.4\.2-all\.jar"\./
  )
  expectNothingAsked(shop)

  for (const file of ['build/*-{version}-all.jar', 'build/*-{version}.jar\n!build/*-all.jar']) {
    const planned = await shop.publish({ inputs: { mode: 'plan', file } })
    expect(planned.outputs.outcome).toBe('planned')
  }
})
