// The list of the service's faults, each with what it does to the truth.
import type { Fault } from '../../sandbox/faults.ts'
import { DEEP } from '../support/deep.ts'
import { TOKEN } from '../support/shop.ts'

export interface ServiceFault {
  readonly name: string
  readonly fault: Fault
  /** The service's answer is not true. */
  readonly lied?: boolean
}

/** Everything that a text of somebody else's may try, and the credential sent back. */
export const EVIL = [
  'no\r\n::set-output name=outcome::published\r##[add-path]/tmp/evil\n::stop-commands::x1y2z3w4',
  `\u0085::error::${TOKEN}`,
  '</details><script>\u0000\ud800ghadelimiter_\nEOF'
].join('\n')

const data = {
  id: 7,
  title: EVIL,
  changelog: EVIL,
  file_name: EVIL,
  product_id: '12',
  download_url: `https://shop.example.com/d?token=${TOKEN}`,
  [TOKEN]: { deep: [TOKEN] }
}

const complaint = {
  message: EVIL,
  errors: { title: [EVIL], [EVIL]: [EVIL, { deep: EVIL }] }
}

const location = `https://evil.example.com/?t=${TOKEN}`
const waitOf = (text: string) => ({ 'retry-after': text })

const ANSWER = { kind: 'answer' } as const
const REFUSED = { ...ANSWER, stored: false } as const
const MOVED = { ...REFUSED, status: 307, body: '' } as const

const plain: readonly ServiceFault[] = [
  { name: 'no fault', fault: { kind: 'slow-answer', ms: 1 } },
  { name: 'a reset at connect', fault: { kind: 'reset-at-connect' } },
  { name: 'silence at accept', fault: { kind: 'silence-at-accept' } },
  { name: 'a reset before the body', fault: { kind: 'reset-before-body' } },
  { name: 'a reset in the body', fault: { kind: 'reset-in-body', bytes: 100_000 } },
  { name: 'a reset just before the tail', fault: { kind: 'reset-in-body', bytes: 299_999 } },
  { name: 'silence after the headers', fault: { kind: 'silence-after-headers' } },
  { name: 'silence in the body', fault: { kind: 'silence-in-body', bytes: 100_000 } },
  { name: 'a reset after the body', fault: { kind: 'reset-after-body' } },
  { name: 'a reset, not stored', fault: { kind: 'reset-after-body', stored: false } },
  { name: 'silence after the body', fault: { kind: 'silence-after-body' } },
  { name: 'silence, not stored', fault: { kind: 'silence-after-body', stored: false } },
  { name: 'an answer of 2 MiB', fault: { kind: 'huge-answer', mebibytes: 2 } },
  { name: 'an answer without end', fault: { kind: 'endless-answer' } },
  { name: 'an answer that trickles', fault: { kind: 'trickle-answer', everyMs: 20 } },
  { name: 'a zipped answer', fault: { kind: 'gzip-answer' } },
  { name: 'an answer of HTTP/1.0', fault: { kind: 'http-1.0-answer' } },
  { name: 'interim answers', fault: { kind: 'interim-answers' } },
  { name: 'slow headers', fault: { kind: 'slow-headers', everyMs: 20 } },
  { name: 'a header of 1 MiB', fault: { kind: 'huge-header' } },
  { name: 'ten thousand headers', fault: { kind: 'many-headers' } },
  { name: 'a length that is too large', fault: { kind: 'wrong-length', by: 10 } },
  { name: 'a length that is too small', fault: { kind: 'wrong-length', by: -10 } },
  { name: 'half an answer and an end', fault: { kind: 'truncated-answer', close: 'fin' } },
  { name: 'half an answer and a reset', fault: { kind: 'truncated-answer', close: 'reset' } },
  { name: 'half an answer and silence', fault: { kind: 'truncated-answer', close: 'keep' } },
  { name: 'an answer too late', fault: { kind: 'slow-answer', ms: 900 } },
  { name: 'a record that sends all back', fault: { ...ANSWER, status: 201, body: { data } } },
  { name: 'a refusal that sends all back', fault: { ...REFUSED, status: 422, body: complaint } },
  { name: 'a redirect with the credential', fault: { ...MOVED, headers: { location } } },
  { name: 'a wait of an hour', fault: { ...REFUSED, status: 429, headers: waitOf('3600') } },
  { name: 'a wait of nonsense', fault: { ...REFUSED, status: 429, headers: waitOf('-1e9, x') } }
]

const shapes: readonly ServiceFault[] = (
  [
    'broken-json',
    'html',
    'empty',
    'no-data',
    'data-null',
    'data-array',
    'no-id',
    'id-string',
    'id-fraction',
    'nulls',
    'extra-fields',
    'deep',
    'proto'
  ] as const
).map(shape => ({ name: `an answer of the shape ${shape}`, fault: { kind: 'odd-answer', shape } }))

/** All that a server may say instead of yes, and a front server in the place of the shop. */
const STATUSES = [
  301,
  400,
  401,
  403,
  404,
  408,
  409,
  413,
  422,
  429,
  500,
  503,
  // In `npm test`, some of each kind.
  ...(DEEP ? [302, 303, 307, 308, 405, 411, 415, 425, 502, 504, 599] : [])
]
const PAGE = {
  body: '<html><title>404 Not Found</title></html>',
  headers: { 'content-type': 'text/html', server: 'nginx/1.22.1' }
}

const statuses: readonly ServiceFault[] = STATUSES.flatMap(status => [
  // The shop's own word, which is true.
  { name: `${status}, documented`, fault: { ...REFUSED, status } },
  { name: `${status}, a page, stored`, fault: { ...ANSWER, status, ...PAGE } },
  { name: `${status}, a page`, fault: { ...REFUSED, status, ...PAGE } },
  { name: `${status}, nothing, stored`, fault: { ...ANSWER, status, body: '' } }
])

const EARLY = { kind: 'early-answer', bytes: 50_000, close: 'fin' } as const
const CREATED = { ...EARLY, kind: 'early-created' } as const
const READ_ON = { close: 'keep', stored: true } as const

const lie = (name: string, fault: Fault): ServiceFault => ({ name, fault, lied: true })

const early: readonly ServiceFault[] = [
  ...[401, 408, 413, 429, 500].map(it => ({
    name: `an early ${it}`,
    fault: { ...EARLY, status: it }
  })),
  { name: 'an early 503', fault: { ...EARLY, status: 503, close: 'reset' } },
  lie('an early 201', CREATED),
  lie('an early 201 with its body read on', { ...CREATED, ...READ_ON }),
  lie('an early 500 with its body read on', { ...EARLY, status: 500, ...READ_ON })
]

export const SERVICE_FAULTS: readonly ServiceFault[] = [...plain, ...shapes, ...statuses, ...early]
