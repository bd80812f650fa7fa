// Owns the list of GitHub's faults, and of the calls of the at-most-once steps that they hit.
import type { GitHubFault, Matcher } from '../../sandbox/github-faults.ts'
import { EVIL } from './service-faults.ts'
import { GITHUB_TOKEN, TOKEN } from './stage.ts'

export const LIST: Matcher = { method: 'GET', path: /\/deployments\?/ }
export const CREATE: Matcher = { method: 'POST', path: /\/deployments$/ }
export const HISTORY: Matcher = { method: 'GET', path: /\/statuses\?/ }
export const RECORD: Matcher = { method: 'POST', path: /\/statuses$/ }

export interface Call {
  readonly name: string
  readonly on: readonly Matcher[]
}

/** In the order of a healthy run. */
export const CALLS: readonly Call[] = [
  { name: 'the look at all versions', on: [LIST] },
  { name: 'the first look', on: [{ ...LIST, nth: 2 }] },
  { name: 'the claim', on: [CREATE] },
  { name: 'the look for the own claim', on: [{ ...LIST, nth: 3 }] },
  { name: 'its history', on: [HISTORY] },
  { name: 'the commit', on: [RECORD] },
  { name: 'the look for the commit', on: [{ ...HISTORY, nth: 2 }] },
  { name: 'the last look', on: [{ ...LIST, nth: 4 }] },
  { name: 'the last history', on: [{ ...HISTORY, nth: 3 }] },
  { name: 'the success', on: [{ ...RECORD, nth: 2 }] },
  {
    name: 'the success, twice',
    on: [
      { ...RECORD, nth: 2 },
      { ...RECORD, nth: 2 }
    ]
  },
  { name: 'every list', on: Array.from({ length: 8 }, () => LIST) },
  { name: 'every history', on: Array.from({ length: 8 }, () => HISTORY) },
  { name: 'every record', on: Array.from({ length: 8 }, () => RECORD) },
  { name: 'the fifth list and those after it', on: [5, 6, 7, 8].map(nth => ({ ...LIST, nth })) }
]

const ASSET = { method: 'GET', path: /\/releases\/assets\// }

/** Calls of a run that takes its file from the release. */
export const DOWNLOADS: readonly Call[] = [
  { name: 'the look at what is attached', on: [{ method: 'GET', path: /\/releases\/\d+$/ }] },
  { name: 'the download', on: [ASSET] },
  { name: 'every download', on: Array.from({ length: 4 }, () => ASSET) },
  { name: 'the commit after a download', on: [RECORD] }
]

export interface NamedFault {
  readonly name: string
  readonly fault: GitHubFault
  /** It ends by the limit of time alone. */
  readonly slow?: true
  /** It keeps this machine busy, so it is met at a few calls only. */
  readonly heavy?: true
}

const evil = { message: `${EVIL} ${GITHUB_TOKEN} ${TOKEN}`, errors: [EVIL, { deep: EVIL }] }
const answer = (name: string, body: unknown): NamedFault => {
  return { name: `200 with ${name}`, fault: { kind: 'status', status: 200, body } }
}
const status = (code: number, processed: boolean): NamedFault => {
  const fault = { kind: 'status', status: code, processed, body: evil } as const
  return { name: `${code}${processed ? ', processed' : ''}`, fault }
}

export const GITHUB_FAULTS: readonly NamedFault[] = [
  { name: 'no fault', fault: { kind: 'slow-answer', ms: 1 } },
  ...[401, 403, 404, 409, 422, 429, 500, 503, 600].map(code => status(code, false)),
  ...[205, 500].map(code => status(code, true)),
  { name: 'a redirect elsewhere', fault: { ...status(301, false).fault, ...redirect() } },
  { name: 'a limit of a second', fault: { kind: 'secondary-limit', retryAfter: 1 } },
  { name: 'a limit of an hour', fault: { kind: 'secondary-limit', retryAfter: 3600 } },
  { name: 'silence', fault: { kind: 'silence' }, slow: true },
  { name: 'silence, processed', fault: { kind: 'silence', processed: true }, slow: true },
  { name: 'a reset', fault: { kind: 'reset-before-processing' } },
  { name: 'a reset, processed', fault: { kind: 'reset-after-processing' } },
  { name: 'a web page', fault: { kind: 'html' } },
  { name: 'a web page with 200, processed', fault: { kind: 'html', status: 200, processed: true } },
  { name: 'half of its JSON', fault: { kind: 'odd-answer', shape: 'broken-json' } },
  { name: 'slow headers', fault: { kind: 'slow-headers', everyMs: 30 }, slow: true },
  { name: 'a body that trickles', fault: { kind: 'trickle-answer', everyMs: 30 }, slow: true },
  { name: 'a header of 1 MiB', fault: { kind: 'huge-header' } },
  { name: 'ten thousand headers', fault: { kind: 'many-headers' }, heavy: true },
  { name: 'a body without end', fault: { kind: 'endless-answer' }, heavy: true },
  { name: 'a length that is too large', fault: { kind: 'wrong-length', by: 10 } },
  { name: 'a length that is too small', fault: { kind: 'wrong-length', by: -10 } },
  { name: 'JSON nested 100,000 times', fault: { kind: 'odd-answer', shape: 'deep' }, heavy: true },
  {
    name: 'an error nested 100,000 times',
    fault: { kind: 'odd-answer', shape: 'deep', status: 500 },
    heavy: true
  },
  { name: 'keys such as __proto__', fault: { kind: 'odd-answer', shape: 'proto' } },
  { name: 'a next page for ever', fault: { kind: 'endless-pages' } },
  answer('null', null),
  answer('an empty list', []),
  answer('an object', evil),
  answer('a list of nonsense', [null, 7, 'x', [], { id: 'x', payload: EVIL, state: EVIL }])
]

function redirect(): { readonly headers: Readonly<Record<string, string>> } {
  return {
    headers: { location: `https://127.0.0.1:1/?t=${encodeURIComponent(GITHUB_TOKEN)}` }
  }
}
