// Tests of src/runner/text.ts: other people's text in the log, in titles and in the summary; and what credentials become.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { fenced, markdown } from '../../src/report/markdown.ts'
import { harmless, oneLine, quoteLines } from '../../src/runner/printing.ts'
import { openSecrets, proxySecrets } from '../../src/runner/secrets.ts'
import { parseLog } from '../support/log.ts'
import { hostileText, RUNS } from './step.ts'

const PLAIN = 'Released 1.2.3 – ünï 🎉\n\n## [1.2.3]\n'
test.each<[string, (text: string) => string, string, string]>([
  ['in the log, a plain text stays', harmless, PLAIN, PLAIN],
  ['in the log, a command gets a margin', harmless, ' \t::a name=b::c', '| ::a name=b::c'],
  ['in the log, the other notation is broken', harmless, 'a ##[error]x', 'a ## [error]x'],
  ['in the log, controls are replaced', harmless, '\ufeff\x1b[31mx', '\ufffd\ufffd[31mx'],
  ['a block has a margin on every line', quoteLines, 'a\r\n\n##[x]', '  | a\n  |\n  | ## [x]'],
  ['in the summary, a name is no mention', markdown, '@user', '&#64;<!-- -->user'],
  ['in the summary, an address is no link', markdown, 'www.a.b', 'www<!-- -->.a.b']
])('%s', (_, make, text, expected) => {
  expect(make(text)).toBe(expected)
})

test.each([harmless, quoteLines, oneLine])('%p leaves no command, whatever stands around', make => {
  fc.assert(
    fc.property(hostileText, hostileText, (text, other) => {
      for (const printed of [make(text), `${make(text)}\n${make(other)}\n`]) {
        expect(parseLog(printed)).toMatchObject({ commands: [], masks: [] })
        expect(printed).not.toContain('##[')
        expect(printed).not.toMatch(/[^\P{Cc}\t\n]|\p{Cs}|[\u2028\u2029\ufeff]/u)
      }
      expect(oneLine(text)).not.toMatch(/[\r\n]/)
      for (const line of quoteLines(text).split('\n')) expect(line).toMatch(/^ {2}\|( |$)/)
    }),
    { numRuns: RUNS }
  )
})

/** Pieces that mean something in Markdown. */
const MARKS = [
  ...'\\`*_{}[]<>#|~@&:$!-+=.()^"\' \t\n\r\u2028',
  ...['    ', '\n\n', '1. ', '12) ', '- ', '---', '> ', '```', '~~~', '[a](b)', '![a](b)', '[^1]'],
  ...['https://a.b', 'www.a.b', 'WWW.A.B', 'mailto:a@b.co', '<b>', '</details>', '<!--', '-->'],
  ...['&lt;', '&#42;', ':tada:', '| - |', 'GH-12']
]
const marked = fc
  .array(fc.oneof(fc.constantFrom(...MARKS), fc.string({ unit: 'grapheme', maxLength: 5 })), {
    maxLength: 12
  })
  .map(parts => parts.join(''))

