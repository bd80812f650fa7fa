// Tests of src/report/summary.ts: the summary that people read, for one target and for several.
import { cpuUsage } from 'node:process'
import { expect, test } from '@jest/globals'
import { ended, type Report, type Reports } from '../../src/report/outcome.ts'
import { type SummaryFacts, summaryOf } from '../../src/report/summary.ts'
import { readFacts } from '../../src/report/ways.ts'
import { contextOf } from '../../src/runner/runner.ts'
import { published, subject } from '../publish/running.ts'
import { render } from '../support/markdown.ts'

const ENV = { GITHUB_REPOSITORY: 'acme/gallery' }
const facts: SummaryFacts = {
  ...readFacts({ context: contextOf(ENV, '/'), input: () => '' }),
  ...{ baseUrl: 'https://shop.example.com', host: 'shop.example.com' },
  ...{ products: [], note: '', digest: '' }
}
const sum = (...reports: Reports) => summaryOf(reports, facts)

/** As GitHub shows it, without tags. */
function shown(...reports: Reports): string {
  const text = render(sum(...reports)).replace(/<!-- -->|<[^>]*>/g, '')
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"')
}

test.each<[string, Report]>([
  ['may not be shown', { ...published, showLink: false }],
  ['is null', { ...published, fields: { id: 7, download_url: null } }],
  ['could run', { ...published, fields: { id: 7, download_url: 'javascript:alert(1)' } }],
  ['could end itself', { ...published, fields: { id: 7, download_url: 'https://a"onclick="x' } }]
])('no link to a download that %s', (_, report) => {
  expect(sum(report)).not.toContain('href')
})

test.each([
  ['skipped', '⏭️ Skipped'],
  ['failed', '❌ Not published'],
  ['unknown', '⚠️ Outcome unknown']
] as const)('%s: what happened, and what to do', (outcome, heading) => {
  const text = shown({ ...ended(outcome, 'event', 'It rained.', 'Wait.'), subject })
  for (const part of [`${heading}: Spring (1.2.3)`, 'It rained.', 'What to do: Wait.', 'Product']) {
    expect(text).toContain(part)
  }
})

test('warnings of a version that is published stand before its facts, and are not folded', () => {
  const warned = { ...published, warnings: [{ text: 'Record it with:\n    gh api x' }] }
  const text = sum(warned, published)
  expect(text).toContain('\n\n⚠️ Record it with&#58;<!-- -->\n\n```sh\ngh api x\n```\n\n<table>')
  expect(text.match(/<details><summary>✅/g)).toHaveLength(1)
})

const GAP = ' '.repeat(300_000)
test.each([
  ['`a`  `b`', '<code>a</code>  <code>b</code>'],
  [
    'See https://a.b  https://github.com/acme/gallery/x  `y`!',
    '//a.b  <a href="https://github.com/'
  ],
  ['See https://github.com/acme/gallery/x  `y`!', '</a>  <code>y</code>!'],
  [`a${GAP}b`, `a${GAP}b`],
  [`a\n${GAP}\nb`, 'a\n\nb\n'],
  [`a${GAP}https://github.com/acme/gallery/x`, `a${GAP}<a href="https://github.com/`],
  [`a${GAP}\`b\``, `a${GAP}<code>b</code>`]
])('spaces stay where they are, in time', (message, expected) => {
  const start = cpuUsage()
  const text = sum(ended('failed', 'internal', 'a'), {
    ...published,
    warnings: [{ text: message }]
  })
  expect(text.includes(expected)).toBe(true)
  expect(cpuUsage(start).user / 1000).toBeLessThan(5000)
})

test('commands stand in a block of their own language, ready to copy', () => {
  const advice = "1. Run:\n\n    gh api 'x'\n\nOr add:\n    permissions:\n      contents: read"
  const summary = sum(ended('unknown', 'in-doubt', 'Seen:\n  a.zip', advice))
  const blocks = summary.match(/(?<=\n\n)```[^`]*```(?=\n)/g)
  const yaml = 'yaml\npermissions:\n  contents: read'
  expect(blocks).toEqual(['text\na.zip', "sh\ngh api 'x'", yaml].map(it => `\`\`\`${it}\n\`\`\``))
  expect(summary).not.toMatch(/[ \t]\n|\n\n\n/)
})

test('the release, other runs and the documentation are links', () => {
  const action = { GITHUB_ACTION_REPOSITORY: 'shops/publish', GITHUB_ACTION_REF: 'v1' }
  const input = (name: string) => (name === 'tag' ? 'refs/tags/app@1.2.3' : '')
  const home = 'https://github.com/acme/gallery'
  const page = 'https://github.com/shops/publish/blob/v1/README.md#run-it-by-hand'
  const message = `See run 7 (${home}/actions/runs/7), \`https://a.b/1\` or https://a.b/actions/runs/8.`
  const advice = `None? Add it: ${page}. [No](https://a.b/c) [no](javascript:a) ${home}x/y`
  const summary = summaryOf([ended('failed', 'no-file', message, advice)], {
    ...{ ...facts, ...readFacts({ context: contextOf({ ...ENV, ...action }, '/'), input }) }
  })
  expect(summary.match(/(?<=href=")[^"]*/g)).toEqual([
    ...[`${home}/releases/tag/app%401.2.3`, `${home}/actions/runs/7`, page],
    'https://github.com/shops/publish/blob/v1/docs/troubleshooting.md#no-file'
  ])
  expect(summary).toContain('>app&#64;<!-- -->1.2.3</a>\n\n')
  expect(summary).toContain('runs/7</a>), <code>https')
  expect(summary).toContain(`<a href="${page}">https&#58;`)
})

