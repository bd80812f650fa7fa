// Tests of scripts/dist.ts: the comparison that guards dist/, and the notices in it.
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { compareFolders } from '../../scripts/dist.ts'
import { writeNotices } from '../../scripts/notices.ts'
import { makeFolder } from '../support/folders.ts'

test('changed, missing and left-over files are named as such', () => {
  const fresh = makeFolder({
    same: '1',
    changed: '2',
    'a/missing': '3'
  })
  const dist = makeFolder({
    same: '1',
    changed: 'x',
    'b/old': '4'
  })

  const differences = ['missing: a/missing', 'left over: b/old', 'changed: changed']
  expect(compareFolders(fresh, dist)).toEqual(differences)
  expect(compareFolders(makeFolder({ a: '1' }), join(fresh, 'none'))).toEqual(['missing: a'])
})

test('every package in a bundle is named once', () => {
  const folder = makeFolder({
    'node_modules/b/package.json': '{"name":"b","version":"1.0.0","license":"MIT"}',
    'node_modules/b/LICENSE.md': 'Be nice.\r\n',
    'node_modules/@s/a/package.json': '{"name":"@s/a","version":"2.0.0","license":"ISC"}'
  })

  const files = ['b/index.js', '@s/a/lib/x.js', 'b/other.js'].map(file => `node_modules/${file}`)
  const notices = '@s/a 2.0.0\nISC\n\n\nb 1.0.0\nMIT\nBe nice.\n'
  expect(writeNotices([...files, 'src/index.ts'], folder)).toBe(notices)
})
