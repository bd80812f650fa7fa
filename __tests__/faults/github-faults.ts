// The list of GitHub's faults, and of the calls of the at-most-once steps that they hit.
import type { GitHubFault, Matcher } from '../../sandbox/github-faults.ts'
import { GITHUB_TOKEN, TOKEN } from '../support/shop.ts'
import { EVIL } from './service-faults.ts'

export const LIST: Matcher = { method: 'GET', path: /\/deployments\?/ }
export const CREATE: Matcher = { method: 'POST', path: /\/deployments$/ }
export const HISTORY: Matcher = { method: 'GET', path: /\/statuses\?/ }
export const RECORD: Matcher = { method: 'POST', path: /\/statuses$/ }

export interface Call {
  readonly name: string
  readonly on: readonly Matcher[]
}

/**
 * A call, at which one fault waits for each of `nths`. Each counts all requests that fit, also those that another one
 * hits; where two have counted to the same request, the second one hits the next. So `5, 6` are the fifth request and the
 * sixth, `2, 2` the second and the third, and eight 1s the first eight.
 */
const call = (name: string, on: Matcher, ...nths: readonly number[]): Call => {
  return { name, on: nths.map(nth => ({ ...on, nth })) }
}

const FIRST_EIGHT = [1, 1, 1, 1, 1, 1, 1, 1]

/** In the order of a healthy run. */
export const CALLS: readonly Call[] = [
  call('the look at all versions', LIST, 1),
  call('the first look', LIST, 2),
  call('the claim', CREATE, 1),
  call('the look for the own claim', LIST, 3),
  call('its history', HISTORY, 1),
  call('the commit', RECORD, 1),
  call('the last look', LIST, 4),
  call('the last history', HISTORY, 2),
  call('the success', RECORD, 2),
  call('the success, twice', RECORD, 2, 2),
  call('every list', LIST, ...FIRST_EIGHT),
  call('every history', HISTORY, ...FIRST_EIGHT),
  call('every record', RECORD, ...FIRST_EIGHT),
  call('the fifth list and those after it', LIST, 5, 6, 7, 8)
]

const ASSET = { method: 'GET', path: /\/releases\/assets\// }

/** Calls of a run that takes its file from the release. */
export const DOWNLOADS: readonly Call[] = [
  call('the look at what is attached', { method: 'GET', path: /\/releases\/\d+$/ }, 1),
  call('the download', ASSET, 1),
  call('every download', ASSET, 1, 1, 1, 1),
  call('the commit after a download', RECORD, 1)
]

export interface NamedFault {
  readonly name: string
  readonly fault: GitHubFault
  /** It ends by the limit of time alone. */
  readonly slow?: true
  /** It keeps this machine busy, so only a few calls have it. */
  readonly heavy?: true
}

const ELSEWHERE = { location: `https://127.0.0.1:1/?t=${GITHUB_TOKEN}` }
const evil = {
  message: `${EVIL} ${GITHUB_TOKEN} ${TOKEN}`,
  errors: [EVIL, { deep: EVIL }]
}

const answer = (name: string, body: unknown): NamedFault => {
  return {
    name: `200 with ${name}`,
    fault: { kind: 'status', status: 200, body }
  }
}

const status = (code: number, processed: boolean): NamedFault => {
  return {
    name: `${code}${processed ? ', processed' : ''}`,
    fault: {
      kind: 'status',
      status: code,
      processed,
      body: evil
    }
  }
}

export const GITHUB_FAULTS: readonly NamedFault[] = [
  { name: 'no fault', fault: { kind: 'slow-answer', ms: 1 } },
  ...[401, 403, 404, 409, 422, 429, 500, 503, 600].map(code => status(code, false)),
  ...[205, 500].map(code => status(code, true)),
  { name: 'a redirect elsewhere', fault: { kind: 'status', status: 301, headers: ELSEWHERE } },
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
  { name: 'such an error', fault: { kind: 'odd-answer', shape: 'deep', status: 500 }, heavy: true },
  { name: 'keys such as __proto__', fault: { kind: 'odd-answer', shape: 'proto' } },
  { name: 'a next page for ever', fault: { kind: 'endless-pages' } },
  answer('null', null),
  answer('an empty list', []),
  answer('an object', evil),
  answer('a list of nonsense', [null, 7, 'x', [], { id: 'x', payload: EVIL, state: EVIL }])
]
