// Tests of src/publish/summary.ts: the summary that people read, for one target and for several.
import { describe, expect, test } from '@jest/globals'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { endedEarly, type Report } from '../../src/publish/report.ts'
import { summaryOf } from '../../src/publish/summary.ts'
import { published, subject } from './reported.ts'

/** The summary as GitHub would show it, without tags. */
function shown(report: Report): string {
  const html = micromark(summaryOf([report]), {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true
  })
  const text = html.replace(/<!-- -->|<[^>]*>/g, '')
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"')
}

describe('the summary', () => {
  test('of a published version', () => {
    const text = shown(published)
    for (const part of ['✅ Published: Spring (1.2.3)', 'dist/app.zip (1.50 MB)', subject.sha256]) {
      expect(text).toContain(part)
    }
    const summary = summaryOf([published])
    expect(summary).toContain('<a href="https://shop.example.com/d/7?a=1&amp;b=2">')
    expect(summary).toContain('<details><summary>Changelog</summary>\n\n```text\n- New\n```')
    expect(text).not.toContain('Published as version')
  })

  test.each([
    ['it may not be shown', { ...published, showLink: false }],
    ['there is none', { ...published, fields: { id: 7, download_url: null } }]
  ])('has no link when %s', (_, report) => {
    expect(summaryOf([report])).not.toMatch(/href|Download/)
  })

  test.each([
    'javascript:alert(1)',
    'https://a"onmouseover="x',
    'https://a <b>',
    'data:text/html,x'
  ])('makes no link of %j', link => {
    const summary = summaryOf([{ ...published, fields: { id: 7, download_url: link } }])
    expect(summary).not.toContain('href')
  })

  test.each([
    ['skipped', '⏭️ Nothing to publish'],
    ['failed', '❌ Not published'],
    ['unknown', '⚠️ Nobody knows yet whether this was published']
  ] as const)('of what is %s says what happened and what to do', (outcome, heading) => {
    const text = shown({ ...endedEarly(outcome, 'event', 'It rained.', 'Wait.', subject) })
    for (const part of [
      `${heading}: Spring (1.2.3)`,
      'It rained.',
      'What to do: Wait.',
      'Product'
    ]) {
      expect(text).toContain(part)
    }
  })

  test('has each command in a block of its own language, ready to copy', () => {
    const advice = "1. Run:\n\n    gh api 'x'\n\nOr add:\n    permissions:\n      contents: read"
    const summary = summaryOf([endedEarly('unknown', 'in-doubt', 'Seen:\n  a.zip', advice)])
    for (const block of [
      "```sh\ngh api 'x'\n```",
      '```yaml\npermissions:\n  contents: read\n```',
      '```text\na.zip\n```'
    ]) {
      expect(summary).toContain(`\n\n${block}\n`)
    }
  })

  test('links the release, the run, other runs and the fitting page', () => {
    const facts = {
      tag: 'app@1.2.3',
      repositoryUrl: 'https://github.com/acme/gallery',
      runId: '9',
      runAttempt: 2,
      documentation: 'https://github.com/shops/publish-version/blob/v1/docs',
      milliseconds: 61_234
    }
    const message =
      'See https://github.com/acme/gallery/actions/runs/7 or https://a.b/actions/runs/8.'
    const summary = summaryOf([endedEarly('failed', 'no-file', message)], facts)
    expect(summary.match(/(?<=href=")[^"]*/g)).toEqual([
      'https://github.com/acme/gallery/releases/tag/app%401.2.3',
      'https://github.com/acme/gallery/actions/runs/9/attempts/2',
      'https://github.com/acme/gallery/actions/runs/7',
      'https://github.com/shops/publish-version/blob/v1/docs/inputs.md#which-file'
    ])
    expect(summary).toContain('>9, attempt 2</a> · 61.2 seconds')
  })

  test('of an early end has the tag and the product', () => {
    const facts = { tag: 'v1', product: '12, benefit 34' }
    const text = summaryOf([endedEarly('failed', 'event', 'x')], facts)
    expect(text).toBe('## ❌ Not published: v1\n\nProduct 12, benefit 34 · Release v1\n\nx\n')
  })

  test('of a plan shows what buyers read, in which nothing calls home or ends the quotation', () => {
    const preview =
      '<h2>New</h2>\n\n<pre>a\n\n# b</pre><p>@mona <img src="https://x/y.png" alt="Shot"></p>'
    const plan = { ...endedEarly('planned', '', 'It rains.', '', subject), preview }
    const text = shown(plan)
    expect(summaryOf([plan])).not.toMatch(/<img|@mona/)
    for (const part of [
      'What buyers will read',
      'New',
      '# b',
      '[image: Shot]',
      'Changelog, as text'
    ]) {
      expect(text).toContain(part)
    }
  })

  test('lists errors, not notices', () => {
    const annotations = [
      { kind: 'error', title: 'Input title', message: 'is *long*' },
      { kind: 'notice', title: 'By the way', message: 'x' }
    ] as const
    const text = shown({ ...endedEarly('failed', 'bad-input', 'm'), annotations })
    expect(text).toContain('Input title: is *long*')
    expect(text).not.toContain('By the way')
  })

  test('shows other people’s text as it is', () => {
    const evil = '</details> | <img src=x> **b** [a](https://b) `c` ```\n\n# H'
    const odd = { ...subject, versionName: evil, title: evil, changelog: evil, file: evil }
    const html = micromark(summaryOf([{ ...published, message: evil, subject: odd }]), {
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
      allowDangerousHtml: true
    })
    expect(html).not.toMatch(/<img|<h1|<a href="https:\/\/b/)
    expect(html.match(/<\/details>/g)).toHaveLength(1)
    expect(html.match(/<strong>/g)).toBeNull()
    expect(html.match(/<h2>/g)).toHaveLength(1)
  })

  test('stays below the limit of the runner, however long the changelog is', () => {
    const changelog = '🎉'.repeat(600_000)
    const summary = summaryOf([{ ...published, subject: { ...subject, changelog } }])
    expect(Buffer.byteLength(summary)).toBeLessThan(1_048_576)
    expect(summary).toContain('… (1000000 characters more, not shown here)')
  })
})

describe('complaints', () => {
  test('of several lines stand in a block of their own item', () => {
    const annotations = [
      { kind: 'error', title: 'file', message: 'No file matches:\n  *.zip' },
      { kind: 'error', title: 'title', message: 'is long' }
    ] as const
    const summary = summaryOf([{ ...endedEarly('failed', 'bad-input', 'm'), annotations }])
    const html = micromark(summary, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
    expect(html.match(/<li>/g)).toHaveLength(2)
    expect(html).toContain('<pre><code class="language-text">*.zip\n</code></pre>\n</li>')
  })
})

describe('of several targets', () => {
  /** The Markdown, with points as they look. */
  const sourceOf = (...reports: readonly [Report, ...Report[]]) =>
    summaryOf(reports).replaceAll('&#46;', '.')
  const second: Report = {
    ...endedEarly('failed', 'rejected', 'It was refused.', 'Wait.'),
    subject: { ...subject, route: { product: 13 }, versionName: '2.0', file: 'a|b.zip' }
  }

  test('the summary starts with the worst end, how many there are, and a table', () => {
    const [heading, , head, , ...rows] = sourceOf(published, second).split('\n')
    expect(heading).toBe('## ❌ 1 published, 1 failed')
    expect(head).toBe('| Outcome | Product | Version | Version id | File |')
    expect(rows.slice(0, 3)).toEqual([
      '| ✅ published | 12, benefit 34 | Spring (1.2.3) | 7 | dist/app.zip |',
      '| ❌ failed (rejected) | 13 | Spring (2.0) |  | a&#124;b.zip |',
      ''
    ])
  })

  test('what ended before there was a target has no name', () => {
    expect(summaryOf([endedEarly('failed', 'event', 'x')])).toBe('## ❌ Not published\n\nx\n')
    const check = { ...endedEarly('failed', 'rejected', 'x'), heading: 'Check failed' }
    expect(summaryOf([check])).toBe('## ❌ Check failed\n\nx\n')
    expect(summaryOf([published, endedEarly('failed', 'internal', 'x')])).toContain(
      '| ❌ failed (internal) | not prepared |  |  |  |'
    )
  })

  test('it stays below the limit of the runner, however many and long the changelogs are', () => {
    const long = { ...published, subject: { ...subject, changelog: '漢'.repeat(300_000) } }
    const summary = summaryOf([long, long, long, long, long])
    expect(Buffer.byteLength(summary)).toBeLessThan(1_000_000)
    expect(summary.match(/260000 characters more, not shown here/g)).toHaveLength(5)
  })
})
