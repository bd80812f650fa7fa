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
  }
]
