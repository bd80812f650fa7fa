// Owns the look into the archive, on dist/: what must not be mailed to buyers stops before anything is sent.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { zipOf } from '../support/archives.ts'
import { buildPlugin, FILE, openShop, summaryOf } from '../support/shop.ts'

const PAGE = Buffer.from('<!DOCTYPE html><title>Sign in</title>')
const WITH_ENV = zipOf({ 'gallery/gallery.php': '<?php', 'gallery/.env': 'PASSWORD=x' })

describe('nothing is sent', () => {
  test.each([
    ['a web page that is called .zip', PAGE, {}, 'bad-file', 'It is a web page'],
    [
      'passwords',
      WITH_ENV,
      {},
      'bad-file',
      'contains "gallery/.env", which often contains passwords'
    ],
    ['another version', buildPlugin('1.4.1'), { file: FILE }, 'file-version', 'says "1.4.1", and'],
    [
      'what `contents` asks for and is not there',
      buildPlugin('1.4.2'),
      { contents: 'gallery/*.php\ngallery/lang/*.po\n!**/*.txt' },
      'bad-file',
      'matches "gallery/lang/*.po" of `contents`'
    ]
  ])('%s', async (_, content, inputs, reason, text) => {
    await using shop = await openShop()
    await writeFile(join(shop.workspace, FILE), content)
    const run = await shop.publish({ inputs })
    expect(run.outputs).toMatchObject({ outcome: 'failed', reason })
    expect(run.log).toContain(text)
    expect([shop.service.requests, shop.github.deployments]).toEqual([[], []])
  })
})

test('what a line of `contents` names, also in a target, is published', async () => {
  await using shop = await openShop()
  await shop.write(FILE, WITH_ENV)
  const targets = '- product: 12\n  contents: [gallery/.env, "!**/*.map"]'
  expect((await shop.publish({ inputs: { targets } })).outputs.outcome).toBe('published')
})

test('`file-version: any` compares nothing', async () => {
  await using shop = await openShop()
  await shop.write(FILE, buildPlugin('1.4.1'))
  const run = await shop.publish({ inputs: { 'file-version': 'any' } })
  expect(run.outputs.outcome).toBe('published')
})

test('a plan shows what is in it', async () => {
  await using shop = await openShop({ inputs: { mode: 'plan' } })
  const run = await shop.publish()
  expect(summaryOf(run)).toContain('<td>2 files, 65 bytes unpacked: "gallery/"</td>')
  expect(run.log).toContain('contents   2 files, 65 bytes unpacked')
})