test('an early end has the tag and the product', () => {
  const context = contextOf({ GITHUB_REF: 'refs/tags/v1' }, '/')
  const known = readFacts({ context, input: () => '' })
  const early = { ...facts, ...known, products: ['12, benefit 34'] }
  const summary = summaryOf([ended('failed', 'event', 'x')], early)
  const whole = '## ❌ Not published: v1\n\nProduct 12, benefit 34 · Release v1\n\nx\n'
  expect(summary.replaceAll(/<a.*?>|<\/a>/g, '')).toBe(whole)
  const unnamed = { ...subject, versionName: '', title: '', changelog: '' }
  const asked = { ...ended('failed', 'rejected', 'x'), subject: unnamed }
  expect(summaryOf([asked], early)).toContain('\n\nProduct 12, benefit 34 · Release ')
})

test('a plan shows what buyers read; nothing in it calls home or ends the quotation', () => {
  const preview =
    '<h2>New</h2>\n\n<pre>a\n\n# b</pre><p>@mona <img src="https://x/y.png" alt="Shot"></p>'
  const plan = { ...ended('planned', '', 'It rains.'), subject, preview }
  expect(sum(plan)).not.toMatch(/<img|@mona/)
  for (const part of ['What buyers will read', '# b', '[image: Shot]', 'Changelog, as text']) {
    expect(shown(plan)).toContain(part)
  }
})

test('complaints are a list, in which blocks belong to their items', () => {
  const complaints = [
    { place: 'file', message: 'No file matches:\n  *.zip' },
    { place: 'Input title', message: 'is *long*' }
  ]
  const report = { ...ended('failed', 'bad-input', 'm'), complaints }
  expect(render(sum(report)).match(/<li>/g)).toHaveLength(2)
  expect(render(sum(report))).toContain('<code class="language-text">*.zip\n</code></pre>\n</li>')
  expect(shown(report)).toContain('Input title: is *long*')
})

test('other people’s text is shown as it is', () => {
  const evil = '</details> | <img src=x> **b** [a](https://b) `c` ```\n\n# H'
  const odd = { ...subject, versionName: evil, title: evil, changelog: evil, file: evil }
  const html = render(sum({ ...published, message: evil, subject: odd }))
  expect(html).not.toMatch(/<img|<h1|<a href="https:\/\/b|<strong>/)
  expect(html.match(/<\/details>|<h2>/g)).toEqual(['<h2>', '</details>'])
})

const second: Report = {
  ...ended('failed', 'rejected', 'It was refused.', 'Wait.'),
  subject: { ...subject, route: { product: 13 }, versionName: '2.0', file: 'a|b.zip' }
}

test('columns that would be empty are left out', () => {
  const lines = sum(second, { ...second, subject: { ...subject, file: '' } }).split('\n')
  expect(lines).toContain('| Outcome | Product | Version | File |')
  expect(lines).toContain('| ❌ failed (rejected) | 12, benefit 34 | Spring (1.2.3) |  |')
})

test.each([
  ['https://shop.example.com/eu', 'shop.example.com: buyers were emailed.'],
  ['http://127.0.0.1:80', '127.0.0.1, a simulated shop on this machine: nobody was emailed.']
])('a publication at %s says who knows of it', (baseUrl, said) => {
  const told = { ...facts, baseUrl, host: new URL(baseUrl).host }
  const text = render(summaryOf([published], told)).replace(/<[^>]*>/g, '')
  expect(text).toContain(`Published at ${said}`)
})

test('digests in sentences are shortened, those to compare or to copy are not', () => {
  const digest = 'ab'.repeat(32)
  const summary = sum({
    ...ended('failed', 'not-approved', `Of ${digest}.\n  sha256: "${digest}"`),
    subject
  })
  expect(summary).toContain('Of abababababab….')
  expect(summary).toContain(`sha256: "${digest}"`)
  expect(summary).toContain(`<code>${digest}</code>`)
})

test('several targets start with the worst, and an overview', () => {
  const lines = sum(published, second).split('\n')
  expect(lines[0]).toBe('## ❌ 1 published, 1 failed')
  expect(lines).toContain('| ❌ failed (rejected) | 13 | Spring (2.0) |  | a&#124;b.zip |')
})

test.each([1, 5])('targets, %d of them, stay below the limit of the runner', count => {
  const one = { ...published, subject: { ...subject, changelog: '漢'.repeat(300_000) } }
  const [first = one, ...others] = Array.from({ length: count }, () => one)
  const summary = sum(first, ...others)
  expect(Buffer.byteLength(summary)).toBeLessThan(1_000_000)
  expect(summary.match(/\d+ characters more, not shown here/g)).toHaveLength(count)
})
