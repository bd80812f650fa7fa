// Tests of `npm run docs`: the tables, and the repository's name.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@jest/globals'
import { readPages, updatePages } from '../../scripts/docs.ts'
import { type Manifest, ROOT } from '../../scripts/manifest.ts'
import { anchorOf } from '../../scripts/workflows.ts'

const manifest: Manifest = {
  file: path.join(ROOT, 'licenses/action.yml'),
  using: 'node24',
  main: '',
  inputs: new Map([
    ['base-url', { description: 'Where,\n  or | not.', required: true, default: undefined }],
    ['mode', { description: 'What.', required: false, default: 'publish' }]
  ]),
  outputs: new Map([['id', { description: 'Its number.' }]])
}

const INPUTS = `<!-- licenses inputs -->
| Input | Default | Meaning |
| --- | --- | --- |
| \`base-url\` | required | Where, or \\| not. |
| \`mode\` | \`publish\` | What. |
<!-- /licenses inputs -->`

const OUTPUTS = `<!-- licenses outputs -->
| Output | Meaning |
| --- | --- |
| \`id\` | Its number. |
<!-- /licenses outputs -->`

test('tables are written between their markers, on whatever page, and nothing else changes', () => {
  const old = new Map([
    ['a.md', '# A\n<!-- licenses inputs --><!-- /licenses inputs -->\nB'],
    ['b.md', 'C\n<!-- licenses outputs -->\nold\n<!-- /licenses outputs -->\nD']
  ])
  const { pages, differences } = updatePages(old, [manifest])
  expect([...pages.values()]).toEqual([`# A\n${INPUTS}\nB`, `C\n${OUTPUTS}\nD`])
  expect(differences).toHaveLength(2)
  expect(updatePages(pages, [manifest])).toEqual({ pages, differences: [] })
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