/** What GitHub shows, on one line. */
function show(source: string): string {
  const extensions = { extensions: [gfm()], htmlExtensions: [gfmHtml()] }
  const html = micromark(source, { ...extensions, allowDangerousHtml: true })
  return html.replaceAll('\n', ' ').trim()
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function decode(html: string): string {
  return html.replace(/&(\w+);/g, (entity, name) => ENTITIES[name] ?? entity)
}

/** What GitHub looks for in the finished text: mentions, issues, commits' addresses, e-mail addresses, emoji. */
const LINKED = /@\w|#\d|\bGH-\d|:\/\/|\bwww\.|:\w+:/i

/** What a reader sees: spaces in a row do not show, and no control. */
function seen(text: string): string {
  return oneLine(`x${text}`).slice(1).replace(/\s+/g, ' ').trim()
}

test.each([
  ['a paragraph', 'x CELL', '<p>x CELL</p>'],
  ['a paragraph of its own', 'CELLx', '<p>CELLx</p>'],
  ['a heading', '## A: CELL', '<h2>A: CELL</h2>'],
  ['a list item', '- **T**: CELL', '<ul> <li><strong>T</strong>: CELL</li> </ul>'],
  ['a table cell', '| A |\n|---|\n| xCELL |', '<td>xCELL</td>']
])('markdown is text alone in %s', (_, place, html) => {
  const [before = '', after = ''] = html.split('CELL')
  fc.assert(
    fc.property(marked, text => {
      const cell = markdown(text)
      expect(cell).not.toMatch(/[\r\n]/)
      const shown = show(place.replace('CELL', () => cell))
      const inner = shown.slice(shown.indexOf(before) + before.length, shown.lastIndexOf(after))
      const isMarked = (part: string) => /</.test(part) || LINKED.test(decode(part))
      expect(inner.split('<!-- -->').some(isMarked)).toBe(false)
      expect(seen(decode(inner.replaceAll('<!-- -->', '')))).toBe(seen(text))
    }),
    { numRuns: Math.ceil(RUNS / 3) }
  )
})

test('fenced holds its text, and nothing breaks out', () => {
  fc.assert(
    fc.property(marked, text => {
      const html = show(`<details>\n\n${fenced(text)}\n\n</details>\n\nend`)
      const around =
        /^<details> <pre><code class="language-text">|<\/code><\/pre> <\/details> <p>end<\/p>$/
      const [before, code = '(broken out)', after] = html.split(around)
      expect([before, seen(decode(code)), after]).toEqual(['', seen(text), ''])
    }),
    { numRuns: Math.ceil(RUNS / 2) }
  )
})

const SECRET = 'pat|12/ab+cd=ef~$&"\\<_'
const IN_LOWER_CASE = encodeURIComponent(SECRET).replace(/%../g, it => it.toLowerCase())
/** Takes these secrets out of a text. */
const conceal = (text: string, ...secrets: readonly string[]) => {
  const opened = openSecrets()
  secrets.forEach(opened.add)
  return opened.conceal(text)
}

test.each([
  ['in a sentence', `the ${SECRET}!`, 'the ***!'],
  ['twice', SECRET + SECRET, '******'],
  ['percent-encoded', `?t=${encodeURIComponent(SECRET)}&x`, '?t=***&x'],
  ['in lower case', `?t=${IN_LOWER_CASE}`, '?t=***'],
  ['in base64', `Basic ${Buffer.from(SECRET).toString('base64')}.`, 'Basic ***.'],
  ['in JSON', JSON.stringify([SECRET]), '["***"]'],
  ['in Markdown', markdown(`the ${SECRET}`), 'the ***'],
  ['in HTML', show(`the ${markdown(SECRET)}`), '<p>the ***</p>']
])('a secret is hidden %s', (_, text, shown) => {
  expect(conceal(text, SECRET)).toBe(shown)
})

test('a secret of any characters is hidden, and all else stays', () => {
  const secret = fc.string({ minLength: 4, unit: 'binary' }).filter(text => text.trim().length >= 4)
  fc.assert(
    fc.property(secret, word => {
      expect(conceal(`\r\n\0 ${word} \ud800$&`, word)).toBe('\r\n\0 *** \ud800$&')
    })
  )
})

test('a secret that starts like another is hidden whole; too short a text is none', () => {
  expect(conceal('abcd-efgh abcd', 'abcd', 'abcd-efgh')).toBe('*** ***')
  const text = 'version 1, abc,    \u0000\ud800 ***'
  expect(conceal(text, '', '1', 'abc', ' abc\n   ')).toBe(text)
})

const base64 = (text: string) => Buffer.from(text).toString('base64')
test.each([
  ['plain', 'http://me:s3cret@proxy:8080', ['s3cret', base64('me:s3cret')]],
  ['encoded', 'http://me:p%40ss@proxy', ['p%40ss', 'p@ss', base64('me:p@ss')]],
  ['with a per cent sign that encodes nothing', 'http://me:5%@p', ['5%', base64('me:5%')]],
  ['with an @ in it', 'http://me:a@b@proxy', ['a@b', base64('me:a@b')]],
  ['without a user', 'http://:s3cret@proxy', ['s3cret', base64(':s3cret')]],
  ['without a scheme', 'me:s3cret@proxy:8080', ['s3cret', base64('me:s3cret')]],
  ['not there', 'http://me@proxy:8080', []]
])('a proxy’s password is a secret: %s', (_, address, secrets) => {
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
    expect(new Set(proxySecrets({ [name]: address }))).toEqual(new Set(secrets))
  }
})
