// Tests of `npm run docs`: the tables, and the links.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { readPages, updatePages } from '../../scripts/docs.ts'
import { ACTION_FILES, ROOT, readManifest } from '../../scripts/manifest.ts'
import { anchorOf } from '../../scripts/workflows.ts'

test('a table that differs, or whose marker is missing, is seen, and written as it has to be', () => {
  const manifests = ACTION_FILES.map(readManifest)
  const right = readPages()
  const page = [...right].find(([, text]) => text.includes('<!-- licenses outputs -->')) ?? ['', '']
  const wrong = new Map([...right, [page[0], page[1].replace('| Output |', '| Result |')]])
  const { pages, differences } = updatePages(wrong, manifests)
  expect(differences).toEqual([expect.stringMatching(/: <!-- licenses outputs --> differs from /)])
  expect(pages).toEqual(right)
  const less = new Map([...right, [page[0], page[1].replace('<!-- licenses outputs -->', '')]])
  const missing = expect.stringContaining('There is no <!-- licenses outputs --> for the table')
  expect(updatePages(less, manifests).differences).toContainEqual(missing)
})

test('every link of the documentation leads to a page, and to a heading of it', () => {
  const pages = readPages()
  const anchors = new Map(
    [...pages].map(([page, text]) => [
      page,
      Array.from(text.matchAll(/^#+ (.*)$|<a name="(.*?)">/gm), ([, heading, name]) =>
        heading === undefined ? name : anchorOf(heading)
      )
    ])
  )
  const links = [...pages].flatMap(([page, text]) =>
    Array.from(
      text.matchAll(/\]\((?!https?:)([^)#\s…]*)(?:#([^)\s]+))?\)/g),
      ([, to = '', anchor]) => {
        const target = to === '' ? page : path.posix.join(path.posix.dirname(page), to)
        const isThere = existsSync(path.join(ROOT, target))
        return { page, target, anchor, leads: isThere && leadsTo(anchors.get(target), anchor) }
      }
    )
  )
  expect(links.filter(({ leads }) => !leads)).toEqual([])
  expect(links.length).toBeGreaterThan(50)
})

const leadsTo = (anchors: readonly (string | undefined)[] = [], anchor?: string) =>
  anchor === undefined || anchors.includes(anchor)
