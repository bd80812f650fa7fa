// Tests of src/notes/sections.ts: where a section ends, or that this is not certain.
import { describe, expect, test } from '@jest/globals'
import { refusal, take } from './taking.ts'

describe('where a section ends', () => {
  test.each([
    // The next heading of the same or a higher level, or one of a version
    ['# [1.1.0](u) (2026-01-02)\n\na\n\n## [1.0.1](u) (2026-01-01)\n\nc', 'a'],
    ['# 1.1.0\n\na\n\n### v1.0.1 – 2026\n\nb', 'a'],
    // Whatever the number of parts, if it is called the same
    ['## 1.1.0\n\na\n\n### 1.0\n\nb', 'a'],
    // WordPress' headings are deeper than Markdown's
    ['= 1.1.0 =\n* a\n\n### 1.0.0\n* b', '* a'],
    ['### 1.1.0\n* a\n\n= 1.0.0 =\n* b', '* a'],
    // Headings as high as it are its parts if they stand under three titles, by axios and git-cliff; not what may be a version (pyenv-virtualenv)
    [
      '## v1.1.0\n\na\n\n## 🚀 Features\n\n- b\n\n## v1.0.0\nc\n## 🚀 Features\n- d\n\n## v0.9.0\ne\n## 🚀 Features\n- f',
      'a\n\n## 🚀 Features\n\n- b'
    ],
    ['## 1.1.0\n\na\n\nb\n---\n\n## 1.0.0', 'a\n\nb'],
    // What Markdown takes for something else: HTML, a list, a fence that is never closed
    ['## 1.1.0\n\n<details>\na\n</details>\n## 1.0.0 - Bugs\nb', '<details>\na\n</details>'],
    ['## 1.1.0\n\n- a\n  ## 1.0.0\n  - b', '- a'],
    ['## 1.1.0\n```\na\n\n## 1.0.0\nb', '```\na'],
    ['## v1.1.0\n\na\n\n## v20160716\n\nb\n\n## v1.0.0', 'a'],
    // Neither code nor a version of other parts ends it
    [
      '## 1.1.0\n```yaml\nv: 1.1\n---\n## 1.0.0\n```\n\n## 1.0.0',
      '```yaml\nv: 1.1\n---\n## 1.0.0\n```'
    ],
    ['## 1.1.0\n\na\n\n### 1.0.0 to 1.0.5\n\nb', 'a'],
    // Definitions
    ['## 1.1.0\n\n[a] b\n\n[a]: x\n\nc\n\n## 1.0.0\n\n[a]: y', '[a] b\n\n[a]: x\n\nc\n\n[a]: y'],
    ['[a]: x\n\n## 1.1.0\n![b] [A]\n\n## 1.0.0\n\n[b]: y\n[c]: z', '![b] [A]\n\n[a]: x\n[b]: y']
  ])('%j: after %j', async (file, text) => {
    expect(await take(file, '1.1.0')).toBe(text)
  })
})

test.each([
  // Co-Authors Plus, gsutil and Node: bold and bare lines below headings, and versions of what is bundled
  ['## [3.5.0] - 2022-04-21\n* Faster\n\n**3.4.92 (Oct 14, 2021)**\n* b', '3.5.0'],
  ['Release 3.41\n---\n\na\n\nRelease 3.38 (release-date: 2013-11-25)\n\nb', '3.41'],
  ['## Version 17.3.0 (Current)\n\na\n\n#### OpenSSL-3.0.1\n\nb', '17.3.0'],
  // A line of a paragraph, or without a space
  ['## 1.2.3\n- a\n1.2.2 (2026-01-01)\n- b', '1.2.3'],
  ['## 1.2.3\na\n##1.2.2\nb', '1.2.3'],
  ['## 1.2.3\n- a\n### Spring 2026\n- b\n## 1.2.2\n- c', '1.2.3'],
  ['## 1.2.3\n- a\n### Friday, 31 January\n- b\n## 1.2.2\n- c', '1.2.3']
])('%j: where %s ends is not certain', async (file, version) => {
  expect(await refusal(file, version)).toMatch(/^[^\n]* does not say where "[^"]+" ends:(\n.*){2}$/)
})

test.each([
  '**Note that this release requires WordPress 6.3.0.**',
  '1.1.9 is the last one for Windows 7.',
  '**1.2.3**',
  '1.5 GB'
])('nor does %j end it', async line => {
  expect(await take(`## 1.2.3\n\n${line}\n\n## 1.2.2`)).toBe(line)
})

test('half a megabyte is read', async () => {
  const section = (version: string) =>
    `## ${version}\n\n${'- Faster, and [safer](#1).\n'.repeat(40)}\n`
  const file = Array.from({ length: 450 }, (_, at) => section(`1.2.${450 - at}`)).join('')

  expect(file.length).toBeGreaterThan(450_000)
  expect(await take(file, '1.2.225')).toContain('Faster')
})
