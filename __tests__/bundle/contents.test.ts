// Owns the look at the file itself: what must not be mailed to buyers, and another version, stop before anything is sent.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { zipOf } from '../support/archives.ts'
import { buildPlugin, FILE, openShop, summaryOf } from '../support/shop.ts'

const PAGE = Buffer.from('<!DOCTYPE html><title>Sign in</title>')
const WITH_ENV = zipOf({ 'gallery/gallery.php': '<?php', 'gallery/.env': 'PASSWORD=x' })
const MORE = { contents: 'gallery/*.php\nlang/*.po\n!**/*.map' }
const PLAN = { mode: 'plan', token: '' }
const NEXT = { release: { tag: 'v1.5.0', name: 'Gallery 1.5.0' } }

test.each<[string, Buffer, object, Record<string, string>, string, RegExp]>([
  ['a web page that is called .zip', PAGE, {}, {}, 'bad-file', /It is a web page/],
  ['passwords', WITH_ENV, {}, {}, 'bad-file', /"gallery\/\.env", which often contains passwords/],
  [
    'what `contents` asks for',
    buildPlugin(),
    {},
    MORE,
    'bad-file',
    /matches "lang\/\*\.po" of `contents`/
  ],
  ['another version inside', buildPlugin('1.4.1'), {}, {}, 'file-version', /says "1\.4\.1", but/],
  [
    'another by its name, in a plan',
    buildPlugin(),
    NEXT,
    PLAN,
    'file-version',
    /"1\.4\.2".*"1\.5\.0"/
  ]
])('nothing is sent: %s', async (_, content, options, inputs, reason, text) => {
  await using shop = await openShop(options)
  await writeFile(join(shop.workspace, FILE), content)
  const run = await shop.publish({ inputs })
  expect(run.outputs).toMatchObject({ outcome: 'failed', reason })
  expect(run.log).toMatch(text)
  expect([shop.service.requests, shop.github.deployments]).toEqual([[], []])
})

test.each<[string, object, Record<string, string>]>([
  [
    'what a target names in `contents`',
    { 'out/gallery.zip': WITH_ENV },
    { targets: '- product: 12\n  contents: [gallery/.env, "!**/*.map"]' }
  ],
  [
    'any version with `file-version: any`',
    { 'out/gallery-1.4.1.zip': buildPlugin('1.4.1') },
    { 'file-version': 'any' }
  ]
])('it is published: %s', async (_, files, inputs) => {
  await using shop = await openShop({ inputs: { once: 'off' } })
  for (const [path, content] of Object.entries(files)) await shop.write(path, content)
  const run = await shop.publish({ inputs: { file: 'out/*.zip', ...inputs } })
  expect(run.outputs).toMatchObject({ outcome: 'published' })
})

test('a plan shows what is in it', async () => {
  await using shop = await openShop({ inputs: { mode: 'plan' } })
  const run = await shop.publish()
  expect(summaryOf(run)).toContain('<td>2 files, 65 bytes unpacked: "gallery/"</td>')
  expect(run.log).toContain('contents   2 files, 65 bytes unpacked')
})
