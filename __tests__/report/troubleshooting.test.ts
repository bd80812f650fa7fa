// Tests of docs/troubleshooting.md: it has every reason, quotes what the sources say, and its links lead somewhere.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/manifest.ts'
import { ended, REASONS } from '../../src/report/outcome.ts'
import { summaryOf } from '../../src/report/summary.ts'
import { readFacts } from '../../src/report/ways.ts'
import { contextOf } from '../../src/runner/runner.ts'

const read = (...path: readonly string[]) => readFileSync(join(ROOT, ...path), 'utf8')
const page = read('docs', 'troubleshooting.md')
const rows = [...page.matchAll(/^\| <a name="([\w-]+)"><\/a>`\1` \| (.*?) \| /gm)]

test('the page has every reason', () => {
  expect(rows.map(([, reason]) => reason)).toEqual([...REASONS, 'node-version'].sort())
})

test('the page quotes what the sources say', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => read('src', name))
    .join('\n')
  const quotes = rows.flatMap(([, , quote = '']) =>
    quote.replaceAll('`', '').split(/…|, (?=could|No|that)/)
  )
  expect(quotes.filter(quote => !sources.includes(quote.trim()))).toEqual([])
})

/** The headings of a text, as links to them are written. */
const anchorsOf = (text: string) =>
  Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-')
  )

test('the links of the page lead to headings', () => {
  const links = Array.from(page.matchAll(/\]\(([\w-]+\.md)?(?:#([\w-]+))?\)/g))
  const broken = links.filter(([, file = 'troubleshooting.md', anchor]) => {
    const anchors = anchorsOf(read('docs', file))
    return anchor !== undefined && !anchors.includes(anchor)
  })
  expect(links.length).toBeGreaterThan(20)
  expect(broken.map(([link]) => link)).toEqual([])
})

const WELL = ['published', 'skipped', 'planned', 'checked', 'settled', 'audited'] as const
test.each(WELL)('a summary of %s without a reason leads to a heading', outcome => {
  const context = contextOf({ GITHUB_ACTION_REPOSITORY: 'a/b', GITHUB_ACTION_REF: 'v1' }, '/')
  const known = readFacts({ context, input: () => '' })
  const facts = { ...known, products: [], note: '', digest: '' }
  const summary = summaryOf([ended(outcome, '', 'x')], facts)
  const [, file = '', anchor] = /a\/b\/blob\/v1\/docs\/([\w-]+\.md)#([\w-]+)"/.exec(summary) ?? []
  expect(anchorsOf(read('docs', file))).toContain(anchor)
})
