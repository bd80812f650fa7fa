// Tests of the comparison that guards dist/, and of the notices in it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { compareFolders } from '../../scripts/dist.ts'
import { writeNotices } from '../../scripts/notices.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dist-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string) {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

test('changed, missing and left-over files are told apart', () => {
  for (const [name, text] of Object.entries({ same: '1', changed: '2', 'a/missing': '3' })) {
    write(`fresh/${name}`, text)
  }
  for (const [name, text] of Object.entries({ same: '1', changed: 'x', 'b/old': '4' })) {
    write(`dist/${name}`, text)
  }
  expect(compareFolders(path.join(folder, 'fresh'), path.join(folder, 'dist'))).toEqual([
    'missing: a/missing',
    'left over: b/old',
    'changed: changed'
  ])
})

test('a folder that does not exist has no files', () => {
  write('fresh/a', '1')
  expect(compareFolders(path.join(folder, 'fresh'), path.join(folder, 'none'))).toEqual([
    'missing: a'
  ])
})

test('every package in a bundle is named once', () => {
  write('node_modules/b/package.json', '{"name":"b","version":"1.0.0","license":"MIT"}')
  write('node_modules/b/LICENSE.md', 'Be nice.\r\n')
  write('node_modules/@s/a/package.json', '{"name":"@s/a","version":"2.0.0","license":"ISC"}')
  const files = ['b/index.js', '@s/a/lib/x.js', 'b/other.js'].map(file => `node_modules/${file}`)
  expect(writeNotices([...files, 'src/index.ts'], folder)).toBe(
    '@s/a 2.0.0\nISC\n\n\nb 1.0.0\nMIT\nBe nice.\n'
  )
})
