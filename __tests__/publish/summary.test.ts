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
    for (const part of [
      '✅ Published: 1.2.3',
      'Spring',
      'dist/app.zip (1.50 MB)',
      subject.sha256
    ]) {
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
    for (const part of [`${heading}: 1.2.3`, 'It rained.', 'What to do: Wait.', 'Product']) {
      expect(text).toContain(part)
    }
  })

  test('keeps several lines in a block, and commands ready to copy', () => {
    const advice = 'Run:\ngh api "x" -f a=\'b\''
    const summary = summaryOf([endedEarly('unknown', 'in-doubt', 'a\nb', advice)])
    expect(summary).toContain('```text\na\nb\n```')
    expect(summary).toContain('```text\nRun:\ngh api "x" -f a=\'b\'\n```')
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
  test('name the field and the input', () => {
    const annotations = [
      { kind: 'error', title: 'Input title (field title)', message: 'is taken.' }
    ] as const
    const text = shown({ ...endedEarly('failed', 'rejected', 'm'), annotations })
    expect(text).toContain('Input title (field title): is taken.')
  })

  test('of several lines stand in a block of their own item', () => {
    const annotations = [
      { kind: 'error', title: 'file', message: 'No file matches:\n  *.zip' },
      { kind: 'error', title: 'title', message: 'is long' }
    ] as const
    const summary = summaryOf([{ ...endedEarly('failed', 'bad-input', 'm'), annotations }])
    const html = micromark(summary, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
    expect(html.match(/<li>/g)).toHaveLength(2)
    expect(html).toContain('<pre><code class="language-text">  *.zip\n</code></pre>\n</li>')
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
      '| published | 12, benefit 34 | 1.2.3 | 7 | dist/app.zip |',
      '| failed (rejected) | 13 | 2.0 |  | a&#124;b.zip |',
      ''
    ])
  })

  test('each has a section of its own', () => {
    const summary = sourceOf(published, second)
    expect(summary.match(/^### .*$/gm)).toEqual([
      '### ✅ Published: product 12, benefit 34',
      '### ❌ Not published: product 13'
    ])
    expect(summary).toContain('It was refused.')
    expect(summary).toContain('**What to do:** Wait.')
  })

  test('what ended before there was a target has no name', () => {
    expect(summaryOf([endedEarly('failed', 'event', 'x')])).toBe('## ❌ Not published\n\nx\n')
    const check = { ...endedEarly('failed', 'rejected', 'x'), heading: 'Check failed' }
    expect(summaryOf([check])).toBe('## ❌ Check failed\n\nx\n')
    expect(summaryOf([published, endedEarly('failed', 'internal', 'x')])).toContain(
      '| failed (internal) |  |  |  |  |'
    )
  })

  test('it stays below the limit of the runner, however many and long the changelogs are', () => {
    const long = { ...published, subject: { ...subject, changelog: '漢'.repeat(300_000) } }
    const summary = summaryOf([long, long, long, long, long])
    expect(Buffer.byteLength(summary)).toBeLessThan(1_000_000)
    expect(summary.match(/260000 characters more, not shown here/g)).toHaveLength(5)
  })
})
