// Tests of scripts/docs.ts: the tables, and the links.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { readPages, updatePages } from '../../scripts/docs.ts'
import { ACTION_FILES, ROOT, readManifest } from '../../scripts/manifest.ts'
import { anchorOf } from '../../scripts/workflows.ts'

test('a table that differs, or whose marker is missing, is seen, and written as it has to be', () => {
  const manifests = ACTION_FILES.map(readManifest)
  const right = readPages()
  const isItsPage = (page: string) => right.get(page)?.includes('<!-- licenses outputs -->')
  const page = [...right.keys()].find(isItsPage) ?? ''
  const text = right.get(page) ?? ''

  const wrong = new Map([...right, [page, text.replace('| Output |', '| Result |')]])
  const { pages, differences } = updatePages(wrong, manifests)
  expect(differences).toEqual([expect.stringMatching(/: <!-- licenses outputs --> differs from /)])
  expect(pages).toEqual(right)

  const less = new Map([...right, [page, text.replace('<!-- licenses outputs -->', '')]])
  const missing = expect.stringContaining('There is no <!-- licenses outputs --> for the table')
  expect(updatePages(less, manifests).differences).toContainEqual(missing)
})

test('the page for coding assistants names only inputs that exist, and every example', () => {
  const manifests = ACTION_FILES.map(readManifest)
  const right = readPages()
  const page = 'docs/assistants.md'
  const text = right.get(page) ?? ''

  const wrong = new Map([...right, [page, text.replace('`base-url`', '`base-uri`')]])
  expect(updatePages(wrong, manifests).differences).toEqual([
    'docs/assistants.md: there is no input `base-uri`'
  ])

  const more = new Map([...right, ['examples/other.yml', '# For others.\nname: Other\n']])
  const { pages, differences } = updatePages(more, manifests)
  expect(differences).toContainEqual('docs/assistants.md: <!-- examples --> differs from examples/')
  expect(pages.get(page)).toContain('| [other.yml](../examples/other.yml) | For others. |')
})

/** Of a page: `## Heading`, or `<a name="anchor">`. */
const ANCHOR = /^#+ (.*)$|<a name="(.*?)">/gm
/** Such as `](docs/inputs.md#file)` or `](#file)`; not one that leads elsewhere, nor an example with `…`. */
const LINK = /\]\((?!https?:)([^)#\s…]*)(?:#([^)\s]+))?\)/g

function anchorsIn(text: string): (string | undefined)[] {
  return Array.from(text.matchAll(ANCHOR), ([, heading, name]) =>
    heading === undefined ? name : anchorOf(heading)
  )
}

test('every link of the documentation leads to a page, and to a heading of it', () => {
  const pages = readPages()
  const anchors = new Map([...pages].map(([page, text]) => [page, anchorsIn(text)]))

  const links = [...pages].flatMap(([page, text]) =>
    Array.from(text.matchAll(LINK), ([, to = '', anchor]) => {
      const target = to === '' ? page : path.posix.join(path.posix.dirname(page), to)
      const isThere = existsSync(path.join(ROOT, target))
      const hasAnchor = anchor === undefined || anchors.get(target)?.includes(anchor) === true
      return {
        page,
        target,
        anchor,
        leads: isThere && hasAnchor
      }
    })
  )

  expect(links.filter(({ leads }) => !leads)).toEqual([])
  expect(links.length).toBeGreaterThan(50)
})
