// The regular expressions that are not linear, and why each may stay.

/** An expression that may stay. */
export interface Allowed {
  readonly file: string
  /** So much of its beginning that no other slow one of the file has it. */
  readonly start: string
  readonly reason: string
}

export const ALLOWED: readonly Allowed[] = [
  {
    file: 'src/notes/credits.ts',
    start: ' (?:(?:',
    reason: 'reads the last 400 characters of an item, in a worker'
  },
  {
    file: 'src/files/contents.ts',
    start: '\\/+$',
    reason: "reads an input, which the workflow's author writes"
  },
  {
    file: 'src/files/nearest.ts',
    start: '\\{+\\s*([\\w.-]+',
    reason: "reads an input, which the workflow's author writes"
  },
  {
    file: 'src/files/nearest.ts',
    start: '\\{[^{}]*,[^{}]',
    reason: "reads an input, which the workflow's author writes"
  },
  {
    file: 'src/files/nearest.ts',
    start: '\\$\\{+\\s*([\\w.-',
    reason: "reads an input, which the workflow's author writes"
  },
  {
    file: 'src/http/failures.ts',
    start: '\\((.*)\\)$',
    reason: 'reads a message of the HTTP client'
  },
  {
    file: 'src/notes/doubt.ts',
    start: '^[\\W_]+|[\\W_]+',
    reason: 'reads at most 500 characters of a heading, in a worker'
  },
  {
    file: 'src/notes/headings.ts',
    start: '[ =]+$',
    reason: 'reads a line that begins with `=`, in a worker that is ended after 15 seconds'
  },
  {
    file: 'src/notes/tildes.ts',
    start: '^ {0,3}(`{3,}|',
    reason: 'begins once in a line, in a worker that is ended after 15 seconds'
  },
  {
    file: 'src/notes/unfinished.ts',
    start: '^v?\\d+(?:\\.\\d+',
    reason: 'reads one word'
  },
  {
    file: 'src/notes/unfinished.ts',
    start: '[^\\p{L}\\p{N}_/',
    reason: 'reads one short line, in a worker'
  },
  {
    file: 'src/publish/changelog-source.ts',
    start: '\\{(?:version|t',
    reason: "reads an input, which the workflow's author writes"
  },
  {
    file: 'src/publish/changelog-source.ts',
    start: '%(?:25)?0[ad]|',
    reason: 'reads the line that a worker has found'
  },
  {
    file: 'src/release/known-tag.ts',
    start: '\\d.*$',
    reason: 'reads a tag, which Git lets have 255 characters'
  },
  {
    file: 'src/report/summary.ts',
    start: '(<[^>"]*(?:"[^',
    reason: 'reads HTML that is cleaned: each `<` begins a tag that ends'
  },
  {
    file: 'src/runner/parsers.ts',
    start: '\\/api(?:\\/prod',
    reason: "reads an input, which the workflow's author writes"
  },
  {
    file: 'src/runner/parsers.ts',
    start: '\\.+(?=:\\d+$|$)',
    reason: "reads an input, which the workflow's author writes"
  },
  {
    file: 'src/runner/parsers.ts',
    start: '\\/+$',
    reason: "reads an input, which the workflow's author writes"
  },
  {
    file: 'src/notes/credits.ts',
    start: '(?:(?<=\\))|(?<',
    reason: 'reads the last 400 characters of an item, in a worker'
  },
  {
    file: 'src/notes/credits.ts',
    start: '(?: -)?(?:,?\\s',
    reason: 'reads the last 400 characters of an item, in a worker'
  },
  {
    file: 'src/notes/grammar.ts',
    start: '^[\\W_]*(?:(?:(?:\\d{4}[-./]\\d\\d?[-./]\\d\\d?|\\d\\d?[-./]\\d\\d?[-./]\\d{4})|',
    reason: 'reads at most 500 characters of a heading, or 200 of a line, in a worker'
  },
  {
    file: 'src/notes/grammar.ts',
    start: '^[\\W_]*(?:(?:(?:\\d{4}[-./]\\d\\d?[-./]\\d\\d?|\\d\\d?[-./]\\d\\d?[-./]\\d{4})(',
    reason: 'reads at most 500 characters of a heading, or 200 of a line, in a worker'
  },
  {
    file: 'src/notes/grammar.ts',
    start: '^(?:(?:\\d{4}[-',
    reason: 'reads at most 500 characters of a heading, or 200 of a line, in a worker'
  },
  {
    file: 'src/notes/grammar.ts',
    start: '^[^\\s*+•-].{0,',
    reason: 'reads at most 500 characters of a heading, or 200 of a line, in a worker'
  },
  {
    file: 'src/notes/grammar.ts',
    start: '^(?:version:?|',
    reason: 'reads at most 500 characters of a heading, or 200 of a line, in a worker'
  },
  {
    file: 'src/notes/grammar.ts',
    start:
      '^(?:(?:(?:\\d{4}[-./]\\d\\d?[-./]\\d\\d?|\\d\\d?[-./]\\d\\d?[-./]\\d{4})(?!\\.?\\d)|(?:(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,?\\s+)?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?\\s+\\d\\d?(?:st|nd|rd|th)?(?![\\d.]),?(?:\\s*\\d{4})?|\\d\\d?(?:st|nd|rd|th)?\\.?[\\s-]+(?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?,?[\\s-]*(?:\\d{4})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*,?\\s+\\d{4})))[\\W_]+)?(?',
    reason: 'reads at most 500 characters of a heading, or 200 of a line, in a worker'
  },
  {
    file: 'src/notes/grammar.ts',
    start:
      '^(?:(?:(?:\\d{4}[-./]\\d\\d?[-./]\\d\\d?|\\d\\d?[-./]\\d\\d?[-./]\\d{4})(?!\\.?\\d)|(?:(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,?\\s+)?(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?\\s+\\d\\d?(?:st|nd|rd|th)?(?![\\d.]),?(?:\\s*\\d{4})?|\\d\\d?(?:st|nd|rd|th)?\\.?[\\s-]+(?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?,?[\\s-]*(?:\\d{4})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*,?\\s+\\d{4})))[\\W_]+)?((',
    reason: 'reads at most 500 characters of a heading, or 200 of a line, in a worker'
  },
  {
    file: 'src/notes/grammar.ts',
    start: '(?:(?:(?:\\d{4}',
    reason: 'reads at most 500 characters of a heading, or 200 of a line, in a worker'
  }
]
